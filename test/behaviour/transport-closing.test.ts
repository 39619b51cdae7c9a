// A server closes over every transport: what is under way ends, and nothing holds it up.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { ask, talk, transports, wires } from '../support/transports.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

/** A promise, and what fulfils it. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

const payloads: Readonly<Record<string, () => unknown>> = {
  text: () => 'sent',
  JSON: () => ({ a: 'sent' }),
  'a stream': () => Readable.from(['se', 'nt']),
  'a Response': () => new Response('sent'),
}

for (const transport of transports) {
  const { name, isHttp2, isWired } = transport
  for (const [what, make] of Object.entries(payloads)) {
    test(`${name}: closing waits for a reply that is ${what}, which says that its connection ends`, async (context) => {
      const [arrived, goOn] = [gate(), gate()]
      const order: string[] = []
      const client = await talk(context, transport, (app) => {
        app.addHook('onResponse', async () => void order.push('onResponse'))
        app.addHook('onClose', async () => void order.push('onClose'))
        app.get('/', async () => {
          arrived.open()
          await goOn.opened
          return make()
        })
      })
      const call = client.call({ path: '/' })
      await arrived.opened
      const closed = client.app.close()
      goOn.open()
      const [{ status, text, headers, isWhole }] = await Promise.all([call.ended, closed])
      assert.equal(status, 200)
      assert.match(text, /sent/)
      assert.ok(isWhole)
      if (isWired && !isHttp2) assert.equal(headers['connection'], 'close')
      if (isWired) assert.deepEqual(order, ['onResponse', 'onClose'])
    })
  }

  test(`${name}: an error and a missing route that are answered while a server closes say so, too`, async (context) => {
    const [both, goOn] = [gate(), gate()]
    let waiting = 2
    const wait = async () => {
      waiting -= 1
      if (waiting === 0) both.open()
      await goOn.opened
    }
    const client = await talk(context, transport, (app) => {
      app.addHook('onRequest', wait)
      app.get('/', () => Promise.reject(Object.assign(new Error('no'), { statusCode: 403 })))
    })
    const calls = ['/', '/none'].map((path) => client.call({ path }))
    await both.opened
    const closed = client.app.close()
    goOn.open()
    const answers = await Promise.all(calls.map(({ ended }) => ended))
    await closed
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 404],
    )
    for (const { headers } of answers)
      if (isWired && !isHttp2) assert.equal(headers['connection'], 'close')
  })
}

/** Ways in which an application leaves the rest of a body. */
const leavers: Readonly<Record<string, (body: Readable) => unknown>> = {
  'for await, left': async (body) => {
    for await (const chunk of body) return String(chunk).length > 0
    return false
  },
  pause: (body) =>
    new Promise((resolve) => {
      body.once('data', () => {
        body.pause()
        resolve('paused')
      })
    }),
  'a listener that is taken off': async (body) => {
    await once(body, 'data')
    return 'left'
  },
  'a pipe into what fails': async (body) => {
    const sink = new PassThrough().on('data', () => sink.destroy(new Error('full')))
    return pipeline(body, sink).catch(() => 'failed')
  },
  'a pipe into what is never read': async (body) => {
    body.pipe(new PassThrough())
    await once(body, 'pause')
    body.unpipe()
    return 'left'
  },
  destroy: async (body) => {
    await once(body, 'data')
    body.destroy()
    return 'destroyed'
  },
}
const large = 'x'.repeat(2_000_000)

/** A server whose parser of `application/x-log` leaves a body. */
function withLeaver(app: UntypedServer, leave: (body: Readable) => unknown): void {
  app.addContentTypeParser('application/x-log', async (_request: Loose, body: Readable) =>
    leave(body),
  )
  app.post('/', () => 'done')
  app.get('/next', () => 'next')
}

for (const transport of wires) {
  const headers = { 'content-type': 'application/x-log' }
  for (const [how, leave] of Object.entries(leavers)) {
    for (const lengths of [{ 'content-length': String(large.length) }, {}]) {
      const kind = 'content-length' in lengths ? 'a length' : 'no length'
      test(`${transport.name}: an upload with ${kind} that is left by ${how} holds nothing up`, async (context) => {
        const client = await talk(context, transport, (app) => {
          withLeaver(app, leave)
        })
        const question = { path: '/', method: 'POST', body: large }
        const call = client.call({ ...question, headers: { ...headers, ...lengths } })
        const [{ status }] = await silenced(() => call.ended)
        if (how !== 'destroy') assert.equal(status, 200)
        assert.equal((await ask(client, '/next')).text, 'next')
        await client.app.close()
      })
    }
  }
}

test('behind a half-read upload that is short the connection goes on', async (context) => {
  const app = untyped()
  const { pause: leave } = leavers
  assert.ok(leave)
  withLeaver(app, leave)
  context.after(() => app.close())
  const socket = connect(Number(new URL(await app.listen({ port: 0 })).port), 'localhost')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  const post = `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-log\r\n`
  const length = 200_000
  socket.write(`${post}content-length: ${length}\r\n\r\n`)
  socket.write('x'.repeat(length))
  socket.write('GET /next HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  await once(socket, 'close')
  assert.equal(text.match(/HTTP\/1.1 200 OK/g)?.length, 2)
  assert.match(text, /next$/)
})

test('behind a half-read upload that is long the connection is closed, and says so', async (context) => {
  const app = untyped({ bodyLimit: 1000 })
  const { 'for await, left': leave } = leavers
  assert.ok(leave)
  withLeaver(app, leave)
  context.after(() => app.close())
  const socket = connect(Number(new URL(await app.listen({ port: 0 })).port), 'localhost')
  socket.on('error', () => undefined)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  const post = `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-log\r\n`
  socket.write(`${post}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`)
  await once(socket, 'close')
  assert.match(text, /^HTTP\/1.1 200 OK/)
  assert.match(text, /^connection: close\r?$/im)
})

for (const transport of wires) {
  test(`${transport.name}: a body may be left right behind its answer`, async (context) => {
    const ips: string[] = []
    const client = await talk(context, transport, (app) => {
      app.addContentTypeParser('application/x-log', async (_request: Loose, body: Readable) => body)
      app.post('/', async (request: Loose, reply: Loose) => {
        const chunks = (request.body as Readable)[Symbol.asyncIterator]()
        await chunks.next()
        reply.send('early')
        await chunks.return?.()
        return reply
      })
      app.addHook('onResponse', async ({ ip }) => void ips.push(ip))
      app.get('/next', () => 'next')
    })
    const headers = { 'content-type': 'application/x-log' }
    const call = client.call({ path: '/', method: 'POST', body: large, headers })
    assert.equal((await silenced(() => call.ended))[0].text, 'early')
    assert.equal((await ask(client, '/next')).text, 'next')
    await client.app.close()
    assert.equal(ips.length, 2)
  })
}
