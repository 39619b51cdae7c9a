// How much is too much: @fastify/rate-limit, @fastify/under-pressure.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import { serve, type Ask } from '../support/serve.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

/** The statuses of some requests, one after the other. */
async function statuses(ask: Ask, path: string, count: number, init?: RequestInit) {
  const found: number[] = []
  while (found.length < count) found.push((await ask(path, init)).status)
  return found
}

test('@fastify/rate-limit counts requests, says so in headers, and refuses with 429', async (t) => {
  const app = untyped()
  await app.register(rateLimit, { max: 2, timeWindow: '1 minute' })
  app.get('/', () => 'in')
  const ask = await serve(t, app)
  const first = await ask('/')
  const said = (name: string, response: Response) => response.headers.get(`x-ratelimit-${name}`)
  assert.deepEqual([first.status, said('limit', first), said('remaining', first)], [200, '2', '1'])
  assert.equal((await ask('/')).status, 200)
  const refused = await ask('/')
  assert.deepEqual([refused.status, said('remaining', refused)], [429, '0'])
  assert.match(refused.headers.get('retry-after') ?? '', /^(60|59)$/)
  assert.deepEqual(await refused.json(), {
    statusCode: 429,
    error: 'Too Many Requests',
    message: 'Rate limit exceeded, retry in 1 minute',
  })
})

test('@fastify/rate-limit has other limits for a route, or none, and counts by a key', async (t) => {
  const app = untyped()
  const keyGenerator = (request: any) => request.headers.name ?? request.ip
  await app.register(rateLimit, { max: 2, keyGenerator, allowList: ['admin'] })
  app
    .get('/one', { config: { rateLimit: { max: 1 } } }, () => 'in')
    .get('/free', { config: { rateLimit: false } }, () => 'in')
    .get('/', () => 'in')
  const ask = await serve(t, app)
  assert.deepEqual(await statuses(ask, '/one', 2), [200, 429])
  assert.deepEqual(await statuses(ask, '/free', 3), [200, 200, 200])
  const named = (name: string) => statuses(ask, '/', 3, { headers: { name } })
  assert.deepEqual(await named('Ada'), [200, 200, 429])
  assert.deepEqual(await named('Bob'), [200, 200, 429])
  assert.deepEqual(await named('admin'), [200, 200, 200])
})

test('@fastify/rate-limit answers as its builder says, bans, and limits what is not found', async (t) => {
  const app: any = untyped()
  const errorResponseBuilder = (_request: unknown, { statusCode, max, ban }: any) =>
    Object.assign(new Error(`${max} are enough`), { statusCode, banned: ban })
  await app.register(rateLimit, { max: 1, ban: 1, errorResponseBuilder })
  app.setErrorHandler((error: any, _request: unknown, reply: any) =>
    reply.code(error.statusCode).send({ message: error.message, banned: error.banned }),
  )
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (_request: unknown, reply: any) =>
    reply.code(404).send('none'),
  )
  app.get('/', () => 'in')
  const ask = await serve(t, app)
  assert.equal((await ask('/')).status, 200)
  const refused = await ask('/')
  const body = { message: '1 are enough', banned: false }
  assert.deepEqual([refused.status, await refused.json()], [429, body])
  const banned = await ask('/')
  assert.deepEqual([banned.status, (await banned.json()).banned], [403, true])
  assert.deepEqual(await statuses(ask, '/none', 1), [403])
})

test('@fastify/rate-limit limits a context only', async (t) => {
  const app = untyped().get('/outside', () => 'in')
  app.register(async (inside) => {
    await inside.register(rateLimit, { max: 1, timeWindow: 100_000 })
    inside.get('/inside', () => 'in')
  })
  const ask = await serve(t, app)
  assert.deepEqual(await statuses(ask, '/inside', 2), [200, 429])
  assert.deepEqual(await statuses(ask, '/outside', 2), [200, 200])
})

/** Waits for the first time that the plugin measures, from which on it finds that too much is used. */
async function isMeasured(server: any): Promise<void> {
  while (!server.isUnderPressure()) await setImmediate()
}

test('@fastify/under-pressure refuses with 503 while too much is used', async (t) => {
  const app: any = untyped().register(underPressure, {
    maxHeapUsedBytes: 1,
    sampleInterval: 10,
    message: 'busy',
    retryAfter: 7,
  })
  app.get('/', () => 'in')
  const ask = await serve(t, app)
  await isMeasured(app)
  const [refused] = await silenced(() => ask('/'))
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '7'])
  assert.deepEqual(await refused.json(), {
    statusCode: 503,
    code: 'FST_UNDER_PRESSURE',
    error: 'Service Unavailable',
    message: 'busy',
  })
  assert.ok(app.memoryUsage().heapUsed > 1)
})

test('@fastify/under-pressure asks a handler, of the server or of a route, in its own context only', async (t) => {
  let measured = async () => {}
  const app = untyped().get('/outside', () => 'in')
  app.register(async (inside) => {
    const pressureHandler = (_request: unknown, reply: any, type: string) => {
      reply.code(503).send({ type })
    }
    await inside.register(underPressure, { maxRssBytes: 1, sampleInterval: 10, pressureHandler })
    measured = () => isMeasured(inside)
    inside.get('/inside', () => 'in')
    inside.get('/route', { config: { pressureHandler: () => undefined } }, () => 'in')
  })
  const ask = await serve(t, app)
  await measured()
  const told = await ask('/inside')
  assert.deepEqual([told.status, await told.json()], [503, { type: 'rssBytes' }])
  assert.equal(await (await ask('/route')).text(), 'in')
  assert.equal(await (await ask('/outside')).text(), 'in')
})

test('@fastify/under-pressure has a route that says how the server is', async (t) => {
  let health: unknown = { version: '1.2', secret: 'x' }
  const app = untyped().register(underPressure, {
    healthCheck: async () => health,
    exposeStatusRoute: { url: '/alive', routeResponseSchemaOpts: { version: { type: 'string' } } },
  })
  const ask = await serve(t, app)
  assert.deepEqual(await (await ask('/alive')).json(), { status: 'ok', version: '1.2' })
  health = false
  const [ill] = await silenced(() => ask('/alive'))
  assert.deepEqual([ill.status, (await ill.json()).code], [503, 'FST_UNDER_PRESSURE'])
})
