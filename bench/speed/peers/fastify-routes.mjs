// The application of Espalier and of Fastify, which have one API.
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { accept, bodyLimit, chunks, items, manyPaths } from './shared.mjs'
import { ownAnswer, ownSchemas, schemas, upTo } from './shared.mjs'

const answer = (schema) => ({ response: { 200: schema } })

/** The routes of all scenarios. */
export async function addRoutes(app, { many, zod }) {
  app.get('/', { schema: answer(schemas.hello) }, () => ({ hello: 'world' }))
  const read = { params: schemas.params, querystring: schemas.query, ...answer(schemas.posts) }
  app.get('/users/:user/posts', { schema: read }, ({ params, query }) => ({
    user: params.user,
    ...query,
  }))
  const order = { body: schemas.order, ...answer(schemas.accepted) }
  app.post('/orders', { schema: order }, ({ body }) => accept(body))
  app.get('/items', { schema: answer(schemas.items) }, () => items)
  app.register(deep, { prefix: '/a' })
  app.get('/stream', (_request, reply) =>
    reply.type('application/octet-stream').send(Readable.from(chunks)),
  )
  app.get('/slow', async () => {
    await wait(5)
    return { slow: true }
  })
  const lines = { body: schemas.lines, ...answer(schemas.count) }
  app.post('/lines', { schema: lines, bodyLimit }, ({ body }) => ({ count: body.lines.length }))
  if (many) for (const path of manyPaths) app.get(path, ({ params }) => params)
  if (zod) await zod(app)
}

async function deep(app) {
  app.decorateRequest('a', 0)
  app.addHook('onRequest', (request, _reply, done) => ((request.a = 1), done()))
  app.register(deeper, { prefix: '/b' })
}

async function deeper(app) {
  app.decorateRequest('b', 0)
  app.addHook('onRequest', (request, _reply, done) => ((request.b = 2), done()))
  app.register(deepest, { prefix: '/c' })
}

async function deepest(app) {
  app.decorateRequest('c', 0)
  app.addHook('onRequest', (request, _reply, done) => ((request.c = 3), done()))
  app.register(bottom, { prefix: '/d' })
}

async function bottom(app) {
  app.decorateRequest('d', 0)
  app.addHook('onRequest', (request, _reply, done) => ((request.d = 4), done()))
  app.addHook('preHandler', (request, _reply, done) => ((request.c += 1), done()))
  app.addHook('preHandler', (request, _reply, done) => ((request.d += 1), done()))
  app.get('/', { schema: answer(schemas.deep) }, ({ a, b, c, d }) => ({ a, b, c, d }))
}

/** So many routes with schemas of their own, or contexts with a route each. */
export function addOwnRoutes(app, { routes, contexts }) {
  for (const n of upTo(routes)) {
    const { response, ...parts } = ownSchemas(n)
    app.post(`/r${n}/:id`, { schema: { ...parts, ...answer(response) } }, ({ params }) =>
      ownAnswer(n, params.id),
    )
  }
  for (const n of upTo(contexts)) {
    const plugin = async (child) => {
      child.decorateRequest('own', n)
      child.addHook('onRequest', (request, _reply, done) => ((request.own = n), done()))
      child.get('/', ({ own }) => ({ own }))
    }
    app.register(plugin, { prefix: `/c${n}` })
  }
}

export async function portOf(app) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}
