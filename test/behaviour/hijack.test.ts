// reply.hijack(): whoever calls it answers with `raw`, and the framework keeps out of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Takes a reply over, and answers later. */
function takeOver(reply: any): void {
  reply.hijack()
  setImmediate(() => reply.raw.writeHead(202, { 'x-raw': 'raw' }).end('raw'))
}

const ways: Readonly<Record<string, AnyHandler>> = {
  'a handler': (_request, reply) => takeOver(reply),
  'a handler that returns a payload': (_request, reply) => {
    takeOver(reply)
    return 'mine'
  },
  'a handler that returns the reply': (_request, reply) => {
    takeOver(reply)
    return reply
  },
  'an async handler': async (_request, reply) => takeOver(reply),
  'an async handler that returns a payload': async (_request, reply) => {
    takeOver(reply)
    return 'mine'
  },
  'an async handler that waits first': async (_request, reply) => {
    await tick()
    takeOver(reply)
  },
}
for (const [who, handler] of Object.entries(ways)) {
  test(`${who} may take a reply over: it is answered by that alone`, async () => {
    const app = untyped().get('/', handler)
    app.addHook('onRequest', async (_request, reply) => void reply.header('x-reply', 'reply'))
    const [{ statusCode, body, headers }, log] = await silenced(async () => app.inject('/'))
    assert.deepEqual([statusCode, body], [202, 'raw'])
    if (!who.includes('payload')) assert.equal(log, '')
    assert.deepEqual([headers['x-raw'], headers['x-reply']], ['raw', undefined])
    await app.close()
  })
}

for (const name of ['onRequest', 'preValidation', 'preHandler']) {
  const forms: Readonly<Record<string, (...args: any[]) => unknown>> = {
    'an async hook': async (_request, reply) => takeOver(reply),
    'a callback hook': (_request, reply, _done) => takeOver(reply),
    'a callback hook that calls done': (_request, reply, done) => {
      takeOver(reply)
      done()
    },
  }
  for (const [form, hook] of Object.entries(forms)) {
    test(`${form} in ${name} may take a reply over: nothing behind it runs but onResponse`, async () => {
      const trace: string[] = []
      const note = (what: string) => async () => void trace.push(what)
      let ended: () => void = () => {}
      const responded = new Promise<void>((resolve) => (ended = resolve))
      const app = untyped().addHook(name, hook).addHook(name, note('behind'))
      for (const later of ['preSerialization', 'onSend', 'onError']) app.addHook(later, note(later))
      app.addHook('onResponse', note('onResponse')).addHook('onResponse', async () => ended())
      app.get('/', () => void trace.push('handler'))
      assert.equal((await app.inject('/')).body, 'raw')
      await responded
      assert.deepEqual(trace, ['onResponse'])
      await app.close()
    })
  }
}

test('it gives the reply back, which then counts as sent', async () => {
  const seen: unknown[] = []
  const app = untyped().get('/', (_request, reply) => {
    seen.push(reply.sent, reply.hijack() === reply, reply.sent)
    reply.raw.end('raw')
  })
  assert.equal((await app.inject('/')).body, 'raw')
  assert.deepEqual(seen, [false, true, true])
  await app.close()
})

const misuses: Readonly<Record<string, readonly [act: (reply: any) => unknown, log: RegExp]>> = {
  'sends a payload': [(reply) => void reply.send('mine'), /sent already/],
  'sends an error': [(reply) => void reply.send(new Error('mine')), /sent already|Error: mine/],
  throws: [
    () => {
      throw new Error('mine')
    },
    /GET \/ in root: Error: mine/,
  ],
  rejects: [async () => Promise.reject(new Error('mine')), /GET \/ in root: Error: mine/],
}
for (const [what, [act, expected]] of Object.entries(misuses)) {
  test(`a handler that ${what} behind it changes nothing, and is told of on stderr`, async () => {
    const handled: unknown[] = []
    const app = untyped().setErrorHandler((error) => void handled.push(error))
    app.get('/', (_request, reply) => {
      takeOver(reply)
      return act(reply)
    })
    const [{ statusCode, body }, log] = await silenced(async () => app.inject('/'))
    assert.deepEqual([statusCode, body, handled], [202, 'raw', []])
    assert.match(log, expected)
    await app.close()
  })
}

test('an error behind it does not cut what raw is writing', async () => {
  const app = untyped().get('/', async (_request, reply) => {
    reply.hijack()
    reply.raw.write('one ')
    setImmediate(() => reply.raw.end('two'))
    throw new Error('meanwhile')
  })
  const url = await app.listen({ port: 0 })
  const [{ body }, log] = await silenced(() => rawRequest(url, ['GET / HTTP/1.0']))
  assert.equal(body, 'one two')
  assert.match(log, /Error: meanwhile/)
  await app.close()
})

test('callNotFound behind it does nothing', async () => {
  const app = untyped().setNotFoundHandler(() => 'not found')
  app.get('/', (_request, reply) => {
    takeOver(reply)
    reply.callNotFound()
  })
  assert.equal((await app.inject('/')).body, 'raw')
  await app.close()
})

test('an error handler and a not-found handler may take a reply over too', async () => {
  const app = untyped().setErrorHandler((_error, _request, reply) => takeOver(reply))
  app.setNotFoundHandler(async (_request, reply) => takeOver(reply))
  app.get('/', () => {
    throw new Error('broken')
  })
  app.register(async (child) => {
    child.setErrorHandler(async (_error, _request, reply) => takeOver(reply))
    child.get('/child', () => {
      throw new Error('broken')
    })
  })
  for (const url of ['/', '/child', '/none']) {
    const [{ body }, log] = await silenced(async () => app.inject(url))
    assert.deepEqual([body, log], ['raw', ''], url)
  }
  await app.close()
})
