// Traces by the SDK of OpenTelemetry, with and without its instrumentation of Node's HTTP.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { afterEach, test, type TestContext } from 'node:test'
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { t as schemas } from '../../src/index.ts'
import { instrument, type InstrumentOptions } from '../../src/otel/index.ts'
import { untyped, untypedFastify } from '../support/untyped.ts'

// Types matter to none of these tests.
const espalier: () => any = untyped
const fastify: () => any = untypedFastify

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()
afterEach(() => exporter.reset())

function start(t: TestContext, options?: InstrumentOptions): void {
  t.after(instrument(options))
}

const spans = () => exporter.getFinishedSpans()
function named(name: string): ReadableSpan {
  const found = spans().filter((span) => span.name === name)
  assert.equal(
    found.length,
    1,
    `${name} in ${spans()
      .map((span) => span.name)
      .join(', ')}`,
  )
  return found[0] as ReadableSpan
}

test('without an instrumentation of HTTP a request has a span, which hooks and handlers are in', async (t) => {
  start(t)
  const seen: (string | undefined)[] = []
  const note = () => seen.push(trace.getSpan(context.active())?.spanContext().spanId)
  const app = espalier()
    .addHook('onRequest', async () => {
      note()
    })
    .register(
      async (users: any) =>
        users.get('/:id', async () => {
          await Promise.resolve()
          note()
          return 'x'
        }),
      { prefix: '/users' },
    )
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await app.inject({ url: '/users/7?a=1', headers: { traceparent } })
  const span = named('GET /users/:id')
  assert.equal(span.kind, SpanKind.SERVER)
  assert.equal(span.parentSpanContext?.spanId, '00f067aa0ba902b7')
  assert.deepEqual(span.attributes, {
    'http.request.method': 'GET',
    'url.path': '/users/7',
    'url.scheme': 'http',
    'server.address': 'localhost',
    'http.route': '/users/:id',
    'http.response.status_code': 200,
  })
  assert.deepEqual(seen, Array(2).fill(span.spanContext().spanId))
})

test('a request without a route, and one of an unknown method, have no route in their names', async (t) => {
  start(t)
  const app = fastify()
  app.addHttpMethod('PURGE')
  app.route({ method: 'PURGE', url: '/:id', handler: async () => 'x' })
  await app.inject('/none')
  await app.inject({ method: 'PURGE' as 'GET', url: '/7' })
  assert.equal(named('GET').attributes['http.route'], undefined)
  assert.equal(named('HTTP /:id').attributes['http.request.method'], '_OTHER')
})

for (const [factory, create] of Object.entries({ espalier, fastify })) {
  test(`errors are recorded, and those of the server are its faults, with the factory ${factory}`, async (t) => {
    start(t)
    const app = create()
      .get('/crash', () => {
        throw new Error('disk')
      })
      .get('/refused', () => {
        throw Object.assign(new Error('no'), { statusCode: 403 })
      })
      .get('/sent', (_request: any, reply: any) => reply.code(503).send('x'))
    for (const path of ['/crash', '/refused', '/sent']) await app.inject(path)
    const told = ['crash', 'refused', 'sent'].map((path) => {
      const { status, attributes, events } = named(`GET /${path}`)
      const messages = events.map((event) => event.attributes?.['exception.message'])
      return [status, attributes['error.type'], messages]
    })
    const code = SpanStatusCode.ERROR
    assert.deepEqual(told, [
      [{ code, message: 'disk' }, '500', ['disk']],
      [{ code: SpanStatusCode.UNSET }, undefined, ['no']],
      [{ code }, '503', []],
    ])
  })
}

test('handlers have spans where asked, which are active in them', async (t) => {
  start(t, { handlers: true })
  const app = espalier()
    .get('/async', async () => {
      await Promise.resolve()
      trace.getTracer('own').startSpan('query').end()
      return 'x'
    })
    .get('/at-once', () => 'x')
    .get('/fails', async () => Promise.reject(new Error('disk')))
  for (const path of ['/async', '/at-once', '/fails']) await app.inject(path)
  const handler = named('handler /async')
  assert.equal(named('query').parentSpanContext?.spanId, handler.spanContext().spanId)
  assert.equal(handler.parentSpanContext?.spanId, named('GET /async').spanContext().spanId)
  assert.equal(named('handler /at-once').attributes['http.route'], '/at-once')
  assert.deepEqual(named('handler /fails').status, { code: SpanStatusCode.ERROR, message: 'disk' })
})

test('hooks have spans where asked, each until it has called back, settled or thrown', async (t) => {
  start(t, { hooks: true })
  const ended: boolean[] = []
  const hasEnded = (name: string) => spans().some((span) => span.name === name)
  const app = espalier()
    .addHook('onRequest', function first(_request: any, _reply: any, done: any) {
      setImmediate(() => {
        ended.push(hasEnded('onRequest first'))
        done()
      })
    })
    .addHook('preValidation', async function second() {
      ended.push(hasEnded('onRequest first'))
      await new Promise((resolve) => setImmediate(resolve))
      ended.push(hasEnded('preValidation second'))
    })
    .addHook('onSend', (_request: any, _reply: any, payload: any, done: any) => done(null, payload))
    .addHook('preHandler', async function guard(request: any) {
      if (request.url === '/fails') throw new Error('no')
    })
    .addHook('preHandler', function direct(request: any) {
      if (request.url === '/thrown') throw new Error('now')
    } as () => void)
    .get('/', () => 'x')
    .get('/fails', () => 'x')
    .get('/thrown', () => 'x')
  await app.inject('/')
  const request = named('GET /').spanContext().spanId
  for (const name of ['onRequest first', 'preValidation second', 'preHandler guard', 'onSend']) {
    assert.equal(named(name).parentSpanContext?.spanId, request, name)
    assert.equal(named(name).attributes['http.route'], '/')
  }
  assert.deepEqual(ended, [false, true, false])
  for (const [path, hook, message] of [
    ['/fails', 'preHandler guard', 'no'],
    ['/thrown', 'preHandler direct', 'now'],
  ] as const) {
    exporter.reset()
    await app.inject(path)
    assert.deepEqual(named(hook).status, { code: SpanStatusCode.ERROR, message })
  }
})

test('without listeners no hook is wrapped, and after the end nothing is told', async () => {
  const stop = instrument({ handlers: true, hooks: true })
  stop()
  const app = espalier()
    .addHook('onRequest', async () => {})
    .get('/', () => 'x')
  await app.inject('/')
  assert.deepEqual(spans(), [])
})

const sensitive = {
  params: schemas.Object({ token: schemas.Sensitive(schemas.String()) }),
  querystring: schemas.Object({
    page: schemas.Optional(schemas.Integer()),
    key: schemas.Optional(schemas.Sensitive(schemas.String())),
  }),
}

test('the path of a route with a sensitive parameter is that of the route', async (t) => {
  start(t, { handlers: true })
  const app = espalier().get('/tokens/:token', { schema: sensitive }, () => 'x')
  await app.inject('/tokens/hunter2?page=1&key=hunter2')
  assert.equal(named('GET /tokens/:token').attributes['url.path'], '/tokens/:token')
  for (const span of spans()) assert.doesNotMatch(JSON.stringify(span.attributes), /hunter2/)
})

test("the span of the instrumentation of Node's HTTP gets the route, its name and errors", async (t) => {
  start(t, { handlers: true })
  const http = new HttpInstrumentation()
  t.after(() => http.disable())
  http.setTracerProvider(provider)
  // It changes the module when it is required.
  createRequire(import.meta.url)('http')
  const app = espalier()
    .get('/users/:id', () => 'x')
    .get('/crash', () => {
      throw new Error('disk')
    })
    .get('/tokens/:token', { schema: sensitive }, () => 'x')
  const origin = await app.listen()
  t.after(() => app.close())
  for (const path of ['/users/7', '/crash', '/none', '/tokens/hunter2?page=1&key=hunter2'])
    await (await fetch(origin + path)).text()
  await app.close()
  const server = spans().filter(({ kind }) => kind === SpanKind.SERVER)
  const told = server.map(({ name, attributes, instrumentationScope, events }) => [
    name,
    attributes['http.route'],
    instrumentationScope.name,
    events.length,
  ])
  const by = '@opentelemetry/instrumentation-http'
  assert.deepEqual(told, [
    ['GET /users/:id', '/users/:id', by, 0],
    ['GET /crash', '/crash', by, 1],
    ['GET', undefined, by, 0],
    ['GET /tokens/:token', '/tokens/:token', by, 0],
  ])
  const attributes = JSON.stringify(server[3]?.attributes)
  assert.match(attributes, /"\/tokens\/:token".*"page=1&key=\[redacted\]"/)
  assert.doesNotMatch(attributes, /hunter2/)
  const { parentSpanContext } = named('handler /users/:id')
  assert.equal(parentSpanContext?.spanId, server[0]?.spanContext().spanId)
})
