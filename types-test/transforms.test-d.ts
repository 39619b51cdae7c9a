// What the two functions of a t.Transform are given, and what they give.
import { Type } from '@sinclair/typebox'
import espalier, { t, type Output, type Payload, type TSchema } from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import type { Equal } from './support.js'

// Decode is given what a handler reads: a default is filled in, whether its field is optional or not.
t.Transform(
  t.Object({
    page: t.Integer({ default: 1 }),
    size: t.Optional(t.Integer({ default: 20 })),
    q: t.Optional(t.String()),
  }),
).Decode((query) => {
  expectType<true>({} as Equal<typeof query, { page: number; size: number; q?: string }>)
  expectError<string>(query.q)
  expectError(query.nope)
  return query.page * query.size
})

// So it is at any depth, and in schemas that are made of schemas.
const Sized = t.Object({ size: t.Optional(t.Integer({ default: 20 })) })
const Named = t.Object({ name: t.Optional(t.String()) })
t.Transform(t.Object({ rows: t.Array(Sized) })).Decode(({ rows }) => {
  expectType<number | undefined>(rows[0]?.size)
  return rows.map(({ size }) => size + 1)
})
t.Transform(t.Record(t.String(), Sized)).Decode((sizes) =>
  Object.values(sizes).map(({ size }) => size + 1),
)
t.Transform(t.Tuple([Sized, Named])).Decode(([sized, named]) => {
  expectError<string>(named.name)
  return sized.size + 1
})
t.Transform(t.Partial(t.Object({ a: t.Integer({ default: 1 }), b: t.Integer() }))).Decode(
  (read) => {
    expectType<true>({} as Equal<typeof read, { a: number; b?: number }>)
    return read.a + 1
  },
)
t.Transform(t.Composite([Sized, Named])).Decode((read) => {
  expectType<true>({} as Equal<typeof read, { size: number; name?: string }>)
  return read.size + 1
})
t.Transform(t.Intersect([Sized, Named])).Decode((read) => {
  expectError<string>(read.name)
  return read.size + 1
})
t.Transform(t.Object({ sized: t.Union([Sized, t.Null()]) })).Decode(({ sized }) => {
  expectError<{ size: number }>(sized)
  return (sized?.size ?? 0) + 1
})
t.Transform(Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) })).Decode((read) => {
  expectType<true>({} as Equal<typeof read, { a: string; b?: number }>)
  return read.a
})

// What is inside is decoded before it.
const When = t
  .Transform(t.String({ format: 'date-time' }))
  .Decode((text) => new Date(text))
  .Encode((date) => date.toISOString())
const Since = t
  .Transform(t.Object({ since: When, until: t.Optional(When) }))
  .Decode(({ since, until }) => {
    expectType<Date>(since)
    expectType<Date | undefined>(until)
    return since.getTime()
  })
  .Encode((time) => ({ since: new Date(time) }))
expectType<number>({} as Output<typeof Since>)
expectError(
  t
    .Transform(t.Object({ since: When }))
    .Decode(({ since }) => since.getTime())
    .Encode((time) => ({ since: `${time}` })),
)

// Encode gives what may be replied inside of a union, where no default is filled in; or what was decoded.
const Sizes = t.Object({
  least: t.Integer({ default: 1 }),
  most: t.Optional(t.Integer({ default: 9 })),
  all: t.Array(t.Integer()),
})
const sizes = t.Transform(Sizes).Decode(({ all }) => all)
sizes.Encode((all) => ({ least: 1, most: 2, all }))
sizes.Encode((all) => ({ least: 1, most: undefined, all: all as readonly number[] }))
sizes.Encode((all) => ({ least: 1, all }))
expectError(sizes.Encode((all) => ({ all })))
expectError(sizes.Encode((all) => ({ least: '1', all })))
expectError(sizes.Encode((all) => all))
t.Transform(t.String({ format: 'date' }))
  .Decode((text) => new Date(text))
  .Encode((date) => date)
expectError(
  t
    .Transform(t.String())
    .Decode((text) => new Date(text))
    .Encode((date) => date),
)

// Where a transform is made it is not known what references name.
t.Transform(t.Object({ user: t.Ref('user#'), tag: t.Ref('#/definitions/tag') })).Decode((read) => {
  expectType<true>({} as Equal<typeof read, { user: unknown; tag: unknown }>)
  expectError(read.user.id)
  return read.user
})

// A function for any schema may put what it is given into something, and take it out.
const boxed = <Schema extends TSchema>(schema: Schema) =>
  t
    .Transform(schema)
    .Decode((value) => ({ value }))
    .Encode(({ value }) => value)
const Boxed = t.Object({ box: boxed(Sized) })
expectType<number>({} as Output<typeof Boxed>['box']['value']['size'])
expectAssignable<Payload<typeof Boxed>>({ box: { value: { size: 1 } } })

espalier().get('/', { schema: { querystring: Since } }, ({ query }) => {
  expectType<number>(query)
  return query
})
