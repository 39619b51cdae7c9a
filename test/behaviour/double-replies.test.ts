// Replies that are given twice, by hand, too late, or never.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

/** A server that is closed when its test has ended, however it did. */
function serve(context: TestContext) {
  const app = untyped()
  context.after(() => app.close())
  return app
}

/** Asks twice over one connection, and gives the heads and the bodies that came. */
async function askTwice(app: UntypedServer) {
  const url = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  const [, log] = await silenced(async () => {
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    socket.write('GET /next HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    await once(socket, 'close')
    // What is told behind the reply is told by now.
    await setImmediate()
    await setImmediate()
  })
  const heads = text.match(/HTTP\/1\.1 \d+/g) ?? []
  const bodies = text.match(/(?<=\r\n\r\n)[a-z]+/g) ?? []
  return { heads, bodies, log }
}

const twice: Record<string, AnyHandler> = {
  'sent twice at once': (_request, reply) => {
    reply.send('first')
    reply.send('second')
  },
  'sent in a chain': (_request, reply) => reply.send('first').send('second'),
  'sent, and another returned': (_request, reply) => {
    reply.send('first')
    return 'second'
  },
  'sent, and another returned by an async handler': async (_request, reply) => {
    reply.send('first')
    return 'second'
  },
  'awaited, and another returned': async (_request, reply) => {
    await reply.send('first')
    return 'second'
  },
  'returned, and another sent later': (_request, reply) => {
    void setImmediate().then(() => reply.send('second'))
    return 'first'
  },
  'sent, and another sent later': async (_request, reply) => {
    reply.send('first')
    await setImmediate()
    reply.send('second')
  },
  'sent, and a redirect': (_request, reply) => {
    reply.send('first')
    reply.redirect('/second')
  },
  'sent, and an error sent': (_request, reply) => {
    reply.send('first')
    reply.send(new Error('second'))
  },
  'sent, and an error returned': async (_request, reply) => {
    reply.send('first')
    return new Error('second')
  },
  'sent, and nothing sent': (_request, reply) => {
    reply.send('first')
    reply.send()
  },
  'written to raw, and another sent': (_request, reply) => {
    reply.raw.setHeader('content-length', 5).end('first')
    reply.send('second')
  },
  'written to raw, and another returned': async (_request, reply) => {
    reply.raw.setHeader('content-length', 5).end('first')
    return 'second'
  },
}
for (const [how, handler] of Object.entries(twice)) {
  test(`a payload that is ${how}: the first leaves, stderr is told, the next reply is whole`, async (context) => {
    const app = serve(context)
      .get('/', handler)
      .get('/next', () => 'next')
    const { heads, bodies, log } = await askTwice(app)
    assert.deepEqual(heads, ['HTTP/1.1 200', 'HTTP/1.1 200'])
    assert.deepEqual(bodies, ['first', 'next'])
    assert.equal(log.match(/^GET \/ in root: .*A reply to GET \/ was sent already/gm)?.length, 1)
  })
}

const failing: Record<string, AnyHandler> = {
  throws: (_request, reply) => {
    reply.send('first')
    throw new Error('second')
  },
  rejects: async (_request, reply) => {
    await reply.send('first')
    throw new Error('second')
  },
  'rejects with nothing': async (_request, reply) => {
    reply.send('first')
    return Promise.reject(undefined)
  },
}
for (const [how, handler] of Object.entries(failing)) {
  test(`a handler that ${how} behind its reply changes nothing for the client`, async (context) => {
    const app = serve(context)
      .setErrorHandler((_error, _request, reply) => reply.code(500).send('handled'))
      .get('/', handler)
      .get('/next', () => 'next')
    const { heads, bodies, log } = await askTwice(app)
    assert.deepEqual(heads, ['HTTP/1.1 200', 'HTTP/1.1 200'])
    assert.deepEqual(bodies, ['first', 'next'])
    assert.match(log, /^GET \/ in root: (Error: second|undefined)/)
  })
}

test('a stream that is a second payload is destroyed', async (context) => {
  const late: Record<string, AnyHandler> = {
    sent: (_request, reply) => reply.send('first').send(stream),
    returned: async (_request, reply) => {
      reply.send('first')
      return stream
    },
    'returned behind callNotFound': (_request, reply) => {
      reply.callNotFound()
      return stream
    },
  }
  let stream = new Readable()
  for (const [how, handler] of Object.entries(late)) {
    stream = new Readable({ read: () => {} })
    const closed = once(stream, 'close')
    const [{ body }] = await silenced(() => serve(context).get('/', handler).inject('/'))
    assert.match(body, /^first$|Not Found/, how)
    await closed
  }
})

const byHand: Record<string, AnyHandler> = {
  'writes to raw': (_request, reply) => {
    reply.raw.writeHead(202, { 'content-length': 5 })
    reply.raw.end('byraw')
  },
  'writes to raw in an async handler': async (_request, reply) => {
    reply.raw.writeHead(202, { 'content-length': 5 })
    reply.raw.end('byraw')
  },
  'hijacks the reply, and writes later': async (_request, reply) => {
    reply.hijack()
    void setImmediate().then(() => reply.raw.writeHead(202, { 'content-length': 5 }).end('byraw'))
  },
  'hijacks the reply, and returns what it pipes': async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(202, { 'content-length': 5 })
    const stream = Readable.from(['by', 'raw'])
    stream.pipe(reply.raw)
    return stream
  },
}
for (const [how, handler] of Object.entries(byHand)) {
  test(`a handler that ${how} answers by itself`, async (context) => {
    const app = serve(context)
      .get('/', handler)
      .get('/next', () => 'next')
    const { heads, bodies, log } = await askTwice(app)
    assert.deepEqual(heads, ['HTTP/1.1 202', 'HTTP/1.1 200'])
    assert.deepEqual(bodies, ['byraw', 'next'])
    assert.equal(log, '')
  })
}

const hijackers: Record<string, AnyHandler> = {
  sends: (_request, reply) => void reply.send('dropped'),
  throws: () => {
    throw new Error('dropped')
  },
  rejects: async () => Promise.reject(new Error('dropped')),
}
for (const [what, act] of Object.entries(hijackers)) {
  test(`a handler that hijacks its reply and then ${what} is told of it, and answers by itself`, async (context) => {
    const app = serve(context).setErrorHandler(() => 'dropped')
    app.get('/', (request, reply) => {
      reply.hijack()
      assert.equal(reply.sent, true)
      void setImmediate().then(() => reply.raw.setHeader('content-length', 5).end('byraw'))
      return act(request, reply)
    })
    app.get('/next', () => 'next')
    const { bodies, log } = await askTwice(app)
    assert.deepEqual(bodies, ['byraw', 'next'])
    assert.match(log, /^GET \/ in root: .*(sent already|Error: dropped)/)
  })
}

test('a handler that fails when it has begun to write to raw cuts its connection', async (context) => {
  const app = serve(context).get('/', async (_request, reply) => {
    reply.raw.write('some')
    await setImmediate()
    throw new Error('secret')
  })
  const url = await app.listen({ port: 0 })
  const [{ head, body }, log] = await silenced(() => rawRequest(url, ['GET / HTTP/1.1']))
  assert.match(head, /^HTTP\/1\.1 200 OK/)
  assert.equal(body, '4\r\nsome\r\n')
  assert.match(log, /Error: secret/)
})

const late: Record<string, AnyHandler> = {
  'sends text': (_request, reply) => reply.send('late'),
  'sends an object': (_request, reply) => reply.header('x-a', 'a').send({ a: 1 }),
  'sends an error': (_request, reply) => reply.send(new Error('late')),
  'returns text': () => 'late',
  rejects: async () => Promise.reject(new Error('late')),
  redirects: (_request, reply) => reply.redirect('/late'),
}
for (const [what, act] of Object.entries(late)) {
  test(`a handler that ${what} when its client has left harms nothing`, async (context) => {
    const events = new EventEmitter()
    const app = serve(context).get('/', async (request, reply) => {
      const closed = once(reply.raw, 'close')
      events.emit('begin')
      await closed
      void setImmediate().then(() => events.emit('end'))
      const result = await act(request, reply)
      return result ?? reply
    })
    const url = new URL(await app.listen({ port: 0 }))
    const socket = connect(Number(url.port), url.hostname)
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await once(events, 'begin')
    socket.destroy()
    await silenced(() => once(events, 'end'))
    assert.equal((await app.inject('/none')).statusCode, 404)
  })
}

test('a stream that is sent when its client has left is destroyed', async (context) => {
  const stream = new Readable({ read: () => {} })
  const begun = new EventEmitter()
  const app = serve(context).get('/', async (_request, reply) => {
    const closed = once(reply.raw, 'close')
    begun.emit('begin')
    await closed
    return stream
  })
  const url = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(begun, 'begin')
  socket.destroy()
  await once(stream, 'close')
})

test('a handler that never replies is forgotten when its client leaves', async (context) => {
  const events = new EventEmitter()
  const app = serve(context)
    .addHook('onResponse', async () => void events.emit('response'))
    .addHook('onRequestAbort', async () => void events.emit('abort'))
    .get('/', () => void events.emit('begin'))
    .get('/async', async (_request, reply) => {
      events.emit('begin')
      return reply
    })
  const url = new URL(await app.listen({ port: 0 }))
  for (const path of ['/', '/async']) {
    const socket = connect(Number(url.port), url.hostname)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
    await once(events, 'begin')
    const ended = Promise.all([once(events, 'response'), once(events, 'abort')])
    const [, log] = await silenced(async () => {
      socket.destroy()
      await ended
      await setImmediate()
    })
    assert.equal(log, '')
  }
  assert.equal((await app.inject('/none')).statusCode, 404)
})

test('what only resembles a promise is one: it counts once, fails as one, and may call back at once', async (context) => {
  const thenable = (
    then: (resolve: (value: unknown) => void, reject: (e: unknown) => void) => void,
  ) => ({ then }) as PromiseLike<{ a: number }>
  const app = serve(context)
    .get('/twice', () =>
      thenable((resolve) => {
        resolve({ a: 1 })
        resolve({ a: 2 })
      }),
    )
    .get('/rejects', () =>
      thenable((_resolve, reject) => {
        reject(Object.assign(new Error('no tea'), { statusCode: 418 }))
      }),
    )
    .get('/throws', () =>
      thenable(() => {
        throw Object.assign(new Error('no pot'), { statusCode: 418 })
      }),
    )
  const [[twice, rejects, throws], log] = await silenced(async () => [
    await app.inject('/twice'),
    await app.inject('/rejects'),
    await app.inject('/throws'),
  ])
  assert.equal(log, '')
  assert.deepEqual([twice.body, rejects.statusCode, throws.statusCode], ['{"a":1}', 418, 418])
})
