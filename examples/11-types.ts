// The types that an editor shows. Behind each `^?` stands what it says of the name above the arrow:
// a test asks the compiler whether that is so.
import espalier, {
  defineRoute,
  plugin,
  shared,
  t,
  type Contract,
  type Handler,
  type HookFor,
  type Input,
  type InputOf,
  type Output,
  type Payload,
  type Received,
  type ResponseOf,
} from 'espalier'
import { client } from 'espalier/client'
import { z } from 'zod'
import { startWhenRun } from './start.ts'

const User = t.Object(
  {
    id: t.Integer(),
    name: t.String(),
    born: t.Optional(t.String({ format: 'date' })),
    admin: t.Boolean({ default: false }),
  },
  { $id: 'user' },
)

// 1. Four views of a schema: what a client may send,
export type Sent = Input<typeof User>
//          ^? type Sent = { id: number; name: string; born?: string; admin?: boolean }

// what a handler reads, once values are coerced and defaults are there,
export type Read = Output<typeof User>
//          ^? type Read = { id: number; name: string; born?: string; admin: boolean }

// what it may reply, where the serializer writes dates and fills in defaults,
export type Given = Payload<typeof User>
//          ^? type Given = { id: number; name: string; born?: string | Date | undefined; admin?:
//    boolean | undefined } | ToJson<{ id: number; name: string; born?: string | Date | undefined;
//    admin?: boolean | undefined }>

// and what the client gets.
export type Got = Received<typeof User>
//          ^? type Got = { id: number; name: string; born?: string; admin: boolean }

// 2. A context: what is declared is there, in this scope and below.
class Database {
  async find(id: number) {
    return { id, name: id === 1 ? 'Ada' : 'Eve', born: new Date('1815-12-10') }
  }
}

const root = espalier()
  .addSchema(User)
  .decorate('db', new Database())
  .decorateRequest('requestedBy', null as string | null)

// 3. Phases: what a hook gives is there for what comes later, and not before.
const authenticated = root
  .derive('onRequest', ({ headers, query }) => {
    //                             ^? (parameter) query: RawQuery
    return { token: headers.authorization ?? '', isLoud: query['loud'] !== undefined }
  })
  .derive('preHandler', async ({ token, isLoud }, reply) => {
    //                           ^? (parameter) token: string
    //                                  ^? (parameter) isLoud: boolean
    if (token === '') return reply.code(401).send()
    return { caller: { name: isLoud ? token.toUpperCase() : token, since: new Date() } }
  })

// 4. A route: path, query, body and replies have the types of their schemas.
const users = authenticated
  .put(
    '/users/:id',
    {
      schema: {
        params: { id: t.Integer() },
        querystring: {
          notify: t.Boolean({ default: true }),
          tags: t.Optional(t.Array(t.String())),
        },
        body: t.Ref('user#'),
        response: {
          200: t.Object({ user: t.Ref('user#') }),
          404: t.Object({ message: t.String() }),
        },
      },
    },
    async function (request, reply) {
      const { params, query, body } = request
      //      ^? const params: { id: number }
      //              ^? const query: { notify: boolean; tags?: string[] }
      //                     ^? const body: { id: number; name: string; born?: string; admin:
      //    boolean }
      const { caller, requestedBy } = request
      //      ^? const caller: { name: string; since: Date }
      //              ^? const requestedBy: string | null
      const user = await this.db.find(params.id)
      //    ^? const user: { id: number; name: string; born: Date }
      const isSame = body.name === user.name && requestedBy !== caller.name
      return isSame || query.notify ? { user } : reply.code(404).send({ message: 'No such user' })
    },
  )

  // A path says what its parameters are, where no schema does.
  .get('/files/:folder-:name/:version?', ({ params }) => params)
  //                                                     ^? (parameter) params: { name: string;
  //    folder: string; version?: string }

  // 5. Plain JSON Schema, as a literal,
  .post(
    '/plain',
    {
      schema: {
        body: {
          type: 'object',
          properties: {
            size: { enum: ['s', 'm', 'l'] },
            count: { type: 'integer', default: 1 },
            note: { type: 'string', nullable: true },
            owner: { $ref: 'user#/properties/name' },
          },
          required: ['size'],
        },
      },
    },
    ({ body }) => body,
    // ^? (parameter) body: { size: "s" | "m" | "l"; count: number; note?: string | null; owner?:
    //    string }
  )

  // or of another library, by what Standard Schema tells of it.
  .post(
    '/zod',
    { schema: { body: z.object({ on: z.stringbool(), at: z.coerce.date() }) } },
    ({ body }) => body,
    // ^? (parameter) body: { on: boolean; at: Date }
  )

// 6. Closed replies: what was set on a reply says what it may be sent with.
users.get(
  '/report',
  {
    schema: {
      response: {
        200: {
          headers: { 'x-total': t.Integer() },
          content: {
            'application/json': { schema: t.Object({ total: t.Integer() }) },
            'text/csv': { schema: t.String() },
          },
        },
        404: t.Null(),
      },
    },
  },
  (request, reply) => {
    const { accept } = request.headers
    if (accept === 'none') {
      const missing = reply.code(404)
      const send = missing.send.bind(missing)
      //    ^? const send: (payload?: null | undefined) => Sending<unknown>
      return send()
    }
    if (accept === 'text/csv') {
      const csv = reply.type('text/csv')
      const send = csv.send.bind(csv)
      //    ^? const send: (payload: string) => Sending<unknown>
      return send('total\n1')
    }
    const counted = reply.header('x-total', 1).type('application/json')
    const send = counted.send.bind(counted)
    //    ^? const send: (payload: NoInfer<{ total: number }> | NoInfer<ToJson<{ total: number }>>)
    //    => Sending<unknown>
    return send({ total: 1 })
  },
)

// 7. A failed validation that the handler sees: the request is one of two.
users.post(
  '/checked',
  { schema: { body: { name: t.String() } }, attachValidation: true },
  (request) => {
    const unchecked = request.body
    //    ^? const unchecked: unknown
    if (request.validationError) return request.validationError.message
    const checked = request.body
    //    ^? const checked: { name: string }
    return [unchecked, checked]
  },
)

// 8. A plugin says what it needs of a scope, wherever it is registered.
export interface Needs {
  server: { db: Database }
  schemas: { user: typeof User }
}

const reports = plugin<Needs, { limit: number }>()(async (app, { limit }) =>
  //                                                             ^? (parameter) limit: number
  app.get('/reports', async () => {
    const first = await app.db.find(1)
    //    ^? const first: { id: number; name: string; born: Date }
    return { limit, first }
  }),
)

// 9. So do a route, a handler and a hook in files of their own, whose types are those of the scope.
export const remove = defineRoute<Needs>()({
  method: ['DELETE', 'POST'],
  url: '/users/:id/remove',
  schema: { params: { id: t.Integer() }, response: { 200: t.Ref('user#'), 404: t.Null() } },
  async handler({ params, server, method }, reply) {
    //            ^? (parameter) params: { id: number }
    //                          ^? (parameter) server: Server<NeedsCtx<Needs>, {}>
    const user = await server.db.find(params.id)
    //    ^? const user: { id: number; name: string; born: Date }
    return method === 'DELETE' ? user : reply.code(404).send()
  },
})

const list = { schema: { querystring: { page: t.Integer({ default: 1 }) } } }
export const listed: Handler<typeof list, Needs> = ({ query }) => query.page
//                                                    ^? (parameter) query: { page: number }
export const guarded: HookFor<'preValidation', Needs> = async ({ query, body }, reply) =>
  //                                                             ^? (parameter) query: RawQuery
  //                                                                    ^? (parameter) body: unknown
  body === undefined && query['page'] === '0' ? reply.code(400).send() : undefined

// What a shared plugin declares is there behind it.
export const app = users
  .register(shared(async (inner) => inner.decorate('cache', new Map<string, number>())))
  .register(reports, { prefix: '/v1', limit: 10 })
  .route(remove)
  .get('/listed', { ...list, preValidation: guarded }, listed)

app.get('/cache', function () {
  const { cache } = this
  //      ^? const cache: Map<string, number>
  return cache.size
})

// 10. Calls, in tests and from elsewhere: by key, with the input of the route and the reply of each status.
export async function calls(url: string) {
  const injected = await app.inject('GET /v1/reports')
  const report = injected.json()
  //    ^? const report: { limit: number; first: { id: number; name: string; born: string } }
  const api = client<typeof app>(url, { headers: { authorization: 'Ada' } })
  const input = { params: { id: 1 }, body: { id: 1, name: 'Ada' } }
  const response = await api('PUT /users/:id', input)
  //    ^? const response: RouteResponse<200, { user: { id: number; name: string; born?: string;
  //    admin: boolean } }, Fetched> | RouteResponse<404, { message: string }, Fetched>
  if (response.statusCode === 404) return response.json().message
  const { user } = response.json()
  //      ^? const user: { id: number; name: string; born?: string; admin: boolean }
  return [report.limit, user]
}

// 11. What another package imports: the application by a name, from which the types of its routes are read.
type Built = typeof app
export interface App extends Built {}

export type Change = InputOf<App, 'PUT /users/:id'>
//          ^? type Change = { params: { id: number | `${number}` }; query?: { notify?: boolean |
//    "false" | "true" | undefined; tags?: string | string[] | undefined } | undefined; readonly
//    headers?: Readonly<Record<string, string | number | boolean | undefined>> | undefined; body: {
//    id: number; name: string; born?: string | undefined; admin?: boolean | undefined } }
export type Removed = ResponseOf<App, 'DELETE /users/:id/remove'>
//          ^? type Removed = RouteResponse<200, { id: number; name: string; born?: string; admin:
//    boolean }, Fetched> | RouteResponse<404, null, Fetched>

// Where routes are values, a contract says the same of those that it names.
interface Routes {
  'DELETE /users/:id/remove': typeof remove
}
app satisfies Contract<Routes>

export type ByContract = ResponseOf<Contract<Routes>, 'DELETE /users/:id/remove'>
//          ^? type ByContract = RouteResponse<404, null, Fetched> | RouteResponse<200, { id:
//    number; name: string; born?: string; admin: boolean }, Fetched>

await startWhenRun(import.meta.url, app, (url) => [
  `curl -X PUT ${url}/users/1 -H 'authorization: Ada' -H 'content-type: application/json' -d '{"id":1,"name":"Ada"}'`,
  `curl ${url}/files/a-b/c -H 'authorization: Ada'`,
])
