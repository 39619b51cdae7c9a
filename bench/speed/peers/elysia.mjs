import { Elysia, t } from 'elysia'
import { accept, chunks, failure, items, manyPaths } from './shared.mjs'
import { ownAnswer, ownSchemas, schemas, upTo } from './shared.mjs'

/** A schema of TypeBox, as Elysia takes it, from a plain one. In paths and queries Elysia wants `t.Numeric`. */
function typed({ type, properties, required, items: item, ...rest }, text = false) {
  if (Array.isArray(type)) return t.Union(type.map((one) => typed({ type: one })))
  if (type === 'object') {
    const fields = Object.entries(properties).map(([name, field]) => {
      const own = typed(field, text)
      return [name, required.includes(name) ? own : t.Optional(own)]
    })
    return t.Object(Object.fromEntries(fields), rest)
  }
  if (type === 'array') return t.Array(typed(item), rest)
  const kinds = { string: 'String', null: 'Null', number: 'Number', integer: 'Integer' }
  if (text && type === 'integer') return t.Numeric(rest)
  if (type === 'boolean') return text ? t.BooleanString(rest) : t.Boolean(rest)
  return t[kinds[type]](rest)
}

const { Bun } = globalThis
const options = Bun ? {} : { adapter: (await import('@elysiajs/node')).node() }

const create = () =>
  new Elysia(options).onError(({ code, error, set, request }) => {
    if (code === 'NOT_FOUND') {
      set.status = 404
      return failure(404, 'Not Found', `Route ${request.method}:${request.url} not found`)
    }
    if (code !== 'VALIDATION') throw error
    set.status = 400
    return failure(400, 'Bad Request', error.all[0]?.summary ?? 'not valid')
  })

export async function start({ many, zod }) {
  const app = create()
  addRoutes(app)
  if (many) for (const path of manyPaths) app.get(path, ({ params }) => params)
  if (zod) {
    const { zodOrder } = await import('./zod.mjs')
    app.post('/zod', ({ body }) => accept(body), { body: zodOrder })
  }
  return portOf(app)
}

const portOf = (app) =>
  new Promise((resolve) => {
    if (Bun) return resolve(app.listen({ port: 0, hostname: '127.0.0.1' }).server.port)
    app.listen({ port: 0, hostname: '127.0.0.1' }, async ({ raw }) => {
      await raw.ready()
      resolve(raw.node.server.address().port)
    })
  })

function addRoutes(app) {
  app.get('/', () => ({ hello: 'world' }), { response: typed(schemas.hello) })
  app.get('/users/:user/posts', ({ params, query }) => ({ user: params.user, ...query }), {
    params: typed(schemas.params, true),
    query: typed(schemas.query, true),
    response: typed(schemas.posts),
  })
  app.post('/orders', ({ body }) => accept(body), {
    body: typed(schemas.order),
    response: typed(schemas.accepted),
  })
  app.get('/items', () => items, { response: typed(schemas.items) })
  app.use(deep())
  app.get('/stream', function* ({ set }) {
    set.headers['content-type'] = 'application/octet-stream'
    yield* chunks
  })
  app.post('/lines', ({ body }) => ({ count: body.lines.length }), {
    body: typed(schemas.lines),
    response: typed(schemas.count),
  })
}

/** Four instances, each in the one before it. */
function deep() {
  const d = new Elysia({ prefix: '/d' })
    .derive(() => ({ d: { value: 4 } }))
    .onBeforeHandle(({ c }) => void (c.value += 1))
    .onBeforeHandle(({ d }) => void (d.value += 1))
    .get('/', ({ a, b, c, d }) => ({ a, b, c: c.value, d: d.value }), {
      response: typed(schemas.deep),
    })
  const c = new Elysia({ prefix: '/c' }).derive(() => ({ c: { value: 3 } })).use(d)
  const b = new Elysia({ prefix: '/b' }).derive(() => ({ b: 2 })).use(c)
  return new Elysia({ prefix: '/a' }).derive(() => ({ a: 1 })).use(b)
}

export async function startOwn({ routes, contexts }) {
  const app = create()
  for (const n of upTo(routes)) {
    const { params, querystring, body, response } = ownSchemas(n)
    app.post(`/r${n}/:id`, ({ params }) => ownAnswer(n, params.id), {
      params: typed(params, true),
      query: typed(querystring, true),
      body: typed(body),
      response: typed(response),
    })
  }
  for (const n of upTo(contexts)) {
    const child = new Elysia({ prefix: `/c${n}` }).derive(() => ({ own: n }))
    app.use(child.get('/', ({ own }) => ({ own })))
  }
  return portOf(app)
}
