// `client` calls the routes of a server by key, with nothing but the type of that server.
import espalier, { plugin, shared, t } from 'espalier'
import {
  client,
  type ClientError,
  UndeclaredResponse,
  type BadRequest,
  type CallArguments,
  type CallMiddleware,
  type CallOptions,
  type Client,
  type EventMessage,
  type ClientOptions,
  type Routed,
  type ResponseOf,
  type RouteKey,
  type RouteResponse,
  type SuccessStatus,
} from 'espalier/client'
import { retry, timeLimit } from 'espalier/client/use'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny, type Equal } from './support.js'

const app = espalier()
  .addSchema(t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' }))
  .decorate('db', { find: () => 1 })
  .get('/health', async () => ({ ok: true }))
  .get(
    '/users/:id',
    {
      schema: {
        params: { id: t.Integer() },
        response: { 200: t.Ref('user#'), 404: { message: t.String() } },
      },
    },
    async ({ params }) => ({ id: params.id, name: '' }),
  )
  .post(
    '/users',
    {
      schema: {
        querystring: { dry: t.Optional(t.Boolean()) },
        headers: { 'x-token': t.String() },
        body: t.Object({ name: t.String(), age: t.Integer({ default: 1 }) }),
        response: { 201: t.Ref('user#'), '4xx': { reason: t.String() }, default: t.Null() },
      },
    },
    async (_request, reply) => reply.code(201).send({ id: 1, name: '' }),
  )
const api = client<typeof app>('http://localhost')
expectType<Client<typeof app>>(api)
expectType<false>(isAny(api))

// A route without input is called by its key.
const health = await api('GET /health')
expectType<false>(isAny(health))
expectType<RouteResponse<SuccessStatus, { ok: boolean }>>(health)
expectError(health.json().no)
expectError(health.payload)

// A key that no route has is an error, be it the method or the path.
expectError(api('GET /helath'))
expectError(api('POST /health'))
expectError(api('health'))
expectError(api('/health'))
expectError(api())

// What a route needs must be given, in its own type.
const token = { 'x-token': 'x' }
expectType<Promise<string>>((await api('GET /users/:id', { params: { id: 1 } })).text())
expectError(api('GET /users/:id'))
expectError(api('GET /users/:id', {}))
expectError(api('GET /users/:id', { params: {} }))
expectError(api('GET /users/:id', { params: { id: 'x' } }))
expectType<Promise<string>>(
  (await api('POST /users', { headers: token, body: { name: '' } })).text(),
)
expectError(api('POST /users', { headers: token, body: { name: 1 } }))
expectError(api('POST /users', { headers: token }))
expectError(api('POST /users', { headers: {}, body: { name: '' } }))
expectError(api('POST /users', { body: { name: '' } }))

// What has a default or is optional may be left out, or given.
const whole = { headers: token, body: { name: '', age: 2 }, query: { dry: true } }
expectType<Promise<string>>((await api('POST /users', whole)).text())
expectError(api('POST /users', { ...whole, query: { dry: 'x' } }))
expectError(api('POST /users', { ...whole, body: { name: '', age: 'x' } }))

// What is not there cannot be given.
expectError(api('POST /users', { headers: token, body: { name: '', nmae: '' } }))
expectError(api('GET /users/:id', { params: { id: 1 }, qeury: {} }))

// Headers that no schema names may be sent to any route.
const free = { authorization: 'x', 'x-count': 1, gone: undefined }
expectType<Promise<string>>(
  (await api('GET /users/:id', { params: { id: 1 }, headers: free })).text(),
)
expectType<Promise<string>>(
  (await api('POST /users', { ...whole, headers: { ...token, ...free } })).text(),
)
expectType<Promise<string>>((await api('GET /health', { headers: free })).text())
expectError(api('POST /users', { ...whole, headers: free }))
expectError(api('GET /users/:id', { params: { id: 1 }, headers: { authorization: {} } }))

// The response is one of those that the route declares, told apart by the status.
const response = await api('GET /users/:id', { params: { id: 1 } })
expectType<200 | 404>(response.statusCode)
if (response.statusCode === 200) {
  expectType<{ id: number; name: string }>(response.json())
  expectError(response.json().message)
} else {
  expectType<404>(response.statusCode)
  expectType<{ message: string }>(response.json())
  expectError(response.json().name)
}

// Of several keys at once the input fits each of them, and the response may be that of any.
const pair = espalier()
  .get('/u/:id', { schema: { params: { id: t.Integer() } } }, () => 1)
  .get('/v/:id', { schema: { params: { id: t.String() } } }, () => 'x')
  .get('/w', () => true)
  .get('/w/all', { schema: { querystring: { page: t.Optional(t.Integer()) } } }, () => null)
const paired = client<typeof pair>('')
declare const key: 'GET /u/:id' | 'GET /v/:id'
declare const bare: 'GET /w' | 'GET /w/all'
expectType<number | string | BadRequest>((await paired(key, { params: { id: '1' } }, {})).json())
expectType<number | string>((await pair.inject(key, { params: { id: '1' } })).json())
expectType<boolean | null | BadRequest>((await paired(bare)).json())
expectType<boolean | null>((await pair.inject(bare, { query: { page: 1 } })).json())
expectError(paired(key))
expectError(paired(key, { params: { id: true } }))
expectError(paired(key, { params: { id: 'x' } }))
expectError(paired(bare, { query: { page: 'x' } }))
expectError(pair.inject(key))
expectError(pair.inject(key, { params: { id: true } }))

// The type of a response can be taken from a call.
type Out = Awaited<ReturnType<typeof api<'GET /users/:id'>>>
expectType<Equal<Out, typeof response>>(true)
expectError<Out>(health)

// Parameters without a schema are text, or numbers that become text.
const loose = espalier().get('/:a/:b?', () => 1)
const untyped = client<typeof loose>('')
expectType<number>((await untyped('GET /:a/:b?', { params: { a: 'x' } })).json())
expectType<number>((await untyped('GET /:a/:b?', { params: { a: 1, b: 'y' } })).json())
expectError(untyped('GET /:a/:b?', { params: { b: 'y' } }))
expectError(untyped('GET /:a/:b?', { params: { a: true } }))

// What a client receives is what JSON makes of what was sent.
const dates = espalier()
  .get(
    '/date',
    { schema: { response: { 200: t.Object({ at: t.String({ format: 'date-time' }) }) } } },
    () => ({ at: new Date() }),
  )
  .get('/result', () => ({ at: new Date(), go: () => 1, loose: 1 as any }))
expectType<{ at: string }>((await client<typeof dates>('')('GET /date')).json())
expectType<{ at: string; loose: any }>((await client<typeof dates>('')('GET /result')).json())
expectError<{ at: Date }>((await client<typeof dates>('')('GET /date')).json())

// Routes of plugins are among the keys, below their prefixes.
const composed = espalier()
  .register(async (v1) => v1.register((users) => users.get('/:id', () => 1), { prefix: '/u' }), {
    prefix: '/v1',
  })
  .register(shared(async (scope) => scope.get('/shared', () => 'x')))
  .register(
    plugin()((child) => child.get('/', () => true)),
    { prefix: '/p' },
  )
const inner = client<typeof composed>('')
expectType<number>((await inner('GET /v1/u/:id', { params: { id: 1 } })).json())
expectType<string>((await inner('GET /shared')).json())
expectType<boolean>((await inner('GET /p')).json())
expectError(inner('GET /v1/:id', { params: { id: 1 } }))
expectError(inner('GET /'))

// A route of several methods is a route of each.
const several = espalier()
  .route({ method: ['GET', 'PUT'], url: '/a', handler: () => 1 })
  .all('/b', () => 'x')
expectType<number>((await client<typeof several>('')('PUT /a')).json())
expectType<string>((await client<typeof several>('')('DELETE /b')).json())
expectError(client<typeof several>('')('POST /a'))

// A server that no route was added to has none, and what is no server cannot be asked.
expectError(client<ReturnType<typeof espalier>>('')('GET /health'))
expectError(client<{ get: 1 }>(''))

// The options of a client and of a call.
const options: ClientOptions = {
  fetch: async (url, init) => fetch(url, init),
  headers: async () => ({ authorization: 'x', 'x-count': 1, gone: undefined }),
}
const call: CallOptions = { signal: AbortSignal.timeout(1) }
expectAssignable<ClientOptions>({ fetch })
expectType<Client<typeof app>>(client<typeof app>(new URL('http://localhost'), options))
expectType<{ ok: boolean }>((await api('GET /health', {}, call)).json())
expectType<Promise<string>>((await api('GET /users/:id', { params: { id: 1 } }, call)).text())
expectError(client<typeof app>(1))
expectError(client<typeof app>('', { headers: 1 }))
expectError(client<typeof app>('', { fetch: () => 1 }))
expectError(api('GET /health', {}, { singal: AbortSignal.timeout(1) }))

// A function around a client takes what its calls take.
type App = typeof app
const wrapped = <Key extends RouteKey<App>>(key: Key, ...input: CallArguments<App, Key>) =>
  api(key, ...input)
const same: typeof api = (key, ...input) => api(key, ...input)
for (const each of [wrapped, same]) {
  const user = await each('GET /users/:id', { params: { id: 1 } }, call)
  if (user.statusCode === 404) expectType<{ message: string }>(user.json())
  expectType<{ ok: boolean }>((await each('GET /health')).json())
  expectType<{ ok: boolean }>((await each('GET /health', undefined, undefined)).json())
  expectError(each('GET /nope'))
  expectError(each('GET /users/:id'))
  expectError(each('GET /users/:id', { params: { id: 'x' } }))
  expectError(each('GET /health', {}, { singal: AbortSignal.timeout(1) }))
}
const failing = async <Key extends RouteKey<App>>(key: Key, ...input: CallArguments<App, Key>) => {
  const response = await api(key, ...input)
  if (response.statusCode >= 500) throw new Error(await response.text())
  return response
}
const found = await failing('GET /users/:id', { params: { id: 1 } })
if (found.statusCode === 404) expectType<{ message: string }>(found.json())
expectError(failing('GET /users/:id'))
expectType<'GET /health' | 'GET /users/:id' | 'POST /users'>({} as RouteKey<App>)

// What is expected of a response says nothing of the call, as for `inject`.
const loaded = (): Promise<ResponseOf<App, 'GET /health'>> => api('GET /health')
expectType<{ ok: boolean }>((await loaded()).json())
const parsed: { json(): unknown } = await api('GET /health')
expectType<unknown>(parsed.json())
expectError(((): Promise<ResponseOf<App, 'GET /health'>> => api('GET /nope'))())
const all = new Map<string, { json(): unknown }>([['health', await api('GET /health')]])
expectType<unknown>(all.get('health')?.json())

// To HEAD no body is sent: JSON is null then, and text empty.
const both = espalier().route({ method: ['GET', 'HEAD'], url: '/both', handler: () => ({ a: 1 }) })
const headless = client<typeof both>('')
expectType<{ a: 1 }>((await headless('GET /both')).json())
expectType<null | ''>((await headless('HEAD /both')).json())
expectError((await headless('HEAD /both')).json()?.a)
const described = espalier().head(
  '/one',
  { schema: { response: { 200: t.Object({ a: t.Integer() }), 404: t.Null() } } },
  () => ({ a: 1 }),
)
expectType<200 | 404>((await client<typeof described>('')('HEAD /one')).statusCode)

// A server whose routes were declared in statements has none in its type, and no call is right.
const inStatements = espalier()
inStatements.get('/health', () => 1)
expectError(client<typeof inStatements>('')('GET /health'))
expectError(client('')('GET /health'))
const ofAny = <App extends Routed>(url: string): Client<App> => client<App>(url)
expectError(ofAny<typeof inStatements>('')('GET /health'))

// What a handler returns may hold itself, as a type of the application's own: it is typed all the way, as JSON.
interface Comment {
  text: string
  at: Date
  replies: readonly Comment[]
  parent?: { of: Comment | null }
}
type Value = string | null | Value[] | { [name: string]: Value }
const grown = espalier()
  .get('/comments', () => [] as Comment[])
  .get('/value', () => null as Value)
const growing = client<typeof grown>('')
const [said] = (await growing('GET /comments')).json()
expectType<string | undefined>(said?.replies[0]?.replies[0]?.at)
expectType<string | undefined>(said?.parent?.of?.parent?.of?.at)
expectError(said?.replies[0]?.replies[0]?.nope)
expectType<Value>((await growing('GET /value')).json())

// A call gives what its route declares: successes alone of a route that declares nothing, and the
// framework's answer to a request that is not valid.
expectType<true>(health.ok)
expectType<true>(health.declared)
expectType<SuccessStatus>(health.statusCode)
// @ts-expect-error -- it is thrown
if (health.statusCode === 404) health.json()
if (response.ok) expectType<{ id: number; name: string }>(response.json())
else expectType<{ message: string }>(response.json())
const checked = await paired('GET /u/:id', { params: { id: 1 } })
if (checked.ok) expectType<number>(checked.json())
else expectType<string | undefined>(checked.json().code)
if (checked.statusCode === 400) expectType<BadRequest>(checked.json())
else expectType<number>(checked.json())
expectError(checked.json().message)
// @ts-expect-error -- it is thrown
if (checked.statusCode === 401) checked.json()
const own = espalier()
  .get('/400', { schema: { params: {}, response: { 200: t.Null(), 400: t.Null() } } }, () => null)
  .get('/none', { schema: { querystring: {}, response: { 200: t.Null() } } }, () => null)
const owning = client<typeof own>('')
expectType<200 | 400>((await owning('GET /400')).statusCode)
expectType<200>((await owning('GET /none')).statusCode)

// Responses of a scope are among those of its routes, and may replace the framework's answer.
const scoped = espalier()
  .addResponses({ 401: t.Object({ why: t.String() }) })
  .get('/in/:id', { schema: { params: { id: t.Integer() } } }, () => 1)
  .register(async (child) =>
    child
      .addResponses({ '4xx': t.Object({ all: t.String() }) })
      .get('/all/:id', { schema: { params: { id: t.Integer() } } }, () => 1),
  )
const scopes = client<typeof scoped>('')
const inner401 = await scopes('GET /in/:id', { params: { id: 1 } })
if (inner401.statusCode === 401) expectType<{ why: string }>(inner401.json())
else if (inner401.statusCode === 400) expectType<BadRequest>(inner401.json())
else expectType<number>(inner401.json())
const all4xx = await scopes('GET /all/:id', { params: { id: 1 } })
if (all4xx.statusCode === 400) expectType<{ all: string }>(all4xx.json())

// What is not declared is thrown, or returned if the client says so.
const returning = client<typeof app>('', { undeclared: 'return' })
expectType<Client<typeof app, 'return'>>(returning)
expectError<Client<typeof app>>(returning)
const any = await returning('GET /users/:id', { params: { id: 1 } })
if (!any.declared) {
  expectType<number>(any.statusCode)
  expectType<unknown>(any.json())
} else if (any.statusCode === 200) expectType<{ id: number; name: string }>(any.json())
else expectType<{ message: string }>(any.json())
// @ts-expect-error -- it may be undeclared
any.json().name.at(0)
expectError(client<typeof app>('', { undeclared: 'ignore' }))
expectError(client<typeof app>('', {} as { undeclared: 'return' | 'throw' }))
const thrown: unknown = undefined
if (thrown instanceof UndeclaredResponse) {
  expectType<number>(thrown.statusCode)
  expectType<unknown>(thrown.response.json())
  expectType<string>(thrown.request.key)
  expectAssignable<ClientError>(thrown)
  // @ts-expect-error -- nothing is known of it
  thrown.response.json().message.at(0)
}

// Bodies are read as their status declares them.
const bytes = { content: { 'application/octet-stream': {}, 'image/png': {} } }
const mixed = { content: { 'application/json': { schema: t.Integer() }, 'image/png': {} } }
const bodies = espalier().get(
  '/all',
  {
    schema: {
      response: {
        200: bytes,
        201: mixed,
        202: { content: { 'multipart/form-data': {} } },
        203: { content: { 'text/plain': { schema: t.String() } } },
        204: t.Null(),
        304: { description: 'not changed' },
        404: { headers: { 'x-why': t.String() } },
      },
    },
  },
  (_request, reply) => reply.code(204).send(null),
)
const body = await client<typeof bodies>('')('GET /all')
expectType<Response>(body.raw)
if (body.statusCode === 200) {
  expectType<Promise<Uint8Array<ArrayBuffer>>>(body.bytes())
  expectType<ReadableStream<Uint8Array<ArrayBuffer>>>(body.stream())
  expectType<Promise<string>>(body.text())
  expectError(body.json())
  expectError(body.formData())
  expectError(body.events())
} else if (body.statusCode === 201) {
  expectType<number>(body.json())
  expectType<Promise<Uint8Array<ArrayBuffer>>>(body.bytes())
  expectError(body.formData())
} else if (body.statusCode === 202) {
  expectType<Promise<FormData>>(body.formData())
  expectError(body.json())
} else if (body.statusCode === 203) {
  expectType<string>(body.json())
} else if (body.statusCode === 204) {
  expectError(body.json())
  expectError(body.text())
} else if (body.statusCode === 304) {
  expectError(body.json())
} else {
  expectType<404>(body.statusCode)
  expectError(body.json())
}

// Streams of items are read item by item, in the type of their itemSchema.
const Tick = t.Object({ at: t.String({ format: 'date-time' }) }, { $id: 'tick' })
const streams = espalier()
  .addSchema(Tick)
  .get(
    '/events',
    {
      schema: {
        response: { 200: { content: { 'text/event-stream': { itemSchema: t.Ref('tick#') } } } },
      },
    },
    async function* () {
      yield { at: new Date() }
    },
  )
  .get(
    '/lines',
    { schema: { response: { 200: { content: { 'application/jsonl': { itemSchema: Tick } } } } } },
    async function* () {
      yield { at: '' }
    },
  )
  .get(
    '/either',
    {
      schema: {
        response: {
          200: {
            content: {
              'application/json': { schema: t.Array(Tick) },
              'text/event-stream': { itemSchema: Tick },
            },
          },
        },
      },
    },
    () => [{ at: '' }],
  )
const streaming = client<typeof streams>('')
const open = await streaming('GET /events')
for await (const item of open.events({ reconnect: true })) expectType<{ at: string }>(item)
for await (const message of open.messages()) {
  expectType<EventMessage<{ at: string }>>(message)
  expectError(message.data.nope)
}
expectError(open.json())
expectError(open.events({ reconect: true }))
const listed = await streaming('GET /lines')
for await (const item of listed.events()) expectType<{ at: string }>(item)
expectError(listed.messages())
expectError(listed.events({ reconnect: true }))
const chosen = await streaming('GET /either')
expectType<{ at: string }[]>(chosen.json())
expectType<AsyncIterableIterator<{ at: string }>>(chosen.events())
expectType<AsyncIterableIterator<{ at: string }>>((await streams.inject('GET /events')).events())

// Middleware sees the keys of the application; what it asks for may be any answer.
client<typeof app>('', {
  use: [
    async (request, next) => {
      expectType<RouteKey<typeof app>>(request.key)
      expectType<Headers>(request.headers)
      expectType<AbortSignal | undefined>(request.signal)
      expectError((request.key = 'GET /health'))
      const response = await next(request)
      expectType<boolean>(response.declared)
      expectType<number>(response.statusCode)
      expectType<unknown>(response.json())
      return next({ ...request, signal: AbortSignal.timeout(1) })
    },
    retry({ also: ['POST', 'POST /users'] }),
    timeLimit(1),
  ],
  onResponse: ({ statusCode }, { key }) => {
    expectType<number>(statusCode)
    expectType<RouteKey<typeof app>>(key)
  },
})
expectType<CallMiddleware>(retry({ limit: 1, also: ['POST /any'], wait: (made: number) => made }))
expectError(client<typeof app>('', { use: [retry({ also: ['POST /user'] })] }))
expectError(client<typeof app>('', { use: [() => new Response()] }))
expectError(client<typeof app>('', { use: [async () => 1] }))
expectError(retry({ on: ['503'] }))
const general: CallMiddleware = (request, next) => next(request)
client<typeof app>('', { use: [general], undeclared: 'return' })
const narrow: CallMiddleware<'GET /health'> = (request, next) => next(request)
expectError(client<typeof app>('', { use: [narrow] }))
