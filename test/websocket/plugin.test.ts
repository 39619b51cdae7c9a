// Routes for WebSockets, as a client of the package ws sees them over the network.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { WebSocket } from 'ws'
import espalier, { plugin, t } from '../../src/index.ts'
import { websocket, type WebsocketDecorators } from '../../src/websocket/index.ts'
import { Lines } from '../support/lines.ts'
import { listening } from '../support/serve.ts'

type Listening = Parameters<typeof listening>[1]

/** Has a server listen, and gives the beginning of the URLs of its sockets. */
const socketsOf = async (context: TestContext, app: Listening): Promise<string> =>
  (await listening(context, app)).replace('http', 'ws')

async function opened(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  return socket
}

/** Sends a message, and gives the next that comes. */
async function answer(socket: WebSocket, message?: string | Uint8Array): Promise<string> {
  const next = once(socket, 'message')
  if (message !== undefined) socket.send(message)
  const [data] = (await next) as [Buffer]
  return String(data)
}

async function closed(socket: WebSocket): Promise<[code: number, reason: string]> {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  return [code, String(reason)]
}

/** The answer to an upgrade that is refused, when its connection has ended. */
async function refusal(url: string): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(url)
  const [request, response] = await once(socket, 'unexpected-response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  if (!request.socket.destroyed) await once(request.socket, 'close')
  return { status: response.statusCode, body: String(Buffer.concat(chunks)) }
}

const Said = t.Object({ text: t.String({ maxLength: 5 }), count: t.Integer({ default: 1 }) })
const Told = t.Object({ room: t.String(), text: t.String(), at: t.Optional(t.String()) })

test('a handler is given the socket, and the request with its validated parts', async (context) => {
  const schema = { params: { room: t.Integer() }, querystring: { n: t.Integer({ default: 2 }) } }
  const app = espalier()
    .register(websocket())
    .decorate('greeting', 'hello')
    .websocket('/chat/:room', { schema }, function (socket, { params, query }) {
      void socket.send(`${this.greeting} ${params.room + 1} ${query.n + 1}`)
    })
  const url = await socketsOf(context, app)
  const socket = new WebSocket(`${url}/chat/1?n=5`)
  assert.equal(await answer(socket), 'hello 2 6')
  assert.match((await refusal(`${url}/chat/x`)).body, /params\/room must be integer/)
  assert.equal((await refusal(`${url}/chat/1?n=x`)).status, 400)
})

test('messages are read and written by their schemas', async (context) => {
  const app = espalier()
    .addSchema('said', Said)
    .register(websocket())
    .websocket('/:room', { receive: t.Ref('said#'), send: Told }, async (socket, request) => {
      const { room } = request.params
      for await (const { text, count } of socket) {
        await socket.send(Object.assign({ room, text: text.repeat(count) }, { secret: 1 }))
      }
    })
  const socket = await opened(`${await socketsOf(context, app)}/lobby`)
  assert.equal(await answer(socket, '{"text":"a"}'), '{"room":"lobby","text":"a"}')
  assert.equal(await answer(socket, '{"text":"a","count":2}'), '{"room":"lobby","text":"aa"}')
})

test('a message of t.BigInt keeps its digits', async (context) => {
  const Told = t.Object({ id: t.BigInt(), plain: t.Number() })
  const app = espalier()
    .register(websocket())
    .websocket('/', { receive: Told, send: Told }, async (socket) => {
      for await (const { id, plain } of socket) await socket.send({ id: id + 1n, plain })
    })
  const socket = await opened(await socketsOf(context, app))
  const sent = '{"id":9007199254740992,"plain":12345678901234567000}'
  assert.equal(await answer(socket, sent), '{"id":9007199254740993,"plain":12345678901234567000}')
})

test('why a message is refused does not tell a sensitive value', async (context) => {
  const Login = t.Object({ password: t.Sensitive(t.String({ maxLength: 9 })) })
  const app = espalier()
    .register(websocket())
    .websocket('/', { receive: Login }, async (socket) => {
      for await (const { password } of socket) assert.fail(password)
    })
  const url = await socketsOf(context, app)
  for (const [message, reason] of [
    ['{"password":"hunter2-hunter2"}', 'message/password must NOT have more than 9 characters'],
    ['{"password":"hunter2"x', 'message is not JSON'],
  ] as const) {
    const socket = await opened(url)
    const end = closed(socket)
    socket.send(message)
    assert.deepEqual(await end, [1007, reason])
  }
})

test('a message of a sensitive value to send is refused at boot', async () => {
  const app = espalier()
    .register(websocket())
    .websocket('/', { send: t.Sensitive(t.String()) }, () => undefined)
  await assert.rejects(async () => app.ready(), { code: 'ESP_ERR_SCH_SENSITIVE' })
})

test('a message that does not fit closes the socket with 1007, and a binary one with 1003', async (context) => {
  const loops = new EventEmitter()
  const app = espalier()
    .register(websocket())
    .websocket('/', { receive: Said }, async (socket) => {
      for await (const { text } of socket) assert.fail(text)
      loops.emit('end', await socket.closed)
    })
  const url = await socketsOf(context, app)
  const endOf = async (message: string | Uint8Array) => {
    const socket = await opened(url)
    const ends = Promise.all([closed(socket), once(loops, 'end')])
    socket.send(message)
    const [[code, reason], [{ code: codeHere }]] = await ends
    assert.equal(codeHere, code)
    return [code, reason] as const
  }
  assert.deepEqual(await endOf('{"text":[1,2]}'), [1007, 'message/text must be string'])
  const [code, reason] = await endOf('{"text":')
  assert.equal(code, 1007)
  assert.match(reason, /^message is not JSON: /)
  assert.equal((await endOf('{"__proto__":{}}'))[0], 1007)
  assert.deepEqual(await endOf(Buffer.from('{}')), [1003, 'message is binary, not JSON'])
})

test('the reason of a close frame is cut to whole characters', async (context) => {
  const app = espalier()
    .register(websocket())
    .websocket('/', { receive: t.Object({ ['é'.repeat(80)]: t.Integer() }) }, async (socket) => {
      for await (const _ of socket);
    })
  const socket = await opened(await socketsOf(context, app))
  socket.send('{}')
  const [, reason] = await closed(socket)
  assert.match(reason, /^message must have required property 'é+$/)
  assert.ok(
    Buffer.byteLength(reason) > 120 &&
      Buffer.byteLength(reason) > 120 &&
      Buffer.byteLength(reason) <= 123,
  )
})

test('onInvalidMessage answers a message that does not fit, and the next is read', async (context) => {
  const app = espalier()
    .register(websocket())
    .websocket(
      '/:room',
      {
        receive: Said,
        send: Told,
        onInvalidMessage(error, socket, { params }) {
          void socket.send({ room: params.room, text: error.message, at: error.code })
        },
      },
      async (socket) => {
        for await (const { text } of socket) await socket.send({ room: '', text })
      },
    )
  const socket = await opened(`${await socketsOf(context, app)}/a`)
  const wrong = '{"room":"a","text":"message/text must be string","at":"ESP_ERR_VALIDATION"}'
  assert.equal(await answer(socket, '{"text":{}}'), wrong)
  assert.equal(await answer(socket, '{"text":"b"}'), '{"room":"","text":"b"}')
})

test('onInvalidMessage may answer later, and its error is one of the handler', async (context) => {
  const logged = new Lines()
  const app = espalier({ logger: { stream: logged.stream } })
    .register(websocket())
    .websocket(
      '/',
      {
        receive: Said,
        async onInvalidMessage(error, socket) {
          await socket.send(error.message)
          await new Promise(setImmediate)
          throw new Error('later')
        },
      },
      async (socket) => {
        for await (const { text } of socket) await socket.send(text)
      },
    )
  const socket = await opened(await socketsOf(context, app))
  const end = closed(socket)
  assert.equal(await answer(socket, '{}'), "message must have required property 'text'")
  assert.deepEqual(await end, [1011, 'Internal Server Error'])
  assert.ok(logged.all.some(({ err }) => err?.message === 'later'))
})

test('a Standard Schema may validate messages by a promise', async (context) => {
  const receive = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: async (value: unknown) =>
        value === 1 ? { value: 'one' } : { issues: [{ message: 'must be 1' }] },
      types: undefined as unknown as { input: number; output: string },
    },
  } as const
  const app = espalier()
    .register(websocket())
    .websocket('/', { receive }, async (socket) => {
      for await (const message of socket) await socket.send(message)
    })
  const socket = await opened(await socketsOf(context, app))
  assert.equal(await answer(socket, '1'), 'one')
  socket.send('2')
  assert.deepEqual(await closed(socket), [1007, 'message must be 1'])
})

test('without a schema a message is text or bytes', async (context) => {
  const app = espalier()
    .register(websocket())
    .websocket('/', async (socket) => {
      for await (const message of socket) {
        const kind = typeof message === 'string' ? 'text' : 'bytes'
        await socket.send(`${kind} ${String(message)}`)
      }
    })
  const socket = await opened(await socketsOf(context, app))
  assert.equal(await answer(socket, 'a'), 'text a')
  assert.equal(await answer(socket, Buffer.from('b')), 'bytes b')
})

test('a hook may refuse before the upgrade, and its connection is closed', async (context) => {
  const app = espalier()
    .addHook('onRequest', async (request, reply) => {
      if (request.headers.authorization === undefined) return reply.code(401).send('who?')
    })
    .register(websocket())
    .websocket('/', (socket) => void socket.send('in'))
  const url = await socketsOf(context, app)
  assert.deepEqual(await refusal(url), { status: 401, body: 'who?' })
  const socket = new WebSocket(url, { headers: { authorization: 'me' } })
  assert.equal(await answer(socket), 'in')
})

test('an upgrade elsewhere gets the answer of that path, and its connection is closed', async (context) => {
  const app = espalier()
    .get('/page', () => 'page')
    .register(async (inside) =>
      inside
        .register(websocket())
        .websocket('/in', () => {})
        .get('/beside', () => 'beside'),
    )
  const url = await socketsOf(context, app)
  assert.equal((await refusal(`${url}/none`)).status, 404)
  assert.deepEqual(await refusal(`${url}/page`), { status: 200, body: 'page' })
  assert.deepEqual(await refusal(`${url}/beside`), { status: 200, body: 'beside' })
})

test('an upgrade to another protocol is answered as if it were none', async (context) => {
  const app = espalier()
    .register(websocket())
    .get('/', () => 'page')
    .post('/', { schema: { body: { a: t.Integer() } } }, ({ body }) => body)
  const { port } = new URL(await listening(context, app))
  const offer = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABk',
  }
  const ask = async (method: string, body?: string): Promise<string> => {
    const headers = { ...offer, ...(body && { 'content-type': 'application/json' }) }
    const [response] = await once(request({ port, method, headers }).end(body), 'response')
    return text(response)
  }
  assert.equal(await ask('GET'), 'page')
  // Older versions of Node take the body for data of the other protocol.
  const isAsked = 'shouldUpgradeCallback' in createServer()
  assert.match(await ask('POST', '{"a":1}'), isAsked ? /^{"a":1}$/ : /CONTENT_LENGTH|^{"a":1}$/)
})

test('a request that is no upgrade is answered with 426', async (context) => {
  const app = espalier()
    .register(websocket())
    .websocket('/', () => {})
  const origin = await listening(context, app)
  const response = await fetch(origin)
  assert.equal(response.status, 426)
  assert.equal(response.headers.get('upgrade'), 'websocket')
  assert.equal(((await response.json()) as { code: string }).code, 'ESP_ERR_WEBSOCKET_EXPECTED')
  assert.equal((await fetch(origin, { method: 'HEAD' })).status, 404)
})

test('an error of a handler is logged, and closes its socket with 1011', async (context) => {
  const logged = new Lines()
  const app = espalier({ logger: { stream: logged.stream } })
    .register(websocket())
    .websocket('/throws', () => {
      throw new Error('at once')
    })
    .websocket('/rejects', { receive: Said }, async (socket) => {
      for await (const { text } of socket) throw new Error(text)
    })
    .websocket('/wrong', { send: t.Object({ n: t.Integer() }) }, (socket) => {
      void socket.send({ n: 'x' as unknown as number })
    })
  const url = await socketsOf(context, app)
  const throws = new WebSocket(`${url}/throws`)
  assert.deepEqual(await closed(throws), [1011, 'Internal Server Error'])
  const rejects = await opened(`${url}/rejects`)
  rejects.send('{"text":"later"}')
  assert.equal((await closed(rejects))[0], 1011)
  assert.equal((await closed(new WebSocket(`${url}/wrong`)))[0], 1011)
  const errors = logged.all.flatMap(({ err }) => (err === undefined ? [] : [err.message]))
  assert.deepEqual(errors.slice(0, 2), ['at once', 'later'])
  assert.equal(errors.length, 3)
})

test('a closing server closes its sockets with 1001, and loops end', async () => {
  const loops = new EventEmitter()
  const app = espalier()
    .register(websocket())
    .websocket('/', async (socket) => {
      for await (const _ of socket);
      loops.emit('end')
    })
  const url = (await app.listen({ port: 0 })).replace('http', 'ws')
  const socket = await opened(url)
  const ends = Promise.all([closed(socket), once(loops, 'end')])
  await app.close()
  assert.deepEqual((await ends)[0], [1001, 'The server is closing'])
})

test('a client that does not answer the close is cut off', async () => {
  const app = espalier()
    .register(websocket({ closeTimeout: 50 }))
    .websocket('/', () => {})
  const url = new URL(await app.listen({ port: 0 }))
  const mute = connect(Number(url.port), url.hostname)
  const key = Buffer.alloc(16).toString('base64')
  const head = ['GET / HTTP/1.1', 'host: x', 'connection: upgrade', 'upgrade: websocket']
  mute.write(
    [...head, 'sec-websocket-version: 13', `sec-websocket-key: ${key}`, '\r\n'].join('\r\n'),
  )
  await once(mute, 'data')
  const end = once(mute, 'close')
  await app.close()
  await end
})

test('a message that is larger than bodyLimit closes the socket with 1009', async (context) => {
  const app = espalier({ bodyLimit: 10 })
    .register(websocket())
    .websocket('/', async (socket) => {
      for await (const message of socket) await socket.send(message)
    })
  const socket = await opened(await socketsOf(context, app))
  socket.send('longer than ten')
  assert.equal((await closed(socket))[0], 1009)
})

test('the client waits while messages are not read, and then all come in order', async (context) => {
  const handler = new EventEmitter()
  const seen: number[] = []
  const receive = t.Object({ n: t.Integer(), pad: t.String() })
  const app = espalier()
    .register(websocket())
    .websocket('/', { receive }, async (socket) => {
      const { raw } = socket
      const pause = raw.pause.bind(raw)
      raw.pause = () => {
        pause()
        handler.emit('paused')
      }
      await once(handler, 'go')
      for await (const { n } of socket) seen.push(n)
      handler.emit('end')
    })
  const socket = await opened(await socketsOf(context, app))
  const paused = once(handler, 'paused')
  const count = 100
  let flushed = 0
  const pad = 'x'.repeat(500_000)
  for (let n = 0; n < count; n++) socket.send(JSON.stringify({ n, pad }), () => (flushed += 1))
  await paused
  assert.ok(flushed < count, `${flushed} of ${count} were taken`)
  const end = once(handler, 'end')
  handler.emit('go')
  socket.close()
  await end
  assert.deepEqual(seen, [...Array(count).keys()])
})

test('a handler that only waits for the end sees it, whatever the client has sent', async (context) => {
  const ends = new EventEmitter()
  const app = espalier()
    .register(websocket())
    .websocket('/', async (socket) => {
      const { raw } = socket
      const pause = raw.pause.bind(raw)
      raw.pause = () => {
        pause()
        ends.emit('paused')
      }
      ends.emit('end', await socket.closed)
    })
  const socket = await opened(await socketsOf(context, app))
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const paused = once(ends, 'paused')
  const end = once(ends, 'end')
  for (let n = 0; n < 100; n++) socket.send('unread')
  await paused
  socket.close(4000)
  context.mock.timers.tick(10_000)
  assert.deepEqual(await end, [{ code: 4000, reason: '' }])
  context.mock.timers.reset()
})

test('messages after the end of a handler are dropped, and the socket stays open', async (context) => {
  let send: ((text: string) => Promise<void>) | undefined
  const app = espalier()
    .register(websocket())
    .websocket('/', (socket) => {
      send = (text) => socket.send(text)
    })
  const socket = await opened(await socketsOf(context, app))
  for (let n = 0; n < 50; n++) socket.send('nobody reads this')
  socket.ping()
  await once(socket, 'pong')
  const next = answer(socket)
  await send?.('still here')
  assert.equal(await next, 'still here')
  socket.close(3000, 'bye')
  await closed(socket)
  await send?.('after the end')
})

test('plugins in files of their own say that they need it', async (context) => {
  const chat = plugin<WebsocketDecorators>()(async (scope) =>
    scope.websocket('/in', (socket) => void socket.send('in')),
  )
  const app = espalier().register(websocket()).register(chat, { prefix: '/v1' })
  const socket = new WebSocket(`${await socketsOf(context, app)}/v1/in`)
  assert.equal(await answer(socket), 'in')
})

test('what is wrong stops the boot, and names its place', async () => {
  const twice = espalier()
    .register(async (a) => a.register(websocket()))
    .register(async (b) => b.register(websocket()))
  const places = /registered in root > 1st plugin, and again in root > 2nd plugin/
  await assert.rejects(async () => twice.ready(), places)
  const noServer = espalier().register(websocket({ noServer: true } as object))
  await assert.rejects(async () => noServer.ready(), /'root > espalier\/websocket'.*noServer/)
  const replaced = espalier()
    .addHook('onRoute', (route) => void (route.config = {}))
    .register(websocket())
    .websocket('/', () => {})
  await assert.rejects(async () => replaced.ready(), { code: 'ESP_ERR_HOOK_FAILED' })
  const boot = async (options: unknown, handler: unknown = () => {}) => {
    const app = espalier().register(websocket())
    await Reflect.apply(app.websocket, app, ['/x', options, handler]).ready()
  }
  await assert.rejects(boot({ receive: { type: 'objekt' } }), /'receive' of GET \/x in root/)
  await assert.rejects(boot({ send: t.Ref('none#') }), /'send' of GET \/x in root/)
  await assert.rejects(boot({ send: 1 }), /The schema 'send' of GET \/x in root must be a schema/)
  await assert.rejects(boot({ recieve: {} }), /The option 'recieve' of route 'GET \/x'/)
  await assert.rejects(boot({}, 1), /The arguments of websocket\('\/x'\) in root are wrong/)
})
