// A schema that stops the boot, or refuses each request, is refused where that is plain; what a type leaves open is not.
import espalier, { t, type TObject, type TSchema } from 'espalier'
import { expectError, expectType } from 'tsd'
import Type from 'typebox'
import { z } from 'zod'

const app = espalier()
const Page = t.Object({ page: t.Integer() })
const page = { type: 'object', properties: { page: { type: 'integer' } } } as const
declare const any: any
declare const choice: boolean

// The query has one schema, under one of two names.
app.get('/query', { schema: { query: Page } }, ({ query }) => {
  expectType<number>(query.page)
  return 1
})
app.get('/may', { schema: { querystring: Page, ...(choice && { query: Page }) } }, () => 1)
app.get('/any', { schema: { querystring: any, query: Page } }, () => 1)
expectError(app.get('/a', { schema: { querystring: Page, query: Page } }, () => 1))
expectError(app.get('/a', { schema: { querystring: page, query: page } }, () => 1))
expectError(app.get('/a', { schema: { querystring: { a: t.String() }, query: page } }, () => 1))
expectError(
  app.route({
    method: 'GET',
    url: '/a',
    schema: { querystring: Page, query: Page },
    handler: () => 1,
  }),
)

// Of a request, all but the body is an object.
const list = { type: 'array', items: { type: 'string' } } as const
const widened = { type: 'string' }
const either = choice ? t.Integer() : Page
app.post('/body', { schema: { body: t.Integer() } }, () => 1)
app.get('/union', { schema: { querystring: t.Union([t.Integer(), Page]) } }, () => 1)
app.get('/unknown', { schema: { querystring: t.Unknown(), headers: t.Any() } }, () => 1)
app.get('/record', { schema: { querystring: t.Record(t.String(), t.String()) } }, () => 1)
app.get('/both', { schema: { querystring: t.Intersect([Page, Page]), headers: any } }, () => 1)
app.get('/types', { schema: { querystring: { type: ['object', 'null'] } } }, () => 1)
app.get('/widened', { schema: { querystring: widened, headers: {} as object } }, () => 1)
app.get('/either', { schema: { querystring: either } }, () => 1)
app.get('/field', { schema: { querystring: { type: t.String(), items: t.String() } } }, () => 1)
expectError(app.get('/a', { schema: { querystring: z.string() } }, () => 1))
const split = t
  .Transform(t.String())
  .Decode((text) => text.split(','))
  .Encode((items) => items.join())
app.get('/transform', { schema: { querystring: split } }, () => 1)
app.get('/unsafe', { schema: { querystring: t.Unsafe<{ a: string }>({}) } }, () => 1)
app
  .addSchema('page', Page)
  .get('/ref', { schema: { querystring: t.Ref('page#'), headers: { $ref: 'page#' } } }, () => 1)
expectError(app.get('/a', { schema: { querystring: t.Integer() } }, () => 1))
expectError(app.get('/a', { schema: { query: t.String() } }, () => 1))
expectError(app.get('/a', { schema: { headers: t.Array(t.String()) } }, () => 1))
expectError(app.get('/a/:id', { schema: { params: t.Literal('a') } }, () => 1))
expectError(app.get('/a/:id', { schema: { params: { type: 'string' } } }, () => 1))
expectError(app.get('/a', { schema: { querystring: list } }, () => 1))
expectError(app.get('/a', { schema: { query: list } }, () => 1))
expectError(app.get('/a', { schema: { querystring: { type: ['string', 'null'] } } }, () => 1))
expectError(app.get('/a', { schema: { querystring: Type.Integer() } }, () => 1))

// Of a type parameter nothing is said.
export const search = <Schema extends TSchema>(querystring: Schema) =>
  espalier().get('/', { schema: { querystring } }, () => 1)
export const find = <Schema extends TObject>(params: Schema) =>
  espalier().get('/', { schema: { params } }, () => 1)
export const marked = <Fields extends object>(headers: Fields) =>
  espalier().get('/', { schema: { headers } }, () => 1)
