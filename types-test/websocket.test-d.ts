// The types of routes for WebSockets: what is known of a socket, its messages and its request.
import espalier, { plugin, t, type ValidationError } from 'espalier'
import { socket as sockets } from 'espalier/socket'
import { client, type ResponseOf, type RouteKey } from 'espalier/client'
import { websocket, type TypedSocket, type WebsocketDecorators } from 'espalier/websocket'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import { z } from 'zod'
import { isAny } from './support.ts'

const Said = t.Object({ text: t.String(), count: t.Integer({ default: 1 }) })
const Told = t.Object({ at: t.String({ format: 'date-time' }) })

const app = espalier()
  .addSchema('said', Said)
  .decorateRequest('user', 'x')
  .decorate('db', { size: 1 })
  .register(websocket())

// The method is there in the scope of the plugin and below, and nowhere else.
expectError(espalier().websocket('/', () => {}))
const outer = espalier()
outer.register(async (scope) => scope.register(websocket()).websocket('/', () => {}))
expectError(outer.websocket('/', () => {}))
app.register(async (below) => below.websocket('/', () => {}))
plugin<WebsocketDecorators>()(async (scope) => scope.websocket('/', () => {}))

// The request has the parts of its path and schema, and what the scope adds; `this` is the server.
const schema = { querystring: { n: t.Integer({ default: 1 }) } }
app.websocket('/chat/:room', { schema }, function (socket, request) {
  expectType<false>(isAny(socket))
  expectType<string>(request.params.room)
  expectType<number>(request.query.n)
  expectType<string>(request.user)
  expectType<number>(this.db.size)
  expectError(request.params.rom)
  expectError(request.query.m)
})
const later = app.decorateRequest('later', 1)
later.websocket('/later', (_socket, request) => {
  expectType<number>(request.later)
})
app.websocket('/early', (_socket, request) => {
  expectError(request.later)
})

// Messages without a schema are text or bytes.
app.websocket('/raw', async (socket) => {
  for await (const message of socket) expectType<string | Buffer>(message)
  expectType<Promise<void>>(socket.send('text'))
  socket.send(new Uint8Array())
  expectError(socket.send({ text: 'x' }))
  expectType<{ readonly code: number; readonly reason: string }>(await socket.closed)
})

// With a schema they are what it says: of a shared schema, of any form, in the direction that it is given for.
app.websocket('/typed', { receive: t.Ref('said#'), send: Told }, async (socket) => {
  for await (const message of socket) {
    expectType<{ text: string; count: number }>(message)
    expectError(message.txt)
  }
  socket.send({ at: new Date() })
  socket.send({ at: 'now' })
  expectError(socket.send({ at: 1 }))
  expectError(socket.send({}))
  expectError(socket.send('text'))
})
app.websocket(
  '/json',
  { receive: { type: 'object', properties: { a: { type: 'string' } } } },
  async (socket) => {
    for await (const message of socket) expectType<string | undefined>(message.a)
    socket.send('text')
  },
)
app.websocket('/short', { send: { a: t.String() } }, async (socket) => {
  for await (const message of socket) expectType<string | Buffer>(message)
  socket.send({ a: 'x' })
  expectError(socket.send({ a: 1 }))
})
app.websocket(
  '/zod',
  { receive: z.object({ a: z.string().transform(Number) }) },
  async (socket) => {
    for await (const message of socket) expectType<{ a: number }>(message)
  },
)

// Sockets of several routes stand in one collection, if each takes what it is sent.
app.websocket('/listed', { receive: Said, send: Told }, (socket) => {
  expectAssignable<TypedSocket<unknown, { at: string }>>(socket)
  expectNotAssignable<TypedSocket<unknown, { text: string }>>(socket)
  expectNotAssignable<TypedSocket<{ other: string }, { at: string }>>(socket)
})

app.websocket(
  '/:room',
  {
    receive: Said,
    send: { error: t.String() },
    onInvalidMessage(error, socket, request) {
      expectType<ValidationError>(error)
      socket.send({ error: error.message + request.params.room + this.db.size })
      expectError(socket.send({ error: 1 }))
    },
  },
  () => {},
)
app.websocket(
  '/',
  { receive: Said, onInvalidMessage: async (_error, { raw }) => raw.ping() },
  () => {},
)
expectError(app.websocket('/', { receive: Said, onInvalidMessage: 1 }, () => {}))

// Hooks and other options of routes are taken, and mistakes are refused.
app.websocket(
  '/hooks',
  { onRequest: async (request) => void request.user, logLevel: 'warn' },
  () => {},
)
expectError(app.websocket('/', { receive: t.Ref('sad#') }, () => {}))
expectError(app.websocket('/', { send: { a: 1 } }, () => {}))
expectError(app.websocket('/', { recieve: Said }, () => {}))
expectError(app.websocket('/', { schema: { body: Said } }, () => {}))
expectError(app.websocket('/', { attachValidation: true }, () => {}))
expectError(app.websocket('/:a', { schema: { params: { b: t.String() } } }, () => {}))
expectError(app.websocket('/', { receive: Said }))
expectError(websocket({ maxPayload: '1' }))

// A route for WebSockets is one of its server, whose messages a client knows.
const rooms = app
  .get('/plain', () => 1)
  .websocket('/room/:id', { schema, receive: t.Ref('said#'), send: Told }, () => {})
  .websocket('/text', () => {})
  .websocket('/told', { send: Told }, () => {})
  .register(
    async (below) =>
      below.websocket('/feed', { receive: { n: t.Integer() }, send: Told }, () => {}),
    { prefix: '/v1' },
  )
expectType<'GET /plain' | 'GET /room/:id' | 'GET /text' | 'GET /told' | 'GET /v1/feed'>(
  {} as RouteKey<typeof rooms>,
)
expectType<unknown>({} as ReturnType<ResponseOf<typeof rooms, 'GET /text'>['json']>)
client<typeof rooms>('')('GET /room/:id', { params: { id: 1 }, query: { n: 2 } })
const open = sockets<typeof rooms>('', { protocols: ['a'] })
const room = await open('/room/:id', { params: { id: 1 }, query: { n: 2 } }, { buffer: 1 })
for await (const message of room) expectType<{ at: string }>(message)
expectType<boolean>(room.send({ text: 'x' }))
room.send({ text: 'x', count: 2 })
expectError(room.send({ count: 2 }))
expectType<{ readonly code: number; readonly reason: string }>(await room.closed)
expectType<boolean>((await open('/v1/feed')).send({ n: 1 }))
const text = await open('/text', {}, { raw: true })
for await (const message of text) expectType<string | ArrayBuffer>(message)
text.send('x')
expectError(text.send({}))
expectError(open('/text'))
expectError(open('/text', {}, { raw: 'send' }))
expectType<boolean>((await open('/told', {}, { raw: 'send' })).send('x'))
expectError(open('/told', {}, {}))
expectError(open('/room/:id'))
expectError(open('/room/:id', { params: { id: 1 } }, { raw: true }))
expectError(open('/plain'))
expectError(open('/none'))
