// What a schema says of a value: as a client may send it (Input), as a handler reads it (Output).
import { Type, type Static, type TInteger, type TObject } from '@sinclair/typebox'
import espalier, { t, type Input, type Output, type Received } from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny, type Flat } from './support.js'

/** A value as a handler reads it. */
declare function read<const Schema>(schema: Schema): Output<Schema>
/** A value as a client may send it. */
declare function sent<const Schema>(schema: Schema): Input<Schema>

// Scalars.
expectType<string>(read(t.String()))
expectType<number>(read(t.Number()))
expectType<number>(read(t.Integer({ minimum: 1 })))
expectType<boolean>(read(t.Boolean()))
expectType<null>(read(t.Null()))
expectError<number>(read(t.String()))

// Literals and enumerations.
expectType<'x'>(read(t.Literal('x')))
expectType<1>(read(t.Literal(1)))
expectType<'a' | 'b'>(read(t.Enum({ A: 'a', B: 'b' } as const)))
expectError<'y'>(read(t.Literal('x')))

// Lists and tuples.
expectType<string[]>(read(t.Array(t.String())))
expectType<string[][]>(read(t.Array(t.Array(t.String()))))
expectType<[string, number]>(read(t.Tuple([t.String(), t.Integer()])))
expectType<[]>(read(t.Tuple([])))
expectError<number[]>(read(t.Array(t.String())))

// Objects: properties are required unless they are optional.
const Point = t.Object({ x: t.Number(), label: t.Optional(t.String()) })
expectType<{ x: number; label?: string }>(read(Point))
expectType<{}>(read(t.Object({})))
expectError<{ x: number; label: string }>(read(Point))
expectError(read(Point).y)

// Objects in objects.
const Line = t.Object({ from: Point, to: t.Optional(Point) })
expectType<number>(read(Line).from.x)
expectType<string | undefined>(read(Line).to?.label)
expectError(read(Line).from.y)

// Records.
expectType<{ [key: string]: number }>(read(t.Record(t.String(), t.Integer())))
expectType<{ a: number; b: number }>(
  read(t.Record(t.Union([t.Literal('a'), t.Literal('b')]), t.Integer())),
)
expectError<{ [key: string]: string }>(read(t.Record(t.String(), t.Integer())))

// Unions.
expectType<string | number>(read(t.Union([t.String(), t.Integer()])))
expectType<'a' | 'b'>(read(t.Union([t.Literal('a'), t.Literal('b')])))
expectType<{ x: number; label?: string } | null>(read(t.Union([Point, t.Null()])))
expectError<string>(read(t.Union([t.String(), t.Null()])))

// Intersections.
declare const both: Flat<
  ReturnType<typeof read<ReturnType<typeof t.Intersect<[typeof Point, typeof Line]>>>>
>
expectType<number>(both.x)
expectType<number>(both.from.x)
expectError(both.y)

// Recursion.
const Node = t.Recursive((This) => t.Object({ value: t.Integer(), next: t.Optional(This) }))
expectType<number | undefined>(read(Node).next?.next?.value)
expectType<false>(isAny(read(Node).next?.next))
expectError(read(Node).next?.next?.previous)

// Schemas that are made of schemas.
expectType<{ x?: number; label?: string }>(read(t.Partial(Point)))
expectType<{ x: number; label: string }>(read(t.Required(Point)))
expectType<{ x: number }>(read(t.Pick(Point, ['x'])))
expectType<{ label?: string }>(read(t.Omit(Point, ['x'])))
expectType<'x' | 'label'>(read(t.KeyOf(Point)))
expectType<{ a: number; b: string }>(
  read(t.Composite([t.Object({ a: t.Integer() }), t.Object({ b: t.String() })])),
)
expectError<{ x: number }>(read(t.Partial(Point)))

// What is not known is unknown, and what cannot be is never.
expectType<unknown>(read(t.Unknown()))
expectType<never>(read(t.Never()))
expectType<{ a: unknown }>(read(t.Object({ a: t.Unknown() })))
expectError<{ a: number }>(read(t.Unknown()))

// `any` is where it was asked for, and nowhere else.
expectType<true>(isAny(read(t.Any())))
expectType<true>(isAny(read(t.Object({ a: t.Any() })).a))
expectType<false>(isAny(read(t.Object({ a: t.Any() }))))

// A type that no schema says is given by hand.
expectType<Date>(read(t.Unsafe<Date>({ type: 'object' })))
expectError<string>(read(t.Unsafe<Date>({ type: 'object' })))

// A default may be left out by a client, and is there for the handler.
const Page = t.Object({
  page: t.Integer({ default: 1 }),
  size: t.Optional(t.Integer({ default: 10 })),
  q: t.Optional(t.String()),
  id: t.Integer(),
})
expectType<{ page: number; size: number; q?: string; id: number }>(read(Page))
expectType<{ page?: number; size?: number; q?: string; id: number }>(sent(Page))
expectError<{ page: number }>(sent(Page))

// At any depth.
const Deep = t.Object({ list: t.Array(t.Object({ a: t.Boolean({ default: false }) })) })
expectType<{ list: { a: boolean }[] }>(read(Deep))
expectType<{ list: { a?: boolean }[] }>(sent(Deep))
expectError<{ list: { a: boolean }[] }>(sent(Deep))
const Inside = t.Object({ d: t.Object({ e: t.Integer({ default: 9 }) }, { default: {} }) })
expectType<{ d: { e: number } }>(read(Inside))
expectType<{ d: { e: number } }>({} as Received<typeof Inside>)

// In schemas that are made of schemas, too.
expectType<{ page: number; q?: string }>(read(t.Pick(Page, ['page', 'q'])))
expectType<{ page?: number; q?: string }>(sent(t.Pick(Page, ['page', 'q'])))
expectError<{ page: number; q?: string }>(sent(t.Pick(Page, ['page', 'q'])))

// A transformed value is decoded for the handler, and encoded on the way.
const When = t
  .Transform(t.String({ format: 'date-time' }))
  .Decode((text) => new Date(text))
  .Encode((date) => date.toISOString())
expectType<Date>(read(When))
expectType<string>(sent(When))
expectType<{ when: Date; maybe?: Date }>(read(t.Object({ when: When, maybe: t.Optional(When) })))
expectType<{ when: string; maybe?: string }>(
  sent(t.Object({ when: When, maybe: t.Optional(When) })),
)
expectError<Date>(sent(When))

// Schemas of `t` are TypeBox schemas, with the same `Static`.
expectAssignable<TObject>(Page)
expectAssignable<TInteger>(t.Integer({ default: 1 }))
declare const page: Static<typeof Page>
expectType<number>(page.page)
expectError(page.nope)

// Schemas of TypeBox's own builder are read as well.
const Own = Type.Object({
  a: Type.String(),
  b: Type.Optional(Type.Array(Type.Integer())),
  c: Type.Union([Type.Literal('x'), Type.Literal(1)]),
})
expectType<{ a: string; b?: number[]; c: 'x' | 1 }>(read(Own))
expectError(read(Own).d)

// Plain JSON Schema: types.
expectType<string>(read({ type: 'string' }))
expectType<number>(read({ type: 'integer' }))
expectType<number>(read({ type: 'number' }))
expectType<boolean>(read({ type: 'boolean' }))
expectType<null>(read({ type: 'null' }))
expectType<string | null>(read({ type: ['string', 'null'] }))
expectType<number | null>(read({ type: 'number', nullable: true }))
expectType<'a'>(read(t.Literal('a', { nullable: true })))
expectType<'a' | null>(read(t.Union([t.Literal('a'), t.Null()])))
expectError<number>(read({ type: 'string' }))

// Plain JSON Schema: values.
expectType<'k'>(read({ const: 'k' }))
expectType<'x' | 'y' | 1>(read({ enum: ['x', 'y', 1] }))
expectError<'z'>(read({ enum: ['x', 'y', 1] }))

// Plain JSON Schema: objects, whose properties are optional unless they are required.
const plain = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id'],
} as const
expectType<{ id: number; name?: string }>(read(plain))
expectType<{ name?: string }>(read({ type: 'object', properties: { name: { type: 'string' } } }))
expectType<{ [key: string]: number }>(
  read({ type: 'object', additionalProperties: { type: 'integer' } }),
)
expectType<{ [key: string]: unknown }>(read({ type: 'object' }))
expectError<{ id: number; name: string }>(read(plain))

// Plain JSON Schema: defaults.
const withDefault = { type: 'object', properties: { n: { type: 'integer', default: 1 } } } as const
expectType<{ n: number }>(read(withDefault))
expectType<{ n?: number }>(sent(withDefault))
expectError<{ n: number }>(sent(withDefault))

// Plain JSON Schema: lists.
expectType<string[]>(read({ type: 'array', items: { type: 'string' } }))
expectType<unknown[]>(read({ type: 'array' }))
expectType<[string, number]>(
  read({
    type: 'array',
    items: [{ type: 'string' }, { type: 'integer' }],
    minItems: 2,
    additionalItems: false,
  }),
)
expectError<number[]>(read({ type: 'array', items: { type: 'string' } }))

// Plain JSON Schema: alternatives.
expectType<string | boolean>(read({ anyOf: [{ type: 'string' }, { type: 'boolean' }] }))
expectType<string | boolean>(read({ oneOf: [{ type: 'string' }, { type: 'boolean' }] }))
const all = read({
  allOf: [
    { type: 'object', properties: { p: { type: 'string' } }, required: ['p'] },
    { type: 'object', properties: { q: { type: 'number' } } },
  ],
})
expectType<string>(all.p)
expectType<number | undefined>(all.q)
expectError(all.r)

// A part of a route is a whole schema, or lists properties in the short form.
const app = espalier()
app.post('/whole', { schema: { body: t.Array(t.Integer()) } }, ({ body }) => {
  expectType<number[]>(body)
  expectError(body.name)
  return 1
})
app.post(
  '/short',
  { schema: { body: { a: t.Integer(), b: t.Optional(t.String()), c: t.Integer({ default: 1 }) } } },
  ({ body }) => {
    expectType<{ a: number; b?: string; c: number }>(body)
    expectError(body.d)
    return 1
  },
)

// A description in words is none of the properties; one that is a schema is.
app.post('/words', { schema: { body: { description: 'words', a: t.Integer() } } }, ({ body }) => {
  expectType<{ a: number }>(body)
  expectError(body.description)
  return 1
})
app.post(
  '/words',
  { schema: { body: { description: t.String(), a: t.Integer() } } },
  ({ body }) => {
    expectType<{ description: string; a: number }>(body)
    return 1
  },
)

// A Standard Schema has types of its own, one for each side.
interface Coerced {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { value: { n: number } }
    readonly types?: { readonly input: { n: string }; readonly output: { n: number } }
  }
}
declare const standard: Coerced
const standards = app.post('/standard', { schema: { body: standard } }, ({ body }) => {
  expectType<{ n: number }>(body)
  expectError(body.m)
  return 1
})
expectType<Promise<number>>(
  standards.inject('POST /standard', { body: { n: '1' } }).then((response) => response.json()),
)
expectError(standards.inject('POST /standard', { body: { n: 1 } }))

// `t.Optional` has one signature where TypeBox's own has four, and the same types.
const twoKeys = t.Object({ a: t.Integer(), b: t.String() })
const tKeys = t.KeyOf(twoKeys)
const typeKeys = Type.KeyOf(Type.Object({ a: Type.Integer(), b: Type.String() }))
const each = t.Mapped(tKeys, (key) => t.Optional(t.Index(twoKeys, key)))
const eachOfTypeBox = Type.Mapped(typeKeys, (key) => Type.Optional(Type.Index(twoKeys, key)))
expectType<Static<typeof eachOfTypeBox>>(read(each))
expectType<{ a?: number; b?: string }>(read(each))
expectType<{ a?: number }>(read(t.Object({ a: t.Optional(t.Optional(t.Integer())) })))
expectType<{ a?: number }>(read(t.Object({ a: t.Optional(t.Readonly(t.Integer())) })))
expectType<{ a: number }>(read(t.Object({ a: t.Optional(t.Optional(t.Integer()), false) })))
expectType<{ a?: number }>(read(t.Object({ a: t.Optional(t.Integer(), true) })))
expectError<{ a: number; b: string }>(read(each))
expectError(t.Optional('text'))

// A record says nothing of keys of another kind than its own.
const byNumber = t.Record(t.Integer(), t.String())
expectType<{ [key: number]: string }>(read(byNumber))
expectError<{ a: string }>(read(byNumber))
const byPrefix = t.Record(t.TemplateLiteral([t.Literal('x-'), t.String()]), t.Integer())
expectType<{ [key: `x-${string}`]: number }>(read(byPrefix))
expectError<{ y: number }>(read(byPrefix))
