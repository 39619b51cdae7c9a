import { Buffer } from 'node:buffer'
import * as http from 'node:http'
import * as http2 from 'node:http2'
import { ReadableStream } from 'node:stream/web'
import { getQuery, H3, HTTPError, readBody, readValidatedBody } from 'h3'
import { toNodeHandler } from 'h3/node'
import { accept, chunks, items, listen, manyPaths } from './shared.mjs'
import { ownAnswer, schemas, upTo } from './shared.mjs'

export async function start({ http2: second, many, zod }) {
  const app = new H3()
  addRoutes(app, checkerWith(await import('./ajv.mjs')))
  app.mount('/a', deep())
  if (many) for (const path of manyPaths) app.get(path, ({ context }) => context.params ?? {})
  if (zod) await addZodRoute(app)
  const handler = toNodeHandler(app)
  return listen(second ? http2.createServer(handler) : http.createServer(handler))
}

/** Makes functions that validate a part of a request. What they throw, h3 answers with status 400. */
const checkerWith =
  ({ validator, Refusal }) =>
  (part, schema) => {
    const validate = validator(part, schema)
    return (value) => {
      try {
        return validate(value)
      } catch (error) {
        throw error instanceof Refusal ? new HTTPError(error.message, { status: 400 }) : error
      }
    }
  }

function addRoutes(app, checker) {
  app.get('/', () => ({ hello: 'world' }))
  const params = checker('params', schemas.params)
  const query = checker('querystring', schemas.query)
  app.get('/users/:user/posts', (event) => {
    const { user } = params(event.context.params)
    return { user, ...query(getQuery(event)) }
  })
  const order = checker('body', schemas.order)
  app.post('/orders', async (event) => accept(order(await readBody(event))))
  app.get('/items', () => items)
  app.get('/stream', (event) => {
    event.res.headers.set('content-type', 'application/octet-stream')
    return ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk)))
  })
  const lines = checker('body', schemas.lines)
  const count = async (event) => ({ count: lines(await readBody(event)).lines.length })
  app.post('/lines', count)
}

/** Four applications, each in the one before it. */
function deep() {
  const d = new H3()
    .use(({ context }) => void (context.d = 4))
    .use(({ context }) => void (context.c += 1))
    .use(({ context }) => void (context.d += 1))
  d.get('/', ({ context: { a, b, c, d } }) => ({ a, b, c, d }))
  const c = new H3().use(({ context }) => void (context.c = 3)).mount('/d', d)
  const b = new H3().use(({ context }) => void (context.b = 2)).mount('/c', c)
  return new H3().use(({ context }) => void (context.a = 1)).mount('/b', b)
}

async function addZodRoute(app) {
  const { zodOrder } = await import('./zod.mjs')
  const take = async (event) => accept(await readValidatedBody(event, zodOrder))
  app.post('/zod', take)
}

/** With zod, as is customary with h3. */
export async function startOwn({ routes, contexts }) {
  const { getValidatedQuery, getValidatedRouterParams } = await import('h3')
  const { ownZod } = await import('./zod.mjs')
  const app = new H3()
  for (const n of upTo(routes)) {
    const { param, query, json } = ownZod(n)
    app.post(`/r${n}/:id`, async (event) => {
      const { id } = await getValidatedRouterParams(event, param)
      await getValidatedQuery(event, query)
      await readValidatedBody(event, json)
      return ownAnswer(n, id)
    })
  }
  for (const n of upTo(contexts)) {
    const child = new H3().use(({ context }) => void (context.own = n))
    app.mount(
      `/c${n}`,
      child.get('/', ({ context }) => ({ own: context.own })),
    )
  }
  return listen(http.createServer(toNodeHandler(app)))
}
