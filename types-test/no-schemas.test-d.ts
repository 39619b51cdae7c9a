// Where a schema belongs, what is none is refused, at any depth; what a type leaves open is not.
import espalier, { t } from 'espalier'
import type { TSchema } from '@sinclair/typebox'
import type { JSONSchemaType } from 'ajv'
import { expectError, expectType } from 'tsd'
import Type from 'typebox'
import { z } from 'zod'

const app = espalier()

// Among the properties of a plain JSON Schema.
app.post(
  '/fields',
  {
    schema: {
      body: {
        type: 'object',
        properties: { a: { type: 'string' }, b: true, c: {}, d: t.Integer(), e: Type.String() },
      },
    },
  },
  ({ body }) => {
    expectType<string | undefined>(body.a)
    expectType<number | undefined>(body.d)
    return 1
  },
)
expectError(
  app.post('/a', { schema: { body: { type: 'object', properties: { a: 'string' } } } }, () => 1),
)
expectError(
  app.post('/a', { schema: { body: { type: 'object', properties: { a: t.String } } } }, () => 1),
)
expectError(
  app.post('/a', { schema: { body: { type: 'object', properties: { a: z.string() } } } }, () => 1),
)
expectError(
  app.post('/a', { schema: { body: { type: 'object', properties: { a: null } } } }, () => 1),
)

expectError(
  app.post('/a', { schema: { body: { type: 'object', properties: { a: ['string'] } } } }, () => 1),
)

// A type that JSON Schema does not have, where it is known which it is.
const type: string = 'string'
app.post('/type', { schema: { body: { type: 'object', properties: { a: { type } } } } }, () => 1)
app.post('/types', { schema: { body: { type: ['object', 'null'] } } }, () => 1)
expectError(app.post('/a', { schema: { body: { type: 'sting' } } }, () => 1))
expectError(app.post('/a', { schema: { body: { type: ['object', 'nul'] } } }, () => 1))
expectError(app.post('/a', { schema: { body: { properties: { a: { type: 'sting' } } } } }, () => 1))

// Those of JSON Type Definition are let pass, since schemas may be in that.
app.post('/jtd', { schema: { body: { properties: { a: { type: 'uint8' } } } } }, () => 1)
app.post('/jtd', { schema: { body: { elements: { type: 'timestamp' } } } }, () => 1)
expectError(app.post('/a', { schema: { body: { properties: { a: { type: 'int7' } } } } }, () => 1))

// Under each keyword that has schemas.
const sound = { type: 'integer' } as const
const wrong = { type: 'sting' } as const
app.post('/anyOf', { schema: { body: { anyOf: [sound, true] } } }, () => 1)
expectError(app.post('/a', { schema: { body: { anyOf: [sound, wrong] } } }, () => 1))
app.post('/not', { schema: { body: { not: sound } } }, () => 1)
expectError(app.post('/a', { schema: { body: { not: wrong } } }, () => 1))
app.post('/if', { schema: { body: { if: sound, then: true, else: false } } }, () => 1)
expectError(app.post('/a', { schema: { body: { if: sound, then: wrong } } }, () => 1))
app.post('/items', { schema: { body: { type: 'array', items: [sound, {}] } } }, () => 1)
expectError(app.post('/a', { schema: { body: { type: 'array', items: [sound, wrong] } } }, () => 1))
expectError(app.post('/a', { schema: { body: { type: 'array', items: t.String } } }, () => 1))
const pattern = { type: 'object', patternProperties: { '^x': sound } } as const
app.post('/pattern', { schema: { body: pattern } }, () => 1)
expectError(
  app.post('/a', { schema: { body: { ...pattern, patternProperties: { '^x': wrong } } } }, () => 1),
)
app.post('/others', { schema: { body: { ...pattern, additionalProperties: sound } } }, () => 1)
app.post('/closed', { schema: { body: { ...pattern, additionalProperties: false } } }, () => 1)
expectError(
  app.post('/a', { schema: { body: { ...pattern, additionalProperties: 'string' } } }, () => 1),
)
expectError(
  app.post(
    '/a',
    { schema: { body: { type: 'array', items: { properties: { a: { items: wrong } } } } } },
    () => 1,
  ),
)

// In the short form, and for a whole part.
app.post('/short', { schema: { body: { a: { type: 'string' }, b: true } } }, () => 1)
expectError(app.post('/a', { schema: { body: { a: 'string' } } }, () => 1))
expectError(app.post('/a', { schema: { body: { a: String } } }, () => 1))
expectError(app.get('/a', { schema: { querystring: { a: t.String } } }, () => 1))
expectError(app.get('/a/:id', { schema: { params: { id: 'integer' } } }, () => 1))
expectError(app.get('/a', { schema: { headers: { 'x-a': { type: 'sting' } } } }, () => 1))
expectError(app.post('/a', { schema: { body: t.String } }, () => 1))
const described = { description: 'text', a: sound } as const
app.get('/described', { schema: { querystring: described } }, () => 1)
expectError(app.get('/a', { schema: { querystring: { ...described, title: 'text' } } }, () => 1))

// In responses.
app.get('/response', { schema: { response: { 200: sound, 404: { description: '' } } } }, () => 1)
expectError(app.get('/a', { schema: { response: { 200: t.Integer } } }, () => 1))
expectError(app.get('/a', { schema: { response: { 200: { a: t.Integer } } } }, () => ({ a: 1 })))
expectError(app.get('/a', { schema: { response: { '2xx': { a: 'integer' } } } }, () => ({ a: 1 })))
expectError(app.get('/a', { schema: { response: { 200: wrong } } }, () => 1))

// For each media type.
const json = 'application/json'
app.post(
  '/content',
  {
    schema: {
      body: {
        content: {
          [json]: { schema: { a: t.Integer() } },
          'text/csv': { schema: z.string(), description: 'text' },
          'text/plain': { schema: sound },
          'text/*': { schema: {} as any },
        },
      },
      response: { 200: { content: { [json]: { schema: t.Integer() }, 'text/csv': any } } },
    },
  },
  () => 1,
)
expectError(
  app.post('/a', { schema: { body: { content: { [json]: { schema: 'string' } } } } }, () => 1),
)
expectError(
  app.post('/a', { schema: { body: { content: { [json]: { schema: t.String } } } } }, () => 1),
)
expectError(
  app.post('/a', { schema: { body: { content: { [json]: { schema: { a: 'b' } } } } } }, () => 1),
)
expectError(
  app.get('/a', { schema: { response: { 200: { content: { [json]: { schema: wrong } } } } } }, () =>
    String(),
  ),
)
const fields = { type: 'object', properties: { a: z.string() } } as const
expectError(
  app.get(
    '/a',
    { schema: { response: { 200: { content: { [json]: { schema: fields } } } } } },
    () => String(),
  ),
)

// In shared schemas.
const shared = espalier()
  .addSchema({ $id: 'a', type: 'object', properties: { a: sound, b: true } })
  .addSchema('b', { type: 'object', properties: { a: { type: 'string' } } })
expectType<'integer'>(shared.getSchema('a').properties.a.type)
expectError(app.addSchema({ $id: 'c', type: 'object', properties: { a: 'string' } }))
expectError(app.addSchema({ $id: 'c', type: 'sting' }))
expectError(app.addSchema('c', { type: 'object', properties: { a: t.String } }))
expectError(app.addSchema('c', t.String))
expectError(app.addSchema(z.object({ a: z.string() })))
expectError(app.addSchema('c', z.object({ a: z.string() })))
expectError(app.addSchema(Object.assign(z.object({}), { $id: 'c' as const })))
expectError(app.addSchema({ type: 'string' }))
expectError(app.addSchema(t.String({ $id: String() })))
declare const one: { $id: 'c'; type: 'string' } | { $id: 'd'; type: 'integer' }
expectType<typeof one>(app.addSchema(one).getSchema('d'))
expectType<'string'>(app.addSchema({ $id: 'c', type: 'string' } as const).getSchema('c').type)

// What is not known in types may be a schema.
declare const any: any
declare const record: Record<string, unknown>
declare const built: TSchema
declare const typed: JSONSchemaType<{ a: string; b?: number }>
declare const choice: boolean
const widened = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } }
const unknowns = { any, record, built, typed, widened, object: {} as object }
app.post('/any', { schema: { body: any, querystring: record, headers: typed } }, () => 1)
app.post('/unknowns', { schema: { body: unknowns } }, () => 1)
app.post('/inside', { schema: { body: { type: 'object', properties: unknowns } } }, () => 1)
app.post('/map', { schema: { body: { type: 'object', properties: record } } }, () => 1)
app.post('/either', { schema: { body: { a: choice ? { type: 'string' } : sound } } }, () => 1)
app.post('/may', { schema: { body: { a: sound, ...(choice && { b: sound }) } } }, () => 1)
expectError(app.post('/a', { schema: { body: { ...unknowns, a: 'string' } } }, () => 1))
expectError(app.post('/a', { schema: { body: { a: choice ? 'string' : sound } } }, () => 1))
interface Recursive {
  type: string
  properties?: Record<string, Recursive>
  items?: Recursive
}
app.addSchema('recursive', {} as Recursive)

// Data and keywords of one's own are no schemas.
app.post(
  '/data',
  {
    schema: {
      body: {
        type: 'object',
        properties: { a: { type: 'string', enum: ['a'], default: 'a', example: 'a', own: 'a' } },
        dependencies: { a: ['b'] },
      },
    },
  },
  () => 1,
)

// What has methods is of another library, for which a validator compiler is set.
class Struct {
  type = 'struct'
  field = 'text'
  hidden: unknown
  check(): boolean {
    return this.field !== ''
  }
}
class Untyped {
  field = 'text'
  hidden: any
  not(): this {
    return this
  }
}
app.post('/struct', { schema: { body: new Struct(), querystring: new Untyped() } }, () => 1)
expectError(app.post('/a', { schema: { body: { field: 'text' } } }, () => 1))

// A type that may be of a whole schema is not read as the short form of one.
interface LooseSchema {
  readonly type?: 'object'
  readonly properties?: Readonly<Record<string, { readonly type: 'string' }>>
  readonly description?: string
}
declare const loose: LooseSchema
app.post('/loose', { schema: { body: loose } }, () => 1)

// A function beside other keywords is one of the user's own.
app.post(
  '/own',
  { schema: { body: { a: { validate: (value: unknown) => value === 1 } } } },
  () => 1,
)
