// Clients that leave, and times that pass, are noticed over every transport.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream, readdirSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { ask, talk, transports, wires, type Client } from '../support/transports.ts'
import type { AnyHandler, UntypedServer } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

/** A promise, and what fulfils it. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

/** Counts what happens to the requests of a server. */
function count(app: UntypedServer) {
  const counts: Record<string, number> = {}
  const add = (name: string) => (counts[name] = (counts[name] ?? 0) + 1)
  for (const name of ['onRequestAbort', 'onResponse', 'onError', 'onTimeout']) {
    app.addHook(name, async () => void add(name))
  }
  return { counts, add }
}

const ways: Readonly<Record<string, (client: Client, call: ReturnType<Client['call']>) => void>> = {
  'cancels its request': (_client, call) => {
    call.leave()
  },
  'ends its connection': (client) => {
    client.disconnect()
  },
}

for (const transport of transports) {
  const { name } = transport
  for (const [how, leave] of Object.entries(ways)) {
    test(`${name}: a client that ${how} before the answer is noticed, once`, async (context) => {
      const [arrived, left, ended] = [gate(), gate(), gate()]
      let counts: Record<string, number> = {}
      const client = await talk(context, transport, (app) => {
        const counted = count(app)
        ;({ counts } = counted)
        app.addHook('onResponse', async () => ended.open())
        app.get('/', async (request, reply) => {
          request.signal.addEventListener('abort', () => {
            counted.add('signal')
            left.open()
          })
          arrived.open()
          await left.opened
          assert.equal(request.signal.aborted, true)
          await reply.send('late')
          counted.add('awaited')
          return reply
        })
      })
      const call = client.call({ path: '/' })
      await arrived.opened
      leave(client, call)
      await Promise.all([left.opened, ended.opened, call.ended])
      await client.app.close()
      const once = { signal: 1, onRequestAbort: 1, onResponse: 1, awaited: 1 }
      assert.deepEqual(counts, once)
    })

    test(`${name}: the stream of a reply that comes when a client ${how} is destroyed`, async (context) => {
      const [arrived, left] = [gate(), gate()]
      const streams = [
        new Readable({ read: () => undefined }),
        Readable.from(['a', 'b']),
        new PassThrough(),
        createReadStream('/dev/zero'),
      ]
      const bodies = ['cancelled', 'cancelled'].map((value) => ({ value, is: '' }))
      const web = bodies.map(
        (body) => new ReadableStream({ cancel: () => void (body.is = body.value) }),
      )
      const payloads = [...streams, web[0], new Response(web[1])]
      let waiting = payloads.length
      const client = await talk(context, transport, (app) => {
        app.addHook('onRequestAbort', async () => left.open())
        app.get('/:at', async (request) => {
          waiting -= 1
          if (waiting === 0) arrived.open()
          if (!request.signal.aborted) await once(request.signal, 'abort')
          return payloads[request.params.at]
        })
      })
      const calls = payloads.map((_payload, at) => client.call({ path: `/${at}` }))
      await arrived.opened
      const closed = streams.map(
        (stream) =>
          new Promise<void>((resolve) =>
            stream.on('close', () => {
              resolve()
            }),
          ),
      )
      for (const call of calls) leave(client, call)
      await Promise.all(closed)
      await client.app.close()
      assert.deepEqual(
        bodies.map(({ is }) => is),
        ['cancelled', 'cancelled'],
      )
    })
  }

  const readers: Readonly<
    Record<string, (body: Readable, arrive: () => void) => Promise<unknown>>
  > = {
    'a pipeline': (body, arrive) => pipeline(body, new PassThrough().on('data', arrive)),
    'for await': async (body, arrive) => {
      for await (const _chunk of body) arrive()
    },
    listeners: (body, arrive) =>
      new Promise((resolve, reject) => {
        body.on('data', arrive).on('end', resolve).on('close', reject)
      }),
    'the parser of text': () => Promise.reject(new Error('it reads for itself')),
  }
  for (const [reader, read] of Object.entries(readers)) {
    test(`${name}: ${reader} does not take a half upload for a whole one when its client leaves`, async (context) => {
      const [arrived, left] = [gate(), gate()]
      let counts: Record<string, number> = {}
      const results: string[] = []
      const type = reader === 'the parser of text' ? 'text/plain' : 'application/x-read'
      const client = await talk(context, transport, (app) => {
        ;({ counts } = count(app))
        app.addContentTypeParser('application/x-read', async (_request: Loose, body: Readable) => {
          await read(body, arrived.open)
          results.push('whole')
        })
        app.addHook('preParsing', async (request) => {
          if (type === 'text/plain') request.raw.once('data', arrived.open)
        })
        app.addHook('onRequestAbort', async () => left.open())
        app.post('/', () => void results.push('handled'))
      })
      const headers = { 'content-type': type }
      const call = client.call({ path: '/', method: 'POST', headers, body: 'half', isOpen: true })
      await silenced(async () => {
        await arrived.opened
        call.leave()
        await left.opened
        await client.app.close()
      })
      assert.deepEqual(results, [])
      assert.equal(counts['onRequestAbort'], 1)
    })
  }

  test(`${name}: a client that has all of an answer does not leave before it`, async (context) => {
    let counts: Record<string, number> = {}
    const signals: AbortSignal[] = []
    const client = await talk(context, transport, (app) => {
      ;({ counts } = count(app))
      app.addHook('onRequest', async ({ signal }) => void signals.push(signal))
      app.get('/', () => 'done')
      app.get('/stream', () => Readable.from(['do', 'ne']))
      app.get('/204', (_request, reply) => reply.code(204).send())
      app.get('/hijacked', (_request, reply) => void reply.hijack().raw.end('done'))
    })
    for (const path of ['/', '/stream', '/204', '/hijacked', '/none']) await ask(client, path)
    await ask(client, { path: '/', method: 'HEAD' })
    client.disconnect()
    await client.app.close()
    assert.deepEqual(counts, { onResponse: 6 })
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, false, false, false, false, false],
    )
  })

  test(`${name}: a route that takes too long is answered with 503`, async (context) => {
    const client = await talk(
      context,
      transport,
      (app) => app.get('/', ({ signal }) => once(signal, 'abort').then(() => 'late')),
      { handlerTimeout: 20 },
    )
    const [{ status }] = await silenced(() => ask(client, '/'))
    assert.equal(status, 503)
  })
}

for (const transport of wires) {
  const { name } = transport
  test(`${name}: a client that leaves within the answer ends its stream`, async (context) => {
    let counts: Record<string, number> = {}
    const ended = gate()
    const stream = new Readable({ read: () => undefined })
    stream.push('begun')
    const client = await talk(context, transport, (app) => {
      ;({ counts } = count(app))
      app.addHook('onResponse', async () => ended.open())
      app.get('/', () => stream)
    })
    const call = client.call({ path: '/' })
    await call.begun
    call.leave()
    await Promise.all([once(stream, 'close'), ended.opened])
    await client.app.close()
    assert.deepEqual(counts, { onRequestAbort: 1, onResponse: 1 })
  })

  test(`${name}: clients that leave in a loop leave no file open`, async (context) => {
    const files = () => readdirSync('/proc/self/fd').length
    const [late, all] = [gate(), gate()]
    let [waiting, left] = [100, 100]
    let peak = 0
    const client = await talk(context, transport, (app) => {
      app.addHook('onResponse', async () => {
        left -= 1
        if (left === 0) all.open()
      })
      app.get('/', async () => {
        waiting -= 1
        if (waiting === 0) late.open()
        await late.opened
        const file = createReadStream(import.meta.filename)
        await once(file, 'open')
        peak = Math.max(peak, files())
        return file
      })
    })
    const before = files()
    const calls = Array.from({ length: 100 }, () => client.call({ path: '/' }))
    await late.opened
    for (const call of calls) call.leave()
    await Promise.all(calls.map((call) => call.ended))
    await all.opened
    client.disconnect()
    await client.app.close()
    // Files are closed by other threads.
    while (files() > before) await new Promise((resolve) => setImmediate(resolve))
    assert.ok(peak > before)
  })

  test(`${name}: what the server cuts is no client that leaves`, async (context) => {
    let counts: Record<string, number> = {}
    const client = await talk(context, transport, (app) => {
      ;({ counts } = count(app))
      app.get('/', () =>
        Readable.from(
          (function* () {
            yield 'begun'
            throw new Error('the stream failed')
          })(),
        ),
      )
    })
    const [{ status, isWhole }] = await silenced(() => ask(client, '/'))
    assert.deepEqual([status, isWhole], [200, false])
    await client.app.close()
    assert.deepEqual(counts, { onResponse: 1 })
  })

  for (const hasHook of [true, false]) {
    test(`${name}: connectionTimeout ends what stands still${hasHook ? ', and onTimeout runs' : ''}`, async (context) => {
      const runs: string[] = []
      const client = await talk(
        context,
        transport,
        (app) => {
          if (hasHook) app.addHook('onTimeout', async ({ url }) => void runs.push(url))
          app.addHook('onRequestAbort', async ({ url }) => void runs.push(`left ${url}`))
          app.get('/slow', ({ signal }) => once(signal, 'abort').then(() => 'late'))
          app.get('/still', () => {
            const stream = new Readable({ read: () => undefined })
            stream.push('begun')
            return stream
          })
          app.post('/body', () => 'never')
        },
        { connectionTimeout: 200 },
      )
      const headers = { 'content-type': 'text/plain' }
      const upload = { path: '/body', method: 'POST', headers, body: 'half', isOpen: true }
      const [slow, still, body] = await Promise.all([
        ask(client, '/slow'),
        ask(client, '/still'),
        ask(client, upload),
      ])
      assert.deepEqual([slow.status, still.status, still.isWhole], [undefined, 200, false])
      assert.notEqual(body.status, 200)
      await client.app.close()
      if (hasHook) assert.deepEqual(runs.sort(), ['/body', '/slow', '/still'])
    })
  }

  test(`${name}: connectionTimeout leaves alone what is busy`, async (context) => {
    const client = await talk(
      context,
      transport,
      (app) =>
        app.get('/', () =>
          Readable.from(
            (async function* () {
              for (let at = 0; at < 8; at++) {
                yield String(at)
                await new Promise((resolve) => setTimeout(resolve, 50))
              }
            })(),
          ),
        ),
      { connectionTimeout: 200 },
    )
    const { text, isWhole } = await ask(client, '/')
    assert.deepEqual([text, isWhole], ['01234567', true])
  })

  test(`${name}: a rewriteUrl that throws, or gives no text, does not end the process`, async (context) => {
    let result: () => unknown = () => assert.fail('of the function')
    const client = await talk(context, transport, (app) => app.get('/', () => 'served'), {
      rewriteUrl: () => result(),
    })
    for (const wrong of [() => assert.fail('of the function'), () => undefined]) {
      result = wrong
      const [{ status }] = await silenced(() => ask(client, '/'))
      assert.notEqual(status, 200)
      result = () => '/'
      assert.equal((await ask(client, '/')).text, 'served')
    }
  })
}
