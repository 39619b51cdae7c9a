// Plain JSON Schema, written without `as const`: keywords that a type can say only in part are a bound.
// Whether ajv agrees is asked in test/behaviour/json-schema-types.test.ts.
import espalier, { t, type Input, type Output, type Payload, type Received } from 'espalier'
import { Readable } from 'node:stream'
import { expectAssignable, expectError, expectType } from 'tsd'
import type { Equal, Flat } from './support.js'

/** A value as a handler reads it. */
declare function read<const Schema>(schema: Schema): Output<Schema>
/** A value that a handler may give the serializer. */
declare function reply<const Schema>(schema: Schema, payload: NoInfer<Payload<Schema>>): void
/** A value as a client parses it. */
declare function received<const Schema>(schema: Schema): Received<Schema>

// `not` says nothing that a type could.
expectType<string>(read({ type: 'string', not: { const: 'x' } }))
expectType<unknown>(read({ not: { type: 'object' } }))
expectError<number>(read({ type: 'string', not: { const: 'x' } }))

// `nullable` adds null.
expectType<{ a: number | null }>(
  read({ type: 'object', properties: { a: { type: 'integer', nullable: true } }, required: ['a'] }),
)
expectType<string[] | null>(read({ type: 'array', items: { type: 'string' }, nullable: true }))
expectType<string>(read({ type: 'string', nullable: false }))
expectError<string>(read({ type: 'string', nullable: true }))
// What is listed is null only where the list has it.
expectType<'a' | 'b'>(read({ type: 'string', enum: ['a', 'b'], nullable: true }))
expectType<'a' | null>(read({ type: 'string', enum: ['a', null], nullable: true }))
expectType<'a'>(read({ type: 'string', const: 'a', nullable: true }))
expectType<null>(read({ type: 'null', const: null, nullable: true }))
expectType<string | null>(read({ type: 'string', enum: Array<string | null>(), nullable: true }))
// Beside other schemas it does where they let null pass, to the validator. The serializer asks none of them.
const inner = { type: 'object', properties: { z: { type: 'integer' } } } as const
const nullableAround = { type: 'object', nullable: true, allOf: [inner] } as const
expectAssignable<{ z?: number }>(read(nullableAround))
expectError<Input<typeof nullableAround>>(null)
reply(nullableAround, null)
expectAssignable<ReturnType<typeof received<typeof nullableAround>>>(null)
const nullableThroughout = { ...nullableAround, allOf: [{ ...inner, nullable: true }] } as const
expectAssignable<Input<typeof nullableThroughout>>(null)
expectError<{ z?: number }>(read(nullableThroughout))
const nullableUntyped = {
  type: 'object',
  nullable: true,
  allOf: [{ properties: { z: { type: 'integer' } } }, { required: ['z'] }],
} as const
expectAssignable<Input<typeof nullableUntyped>>(null)
const nullableChoice = { type: 'object', nullable: true, oneOf: [inner, { type: 'null' }] } as const
expectAssignable<Input<typeof nullableChoice>>(null)
expectError<Input<typeof nullableChoice>>(1)
expectError<Input<{ type: 'object'; nullable: true; anyOf: [typeof inner] }>>(null)
const oneNullable = { allOf: [{ ...inner, nullable: true }, { required: ['z'] }] } as const
expectAssignable<Input<typeof oneNullable>>(null)

// Fields whose names fit a pattern; the others may be anything, unless they have a schema or are removed.
const patterns = { '^x-': { type: 'integer' }, '^y-': { type: 'boolean' } } as const
expectType<{ [key: string]: unknown }>(read({ type: 'object', patternProperties: patterns }))
expectType<{ [key: string]: number | boolean }>(
  read({ type: 'object', patternProperties: patterns, additionalProperties: false }),
)
expectType<{ [key: string]: number | boolean | string }>(
  read({
    type: 'object',
    patternProperties: { '^x-': { type: 'integer' }, '^y-': { type: 'boolean' } },
    additionalProperties: { type: 'string' },
  }),
)
expectError<{ [key: string]: number | boolean }>(
  read({ type: 'object', patternProperties: patterns }),
)

// Beside named fields, another field may have the type of any of them.
const mixed = read({
  type: 'object',
  properties: { id: { type: 'integer' }, tag: { type: 'string' } },
  required: ['id'],
  additionalProperties: { type: 'boolean' },
})
expectType<number>(mixed.id)
expectType<string | undefined>(mixed.tag)
expectType<number | string | boolean | undefined>(mixed['other'])
expectError<boolean>(mixed['other'])
const fitting = read({
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
  patternProperties: { '^x-': { type: 'string' } },
  additionalProperties: false,
})
expectType<number>(fitting.id)
expectType<number | string | undefined>(fitting['x-a'])
expectError<string>(fitting['x-a'])
const others = read({
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
  patternProperties: { '^x-': { type: 'string' } },
})
expectType<unknown>(others['other'])
expectType<number>(others.id)

// Replies are typed alike, and so is what clients receive.
const replied = {
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
  additionalProperties: { type: 'string', format: 'date' },
} as const
reply(replied, { id: 1, day: new Date() })
expectError(reply(replied, { id: '1' }))
expectError(reply(replied, { id: 1, day: true }))
expectType<number>(received(replied).id)
expectType<number | string | undefined>(received(replied)['day'])

// `if` leads to `then` or to `else`, and the type does not say to which.
const branches = read({
  type: 'object',
  properties: { kind: { enum: ['a', 'b'] } },
  required: ['kind'],
  if: { properties: { kind: { const: 'a' } } },
  then: { properties: { a: { type: 'integer' } }, required: ['a'] },
  else: { properties: { b: { type: 'string' } }, required: ['b'] },
})
expectType<'a' | 'b'>(branches.kind)
expectError(branches.a)
if ('a' in branches) expectType<number>(branches.a)
else expectType<string>(branches.b)
expectType<1 | 2>(read({ if: { type: 'integer' }, then: { const: 1 }, else: { const: 2 } }))
expectType<unknown>(read({ if: { type: 'integer' }, then: { const: 1 } }))
expectError<1>(read({ if: { type: 'integer' }, then: { const: 1 }, else: { const: 2 } }))

// `properties` without a type are asked of objects alone, so nothing else is ruled out…
const untyped = { properties: { a: { type: 'integer' } }, required: ['a'] } as const
const field = read({ type: 'object', properties: { value: untyped }, required: ['value'] }).value
expectType<{ a: number } | string | number | boolean | null | unknown[]>(field)
expectError<{ a: number }>(field)
// …unless the schema around them says that there is an object, or a part is meant.
expectType<{ a: number }>(read(untyped))
expectType<number>(read({ type: 'object', allOf: [untyped] }).a)
expectType<number>(read({ allOf: [untyped, { type: 'object' }] }).a)
expectType<number>(received({ type: 'array', items: untyped } as const)[0]!.a)

// Keywords beside each other hold together.
const both = read({
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
  anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { required: ['b'] }],
  allOf: [{ properties: { c: { type: 'boolean' } }, required: ['c'] }],
})
expectType<number>(both.id)
expectType<boolean>(both.c)
expectError(both.d)
expectType<string>(
  read({ anyOf: [{ type: 'string' }, { type: 'integer' }], oneOf: [{ type: 'string' }] }),
)

// Items that are listed may be missing, and followed by others, unless something is said against it.
const pair = [{ type: 'string' }, { type: 'integer' }] as const
expectType<[string?, number?, ...unknown[]]>(read({ type: 'array', items: pair }))
expectType<[string, number, ...unknown[]]>(read({ type: 'array', items: pair, minItems: 2 }))
expectType<[string?, number?]>(read({ type: 'array', items: pair, maxItems: 2 }))
expectType<[string, number, ...boolean[]]>(
  read({ type: 'array', items: pair, minItems: 2, additionalItems: { type: 'boolean' } }),
)
expectError<[string, number]>(read({ type: 'array', items: pair }))
// In a reply none may follow, unless it is said that they may: the serializer refuses them.
const openPair = { type: 'array', items: pair } as const
expectAssignable<Input<typeof openPair>>(['a', 1, true])
reply(openPair, [])
reply(openPair, ['a', 1])
expectError(reply(openPair, ['a', 1, 2]))
expectError(reply({ ...openPair, minItems: 2 } as const, ['a', 1, 2]))
expectError(reply({ anyOf: [openPair, { type: 'string' }] } as const, ['a', 1, 2]))
reply({ ...openPair, additionalItems: true } as const, ['a', 1, 2])
reply({ ...openPair, additionalItems: { type: 'integer' } } as const, ['a', 1, 2])
expectError(reply({ ...openPair, additionalItems: { type: 'integer' } } as const, ['a', 1, 'x']))

// What stands beside a reference holds too.
const app = espalier().addSchema(t.Object({ id: t.Integer() }, { $id: 'user' }))
app.post(
  '/a',
  {
    schema: {
      body: {
        type: 'object',
        properties: {
          user: {
            $ref: 'user#',
            description: 'who it was',
            properties: { role: { enum: ['admin', 'member'] } },
            required: ['role'],
            type: 'object',
          },
          who: { $ref: 'user#', nullable: true, type: 'object' },
          plain: { $ref: 'user#', description: 'a user' },
        },
        required: ['user', 'plain'],
        patternProperties: { '^x-': { type: 'integer' } },
        additionalProperties: false,
      },
    },
  },
  ({ body }) => {
    expectType<number>(body.user.id)
    expectType<'admin' | 'member'>(body.user.role)
    expectType<number | undefined>(body.who?.id)
    expectAssignable<typeof body.who>(null)
    expectType<true>({} as Equal<Flat<typeof body.plain>, { id: number }>)
    expectError(body.user.name)
    return 1
  },
)
expectError(
  app.post(
    '/b',
    { schema: { body: { type: 'object', properties: { a: { $ref: 'usr#', type: 'object' } } } } },
    () => 1,
  ),
)
expectError(
  app.post(
    '/b',
    { schema: { body: { $ref: 'user#', properties: { a: { $ref: 'usr#' } } } } },
    () => 1,
  ),
)

// Recursion passes through all of them.
const tree = {
  type: 'object',
  properties: { value: { type: 'integer' }, next: { $ref: '#' } },
  required: ['value'],
  patternProperties: { '^x-': { $ref: '#' } },
  additionalProperties: { $ref: '#' },
  if: { required: ['next'] },
  then: { properties: { next: { $ref: '#' } } },
} as const
expectType<number | undefined>(read(tree).next?.next?.value)
expectType<number>({} as NonNullable<Input<typeof tree>['next']>['value'])
expectError<string>(read(tree).next?.next?.value)

// Names of which it is not known which they are make no field required.
const widened = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'string' } },
  required: ['a'] as string[],
} as const
expectType<{ a?: number; b?: string }>(read(widened))
expectError<string>(read(widened).b)

// What is required without being described is there, and may be anything.
const undescribed = {
  type: 'object',
  properties: { a: { type: 'integer' } },
  required: ['a', 'b'],
} as const
expectType<number>(read(undescribed).a)
expectType<unknown>(read(undescribed).b)
expectError(read(undescribed).c)
reply(undescribed, { a: 1, b: 'x' })
expectError(reply(undescribed, { a: 1 }))
expectError<Input<typeof undescribed>>({ a: 1 })

// So is what is required without any field being described.
const bare = { type: 'object', required: ['a'] } as const
expectType<{ a: unknown }>(read(bare))
// But that the serializer leaves out what no schema describes.
expectType<{ [key: string]: unknown }>(received(bare))
expectType<{ a: number }>({ ...received(undescribed) })
expectError(received(undescribed).b)
expectType<unknown>(received({ ...undescribed, additionalProperties: true }).b)
expectType<string>(received({ ...bare, additionalProperties: { type: 'string' } }).a)
expectType<{ a: unknown }>({} as Input<typeof bare>)
expectError<Input<typeof bare>>({})
reply(bare, { a: 1 })
reply(bare, { a: 1, b: 2 })
expectError(reply(bare, {}))
expectError(reply(bare, { b: 1 }))
expectError(reply(bare, new Map()))
expectType<{ [key: string]: unknown }>(read({ type: 'object', required: ['a'] as string[] }))
expectType<{ a: unknown } | null>(read({ type: 'object', nullable: true, required: ['a'] }))
// It has the type of the other fields, where there is one.
const counts = {
  type: 'object',
  required: ['a'],
  additionalProperties: { type: 'integer' },
} as const
expectType<number>(read(counts).a)
expectType<number | undefined>(read(counts)['other'])
expectError<Input<typeof counts>>({ b: 1 })
expectError<Input<typeof counts>>({ a: 'x' })
reply(counts, { a: 1, b: 2 })
expectError(reply(counts, { b: 2 }))
// Without a type, what is no object is valid.
expectType<unknown>(read({ type: 'array', items: { required: ['a'] } })[0])
expectType<unknown>(read({ allOf: [{ required: ['a'] }] }))

// A field that another schema describes is required by one that holds beside it, of an object.
const person = {
  type: 'object',
  properties: { name: { type: 'string' }, boss: { type: 'string' } },
  required: ['name'],
} as const
const led = { allOf: [person, { type: 'object', required: ['boss'] }] } as const
expectAssignable<{ name: string; boss: string | undefined }>(read(led))
expectError<Input<typeof led>>({ name: 'x' })
expectAssignable<Input<typeof led>>({ name: 'x', boss: 'y' })
expectError<Input<typeof led>>({ name: 'x', boss: 1 })
reply(led, { name: 'x', boss: 'y' })
expectError(reply(led, { name: 'x' }))
const untypedLed = { type: 'object', allOf: [person, { required: ['boss'] }] } as const
expectError<Input<typeof untypedLed>>({ name: 'x' })
expectAssignable<Input<typeof untypedLed>>({ name: 'x', boss: 'y' })
const eitherOf = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] } as const
expectAssignable<Input<typeof eitherOf>>({ a: 1 })
expectAssignable<Input<typeof eitherOf>>({ b: 1 })
expectError<Input<typeof eitherOf>>({})
const staff = espalier()
  .addSchema(t.Object({ name: t.String(), boss: t.Optional(t.String()) }, { $id: 'person' }))
  .post(
    '/staff',
    {
      schema: {
        body: { allOf: [{ $ref: 'person#' }, { type: 'object', required: ['boss'] }] },
        response: { 200: { allOf: [{ $ref: 'person#' }, { type: 'object', required: ['boss'] }] } },
      },
    },
    ({ body }) => {
      expectAssignable<{ name: string; boss: string | undefined }>(body)
      expectError(body.salary)
      return { name: body.name, boss: 'y' }
    },
  )
void staff.inject('POST /staff', { body: { name: 'x', boss: 'y' } })
expectError(staff.inject('POST /staff', { body: { name: 'x' } }))

// What requires alternatives to be told apart lets them be.
const shape = {
  type: 'object',
  required: ['kind'],
  oneOf: [
    { properties: { kind: { const: 'a' }, x: { type: 'integer' } }, required: ['x'] },
    { properties: { kind: { const: 'b' }, y: { type: 'string' } }, required: ['y'] },
  ],
} as const
const told = read(shape)
expectType<'a' | 'b'>(told.kind!)
if (told.kind === 'a') expectType<number>(told.x)
else expectError(told.x)
expectError<Input<typeof shape>>({ x: 1 })
reply(shape, { kind: 'a', x: 1 })
expectError(reply(shape, { x: 1 }))

// A default that another schema fills in is there before `required` is looked at.
const filledIn = {
  allOf: [
    { type: 'object', properties: { boss: { type: 'string', default: 'x' } } },
    { type: 'object', required: ['boss', 'b'] },
  ],
} as const
expectAssignable<Input<typeof filledIn>>({ b: 1 })
expectError<Input<typeof filledIn>>({ boss: 'x' })
expectType<string>(read(filledIn).boss)
reply(filledIn, { b: 1 })
const filledByReference = {
  type: 'object',
  definitions: { named: filledIn.allOf[0] },
  allOf: [{ $ref: '#/definitions/named' }, { allOf: [{ required: ['boss', 'b'] }] }],
} as const
expectAssignable<Input<typeof filledByReference>>({ b: 1 })
expectAssignable<Input<typeof filledByReference>>({ boss: 'y', b: 1 })
const filledAround = {
  type: 'object',
  required: ['boss'],
  allOf: [{ properties: { boss: { default: 'x' } } }],
} as const
expectAssignable<Input<typeof filledAround>>({})

// Where any object is declared, one of an interface may be given, though it has no index signature.
interface Cat {
  kind: 'cat'
  name: string
}
declare const cat: Cat
const AnyObject = { type: 'object' } as const
const Pet = {
  type: 'object',
  oneOf: [
    {
      properties: { kind: { const: 'cat' }, name: { type: 'string' } },
      required: ['kind', 'name'],
    },
    { properties: { kind: { const: 'dog' } }, required: ['kind'] },
  ],
} as const
espalier().get('/any', { schema: { response: { 200: AnyObject } } }, () => cat)
espalier().get('/any', { schema: { response: { 200: AnyObject } } }, () => ({ a: 1 }))
espalier().get('/pet', { schema: { response: { 200: Pet } } }, () => cat)
espalier().get('/pet', { schema: { response: { 200: Pet } } }, () => ({ kind: 'dog' }))
expectError(espalier().get('/pet', { schema: { response: { 200: Pet } } }, () => ({ kind: 'cow' })))
expectError(espalier().get('/any', { schema: { response: { 200: AnyObject } } }, () => 1))
expectError(espalier().get('/any', { schema: { response: { 200: AnyObject } } }, () => [1]))
expectError(espalier().get('/any', { schema: { response: { 200: AnyObject } } }, () => new Date()))
expectError(reply(AnyObject, async () => cat))
expectError(reply(AnyObject, Promise.resolve(cat)))
expectError(reply(AnyObject, Readable.from([])))
expectError(reply(AnyObject, new Map()))
