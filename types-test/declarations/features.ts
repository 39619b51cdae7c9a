// An application with all that may stand in the type of a server, for `declarations.mjs`: it is seen by its declarations.
import espalier, { adopt, defineRoute, event, httpError, plugin, shared, t } from 'espalier'
import type { Contract, DefinedRoute } from 'espalier'
import { multipart } from 'espalier/multipart'
import { openapi } from 'espalier/openapi'
import { websocket } from 'espalier/websocket'
import { z } from 'zod'

export const Problem = t.Object({ title: t.String(), code: t.Union([t.Literal('a'), t.Null()]) })
export const User = t.Object({ id: t.Integer(), at: t.String({ format: 'date-time' }) })
export const Gone = httpError('Gone', 410, { since: t.Optional(t.String({ format: 'date' })) })
export class Retired extends httpError('Retired', 410, { id: t.Integer() }) {}
export const gone = new Gone({ since: new Date() })
export class Db {
  users = new Map<number, { id: number; at: Date }>()
}
export interface Needs {
  server: { db: Db }
  request: { user: { id: number } }
  reply: { ok: () => boolean }
  schemas: { user: typeof User }
  responses: { 401: typeof Problem; 403: typeof Problem }
  derived: { user: 'preHandler' }
}
const user = { 200: t.Ref('user#'), 404: Problem }

const db = plugin().shared(async (app) => app.decorate('db', new Db()), { name: 'db' })
const common = shared(async (app) =>
  app
    .addSchema('user', User)
    .decorateReply('ok', () => true)
    .addResponses({ 401: Problem }),
)
const auth = plugin<{ server: { db: Db }; responses: { 401: typeof Problem } }>().shared(
  async (app) =>
    app
      .addResponses({ 403: Problem })
      .derive('onRequest', ({ headers }, reply) =>
        headers.authorization
          ? { user: { id: 1 } }
          : reply.code(401).send({ title: '', code: null }),
      ),
)
const users = plugin<Needs>()(async (app) =>
  app
    .get('/users/:id', { schema: { params: { id: t.Integer() }, response: user } }, (_, reply) =>
      reply.code(404).send({ title: '', code: 'a' }),
    )
    .register(async (inner) =>
      inner.addResponses({ 409: Problem }).put('/users', { schema: { body: User } }, () => 1),
    )
    .register(
      plugin<Needs>()(async (inner) =>
        inner.delete('/users/:id', async (request, reply) =>
          request.user.id === 1 ? reply.code(403).send({ title: '', code: null }) : request.params,
        ),
      ),
      { prefix: '/deep' },
    ),
)
export const found = defineRoute<Needs>()({
  method: 'POST',
  url: '/found',
  schema: { querystring: { page: t.Integer({ default: 1 }) }, response: user },
  handler: (request) => ({ id: request.query.page, at: new Date() }),
})
const form = { content: { 'multipart/form-data': { schema: { photo: t.File() } } } }
const cookies = adopt<{ request: { cookies: Record<string, string> } }>()(async (
  _app: object,
  _options: { secret?: string },
) => {})

export const app = espalier()
  .register(openapi({ info: { title: 'All', version: '1' } }))
  .register(multipart())
  .register(websocket())
  .register(cookies, { secret: '' })
  .register(db)
  .register(common)
  .register(auth)
  .addResponses({ 500: Problem })
  .route(found)
  .register(users)
  .register(users, { prefix: '/v1' })
  .register(async (app) =>
    app.addSchema({ $id: 'own', type: 'string' }).get('/own', () => new Date()),
  )
  .register(async (app) =>
    app
      .addResponses(Gone)
      .get('/gone', { schema: { response: { 200: User, 410: Retired } } }, () => {
        throw new Retired({ id: 1 })
      }),
  )
  .post('/photos', { schema: { body: form } }, ({ body }) => ({ size: body.photo.size }))
  .get(
    '/events',
    { schema: { response: { 200: { content: { 'text/event-stream': { itemSchema: User } } } } } },
    async function* () {
      yield event({ id: 1, at: new Date() })
    },
  )
  .post(
    '/zod',
    {
      schema: {
        body: z.object({ a: z.coerce.number() }),
        response: { 200: z.object({ b: z.date() }) },
      },
    },
    ({ body }) => ({ b: new Date(body.a) }),
  )
  .get('/rows', () => [] as { at: Date }[] & { count: number })
  .websocket('/chat', { receive: User, send: User }, async (socket) => {
    for await (const message of socket) void socket.send(message)
  })

interface Routes {
  'POST /found': typeof found
  'GET /users/:id': DefinedRoute<{}, 'GET', '/users/:id', { response: { 200: typeof User } }, never>
}
/** A contract has only what its routes declare. */
export interface Api extends Contract<{ 'GET /users/:id': Routes['GET /users/:id'] }> {}
type Built = typeof app
export interface App extends Built {}
