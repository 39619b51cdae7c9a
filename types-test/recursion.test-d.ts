// Schemas that hold themselves, with and without an object in between.
import { Type } from '@sinclair/typebox'
import espalier, { t, type Input, type Output, type Payload, type Received } from 'espalier'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import { isAny } from './support.js'

// Where a recursion may be left out or is only read.
const Tree = t.Recursive((This) => t.Object({ name: t.String(), kids: t.Array(This) }))
const Forest = t.Object({
  optional: t.Optional(Tree),
  readonly: t.Readonly(Tree),
  both: t.ReadonlyOptional(Tree),
  other: t.Readonly(t.Optional(Tree)),
  inline: t.Optional(t.Recursive((This) => t.Object({ next: t.Array(This) }))),
  of: t.Optional(Type.Recursive((This) => Type.Object({ next: Type.Array(This) }))),
})
declare const forest: Output<typeof Forest>
expectType<string | undefined>(forest.optional?.kids[0]?.kids[0]?.name)
expectType<string | undefined>(forest.readonly.kids[0]?.name)
expectType<string | undefined>(forest.both?.kids[0]?.name)
expectType<string | undefined>(forest.other?.kids[0]?.name)
expectType<false>(isAny(forest.inline?.next[0]?.next))
expectType<false>(isAny(forest.of?.next[0]?.next))
expectError(forest.optional?.kinds)
expectError(forest.inline?.next[0]?.kids)
const Partial = t.Partial(t.Object({ tree: Tree }))
declare const some: Output<typeof Partial>
expectType<string | undefined>(some.tree?.kids[0]?.name)

const app = espalier().post(
  '/',
  { schema: { body: Forest, response: { 200: t.Object({ tree: t.Optional(Tree) }) } } },
  ({ body }) => ({ tree: body.readonly }),
)
expectError(
  app.post('/wrong', { schema: { response: { 200: t.Optional(Tree) } } }, () => ({ nam: 'a' })),
)
expectError(
  app.post(
    '/reference',
    { schema: { body: t.Object({ a: t.Optional(t.Recursive(() => t.Ref('usr#'))) }) } },
    () => 1,
  ),
)

// A list of itself: any JSON but objects.
const Json = t.Recursive((This) => t.Union([t.String(), t.Null(), t.Array(This)]))
expectAssignable<Output<typeof Json>>(['a', ['b', [null, []]]])
expectNotAssignable<Output<typeof Json>>(['a', ['b', [1]]])
expectAssignable<Input<typeof Json>>([[[]]])
expectNotAssignable<Input<typeof Json>>([[{}]])
expectAssignable<Payload<typeof Json>>(['a', ['b']] as const)
expectNotAssignable<Payload<typeof Json>>(['a', [true]])
declare const received: Received<typeof Json>
expectType<false>(isAny(received))
expectError<string | null>(received)

const List = t.Recursive((This) => t.Array(This))
expectAssignable<Output<typeof List>>([[], [[]]])
expectNotAssignable<Output<typeof List>>([[], [[1]]])

const server = espalier()
  .post('/', { schema: { body: Json, response: { 200: Json } } }, ({ body }) =>
    typeof body === 'string' ? body : [body],
  )
  .post('/field', { schema: { body: t.Object({ json: Json }) } }, ({ body }) => {
    expectType<false>(isAny(body.json))
    return typeof body.json === 'string'
  })
expectError(server.post('/wrong', { schema: { response: { 200: Json } } }, () => ['a', [true]]))
expectAssignable<Received<typeof Json>>(
  (await server.inject('POST /', { body: ['a', ['b']] })).json(),
)
expectError(server.inject('POST /', { body: ['a', [1]] }))

// The same by a shared schema that refers to itself.
const Shared = t.Union([t.Integer(), t.Array(t.Ref('nested#'))], { $id: 'nested' })
espalier()
  .addSchema(Shared)
  .post('/', { schema: { body: t.Ref('nested#') } }, ({ body }) => {
    if (typeof body === 'number') return 1
    expectType<false>(isAny(body[0]))
    expectError<string>(body[0])
    return typeof body[0] === 'number' ? body[0] : 2
  })

// What holds itself goes by the name of its schema behind the first round.
const Branch = t.Recursive((This) => t.Object({ next: t.Union([This, t.Null()]) }))
const grown = espalier().post('/', { schema: { body: Branch } }, ({ body }) => body)
const branch = (await grown.inject('POST /', { body: { next: { next: null } } })).json()
expectType<Output<typeof Branch> | null>(branch.next)
expectType<Output<typeof Branch> | null | undefined>(branch.next?.next?.next)
expectError(branch.next?.next?.nope)
const Filter = t.Recursive((This) =>
  t.Union([t.Object({ not: This }), t.Object({ all: t.Array(This) })]),
)
declare const filter: Output<typeof Filter>
if ('not' in filter && 'all' in filter.not) {
  expectType<Output<typeof Filter>[]>(filter.not.all)
  expectError(filter.not.not)
}

// What a response is made of is looked at item by item where it is no JSON yet.
const told = espalier().get('/', () => ({ list: [undefined], at: new Date(), is: 'a' as const }))
expectType<{ list: null[]; at: string; is: 'a' }>((await told.inject('GET /')).json())
const plain = espalier().get('/', () => ({
  list: [1, 'a'],
  maybe: undefined as number | undefined,
}))
expectType<{ list: (string | number)[]; maybe: number | undefined }>(
  (await plain.inject('GET /')).json(),
)
