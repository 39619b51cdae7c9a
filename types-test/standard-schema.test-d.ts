// Schemas of zod, valibot and arktype (Standard Schema) as parts of routes, in their four views.
import { type } from 'arktype'
import espalier, { t, type Input, type Output, type Payload, type Received } from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import * as v from 'valibot'
import * as z from 'zod'
import { isAny, type Equal } from './support.js'

const app = espalier()

/** A value that a handler may give the serializer. */
declare function reply<const Schema>(schema: Schema, payload: NoInfer<Payload<Schema>>): void
/** What a client may send. */
declare function send<const Schema>(schema: Schema, input: NoInfer<Input<Schema>>): void

// Four views: what goes in is sent and replied, what comes out is read and received, as JSON in the end.
const ZEvent = z.object({
  at: z.date(),
  size: z.number().default(1),
  text: z.string().transform((text) => text.length),
  tag: z.string().optional(),
})
type In = { at: Date; size?: number | undefined; text: string; tag?: string | undefined }
expectType<true>({} as Equal<Input<typeof ZEvent>, In>)
expectType<true>({} as Equal<Payload<typeof ZEvent>, In>)
type Out = { at: Date; size: number; text: number; tag?: string | undefined }
expectType<true>({} as Equal<Output<typeof ZEvent>, Out>)
type Got = { at: string; size: number; text: number; tag?: string | undefined }
expectType<true>({} as Equal<Received<typeof ZEvent>, Got>)
reply(ZEvent, { at: new Date(), text: '' })
expectError(reply(ZEvent, { at: '', text: '' }))
expectError(reply(ZEvent, { at: new Date(), text: 1 }))
expectError(reply(ZEvent, { at: new Date(), text: '', tga: '' }))

const VEvent = v.object({
  at: v.date(),
  size: v.optional(v.number(), 1),
  text: v.pipe(
    v.string(),
    v.transform((text) => text.length),
  ),
})
expectType<number>({} as Output<typeof VEvent>['size'])
expectType<true>({} as Equal<Received<typeof VEvent>, { at: string; size: number; text: number }>)
send(VEvent, { at: new Date(), text: '' })
expectError(send(VEvent, { at: new Date(), text: 1 }))
expectError(reply(VEvent, { at: new Date(), text: 1 }))
expectError<string>({} as Output<typeof VEvent>['text'])

const AEvent = type({ at: 'Date', size: 'number = 1', text: 'string.numeric.parse' })
expectType<number>({} as Output<typeof AEvent>['text'])
expectType<true>({} as Equal<Received<typeof AEvent>, { at: string; size: number; text: number }>)
send(AEvent, { at: new Date(), text: '1' })
expectError(send(AEvent, { at: new Date(), text: 1 }))
expectError(reply(AEvent, { at: new Date(), text: 1 }))
expectError<string>({} as Output<typeof AEvent>['text'])

// A branded text is text in JSON, and what JSON leaves out is not received.
const Id = z.string().brand('id')
expectType<true>({} as Equal<Received<typeof Id>, Output<typeof Id>>)
const Odd = z.object({ go: z.custom<() => void>(), list: z.array(z.date()), any: z.any() })
expectType<true>({} as Equal<keyof Received<typeof Odd>, 'list' | 'any'>)
expectType<string[]>({} as Received<typeof Odd>['list'])
expectType<true>(isAny({} as Received<typeof Odd>['any']))
expectError<Date[]>({} as Received<typeof Odd>['list'])

// A schema may refer to itself.
const Node = z.object({
  id: z.number(),
  get kids() {
    return z.array(Node)
  },
})
expectType<number | undefined>(({} as Output<typeof Node>).kids[0]?.kids[0]?.id)
expectType<number | undefined>(({} as Received<typeof Node>).kids[0]?.kids[0]?.id)
expectError(({} as Output<typeof Node>).kids[0]?.kdis)

// In every part, beside parts of TypeBox.
const routes = app.post(
  '/:id',
  {
    schema: {
      params: z.object({ id: z.coerce.number() }),
      querystring: v.object({ page: v.pipe(v.optional(v.string(), '1'), v.transform(Number)) }),
      headers: type({ 'x-count': 'string.numeric.parse' }),
      body: t.Object({ n: t.Integer({ default: 1 }) }),
      response: { 200: z.object({ id: z.number(), at: z.date() }), '4xx': { message: t.String() } },
    },
  },
  (request, reply) => {
    expectType<true>({} as Equal<typeof request.params, { id: number }>)
    expectType<true>({} as Equal<typeof request.query, { page: number }>)
    expectType<number>(request.headers['x-count'])
    expectType<true>({} as Equal<typeof request.body, { n: number }>)
    expectType<false>(isAny(request.params))
    expectError(request.params.ix)
    expectError(request.query.pgae)
    expectError(reply.send({ id: 1, at: '' }))
    expectError(reply.code(404).send({ massage: '' }))
    if (request.query.page > 9) return reply.code(404).send({ message: '' })
    return { id: 1, at: new Date() }
  },
)

// What is made of headers is laid over those that came, under the names that it has.
app.get(
  '/headers',
  {
    schema: { headers: z.object({ 'x-n': z.coerce.number() }) },
    preHandler: (request) => expectType<string | undefined>(request.headers.authorization),
  },
  ({ headers }, _reply) => {
    expectType<number>(headers['x-n'])
    expectType<string | undefined>(headers.authorization)
    expectType<number | string | string[] | undefined>(headers['x-other'])
  },
)
const renamed = z
  .object({ 'x-n': z.string() })
  .transform((given) => ({ sizeOf: given['x-n'].length }))
app.get('/renamed', { schema: { headers: renamed } }, ({ headers }, _reply) => {
  expectType<number>(headers.sizeOf)
  expectType<string | undefined>(headers.host)
})
const size = z.object({ 'x-n': z.string() }).transform((given) => given['x-n'].length)
app.get('/size', { schema: { headers: size } }, ({ headers }, _reply) =>
  expectType<number>(headers),
)

const given = { params: { id: '1' }, headers: { 'x-count': '3' }, body: {} }
void routes.inject('POST /:id', given)
void routes.inject('POST /:id', { ...given, query: { page: '2' } })
expectError(routes.inject('POST /:id', { ...given, query: { page: 2 } }))
expectError(routes.inject('POST /:id', { ...given, headers: { 'x-count': 3 } }))
expectError(routes.inject('POST /:id', { ...given, body: { n: 'x' } }))
void routes.inject('POST /:id', given).then((response) => {
  if (response.statusCode === 200) {
    expectType<{ id: number; at: string }>(response.json())
    expectError(response.json().message)
  } else expectType<{ message: string }>(response.json())
})

// What a handler returns is what goes in, whatever the schema makes of it; below `content`, too.
app.get('/', { schema: { response: { 200: ZEvent } } }, () => ({ at: new Date(), text: '' }))
app.get('/', { schema: { response: { 200: ZEvent } } }, async () => ({ at: new Date(), text: '' }))
expectError(
  app.get('/', { schema: { response: { 200: ZEvent } } }, () => ({ at: new Date(), text: 1 })),
)
const media = { content: { 'application/json': { schema: VEvent }, 'text/csv': {} } } as const
app.get('/', { schema: { response: { 200: media } } }, (_request, reply) => {
  expectError(reply.type('application/json').send({ at: new Date(), text: 1 }))
  return reply.type('application/json').send({ at: new Date(), text: '' })
})

// With `attachValidation` nothing is known of a part that was refused.
app.post('/', { schema: { body: ZEvent }, attachValidation: true }, (request) => {
  if (request.validationError === undefined) expectType<number>(request.body.text)
  else expectType<unknown>(request.body)
  expectError(request.body.text)
  return 1
})

// No reference can lead into a Standard Schema, so it cannot be shared.
expectError(app.addSchema('event', ZEvent))
expectError(app.addSchema('event', VEvent))
expectError(app.addSchema('event', AEvent))
expectError(app.addSchema(ZEvent))
app.addSchema('event', t.Object({}))

// No body is undefined to a Standard Schema, not null.
const bodies = espalier()
  .post('/optional', { schema: { body: z.object({ a: z.string() }).optional() } }, () => 1)
  .post('/nullable', { schema: { body: z.object({ a: z.string() }).nullable() } }, () => 1)
void bodies.inject('POST /optional')
void bodies.inject('POST /nullable', { body: null })
expectError(bodies.inject('POST /nullable'))
expectError(bodies.inject('POST /optional', { body: {} }))

// Text of a URL comes to it as it is: nothing makes numbers or lists of it.
const zquery = z.object({ tags: z.array(z.string()), n: z.enum(['1', '2']), c: z.coerce.number() })
const queried = espalier().get('/', { schema: { querystring: zquery } }, () => 1)
void queried.inject('GET /', { query: { tags: ['a', 'b'], n: '1', c: '1' } })
expectError(queried.inject('GET /', { query: { tags: 'a', n: '1', c: '1' } }))
expectError(queried.inject('GET /', { query: { tags: ['a'], n: 1, c: '1' } }))

// A type of theirs may refer to itself, as that of JSON does.
const AnyJson = z.json()
expectAssignable<Received<typeof AnyJson>>([{ a: [1, null] }])
expectError<Received<typeof AnyJson>>(() => 1)

// One stands for a whole part, not for a field in short form.
expectError(app.post('/', { schema: { body: { n: z.number() } } }, () => 1))
expectError(app.get('/', { schema: { querystring: { n: z.string() } } }, () => 1))
expectError(app.get('/', { schema: { response: { 200: { n: z.number() } } } }, () => ({ n: 1 })))
declare const loose: ReturnType<typeof JSON.parse>
app.post('/', { schema: { body: { id: loose, n: { type: 'integer' } } } }, () => 1)

// Parameters that a schema requires are those of the path, or of a prefix that is known.
const user = z.object({ userId: z.string() })
expectError(espalier().get('/users/:id', { schema: { params: user } }, () => 1))
expectError(espalier().get('/users', { schema: { params: type({ userId: 'string' }) } }, () => 1))
expectError(
  espalier().get('/:id', { schema: { params: v.object({ userId: v.string() }) } }, () => 1),
)
espalier().get('/:userId', { schema: { params: user } }, ({ params }) => params.userId)
espalier().get('/:id', { schema: { params: user.partial() } }, () => 1)
espalier().get('/:id', { schema: { params: z.record(z.string(), z.string()) } }, () => 1)
espalier().get('/:id', { schema: { params: z.object({ id: z.string() }).loose() } }, () => 1)
const either = z.union([z.object({ id: z.string() }), z.object({ slug: z.string() })])
espalier().get('/by-id/:id', { schema: { params: either } }, () => 1)
const processed = z.object({ id: z.string(), on: z.preprocess((on) => on ?? 'd', z.string()) })
espalier().get('/:id', { schema: { params: processed } }, ({ params }) => params.on)
const both = z.union([z.object({ a: z.string(), id: z.string() }), z.object({ a: z.string() })])
expectError(espalier().get('/:id', { schema: { params: both } }, () => 1))
espalier().register(
  async (scope) => scope.get('/posts', { schema: { params: user } }, ({ params }) => params.userId),
  { prefix: '/users/:userId' },
)
// A call needs the parameters of the path, whatever the schema requires.
const lenient = espalier().get(
  '/:id',
  { schema: { params: z.object({ id: z.string().optional() }) } },
  () => 1,
)
expectType<number>((await lenient.inject('GET /:id', { params: { id: 'x' } })).json())
expectError(lenient.inject('GET /:id'))

// What comes in a URL or in headers is text.
const numbers = z.object({ n: z.number().optional() })
expectError(espalier().get('/', { schema: { querystring: numbers } }, () => 1))
expectError(espalier().get('/', { schema: { query: numbers } }, () => 1))
expectError(espalier().get('/', { schema: { headers: numbers } }, () => 1))
expectError(espalier().get('/:n', { schema: { params: numbers } }, () => 1))
expectError(espalier().get('/', { schema: { query: v.object({ n: v.boolean() }) } }, () => 1))
expectError(espalier().get('/', { schema: { query: type({ 'n?': 'Date' }) } }, () => 1))
expectError(espalier().get('/', { schema: { query: z.object({ n: z.array(z.int()) }) } }, () => 1))
expectError(espalier().get('/', { schema: { query: z.record(z.string(), z.int()) } }, () => 1))
espalier().post('/', { schema: { body: numbers, response: { 200: numbers } } }, ({ body }) => body)
const readable = z.object({
  coerced: z.coerce.number(),
  processed: z.preprocess(Number, z.number()),
  decoded: z.codec(z.string(), z.number(), { decode: Number, encode: String }),
  either: z.union([z.number(), z.string()]),
  list: z.array(z.string()),
  nested: z.object({ n: z.unknown() }),
  nothing: z.null().optional(),
  any: z.any(),
})
espalier().get('/', { schema: { querystring: readable } }, ({ query }) => query.decoded.toFixed())
espalier().get(
  '/',
  { schema: { query: type({ n: 'string.numeric.parse' }) } },
  ({ query }) => query.n,
)
espalier().get('/', { schema: { query: z.any() } }, () => 1)
// Names of headers come in lower case.
const mark = z.object({ 'X-Mark': z.string().optional() })
expectError(espalier().get('/', { schema: { headers: mark } }, () => 1))
espalier().get(
  '/',
  { schema: { headers: z.object({ 'x-mark': z.string() }) } },
  ({ headers }) => headers['x-mark'],
)
espalier().get('/', { schema: { querystring: mark } }, ({ query }) => query['X-Mark'])
// One schema is not that of a route, which has parts.
expectError(app.post('/one', { schema: z.object({ name: z.string() }) }, () => 1))
expectError(app.post('/one', { schema: t.Object({ name: t.String() }) }, () => 1))
app.post('/one', { schema: { body: z.object({ name: z.string() }) } }, () => 1)
app.post('/one', { schema: { body: t.Object({ name: t.String() }) } }, () => 1)
// Of several objects each would have to be wrong, and no object is one that never fits.
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a'), n: z.number() }),
  z.object({ kind: z.literal('b') }),
])
espalier().get('/', { schema: { querystring: kinds } }, ({ query }) => query.kind)
expectError(espalier().get('/', { schema: { querystring: z.string() } }, () => 1))
expectError(espalier().get('/', { schema: { querystring: z.array(z.string()) } }, () => 1))
// Of a type parameter nothing is said.
export const listed = <Schema extends z.ZodType>(querystring: Schema) =>
  espalier().get('/', { schema: { querystring } }, () => 1)
export const field = <Schema extends z.ZodType>(n: Schema) =>
  espalier().get('/', { schema: { querystring: z.object({ n }) } }, () => 1)
