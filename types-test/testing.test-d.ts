// `RouteOf` has the types of one route; `expectRoute` makes claims about them.
import espalier, { t, type InputOf } from 'espalier'
import { client } from 'espalier/client'
import { expectRoute, type RouteOf } from 'espalier/testing'
import { expectError, expectType } from 'tsd'
import type { Equal } from './support.js'

const app = espalier()
  .addSchema(t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' }))
  .addResponses({ 401: { reason: t.String() } })
  .get('/plain/:name', async ({ params }) => ({ greeting: params.name }))
  .get(
    '/users/:id',
    {
      schema: {
        params: { id: t.Integer() },
        querystring: { page: t.Integer({ default: 1 }) },
        headers: { 'X-Token': t.String() },
        response: { 200: t.Ref('user#'), 404: { message: t.String() } },
      },
    },
    async ({ params }) => ({ id: params.id, name: '' }),
  )
  .post(
    '/users',
    {
      schema: {
        body: t.Object({
          name: t.String(),
          tags: t.Array(t.String()),
          age: t.Integer({ default: 1 }),
        }),
        response: {
          '2xx': { at: t.String({ format: 'date-time' }) },
          default: { message: t.String() },
        },
      },
    },
    async (_request, reply) => reply.code(201).send({ at: new Date() }),
  )
  .delete(
    '/users/:id',
    { schema: { response: { 204: { description: 'gone' } } } },
    async (_request, reply) => reply.code(204).send(),
  )
  .get(
    '/events',
    {
      schema: {
        response: {
          200: { content: { 'text/event-stream': { itemSchema: { at: t.Integer() } } } },
        },
      },
    },
    async function* () {
      yield { at: 1 }
    },
  )
  .register(async (v1) => v1.get('/:id', { schema: { params: { id: t.Integer() } } }, () => 'ok'), {
    prefix: '/v1',
  })
type App = typeof app
type User = RouteOf<App, 'GET /users/:id'>
type Add = RouteOf<App, 'POST /users'>

// What the handler reads
expectType<{ id: number }>({} as User['params'])
expectType<{ page: number }>({} as User['query'])
expectType<string>({} as User['headers']['x-token'])
expectType<unknown>({} as User['body'])
expectType<{ name: string; tags: string[]; age: number }>({} as Add['body'])
expectType<{ name: string }>({} as RouteOf<App, 'GET /plain/:name'>['params'])
expectType<{ id: number }>({} as RouteOf<App, 'GET /v1/:id'>['params'])

// What a caller sends
expectType<true>({} as Equal<User['request'], InputOf<App, 'GET /users/:id'>>)
expectType<true>({} as Equal<Add['request'], InputOf<App, 'POST /users'>>)
expectType<{ name: string; tags: string[]; age?: number | undefined }>({} as Add['request']['body'])

// What the handler may send
expectType<string | Date>({} as Exclude<Add['reply'][201], { toJSON: unknown }>['at'])
expectType<true>({} as Equal<keyof User['reply'], 200 | 404 | 401>)
expectType<unknown>({} as RouteOf<App, 'GET /plain/:name'>['reply'][200])
expectType<false>({} as Equal<RouteOf<App, 'GET /plain/:name'>['reply'][401], unknown>)

// What a caller gets
expectType<{ id: number; name: string }>({} as User['responses'][200])
expectType<{ message: string }>({} as User['responses'][404])
expectType<{ reason: string }>({} as User['responses'][401])
expectType<{ at: string }>({} as Add['responses'][204])
expectType<{ message: string }>({} as Add['responses'][503])
expectType<{ greeting: string }>({} as RouteOf<App, 'GET /plain/:name'>['responses'][200])
expectType<true>({} as Equal<RouteOf<App, 'DELETE /users/:id'>['responses'][204], void>)
expectType<AsyncIterableIterator<{ at: number }>>(
  ({} as RouteOf<App, 'GET /events'>['responses'][200]).events(),
)
expectError({} as User['responses'][500])
const response = await client<App>('http://localhost')('GET /users/:id', {
  ...{ params: { id: 1 }, headers: { 'x-token': 'a' } },
})
if (response.statusCode === 200) expectType<User['responses'][200]>(response.json())

// A WebSocket
const said = t.Object({ said: t.String() })
interface Message {
  readonly receive: typeof said
  readonly send: undefined
}
declare const sockets: {
  '~context': {
    context: App['~context']['context']
    routes: {
      'GET /chat': {
        schema: { websocket: Message }
        schemas: {}
        result: readonly [unknown]
        only: (schema: { websocket: Message }) => void
      }
    }
  }
}
type Chat = RouteOf<typeof sockets, 'GET /chat'>['websocket']
expectType<{ said: string }>({} as Chat['receive'])
expectType<string | Uint8Array>({} as Chat['send'])
expectType<true>({} as Equal<User['websocket'], never>)

// A key that no route has
expectError({} as RouteOf<App, 'GET /nowhere'>)
expectError(expectRoute(app, 'GET /nowhere'))
// @ts-expect-error there is no such route
type Nowhere = RouteOf<App, 'GET /nowhere'>
expectType<"There is no route 'GET /nowhere' in the type of this server">({} as Nowhere)

// Claims
const user = expectRoute(app, 'GET /users/:id')
const add = expectRoute(app, 'POST /users')
user.replies(200).toEqualTypeOf<{ id: number; name: string }>()
user.replies(200).toExtend<{ id: number }>()
user.reads('params').toEqualTypeOf<{ id: number }>()
add.takes('body').toEqualTypeOf<{ name: string; tags: string[]; age?: number | undefined }>()
add.takes('query').toEqualTypeOf<undefined>()
add.replies(201).toEqualTypeOf<{ at: string }>()
add.rejects('body', {})
add.rejects('body', { name: 'a', tags: ['b', 1] })
add.rejects('body', undefined)
expectRoute(app, 'DELETE /users/:id').replies(204).toEqualTypeOf<void>()
// An intersection equals the object that it is.
expectRoute(app, 'GET /users/:id').replies(200).toEqualTypeOf<{ id: number } & { name: string }>()

expectError(user.replies(500))
expectError(user.takes('cookies'))
expectError(user.replies(200).toEqualTypeOf<{ id: string; name: string }>())
expectError(user.replies(200).toEqualTypeOf<{ id: number; name?: string }>())
expectError(user.replies(200).toEqualTypeOf<{ readonly id: number; name: string }>())
expectError(user.replies(200).toEqualTypeOf<{ id: number }>())
expectError(user.replies(200).toEqualTypeOf<{ id: number; name: string; age: number }>())
expectError(user.replies(200).toEqualTypeOf<{ id: number; name: string } | null>())
expectError(user.replies(200).toEqualTypeOf<unknown>())
expectError(user.replies(200).toEqualTypeOf<never>())
expectError(user.replies(200).toEqualTypeOf<any>())
expectError(user.replies(200).toExtend<{ id: string }>())
expectError(user.replies(200).toExtend<never>())
expectError(user.reads('body').toEqualTypeOf<any>())
expectError(
  add
    .takes('body')
    .toEqualTypeOf<{ name: string; tags: readonly string[]; age?: number | undefined }>(),
)
expectError(add.rejects('body', { name: 'a', tags: ['b'] }))
expectError(add.rejects('body', { name: 'a', tags: [], age: 1 }))
