import * as http2 from 'node:http2'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { accept, chunks, items, manyPaths } from './shared.mjs'
import { ownAnswer, schemas, upTo } from './shared.mjs'

export async function start(options) {
  const app = new Hono()
  if (options.log) app.use((await import('hono/logger')).logger())
  const { validator, refused, notFound, Refusal } = await import('./ajv.mjs')
  app.notFound((c) => c.json(notFound(c.req.method, c.req.path), 404))
  app.onError((error, c) => {
    if (error instanceof Refusal) return c.json(refused(error.message), 400)
    throw error
  })
  addRoutes(app, validator)
  if (options.many) for (const path of manyPaths) app.get(path, (c) => c.json(c.req.param()))
  if (options.zod) await addZodRoute(app)
  return serveApp(app, options)
}

async function serveApp(app, { http2: second }) {
  const settings = { fetch: app.fetch, port: 0, hostname: '127.0.0.1' }
  const { Bun, Deno } = globalThis
  if (Bun) return Bun.serve(settings).port
  if (Deno) return Deno.serve({ ...settings, onListen() {} }, app.fetch).addr.port
  const { serve } = await import('@hono/node-server')
  if (second) settings.createServer = http2.createServer
  return new Promise((resolve) => serve(settings, ({ port }) => resolve(port)))
}

function addRoutes(app, validator) {
  app.get('/', (c) => c.json({ hello: 'world' }))
  const params = validator('params', schemas.params)
  const query = validator('querystring', schemas.query)
  app.get('/users/:user/posts', (c) => {
    const { user } = params(c.req.param())
    return c.json({ user, ...query(c.req.query()) })
  })
  const order = validator('body', schemas.order)
  app.post('/orders', async (c) => c.json(accept(order(await c.req.json()))))
  app.get('/items', (c) => c.json(items))
  app.route('/a', deep())
  app.get('/stream', (c) => {
    c.header('content-type', 'application/octet-stream')
    return stream(c, async (out) => {
      for (const chunk of chunks) await out.write(chunk)
    })
  })
  const lines = validator('body', schemas.lines)
  app.post('/lines', async (c) => {
    const body = lines(await c.req.json())
    return c.json({ count: body.lines.length })
  })
}

const set = (name, value) => async (c, next) => {
  c.set(name, value)
  await next()
}

const add = (name) => async (c, next) => {
  c.set(name, c.get(name) + 1)
  await next()
}

/** Four applications, each in the one before it. */
function deep() {
  const d = new Hono().use(set('d', 4)).use(add('c')).use(add('d'))
  d.get('/', (c) => c.json({ a: c.get('a'), b: c.get('b'), c: c.get('c'), d: c.get('d') }))
  const c = new Hono().use(set('c', 3)).route('/d', d)
  const b = new Hono().use(set('b', 2)).route('/c', c)
  return new Hono().use(set('a', 1)).route('/b', b)
}

async function addZodRoute(app) {
  const { zValidator } = await import('@hono/zod-validator')
  const { zodOrder } = await import('./zod.mjs')
  app.post('/zod', zValidator('json', zodOrder), (c) => c.json(accept(c.req.valid('json'))))
}

export const startOwn = async (size) => serveApp(await createOwn(size), {})

/** With zod, as is customary with Hono. */
export async function createOwn({ routes, contexts }) {
  const { zValidator } = await import('@hono/zod-validator')
  const { ownZod } = await import('./zod.mjs')
  const app = new Hono()
  for (const n of upTo(routes)) {
    const { param, query, json } = ownZod(n)
    app.post(
      `/r${n}/:id`,
      zValidator('param', param),
      zValidator('query', query),
      zValidator('json', json),
      (c) => c.json(ownAnswer(n, c.req.valid('param').id)),
    )
  }
  for (const n of upTo(contexts)) {
    app.route(
      `/c${n}`,
      new Hono().use(set('own', n)).get('/', (c) => c.json({ own: c.get('own') })),
    )
  }
  return app
}
