// @fastify/websocket, as a client of the package ws sees it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import websocket from '@fastify/websocket'
import { WebSocket } from 'ws'
import { listening } from '../support/serve.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const socketUrl = (origin: string, path: string) => origin.replace('http', 'ws') + path

/** The next message of a socket, as text. */
async function nextMessage(socket: WebSocket): Promise<string> {
  const [message] = (await once(socket, 'message')) as [Buffer]
  return message.toString()
}

/** Opens a socket, and gives it with its first message. */
async function opened(url: string, options: object = {}): Promise<[WebSocket, string]> {
  const socket = new WebSocket(url, options)
  return [socket, await nextMessage(socket)]
}

/** The status with which an upgrade is refused. */
async function refusal(url: string): Promise<number> {
  const socket = new WebSocket(url)
  socket.on('error', () => {})
  const [request, response] = await once(socket, 'unexpected-response')
  request.destroy()
  return response.statusCode
}

async function closed(socket: WebSocket): Promise<number> {
  socket.close()
  const [code] = await once(socket, 'close')
  return code as number
}

async function withSockets(options: object = {}): Promise<UntypedServer> {
  const app = untyped()
  await app.register(websocket, options)
  return app
}

test('@fastify/websocket gives a handler the socket and the request of its route', async (t) => {
  const app = await withSockets()
  app.decorate('greeting', 'hello')
  const schema = { querystring: { n: { type: 'integer' } } }
  app.get('/:room', { websocket: true, schema }, function (socket, request) {
    socket.on('message', (message: Buffer) => socket.send(message.toString().toUpperCase()))
    const { params, query } = request
    socket.send(`${this.greeting} ${params.room} ${Number(query.n) + 1}`)
  })
  const origin = await listening(t, app)
  const [socket, first] = await opened(socketUrl(origin, '/lobby?n=1'))
  assert.equal(first, 'hello lobby 2')
  socket.send('text')
  assert.equal(await nextMessage(socket), 'TEXT')
  assert.equal(await closed(socket), 1005)
  assert.equal(await refusal(socketUrl(origin, '/lobby?n=x')), 400)
})

test('@fastify/websocket runs the hooks of a context before a connection, which may refuse it', async (t) => {
  const app = await withSockets()
  app.register(async (inside) => {
    inside.addHook('preValidation', async (request, reply) => {
      if (request.query.key !== 'right') await reply.code(401).send('not you')
    })
    inside.get('/closed', { websocket: true }, (socket) => socket.send('in'))
  })
  app.get('/open', { websocket: true }, (socket) => socket.send('open'))
  const origin = await listening(t, app)
  const [inside, message] = await opened(socketUrl(origin, '/closed?key=right'))
  assert.equal(message, 'in')
  await closed(inside)
  assert.equal(await refusal(socketUrl(origin, '/closed')), 401)
  const [open] = await opened(socketUrl(origin, '/open'))
  await closed(open)
})

test('@fastify/websocket serves both kinds on one path, and refuses sockets elsewhere', async (t) => {
  const app = await withSockets()
  app.route({
    method: 'GET',
    url: '/both',
    handler: () => 'by request',
    wsHandler: (socket: WebSocket) => socket.send('by socket'),
  })
  app.get('/plain', () => 'plain')
  const origin = await listening(t, app)
  assert.equal(await (await fetch(`${origin}/both`)).text(), 'by request')
  const [socket, message] = await opened(socketUrl(origin, '/both'))
  assert.equal(message, 'by socket')
  await closed(socket)
  assert.equal(await refusal(socketUrl(origin, '/none')), 404)
  const plain = new WebSocket(socketUrl(origin, '/plain'))
  plain.on('error', () => {})
  await once(plain, 'close')
})

test('@fastify/websocket ends a socket whose handler fails, and tells its error handler', async (t) => {
  const told: string[] = []
  const errorHandler = (error: Error, socket: WebSocket) => {
    told.push(error.message)
    socket.terminate()
  }
  const app = await withSockets({ errorHandler, options: { maxPayload: 10 } })
  app.get('/fails', { websocket: true }, async () => {
    throw new Error('no socket')
  })
  app.get('/short', { websocket: true }, (socket) => {
    socket.on('error', () => {})
    socket.send('ready')
  })
  const origin = await listening(t, app)
  const failed = new WebSocket(socketUrl(origin, '/fails'))
  failed.on('error', () => {})
  await once(failed, 'close')
  assert.deepEqual(told, ['no socket'])
  const [short] = await opened(socketUrl(origin, '/short'))
  short.send('more than ten bytes')
  const [code] = await once(short, 'close')
  assert.equal(code, 1009)
})

test('@fastify/websocket closes its sockets with the server, and lists them', async (t) => {
  const app: any = await withSockets()
  app.get('/', { websocket: true }, (socket: WebSocket) => socket.send('hello'))
  const origin = await listening(t, app)
  const [socket] = await opened(socketUrl(origin, '/'))
  assert.equal(app.websocketServer.clients.size, 1)
  const isClosed = once(socket, 'close')
  await app.close()
  await isClosed
})
