// What the framework itself logs of requests, and of itself.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { openapi } from '../../src/openapi/index.ts'
import { Lines } from '../support/lines.ts'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

test('a request is told of when it comes, with what it asks for, and when it is answered', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  app.get('/a/:id', (request) => {
    request.log.info({ own: 1 }, 'mine')
    return { a: 1 }
  })
  await app.inject({ url: '/a/1?b=2', headers: { 'accept-version': '1.0.0', host: 'x.org' } })
  const [came, mine, ended] = log.all
  const { remoteAddress, remotePort, ...asked } = came.req
  assert.deepEqual(asked, { method: 'GET', url: '/a/1?b=2', version: '1.0.0', host: 'x.org' })
  assert.equal(remoteAddress, '127.0.0.1')
  assert.equal(typeof remotePort, 'undefined')
  assert.deepEqual(
    [came.msg, mine.msg, ended.msg],
    ['incoming request', 'mine', 'request completed'],
  )
  assert.deepEqual([came.level, ended.level, mine.own], [30, 30, 1])
  assert.deepEqual(ended.res, { statusCode: 200 })
  assert.equal(typeof ended.responseTime, 'number')
  assert.match(came.reqId, /^req-/)
  assert.deepEqual([mine.reqId, ended.reqId], [came.reqId, came.reqId])
  assert.equal(log.all.length, 3)
})

test('the end of a request is told of behind its onResponse hooks', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  app.addHook('onResponse', async (request) => {
    await new Promise(setImmediate)
    request.log.info('hook')
  })
  app.get('/', () => 'a')
  await app.inject('/')
  await log.until('request completed')
  assert.deepEqual(log.messages, ['incoming request', 'hook', 'request completed'])
})

test('an error is told of at level error from status 500 on, and at level info below', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  const failing = (statusCode?: number) => () => {
    throw Object.assign(new Error(`it is ${statusCode}`), { statusCode })
  }
  app.get('/400', failing(400)).get('/503', failing(503)).get('/none', failing())
  app.get('/body', { schema: { querystring: { a: { type: 'integer' } } } }, () => 'a')
  const expected = [
    ['/400', 30, 400, 'it is 400'],
    ['/503', 50, 503, 'it is 503'],
    ['/none', 50, 500, 'it is undefined'],
    ['/body?a=b', 30, 400, 'querystring/a must be integer'],
  ] as const
  for (const [url, level, statusCode, message] of expected) {
    log.all.length = 0
    const [response, stderr] = await silenced(() => app.inject(url))
    assert.equal(response.statusCode, statusCode)
    assert.equal(stderr, '')
    const [, line] = log.all
    assert.deepEqual(log.messages, ['incoming request', message, 'request completed'])
    assert.deepEqual([line.level, line.res], [level, { statusCode }])
    assert.equal(line.err.message, message)
    assert.match(line.err.stack, /it is|must be/)
    assert.deepEqual(line.req?.url, level === 50 ? url : undefined)
  }
})

test('an error that a handler of one answers is its own affair', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  app.setErrorHandler((_error, _request, reply) => reply.send('handled'))
  app.get('/', () => {
    throw new Error('kaboom')
  })
  await app.inject('/')
  assert.deepEqual(log.messages, ['incoming request', 'request completed'])
})

test('whatever is thrown is told of', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  const hostile = {
    get message(): string {
      throw new Error('no message')
    },
  }
  for (const [path, thrown] of Object.entries({ '/text': 'just text', '/hostile': hostile })) {
    app.get(path, () => {
      throw thrown
    })
  }
  const [, text] = await silenced(async () => {
    assert.equal((await app.inject('/text')).statusCode, 500)
    assert.equal((await app.inject('/hostile')).statusCode, 500)
  })
  assert.ok(log.messages.includes('just text'))
  // pino could not write it.
  assert.match(text, /no message/)
})

test('that no route is found is told of, not where a handler of one answers', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  app.register(
    async (child) => {
      child.setNotFoundHandler((_request, reply) => reply.code(404).send('own'))
    },
    { prefix: '/own' },
  )
  app.get('/calls', (_request, reply) => reply.callNotFound())
  await app.inject('/nowhere?a=1')
  await app.inject('/own/x')
  await app.inject('/calls')
  const around = (...inside: string[]) => ['incoming request', ...inside, 'request completed']
  assert.deepEqual(log.messages, [
    ...around('Route GET:/nowhere?a=1 not found'),
    ...around(),
    ...around('Route GET:/calls not found'),
  ])
})

test('a second reply is told of as a warning, with the id of the request', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  app.get('/', (_request, reply) => {
    reply.send('a')
    reply.send('b')
  })
  assert.equal((await app.inject('/')).body, 'a')
  const line = log.all.find(({ level }) => level === 40)
  assert.equal(line.err.code, 'ESP_ERR_REP_ALREADY_SENT')
  assert.match(line.reqId, /^req-/)
})

test('what fails where no client can be told goes to the logger, and not to stderr', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  app.addHook('onResponse', async () => {
    throw new Error('too late')
  })
  app.get('/', () => 'a')
  const [, text] = await silenced(async () => {
    await app.inject('/')
    await log.until('request completed')
  })
  assert.deepEqual([log.all[1].msg, log.all[1].level, text], ['too late', 50, ''])
})

test('a client that leaves early is told of, at level info', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  app.get('/stream', (_request, reply) => {
    reply.send(new Readable({ read: () => undefined }))
    reply.request.raw.socket.destroy()
  })
  app.get('/never', (request) => {
    request.raw.socket.destroy()
    return new Promise(() => undefined)
  })
  const url = new URL(await app.listen({ port: 0 }))
  for (const path of ['/stream', '/never']) {
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await once(socket, 'close')
  }
  const stream = await log.until('stream closed prematurely')
  const other = await log.until('premature close')
  assert.deepEqual([stream.level, other.level], [30, 30])
  assert.equal(typeof other.responseTime, 'number')
  await app.close()
})

test('that the server listens is told of, and what is no HTTP, at level trace', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream, level: 'trace' } })
  const url = await app.listen({ port: 0 })
  assert.deepEqual([log.all[0].msg, log.all[0].level], [`Server listening at ${url}`, 30])
  await rawRequest(url, ['NOTHING'])
  const line = await log.until('client error')
  assert.deepEqual([line.level, line.err.code], [10, 'HPE_INVALID_METHOD'])
  await app.close()
})

test('the URLs of documentation pages are told of, unless they have a parameter', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream } })
  const info = { title: 'a', version: '1' }
  app.register(openapi({ info }))
  app.register((child) => child.register(openapi({ info, docs: false })), { prefix: '/none' })
  app.register((child) => child.register(openapi({ info, docs: { path: '/doc' } })), {
    prefix: '/admin',
  })
  app.register((child) => child.register(openapi({ info })), { prefix: '/:tenant' })
  const url = await app.listen({ port: 0 })
  const told = ['Server listening at ', 'Documentation at ', 'Documentation at ']
  const paths = ['', '/docs', '/admin/doc']
  assert.deepEqual(
    log.all.map(({ msg }) => msg),
    told.map((text, index) => `${text}${url}${paths[index] ?? ''}`),
  )
  await app.close()
})

test('disableRequestLogging leaves out what is no fault of the server: no error is lost', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream }, disableRequestLogging: true })
  app.get('/', (request) => {
    request.log.info('mine')
    throw new Error('kaboom')
  })
  app.post('/', () => 'a')
  await app.inject('/')
  await app.inject('/nowhere')
  const wrong = { method: 'POST', headers: { 'content-type': 'a/b' }, payload: 'x' } as const
  assert.equal((await app.inject({ url: '/', ...wrong })).statusCode, 415)
  assert.deepEqual(log.messages, ['mine', 'kaboom'])
  assert.match(log.all[1].reqId, /^req-/)
})

test('disableRequestLogging may be a function of the request', async () => {
  const log = new Lines()
  const disableRequestLogging = (request: { url: string }) => request.url === '/health'
  const app = untyped({ logger: { stream: log.stream }, disableRequestLogging })
  app.get('/health', () => 'ok').get('/', () => 'a')
  await app.inject('/health')
  assert.deepEqual(log.messages, [])
  await app.inject('/')
  assert.deepEqual(log.messages, ['incoming request', 'request completed'])
})

test('the id of the request is logged as requestIdLogLabel says', async () => {
  const log = new Lines()
  const app = untyped({ logger: { stream: log.stream }, requestIdLogLabel: 'traceId' })
  app.get('/', ({ id }) => id)
  const { body } = await app.inject('/')
  assert.deepEqual(
    log.all.map(({ traceId, reqId }) => [traceId, reqId]),
    [
      [body, undefined],
      [body, undefined],
    ],
  )
})

test('a logger that fails makes no request fail: stderr is told what', async () => {
  const broken = () => {
    throw new Error('the disk is full')
  }
  const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace']
  const logger: any = Object.fromEntries(methods.map((name) => [name, broken]))
  logger.child = () => logger
  const app = untyped({ loggerInstance: logger })
  app
    .get('/', () => 'a')
    .get('/500', () => {
      throw new Error('kaboom')
    })
  const [bodies, text] = await silenced(async () => [
    (await app.inject('/')).body,
    (await app.inject('/500')).statusCode,
  ])
  assert.deepEqual(bodies, ['a', 500])
  assert.match(text, /^GET \/ in root: Error: the disk is full/)
  assert.match(text, /GET \/500 in root: Error: kaboom/)
  const lines: unknown[] = []
  const childless = untyped({
    loggerInstance: {
      ...logger,
      error: (_bindings: unknown, message: string) => lines.push(message),
      child: broken,
    },
    disableRequestLogging: true,
  })
  childless.get('/500', () => {
    throw new Error('kaboom')
  })
  const [, why] = await silenced(() => childless.inject('/500'))
  assert.match(why, /the disk is full/)
  assert.deepEqual(lines, ['kaboom'])
})
