import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import espalier, { type EspalierOptions } from '../../src/index.ts'
import { certificate } from '../support/certificate.ts'
import { untyped } from '../support/untyped.ts'

const loopback = { port: 0, host: '127.0.0.1' }
const ok = () => 'ok'

/** Writes to a server and reads until it closes the connection. */
async function talk(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1')
  let answer = ''
  socket.on('data', (chunk: string) => (answer += chunk)).on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return answer
}

test('timeouts and limits are those of the options, with their defaults', () => {
  const { server } = espalier()
  assert.deepEqual([server.keepAliveTimeout, server.requestTimeout], [72_000, 0])
  assert.deepEqual([server.timeout, server.maxRequestsPerSocket], [0, 0])
  const given = espalier({
    connectionTimeout: 1,
    keepAliveTimeout: 2,
    requestTimeout: 3,
    maxRequestsPerSocket: 4,
    http: { headersTimeout: 2, maxHeaderSize: 100_000 },
  }).server
  assert.deepEqual([given.timeout, given.keepAliveTimeout, given.requestTimeout], [1, 2, 3])
  assert.deepEqual([given.maxRequestsPerSocket, given.headersTimeout], [4, 2])
})

for (const [what, text] of [
  ['headers', 'POST / HTTP/1.1\r\nhost: x\r\n'],
  [
    'body',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nslow',
  ],
] as const) {
  test(`a client whose ${what} comes too slowly is answered with 408 at requestTimeout`, async () => {
    const app = espalier({ requestTimeout: 60 })
    let calls = 0
    app.post('/', () => (calls += 1))
    const answer = await talk(await app.listen(loopback), text)
    assert.match(answer, /^HTTP\/1.1 408 Request Timeout\r\n/)
    assert.match(answer, /"statusCode":408/)
    assert.equal(calls, 0)
    await app.close()
  })
}

test('requestTimeout is no limit for handlers', async () => {
  const app = espalier({ requestTimeout: 300 })
  app.get('/', () => new Promise((resolve) => setTimeout(resolve, 700, 'late')))
  assert.equal(await (await fetch(await app.listen(loopback))).text(), 'late')
  await app.close()
})

test('maxRequestsPerSocket ends a connection', async () => {
  const app = espalier({ maxRequestsPerSocket: 2 }).get('/', ok)
  const url = await app.listen(loopback)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const kept: unknown[] = []
  for (let count = 0; count < 2; count++) {
    const [response] = await once(get(url, { agent }), 'response')
    kept.push(response.headers.connection)
    await once(response.resume(), 'end')
  }
  assert.deepEqual(kept, ['keep-alive', 'close'])
  agent.destroy()
  await app.close()
})

test('clientErrorHandler answers what is no HTTP', async () => {
  const app = espalier({
    clientErrorHandler(error, socket) {
      assert.equal(this.prefix, '')
      socket.end(`HTTP/1.1 418 Teapot\r\n\r\n${error.message.length > 0}`)
    },
  })
  assert.match(await talk(await app.listen(loopback), 'nonsense\r\n\r\n'), /418 Teapot[^]*true/)
  await app.close()
})

/** Two requests on one connection; the second comes while the server closes. */
async function closeBetween(options: EspalierOptions): Promise<string> {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const app = espalier(options).get('/', ok)
  const began = new Promise<void>((resolve) => {
    app.get('/slow', async () => {
      resolve()
      await gate
      return 'slow'
    })
  })
  const url = await app.listen(loopback)
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1')
  let answer = ''
  socket.on('data', (chunk: string) => (answer += chunk)).on('error', () => undefined)
  socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
  await began
  const closed = app.close()
  const asked = once(app.server, 'request')
  if (options.forceCloseConnections !== true) {
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await asked
  }
  open()
  await Promise.all([closed, socket.closed ? undefined : once(socket, 'close')])
  return answer
}

test('a request that comes while the server closes is refused with 503, unless return503OnClosing is false', async () => {
  const refused = await closeBetween({})
  assert.match(refused, /200 OK[^]*slow[^]*503 Service Unavailable[^]*connection: close/i)
  const answered = await closeBetween({ return503OnClosing: false })
  assert.match(answered, /200 OK[^]*slow[^]*200 OK[^]*ok$/)
})

test('forceCloseConnections cuts the requests in flight', async () => {
  assert.equal(await closeBetween({ forceCloseConnections: true }), '')
})

test('ids of requests are counted, made by genReqId, by that of the scope, or given in a header', async () => {
  const id = (request: { id: string }) => request.id
  const counted = espalier().get('/', id)
  assert.equal((await counted.inject({ url: '/', headers: { 'request-id': 'x' } })).body, 'req-1')
  assert.equal((await counted.inject('/')).body, 'req-2')
  const app = untyped({ genReqId: (raw: any) => `own ${raw.url}`, requestIdHeader: 'X-Id' }) as any
  app.get('/', id).register(async (child: any) => {
    child.setGenReqId(() => 'scope')
    child.get('/in', id)
    assert.equal(child.genReqId({ headers: {} }), 'scope')
  })
  const headers = { 'x-id': 'given' }
  assert.equal((await app.inject('/')).body, 'own /')
  assert.equal((await app.inject('/in')).body, 'scope')
  assert.equal((await app.inject({ url: '/', headers })).body, 'given')
  assert.equal((await app.inject({ url: '/in', headers })).body, 'given')
  const standard = espalier({ requestIdHeader: true }).get('/', id)
  assert.equal((await standard.inject({ url: '/', headers: { 'request-id': 'x' } })).body, 'x')
  assert.throws(() => (untyped() as any).setGenReqId(7), {
    code: 'ESP_ERR_FUNCTION_EXPECTED',
  })
})

test('initialConfig is a frozen copy of the options, with the defaults', () => {
  const routerOptions = { maxParamLength: 7 }
  const ajv = { customOptions: { allErrors: true } }
  const app = untyped({ routerOptions, ajv, bodyLimit: 5, https: certificate }) as any
  const { initialConfig } = app
  assert.deepEqual(
    [initialConfig.bodyLimit, initialConfig.maxParamLength, initialConfig.pluginTimeout],
    [5, 7, 10_000],
  )
  assert.deepEqual([initialConfig.https, initialConfig.requestIdHeader], [true, false])
  assert.notEqual(initialConfig.ajv, ajv)
  for (const frozen of [initialConfig, initialConfig.ajv, initialConfig.ajv.customOptions]) {
    assert.ok(Object.isFrozen(frozen))
  }
  assert.equal(Object.isFrozen(ajv), false)
  const both = espalier({ http2: true, https: { ...certificate, allowHTTP1: true } }).initialConfig
  assert.deepEqual([both['https'], both['http2']], [{ allowHTTP1: true }, true])
})

test('wrong values of options are named', () => {
  const wrong: readonly (readonly [options: object, told: RegExp])[] = [
    [{ requestTimeout: 500.1 }, /'requestTimeout' must be a whole number of milliseconds/],
    [{ http2: 'yes' }, /'http2' must be a boolean, but is 'yes'/],
    [{ forceCloseConnections: 'all' }, /'forceCloseConnections' must be true or false or 'idle'/],
    [{ trustProxy: {} }, /'trustProxy' must be .*a list of strings, or a function/],
    [{ serverFactory: 1 }, /'serverFactory' must be a function/],
    [{ servrFactory: 1 }, /no option 'servrFactory'. Did you mean 'serverFactory'\?$/],
  ]
  for (const [options, message] of wrong) {
    assert.throws(() => untyped(options), { code: 'ESP_ERR_INIT_OPTS_INVALID', message })
  }
  untyped({ logger: false, serializerOpts: {}, maxRequestsPerSocket: null })
})
