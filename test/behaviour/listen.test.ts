import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lookup } from 'node:dns/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import espalier from '../../src/index.ts'
import { rawRequest } from '../support/raw-request.ts'
import { untyped, untypedFastify } from '../support/untyped.ts'

const loopback = { port: 0, host: '127.0.0.1' }
const ok = () => 'ok'

test('localhost is listened to on each of its addresses, and closed on all', async () => {
  const app = espalier().get('/', ok)
  await app.listen({ port: 0 })
  const known = new Set((await lookup('localhost', { all: true })).map(({ address }) => address))
  const bound = app.addresses().filter((each) => typeof each === 'object')
  assert.ok(bound.every(({ address }) => known.has(address)))
  assert.equal(new Set(bound.map(({ port }) => port)).size, 1)
  const urls = bound.map(({ address, port, family }) =>
    family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`,
  )
  for (const url of urls) assert.equal(await (await fetch(url)).text(), 'ok')
  await app.close()
  for (const url of urls) await assert.rejects(fetch(url))
  assert.deepEqual(app.addresses(), [])
})

test('the server on another address does what the first does with upgrades', async () => {
  const app = espalier().get('/', ok)
  await app.listen({ port: 0 })
  const seen: string[] = []
  app.server.on('upgrade', (_request, socket) => {
    seen.push('upgrade')
    socket.destroy()
  })
  const bound = app.addresses().filter((each) => typeof each === 'object')
  for (const { address, port } of bound) {
    const { connect } = await import('node:net')
    await new Promise<void>((resolve) => {
      const socket = connect(port, address).on('error', () => undefined)
      socket.once('close', () => resolve())
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    })
  }
  assert.equal(seen.length, bound.length)
  await app.close()
})

test('listeningOrigin says where the server listens, once it does', async () => {
  const app = espalier()
  assert.equal(app.listeningOrigin, '')
  const address = await app.listen(loopback)
  assert.equal(app.listeningOrigin, address)
  await app.close()
})

const places: readonly (readonly [what: string, args: readonly any[]])[] = [
  ['nothing', []],
  ['null', [null]],
  ['undefined', [undefined]],
  ['a port', [0]],
  ['a port as text', ['0']],
  ['a port and a host', [0, '127.0.0.1']],
  ['a port, a host and a backlog', [0, '127.0.0.1', 511]],
  ['options without a port', [{}]],
  ['options with a port that is null', [{ port: null }]],
  ['options with a port as text', [{ port: '0', exclusive: true, ipv6Only: false }]],
]
for (const [what, args] of places) {
  test(`listen takes ${what}, with a callback and without`, async () => {
    const app = espalier().get('/', ok)
    const url = await (app as any).listen(...args)
    assert.equal(await (await fetch(url)).text(), 'ok')
    await app.close()
    const other = espalier()
    const [error, address] = await new Promise<unknown[]>((resolve) => {
      ;(other as any).listen(...args, (...outcome: unknown[]) => resolve(outcome))
    })
    assert.equal(error, null)
    assert.match(String(address), /^http:\/\//)
    await other.close()
  })
}

test('a port that is none is an error of Node', async () => {
  const app = espalier()
  await assert.rejects(app.listen({ port: 'http' }), { code: 'ERR_SOCKET_BAD_PORT' })
  await app.close()
})

test('a signal closes the server, also before it listens', async () => {
  const controller = new AbortController()
  let closed = 0
  const app = espalier().addHook('onClose', async () => void (closed += 1))
  await app.listen({ ...loopback, signal: controller.signal })
  controller.abort()
  await app.close()
  assert.equal(app.server.listening, false)
  const late = espalier().addHook('onClose', async () => void (closed += 1))
  assert.equal(await late.listen({ ...loopback, signal: controller.signal }), '')
  assert.equal(late.server.listening, false)
  const during = new AbortController()
  const slow = espalier().addHook('onClose', async () => void (closed += 1))
  const listening = slow.listen({ ...loopback, signal: during.signal })
  during.abort()
  assert.equal(await listening, '')
  await slow.close()
  assert.deepEqual([closed, slow.server.listening], [3, false])
})

test('a signal that is none is refused at once', () => {
  assert.throws(() => espalier().listen({ signal: {} as AbortSignal }), {
    code: 'ESP_ERR_LISTEN_OPTIONS_INVALID',
    message: /'signal'.*AbortSignal/,
  })
})

test('serverFactory makes the server, which may listen already', async () => {
  const server = createServer()
  const app = espalier({
    serverFactory(handler, options) {
      assert.deepEqual(Object.keys(options), ['serverFactory'])
      return server.on('request', handler)
    },
  }).get('/', ok)
  assert.equal(app.server, server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = await app.listen()
  assert.equal(url, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.equal(await (await fetch(url)).text(), 'ok')
  await app.close()
  assert.equal(server.listening, false)
})

test('listenTextResolver makes the line that is logged', async () => {
  const app = untyped() as any
  const lines: string[] = []
  const listenTextResolver = (address: string) => (lines.push(address), 'line')
  const address = await app.listen({ ...loopback, listenTextResolver })
  assert.deepEqual(lines, [address])
  await app.close()
})

test('await using closes the server', async () => {
  let isClosed = false
  const app = espalier().addHook('onClose', async () => void (isClosed = true))
  await app.listen(loopback)
  await app[Symbol.asyncDispose]()
  assert.ok(isClosed)
})

test('a request of a version that the server does not speak is answered with 505', async () => {
  const app = espalier().get('/', ok)
  const { status } = await rawRequest(await app.listen(loopback), ['GET / HTTP/2.0'])
  assert.equal(status, 505)
  await app.close()
})

test('a callback of listen is given null where there is no address', async () => {
  const [first, second] = [espalier(), espalier()]
  const port = Number(new URL(await first.listen(loopback)).port)
  const given = await new Promise((resolve) => {
    second.listen({ ...loopback, port }, (error, address) => {
      resolve([error instanceof Error && 'code' in error && error.code, address])
    })
  })
  assert.deepEqual(given, ['EADDRINUSE', null])
  await Promise.all([first.close(), second.close()])
})

test('an unknown option of listen is refused; on Fastify it is ignored', async () => {
  const options = { port: 0, hots: '::1' }
  assert.throws(() => untyped().listen(options), {
    code: 'ESP_ERR_INIT_OPTS_INVALID',
    message: "There is no option 'hots' of listen. Did you mean 'host'?",
  })
  const ported = untypedFastify()
  assert.match(await ported.listen(options), /^http:/)
  await ported.close()
})

test('an error of Node says what to do; on Fastify it is as it was', async () => {
  const first = espalier()
  const port = Number(new URL(await first.listen(loopback)).port)
  const place = { ...loopback, port }
  const code = 'EADDRINUSE'
  const message = `listen EADDRINUSE: address already in use 127.0.0.1:${port}`
  await assert.rejects(espalier().listen(place), (error: Error & { port?: number }) => {
    assert.ok(error.message.startsWith(`${message}. Another process`))
    assert.match(error.message, /port 0 takes a free one/)
    assert.match(error.stack?.split('\n')[1] ?? '', /listen\.test\.ts/)
    assert.equal(error.port, port)
    return true
  })
  await assert.rejects(untypedFastify().listen(place), { code, message, port })
  await first.close()
  const path = join(tmpdir(), 'espalier-no-such-folder', 'socket')
  await assert.rejects(espalier().listen({ path }), { code: 'EACCES', message: /another path/ })
})
