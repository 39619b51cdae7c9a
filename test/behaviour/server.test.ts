import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import espalier from '../../src/index.ts'

type Loose = any

const loopback = { port: 0, host: '127.0.0.1' }
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A promise and the function that fulfils it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

/** A request whose connection is not kept. */
const ask = (url: string) => get(url, { agent: false })

/** The response to a client's request, with its text. */
async function received(client: ClientRequest) {
  const [response] = (await once(client, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return { status: response.statusCode, headers: response.headers, text }
}

/** Fails when a promise takes too long. */
async function soon(promise: Promise<unknown>, otherwise: string) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), 3000)
  })
  await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** A listening server whose route `/slow` answers when the gate is opened. */
async function slowServer(context: TestContext) {
  const { open, opened } = gate()
  const began = gate()
  const app = espalier()
    .get('/', () => 'quick')
    .get('/slow', async () => {
      began.open()
      await opened
      return 'slow'
    })
  const address = await app.listen(loopback)
  context.after(() => {
    open()
    app.server.closeAllConnections()
  })
  return { app, address, open, began: began.opened }
}

test('listen boots, listens, and resolves to the address', async () => {
  let booted = false
  const app = espalier()
  app.register(async (child) => {
    booted = true
    child.get('/', () => 'hello')
  })
  const address = await app.listen(loopback)
  assert.ok(booted)
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(await (await fetch(address)).text(), 'hello')
  assert.deepEqual(
    app.addresses().map((each) => `http://127.0.0.1:${typeof each === 'object' && each.port}`),
    [address],
  )
  await app.close()
})

test('listen listens on localhost and a free port when it is not told where', async () => {
  const app = espalier().get('/', () => 'hello')
  const address = await app.listen()
  assert.match(address, /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/)
  assert.equal(await (await fetch(address)).text(), 'hello')
  await app.close()
})

test('listen calls back with the address', async () => {
  const app = espalier()
  const [error, address] = await new Promise<unknown[]>((resolve) => {
    app.listen(loopback, (...args) => resolve(args))
  })
  assert.equal(error, null)
  assert.match(String(address), /^http:\/\/127\.0\.0\.1:\d+$/)
  await app.close()
})

test('listen on a port that is in use fails with EADDRINUSE, by promise and by callback', async () => {
  const first = espalier()
  await first.listen(loopback)
  const taken = { port: Number(new URL(first.listeningOrigin).port), host: '127.0.0.1' }
  const second = espalier()
  await assert.rejects(second.listen(taken), { code: 'EADDRINUSE' })
  const error = await new Promise<Loose>((resolve) => second.listen(taken, resolve))
  assert.equal(error.code, 'EADDRINUSE')
  await first.close()
  assert.equal(await second.listen(taken), `http://127.0.0.1:${taken.port}`)
  await second.close()
})

test('listen calls back with the error of a boot that failed', async () => {
  const app = espalier()
  app.register(async function broken() {
    throw new Error('no luck')
  })
  const error = await new Promise<Loose>((resolve) => app.listen(loopback, resolve))
  assert.match(error.message, /broken.*no luck/)
  assert.equal(app.server.listening, false)
})

test('a second listen is an error that says where the server listens', async () => {
  const app = espalier()
  const address = await app.listen(loopback)
  await assert.rejects(app.listen(loopback), (error: Loose) => {
    assert.equal(error.code, 'ESP_ERR_REOPENED_SERVER')
    assert.ok(error.message.includes(address), error.message)
    return true
  })
  await app.close()
})

test('of two calls of listen at once, one is an error of ours', async () => {
  const app = espalier()
  app.server.unref()
  const results = await Promise.allSettled([app.listen(loopback), app.listen(loopback)])
  const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'ok'))
  assert.deepEqual(codes.sort(), ['ESP_ERR_REOPENED_SERVER', 'ok'])
  await app.close()
})

test('listen takes the path of a Unix socket, which close removes', async (context) => {
  if (process.platform === 'win32') return context.skip('Windows has named pipes instead')
  const folder = await mkdtemp(join(tmpdir(), 'espalier-'))
  context.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'http.sock')
  const app = espalier().get('/', () => 'by path')
  assert.equal(await app.listen({ path }), path)
  assert.deepEqual([app.addresses(), app.listeningOrigin], [[path], path])
  assert.equal((await received(get({ socketPath: path, path: '/' }))).text, 'by path')
  await app.close()
  assert.equal(existsSync(path), false)
  assert.deepEqual([app.addresses(), app.listeningOrigin], [[], ''])
})

test('close lets a request in flight finish, and takes no new connection meanwhile', async (context) => {
  const { app, address, open, began } = await slowServer(context)
  const slow = received(ask(`${address}/slow`))
  await began
  let isClosed = false
  const closed = app.close().then(() => (isClosed = true))
  await assert.rejects(received(ask(address)), { code: 'ECONNREFUSED' })
  assert.equal(isClosed, false)
  open()
  const { status, text } = await slow
  assert.deepEqual([status, text], [200, 'slow'])
  await closed
})

test('close does not wait for kept connections that are idle', async (context) => {
  const { app, address } = await slowServer(context)
  app.server.keepAliveTimeout = 600_000
  const agent = new Agent({ keepAlive: true })
  context.after(() => agent.destroy())
  const { headers } = await received(get(address, { agent }))
  assert.equal(headers.connection, 'keep-alive')
  await soon(app.close(), 'close waits for the idle connection')
})

test('a kept connection whose request was in flight at close ends with its reply', async (context) => {
  const { app, address, open, began } = await slowServer(context)
  app.server.keepAliveTimeout = 600_000
  const agent = new Agent({ keepAlive: true })
  context.after(() => agent.destroy())
  const slow = received(get(`${address}/slow`, { agent }))
  await began
  const closed = app.close()
  open()
  assert.equal((await slow).text, 'slow')
  await soon(closed, 'close waits for the connection, which is idle now')
})

test('a request that comes on an open connection while closing is answered, and told to close', async (context) => {
  const { app, address, open, began } = await slowServer(context)
  const socket = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('utf8')
  let text = ''
  socket.on('data', (chunk: string) => (text += chunk))
  socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
  await began
  const closed = app.close()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  open()
  await once(socket, 'close')
  await closed
  assert.match(text, /slow/)
  assert.match(text, /connection: close/i)
})

test('onClose hooks run after the requests in flight', async (context) => {
  const { open, opened } = gate()
  const began = gate()
  const trace: string[] = []
  const app = espalier()
    .addHook('onClose', async () => void trace.push('onClose'))
    .get('/', async () => {
      began.open()
      await opened
      trace.push('answered')
      return 'done'
    })
  const address = await app.listen(loopback)
  context.after(open)
  const response = received(ask(address))
  await began.opened
  const closed = app.close()
  for (let turn = 0; turn < 5; turn++) await tick()
  assert.deepEqual(trace, [])
  open()
  await Promise.all([response, closed])
  assert.deepEqual(trace, ['answered', 'onClose'])
})

test('a second close waits for the first and runs no hook again', async () => {
  let runs = 0
  const app = espalier().addHook('onClose', async () => {
    await tick()
    runs += 1
  })
  await app.listen(loopback)
  await Promise.all([app.close(), app.close()])
  await app.close()
  await new Promise<void>((resolve, reject) => {
    app.close((error) => (error == null ? resolve() : reject(error)))
  })
  assert.equal(runs, 1)
})

test('close calls back, also with the error of an onClose hook', async () => {
  const good = espalier()
  await good.ready()
  assert.equal(await new Promise((resolve) => good.close(resolve)), null)
  const bad = espalier().addHook('onClose', async () => Promise.reject(new Error('no luck')))
  await bad.ready()
  const error = await new Promise<Loose>((resolve) => bad.close(resolve))
  assert.match(error.message, /no luck/)
})

test('a server that never was ready can be closed, and never is ready then', async () => {
  let isClosed = false
  const app = espalier().addHook('onClose', async () => void (isClosed = true))
  await app.close()
  assert.ok(isClosed)
  await assert.rejects(app.ready(), { code: 'ESP_ERR_REOPENED_CLOSE_SERVER' })
})

test('listen after close is an error', async () => {
  const app = espalier()
  await app.listen(loopback)
  await app.close()
  await assert.rejects(app.listen(loopback), { code: 'ESP_ERR_REOPENED_CLOSE_SERVER' })
})

test('a close while listen is under way leaves no server that listens', async (context) => {
  const app = espalier()
  await app.ready()
  const { open, opened } = gate()
  const listenNow = app.server.listen.bind(app.server)
  app.server.listen = (...args: Loose) => {
    open()
    return listenNow(...(args as []))
  }
  const listening = app.listen(loopback)
  context.after(() => app.server.close())
  await opened
  await app.close()
  await Promise.allSettled([listening])
  assert.equal(app.server.listening, false)
})

test('a client that goes away does not harm the server', async (context) => {
  const { app, address, open, began } = await slowServer(context)
  const client = request(`${address}/slow`)
  client.on('error', () => {}).end()
  await began
  const gone = new Promise((resolve) => client.once('close', resolve))
  client.destroy()
  await gone
  open()
  assert.equal((await received(ask(address))).text, 'quick')
  await app.close()
})

test('withTypeProvider gives the same server, for programs that name a type provider', () => {
  const app = espalier()
  assert.equal(app.withTypeProvider<{ validator: unknown }>(), app)
})
