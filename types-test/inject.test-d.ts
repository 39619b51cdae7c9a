// `inject` takes the key of a route with its input, a URL, or options, and gives the response.
import espalier, {
  defineRoute,
  plugin,
  shared,
  t,
  type BadRequest,
  type InjectArguments,
  type InjectCallOptions,
  type InjectedResponse,
  type InjectOptions,
  type InputOf,
  type ResponseCookie,
  type ResponseDetails,
  type ResponseOf,
  type RouteKey,
  type SuccessStatus,
} from 'espalier'
import type { InjectOptions as LightOptions, Response as LightResponse } from 'light-my-request'
import { Readable } from 'node:stream'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny, type Equal } from './support.js'

const app = espalier()
  .addSchema(t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' }))
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
        response: { 201: t.Ref('user#') },
      },
    },
    async (_request, reply) => reply.code(201).send({ id: 1, name: '' }),
  )

// A route without input is asked by its key.
const health = await app.inject('GET /health')
expectType<false>(isAny(health))
expectType<{ ok: boolean }>(health.json())
expectError(health.json().no)

// A key that no route has is an error, be it the method or the path.
expectType<number>(health.statusCode)
expectError(app.inject('GET /helath'))
expectError(app.inject('POST /health'))
expectError(app.inject('health'))
expectError(app.inject())

// What a route needs must be given.
expectType<string>((await app.inject('GET /users/:id', { params: { id: 1 } })).body)
expectError(app.inject('GET /users/:id'))
expectError(app.inject('GET /users/:id', {}))
expectError(app.inject('GET /users/:id', { params: {} }))

// In its own type.
const token = { 'x-token': 'x' }
expectType<201>(
  (await app.inject('POST /users', { headers: token, body: { name: '' } })).statusCode,
)
expectError(app.inject('GET /users/:id', { params: { id: 'x' } }))
expectError(app.inject('POST /users', { headers: token, body: { name: 1 } }))
expectError(app.inject('POST /users', { headers: token, body: {} }))
expectError(app.inject('POST /users', { headers: {}, body: { name: '' } }))
expectError(app.inject('POST /users', { body: { name: '' } }))

// What has a default or is optional may be left out, or given.
expectType<201>(
  (
    await app.inject('POST /users', {
      headers: token,
      body: { name: '', age: 2 },
      query: { dry: true },
    })
  ).statusCode,
)
expectError(app.inject('POST /users', { headers: token, body: { name: '' }, query: { dry: 'x' } }))

// What is not there cannot be given.
expectError(app.inject('POST /users', { headers: token, body: { name: '', nmae: '' } }))
expectError(app.inject('GET /users/:id', { params: { id: 1 }, qeury: {} }))

// Headers that no schema names may be sent to any route; those of the schema are typed by it.
const headed = espalier()
  .get('/:id', { schema: { params: { id: t.Integer() } } }, () => 1)
  .get('/own', { schema: { headers: { 'x-a': t.String() } } }, () => 1)
  .get('/maybe', { schema: { headers: { 'x-a': t.Optional(t.Integer()) } } }, () => 1)
  .post(
    '/text',
    { schema: { body: { content: { 'text/plain': { schema: t.String() } } } } },
    () => 1,
  )
  .post('/free', () => 1)
const others = { authorization: 'x', 'x-count': 1, 'x-on': true, gone: undefined }
expectType<number>((await headed.inject('GET /:id', { params: { id: 1 }, headers: others })).json())
expectType<number>((await headed.inject('GET /own', { headers: { ...others, 'x-a': '1' } })).json())
expectType<number>((await headed.inject('GET /maybe', { headers: { 'x-a': 1, b: '' } })).json())
expectType<number>((await headed.inject('GET /maybe')).json())
const plain = { 'content-type': 'text/plain' } as const
expectType<number>((await headed.inject('POST /text', { headers: plain, body: 'x' })).json())
expectError(headed.inject('GET /:id', { params: { id: 1 }, headers: { authorization: {} } }))
expectError(headed.inject('GET /own', { headers: others }))
expectError(headed.inject('GET /own', { headers: { ...others, 'x-a': 1 } }))
expectError(headed.inject('GET /own'))
expectError(headed.inject('GET /maybe', { headers: { 'x-a': 'x' } }))
expectError(headed.inject('GET /maybe', { query: {} }))

// Header names are without case, and their values are text that is coerced.
const cased = espalier().get(
  '/',
  {
    schema: {
      headers: { 'X-A': t.String(), 'X-N': t.Optional(t.Integer()), ids: t.Array(t.Integer()) },
    },
  },
  ({ headers }) => headers['x-n'],
)
const ids = '1'
expectType<number>(
  (await cased.inject('GET /', { headers: { 'x-a': '1', 'x-n': '1', ids } })).statusCode,
)
await cased.inject('GET /', { headers: { 'X-A': '1', 'X-N': 1, ids: [1], authorization: 'x' } })
await cased.inject('GET /', { headers: { 'x-a': '1', 'X-N': '1', ids: 1 } })
expectError(cased.inject('GET /', { headers: { 'X-N': 1, ids } }))
expectError(cased.inject('GET /', { headers: { 'x-a': '1', 'x-n': 'x', ids } }))
expectError(cased.inject('GET /', { headers: { 'x-a': '1', 'X-N': 'x', ids } }))
expectError(cased.inject('GET /', { headers: { 'X-A': '1', 'x-n': 'x', ids } }))
expectError(cased.inject('GET /', { headers: { 'X-A': '1', ids: 'x' } }))
// A list of a header arrives as one text, and so as a list of one.
declare const several: number[]
await cased.inject('GET /', { headers: { 'X-A': '1', ids: ['1'] } })
expectError(cased.inject('GET /', { headers: { 'X-A': '1', ids: [1, 2] } }))
expectError(cased.inject('GET /', { headers: { 'X-A': '1', ids: several } }))
expectError(cased.inject('GET /', { headers: { 'X-A': '1', ids: ['x'] } }))
const flags = { 'x-f': t.Optional(t.Boolean()), 'x-l': t.Optional(t.Array(t.Boolean())) }
const flagged = espalier().get('/', { schema: { headers: flags } }, () => 1)
await flagged.inject('GET /', { headers: { 'x-f': 'true', 'x-l': 'false' } })
await flagged.inject('GET /', { headers: { 'x-f': true, 'x-l': [true] } })
await flagged.inject('GET /', { headers: { 'x-f': undefined } })
expectError(flagged.inject('GET /', { headers: { 'x-l': 'x' } }))

// Objects have no form in a URL.
const nested = espalier().get(
  '/',
  {
    schema: {
      querystring: {
        of: t.Optional(t.Object({ a: t.Integer() })),
        list: t.Optional(t.Array(t.Object({ a: t.Integer() }))),
        either: t.Optional(t.Union([t.Object({}), t.String()])),
        any: t.Optional(t.Unknown()),
      },
    },
  },
  () => 1,
)
expectType<number>((await nested.inject('GET /', { query: { either: 'x', any: 1 } })).json())
expectError(nested.inject('GET /', { query: { of: { a: 1 } } }))
expectError(nested.inject('GET /', { query: { list: [{ a: 1 }] } }))
expectError(nested.inject('GET /', { query: { either: {} } }))

// A body may be left out where null is one, or undefined: none is no empty object.
const sent = espalier()
  .post('/fields', { schema: { body: { a: t.Optional(t.Integer()) } } }, () => 1)
  .post('/null', { schema: { body: t.Union([t.Object({ a: t.Integer() }), t.Null()]) } }, () => 1)
  .post('/any', { schema: { body: t.Unknown() } }, () => 1)
  .post('/type', { schema: { body: { content: { 'a/b': { schema: t.Object({}) } } } } }, () => 1)
expectType<number>((await sent.inject('POST /fields', { body: {} })).json())
expectType<number>((await sent.inject('POST /null')).json())
expectType<number>((await sent.inject('POST /null', { body: null })).json())
expectType<number>((await sent.inject('POST /any')).json())
expectError(sent.inject('POST /fields'))
expectError(sent.inject('POST /fields', {}))
expectError(sent.inject('POST /fields', { body: null }))
expectError(sent.inject('POST /type'))
expectError(sent.inject('POST /null', { body: {} }))

// A route without any schema of its input takes what there is of a request.
expectType<number>((await headed.inject('POST /free', { query: { a: 1 }, body: 1 })).json())
expectType<number>((await headed.inject('POST /free', { headers: others })).json())
expectError(headed.inject('POST /free', { qeury: { a: 1 } }))

// The response is one of those that the route declares, told apart by the status.
const response = await app.inject('GET /users/:id', { params: { id: 1 } })
expectType<200 | 404>(response.statusCode)
if (response.statusCode === 200) {
  expectType<{ id: number; name: string }>(response.json())
  expectError(response.json().message)
} else {
  expectType<404>(response.statusCode)
  expectType<{ message: string }>(response.json())
  expectError(response.json().name)
}

// Its other members are those of any response.
expectType<string>(response.body)
expectType<string>(response.payload)
expectType<false>(isAny(response.headers))
expectType<Buffer>(response.rawPayload)
expectError(response.nope)

// Parameters without a schema are text, or numbers that become text.
const untyped = espalier().get('/:a/:b?', () => 1)
expectType<number>((await untyped.inject('GET /:a/:b?', { params: { a: 'x' } })).json())
expectType<number>((await untyped.inject('GET /:a/:b?', { params: { a: 1, b: 'y' } })).json())
expectError(untyped.inject('GET /:a/:b?', { params: { b: 'y' } }))
expectError(untyped.inject('GET /:a/:b?', { params: { a: true } }))

// No URL can be made without a parameter of the path, also where its schema does not require it.
const lax = espalier()
  .get('/u/:id', { schema: { params: { id: { type: 'integer' } } } }, () => 1)
  .get(
    '/v/:id/:o?',
    { schema: { params: t.Partial(t.Object({ id: t.Integer(), o: t.String() })) } },
    () => 1,
  )
  .get('/w/:id/:tag', { schema: { params: { id: t.Integer() } } }, () => 1)
expectType<number>((await lax.inject('GET /u/:id', { params: { id: 1 } })).json())
expectError(lax.inject('GET /u/:id'))
expectError(lax.inject('GET /u/:id', { params: {} }))
expectError(lax.inject('GET /u/:id', { params: { id: undefined } }))
expectType<number>((await lax.inject('GET /v/:id/:o?', { params: { id: '1' } })).json())
expectType<number>((await lax.inject('GET /v/:id/:o?', { params: { id: 1, o: undefined } })).json())
expectError(lax.inject('GET /v/:id/:o?', { params: { o: 'x' } }))
expectError(lax.inject('GET /v/:id/:o?'))
expectType<number>((await lax.inject('GET /w/:id/:tag', { params: { id: 1, tag: 'x' } })).json())
expectError(lax.inject('GET /w/:id/:tag', { params: { id: 1 } }))
const Named = t.Object({ id: t.String({ minLength: 1 }), note: t.Optional(t.String()) })
const united = espalier().get(
  '/:id',
  { schema: { params: t.Union([t.Object({ id: t.Integer() }), Named]) } },
  () => 1,
)
declare const givenParams: { id: number } | { id: string; note?: string }
expectType<number>((await united.inject('GET /:id', { params: givenParams })).json())

// What a client receives of a date is its text, and of a transformed value its code.
const dates = espalier().get(
  '/date',
  { schema: { response: { 200: t.Object({ at: t.String({ format: 'date-time' }) }) } } },
  () => ({ at: new Date() }),
)
expectType<{ at: string }>((await dates.inject('GET /date')).json())
expectError<{ at: Date }>((await dates.inject('GET /date')).json())

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
expectType<number>((await composed.inject('GET /v1/u/:id', { params: { id: 1 } })).json())
expectType<string>((await composed.inject('GET /shared')).json())
expectType<boolean>((await composed.inject('GET /p')).json())
expectError(composed.inject('GET /v1/:id', { params: { id: 1 } }))

// The key of a route of `/` ends in a slash where the route is found only so: below `prefixTrailingSlash: 'slash'`, and below a
// prefix that ends in one.
const slashed = espalier()
  .register(async (c) => c.get('/', { prefixTrailingSlash: 'slash' }, () => 1), { prefix: '/sl' })
  .register(async (c) => c.get('/', { prefixTrailingSlash: 'no-slash' }, () => 1), {
    prefix: '/no',
  })
  .register(async (c) => c.get('/', { prefixTrailingSlash: 'both' }, () => 1), { prefix: '/bo' })
  .register(async (c) => c.get('/a', { prefixTrailingSlash: 'slash' }, () => 1), { prefix: '/sl' })
  .register(
    async (api) =>
      api.register(async (users) => users.get('/', () => 1).get('/a', () => 1), { prefix: '/' }),
    { prefix: '/api' },
  )
  .register(
    async (c) =>
      c
        .get('/', () => 1)
        .get('', () => 1)
        .get('/a', () => 1),
    { prefix: '/' },
  )
  .register(async (c) => c.register(async (d) => d.get('/', () => 1), { prefix: '/d' }), {
    prefix: '/c/',
  })
  .register(
    async (c) =>
      c.route({ method: 'PUT', url: '/', prefixTrailingSlash: 'slash', handler: () => 1 }),
    { prefix: '/sl' },
  )
  .register(
    async (c) =>
      c.route(
        defineRoute({ method: 'POST', url: '/', prefixTrailingSlash: 'slash', handler: () => 1 }),
      ),
    { prefix: '/sl' },
  )
  .get('/', { prefixTrailingSlash: 'slash' }, () => 1)
expectType<
  | 'GET /'
  | 'GET /a'
  | 'GET /sl/'
  | 'GET /sl/a'
  | 'PUT /sl/'
  | 'POST /sl/'
  | 'GET /no'
  | 'GET /bo'
  | 'GET /api/'
  | 'GET /api/a'
  | 'GET /c/d'
>(null as never as RouteKey<typeof slashed>)
expectError(slashed.inject('GET /sl'))
expectError(slashed.inject('GET /api'))

// An option that is not known until run time has the slash: all but 'no-slash' are met with it.
const eitherSlash = espalier().register(
  async (c) => c.get('/', { prefixTrailingSlash: 'both' as 'both' | 'slash' }, () => 1),
  { prefix: '/x' },
)
expectType<'GET /x/'>(null as never as RouteKey<typeof eitherSlash>)

// A URL is taken as it is: its response is of no route.
const byUrl = await app.inject('/users/1?dry=true')
expectType<number>(byUrl.statusCode)
expectType<string>(byUrl.payload)
expectType<unknown>(byUrl.json())
expectType<{ id: number }>(byUrl.json<{ id: number }>())
expectType<false>(isAny(byUrl.json()))
expectError(app.inject('users/1'))

// Text that is known at run time only is taken for one, too, and has no input, which would be left out.
declare const id: string
const joined = '/users/' + id
expectType<string>((await app.inject(joined)).payload)
expectType<string>((await app.inject('/users/' + id)).payload)
expectType<string>((await app.inject(`/users/${id}`)).payload)
expectError(app.inject(joined, { headers: token }))
expectError(app.inject(`GET /users/${id}`))
const unknown = 'GET /usrs'
expectError(app.inject(unknown))

// A body that no schema describes may be any, where the method has one.
const raw = espalier()
  .post('/raw', () => 1)
  .post('/signed', { schema: { headers: { 'x-sig': t.String() } } }, () => 1)
  .get('/signed', { schema: { headers: { 'x-sig': t.String() } } }, () => 1)
  .get('/plain', () => 1)
const signed = { headers: { 'x-sig': 's' } }
expectType<number>((await raw.inject('POST /raw', { body: new Uint8Array() })).json())
expectType<number>((await raw.inject('POST /signed', { ...signed, body: [1] })).json())
expectType<number>((await raw.inject('GET /plain', { query: { a: 1 } })).json())
expectError(raw.inject('POST /signed', { body: [1] }))
expectError(raw.inject('POST /signed', { ...signed, boddy: [1] }))
expectError(raw.inject('GET /signed', { ...signed, body: [1] }))
expectError(raw.inject('GET /plain', { body: 1 }))

// So are options, which name method and URL.
const byOptions = await app.inject({ method: 'POST', url: '/users', payload: { name: '' } })
expectType<number>(byOptions.statusCode)
expectType<string>(byOptions.payload)
expectType<unknown>(byOptions.json())
expectType<false>(isAny(byOptions.json()))
expectError(app.inject({ method: 1, url: '/users' }))
expectError(app.inject({ methd: 'POST', url: '/users' }))

// Input and response of a route can be named.
declare const input: InputOf<typeof app, 'GET /users/:id'>
expectType<number | `${number}`>(input.params.id)
expectError(input.body)
expectError<InputOf<typeof app, 'GET /usrs'>>(input)
declare const output: ResponseOf<typeof app, 'GET /users/:id'>
expectType<200 | 404>(output.statusCode)
if (output.statusCode === 200) expectType<{ id: number; name: string }>(output.json())
declare const healthy: ResponseOf<typeof app, 'GET /health'>
expectType<{ ok: boolean }>(healthy.json())
expectType<Equal<typeof healthy.statusCode, SuccessStatus>>(true)
expectError<'y'>(healthy.json())
expectError<ResponseOf<typeof app, 'GET /usrs'>>(healthy)

// A route sees the shared schemas of its own scope, be it below others, or told of before they were all there.
const Inner = t.Object({ inner: t.Boolean() }, { $id: 'inner' })
const seeing = espalier()
  .addSchema(t.Object({ a: t.String() }, { $id: 'a' }))
  .get('/a', { schema: { response: { 200: t.Ref('a#') } } }, () => ({ a: '' }))
  .addSchema(t.Object({ b: t.Integer() }, { $id: 'b' }))
  .register(
    (one) =>
      one.register(
        async (two) =>
          two
            .addSchema(Inner)
            .get('/inner', { schema: { response: { 200: t.Ref('inner#') } } }, () => ({
              inner: true,
            }))
            .get('/b', { schema: { response: { 200: t.Ref('b#') } } }, () => ({ b: 1 })),
        { prefix: '/two' },
      ),
    { prefix: '/one' },
  )
expectType<{ a: string }>((await seeing.inject('GET /a')).json())
expectType<{ inner: boolean }>((await seeing.inject('GET /one/two/inner')).json())
expectType<{ b: number }>((await seeing.inject('GET /one/two/b')).json())
expectError<{ b: string }>((await seeing.inject('GET /one/two/b')).json())

// So it does where a shared plugin brings it.
const bringing = espalier().register(
  plugin().shared(async (scope) =>
    scope
      .addSchema(Inner)
      .post(
        '/inner',
        { schema: { body: t.Ref('inner#'), response: { 200: t.Ref('inner#') } } },
        ({ body }) => body,
      ),
  ),
)
expectType<{ inner: boolean }>(
  (await bringing.inject('POST /inner', { body: { inner: true } })).json(),
)
expectError(bringing.inject('POST /inner', { body: { inner: 'no' } }))

// What a handler returns may be of a type that refers to itself, as that of JSON does.
type Value = string | number | boolean | null | Value[] | { [name: string]: Value }
type Nested = (string | Nested)[]
const recursive = espalier()
  .get('/value', () => ({}) as Value)
  .get('/nested', () => [] as Nested)
expectType<Value>((await recursive.inject('GET /value')).json())
expectType<Nested>((await recursive.inject('GET /nested')).json())
expectError<string[]>((await recursive.inject('GET /nested')).json())

// What a handler sends by hand with another status than a success adds nothing; a handler that does not return it says
// nothing of what it sends.
const byHand = espalier()
  .get('/sync', (request, reply) => {
    if (request.is404) return reply.code(401).send({ message: '' })
    return { ok: true }
  })
  .get('/async', async (request, reply) => {
    if (request.is404) return reply.code(401).send({ message: '' })
    return { ok: true }
  })
  .get('/nothing', async (request, reply) => {
    if (!request.is404) return { ok: true }
    reply.code(401).send({ message: '' })
    return undefined
  })
expectType<{ ok: boolean }>((await byHand.inject('GET /sync')).json())
expectType<{ ok: boolean }>((await byHand.inject('GET /async')).json())
expectType<unknown>((await byHand.inject('GET /nothing')).json())
expectType<false>(isAny((await byHand.inject('GET /sync')).json()))

// Nor does one that gives bytes or a stream, which are no JSON.
const bytes = espalier()
  .get('/buffer', () => Buffer.from(''))
  .get('/array', async () => new Uint8Array())
  .get('/stream', () => Readable.from([]))
  .get('/response', async () => new Response(''))
  .get('/web', () => new ReadableStream())
expectType<unknown>((await bytes.inject('GET /buffer')).json())
expectType<unknown>((await bytes.inject('GET /array')).json())
expectType<unknown>((await bytes.inject('GET /stream')).json())
expectType<unknown>((await bytes.inject('GET /response')).json())
expectType<unknown>((await bytes.inject('GET /web')).json())

// What JSON leaves out of a result, its type leaves out.
const odd = espalier().get('/', () => ({
  list: [1, undefined],
  pair: [1, undefined] as [number, undefined],
  map: new Map([[1, 2]]),
  set: new Set([1]),
  pattern: /x/,
  error: new Error(''),
  named: { name: '', message: '' },
  link: new URL('http://localhost'),
  [Symbol.iterator]: 1,
  go: () => 1,
}))
expectType<{
  list: (number | null)[]
  pair: [number, null]
  map: {}
  set: {}
  pattern: {}
  error: {}
  named: { name: string; message: string }
  link: string
}>((await odd.inject('GET /')).json())
expectError((await odd.inject('GET /')).json().map.size)
expectError((await odd.inject('GET /')).json().error.message)

// A class leaves out the codes that are declared, and `default` those and the classes: the status tells them apart.
const classes = espalier().get(
  '/',
  {
    schema: {
      response: { 200: t.Integer(), '404': t.Boolean(), '4xx': t.String(), default: t.Null() },
    },
  },
  () => 1,
)
const classed = await classes.inject('GET /')
if (classed.statusCode === 200) expectType<number>(classed.json())
else if (classed.statusCode === 404) expectType<boolean>(classed.json())
else if (classed.statusCode === 418) expectType<string>(classed.json())
else if (classed.statusCode === 499) expectType<string>(classed.json())
else if (classed.statusCode === 503) expectType<null>(classed.json())
else if (classed.statusCode === 599) expectType<null>(classed.json())

// What is given back has names of the framework's own, and is what light-my-request says.
const answer = await app.inject('/health')
expectType<InjectedResponse>(answer)
expectType<ResponseCookie[]>(answer.cookies)
expectAssignable<LightResponse>(answer)
expectAssignable<InjectOptions>({ method: 'GET', url: '/health' } satisfies LightOptions)
expectAssignable<ResponseDetails>(await app.inject('GET /health'))
expectError(answer.nothing)
expectError<InjectOptions>({ methd: 'GET' })

// A function around it takes what it takes of a key.
const ask = <Key extends RouteKey<typeof app>>(
  key: Key,
  ...input: InjectArguments<typeof app, Key>
) => app.inject(key, ...input)
expectType<{ ok: boolean }>((await ask('GET /health')).json())
const asked = await ask('GET /users/:id', { params: { id: 1 } })
if (asked.statusCode === 404) expectType<{ message: string }>(asked.json())
expectError(ask('GET /nope'))
expectError(ask('GET /users/:id'))
expectError(ask('GET /users/:id', { params: { id: 'x' } }))

// Behind its input a call takes options: what a request has besides.
const all = {
  cookies: { session: 'x', gone: undefined },
  remoteAddress: '10.0.0.1',
  authority: 'example.org',
  signal: AbortSignal.timeout(1),
  simulate: { split: true, end: undefined },
} satisfies InjectCallOptions
const cookies = { session: 'x' }
expectType<{ ok: boolean }>((await app.inject('GET /health', {}, { cookies })).json())
expectType<{ ok: boolean }>((await app.inject('GET /health', undefined, all)).json())
expectType<{ ok: boolean }>((await app.inject('GET /health', {}, undefined)).json())
expectType<200 | 404>(
  (await app.inject('GET /users/:id', { params: { id: 1 } }, { remoteAddress: '::1' })).statusCode,
)
expectType<201>(
  (await app.inject('POST /users', { headers: token, body: { name: '' } }, all)).statusCode,
)
expectType<number>((await headed.inject('POST /free', { body: 1 }, all)).json())
expectAssignable<InjectCallOptions>({ cookies: undefined, signal: undefined, simulate: undefined })

// Only these, in their own types, and no more than one object of them; the input has its own place.
expectError(app.inject('GET /health', {}, { cookie: cookies }))
expectError(app.inject('GET /health', {}, { cookies: { session: 1 } }))
expectError(app.inject('GET /health', {}, { remoteAddress: 1 }))
expectError(app.inject('GET /health', {}, { signal: {} }))
expectError(app.inject('GET /health', {}, { simulate: { splt: true } }))
expectError(app.inject('GET /health', {}, { headers: {} }))
expectError(app.inject('GET /health', {}, { method: 'POST' }))
expectError(app.inject('GET /health', {}, { url: '/' }))
expectError(app.inject('GET /health', {}, { query: {} }))
expectError(app.inject('GET /health', {}, { payload: {} }))
expectError(app.inject('GET /health', {}, { body: {} }))
expectError(app.inject('GET /health', {}, { payloadAsStream: true }))
expectError(app.inject('GET /health', {}, null))
expectError(app.inject('GET /health', {}, 1))
expectError(app.inject('GET /health', {}, {}, {}))
expectError(app.inject('GET /health', { cookies }))
expectError(app.inject('POST /users', { body: { name: '' } }, { headers: token }))

// They take nothing from what a route needs, nor from its key.
expectError(app.inject('GET /users/:id', undefined, { cookies }))
expectError(app.inject('GET /users/:id', {}, { cookies }))
expectError(app.inject('GET /users/:id', { params: { id: 'x' } }, { cookies }))
expectError(app.inject('GET /users/:id', { params: { id: 1 }, qeury: {} }, { cookies }))
expectError(app.inject('GET /helath', {}, { cookies }))

// Behind a URL, or options that name one, stands nothing.
expectError(app.inject('/health', {}))
expectError(app.inject('/health', {}, { cookies }))
expectError(app.inject(joined, {}, { cookies }))
expectError(app.inject({ url: '/health' }, {}, { cookies }))

// So a function around it takes them, be it of all routes, of some or of one, or one that adds its own.
expectType<{ ok: boolean }>((await ask('GET /health', {}, { cookies })).json())
const user = await ask('GET /users/:id', { params: { id: 1 } }, { cookies })
if (user.statusCode === 404) expectType<{ message: string }>(user.json())
expectError(ask('GET /health', {}, { cookie: cookies }))
expectError(ask('GET /users/:id', {}, { cookies }))
const sameAsk: typeof app.inject = app.inject
expectType<{ ok: boolean }>((await sameAsk('GET /health', {}, { cookies })).json())
const checked = async <Key extends RouteKey<typeof app>>(
  key: Key,
  ...input: InjectArguments<typeof app, Key>
) => {
  const got = await app.inject(key, ...input)
  if (got.statusCode >= 500) throw new Error(got.body)
  return got
}
expectType<{ ok: boolean }>((await checked('GET /health', {}, { cookies })).json())
expectError(checked('GET /nope', {}, { cookies }))
const asMember = (input: { headers?: Record<string, string> }, options: InjectCallOptions) =>
  app.inject('GET /health', input, { ...options, cookies: { session: 'x', ...options.cookies } })
expectType<{ ok: boolean }>((await asMember({}, { remoteAddress: '::1' })).json())
const either = (key: 'GET /health' | 'GET /users/:id') =>
  app.inject(key, { params: { id: 1 } }, { cookies })
expectAssignable<number>((await either('GET /health')).statusCode)
expectType<InjectArguments<typeof app, 'GET /users/:id'>[1]>(
  undefined as InjectCallOptions | undefined,
)

// What is expected of a response says nothing of the call. (The compiler gave up: TS2589, and other calls became unknown.)
declare const expectOk: (response: { statusCode: number; json(): unknown }) => void
expectOk(await app.inject('GET /health'))
expectOk(await app.inject('/health'))
expectOk(await app.inject({ url: '/health' }))
expectError(expectOk(await app.inject('GET /nope')))
expectError(expectOk(await app.inject('GET /users/:id')))
const counted = espalier().get('/r', () => ({ n: 1 }))
declare const once: <R extends { json(): unknown }>(call: Promise<R>) => Promise<R>
expectType<{ n: number }>((await once(counted.inject('GET /r'))).json())
expectType<{ ok: boolean }>((await once(app.inject('GET /health'))).json())
const load = async (): Promise<{ json(): { n: number } }> => counted.inject('GET /r')
expectType<number>((await load()).json().n)
const wrong: () => Promise<{ json(): { n: string } }> = () =>
  // @ts-expect-error -- it is a number
  counted.inject('GET /r')
void wrong

// Its responses are those of a client with the members of light-my-request. Any status may come.
expectType<boolean>(healthy.ok && response.declared)
expectType<string>(await response.text())
expectType<ReadableStream<Uint8Array<ArrayBuffer>>>(response.stream())
expectError(response.formData())
expectError(response.events())
if (response.ok) expectType<200>(response.statusCode)
else expectType<404>(response.statusCode)
const refused = await headed.inject('GET /:id', { params: { id: 1 } })
expectType<number>(refused.statusCode)
expectType<boolean>(refused.statusCode === 404)
if (refused.ok) expectType<number>(refused.json())
else expectType<number>(refused.json())
if (refused.statusCode === 200) expectType<number>(refused.json())
expectAssignable<BadRequest>({ statusCode: 400, error: '', message: '' })

// To HEAD no body is sent: JSON is null then, and text empty.
const headless = espalier().route({ method: ['GET', 'HEAD'], url: '/', handler: () => ({ a: 1 }) })
expectType<null | ''>((await headless.inject('HEAD /')).json())
expectError((await headless.inject('HEAD /')).json()?.a)

// Of all keys at once, as of several, the input fits each of them.
const two = espalier()
  .get('/b', () => 'x')
  .get('/c', () => '5')
for (const k of ['GET /b', 'GET /c'] as const) expectType<string>((await two.inject(k)).json())
const twoById = espalier()
  .get('/b/:id', () => 'x')
  .get('/c/:id', () => 5)
declare const eitherById: RouteKey<typeof twoById>
expectType<string | number>((await twoById.inject(eitherById, { params: { id: 1 } })).json())
expectError(twoById.inject(eitherById))
expectError(twoById.inject(eitherById, { params: { id: true } }))
expectError(two.inject('GET /d'))
expectType<unknown>((await two.inject('/d')).json())
