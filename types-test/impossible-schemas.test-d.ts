// A schema that stops the boot, or refuses each request, is refused where that is plain; what a type leaves open is not.
import espalier, { t } from 'espalier'
import { expectError, expectType } from 'tsd'

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
