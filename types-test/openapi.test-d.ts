// The types of documents: what `openapi` adds to a scope, and the words of a route's schema.
import espalier, { t } from 'espalier'
import { documentOf, type OpenApiDocument, openapi, secured } from 'espalier/openapi'
import { expectAssignable, expectError, expectNotType, expectType } from 'tsd'
import { z } from 'zod'

const info = { title: 'Albums', version: '1.0.0' }

// The decorator is there where the plugin is registered, and below.
const app = espalier().register(openapi({ info }))
expectType<OpenApiDocument>(app.openapi())
expectType<OpenApiDocument>(app.openapi('/internal.json'))
expectError(espalier().openapi())
app.register(async (scope) => {
  expectType<OpenApiDocument>(scope.openapi())
})
const outer = espalier()
outer.register(async (scope) => {
  const inner = scope.register(openapi({ info }))
  expectType<OpenApiDocument>(inner.openapi())
})
expectError(outer.openapi())

// Twice, for two documents.
const both = espalier()
  .register(openapi({ info }))
  .register(openapi({ info, path: '/internal.json', docs: false }))
expectType<OpenApiDocument>(both.openapi('/internal.json'))

// It changes nothing else of its scope.
const routed = app.get('/albums/:id', { schema: { params: { id: t.Integer() } } }, (request) => {
  expectType<number>(request.params.id)
  return request.params.id
})
routed.inject('GET /albums/:id', { params: { id: 1 } })

// Options
expectError(openapi({}))
expectError(openapi({ info: { title: 'x' } }))
expectError(openapi({ info, version: '2.0' }))
expectError(openapi({ info, docs: { ui: 'redoc' } }))
expectError(openapi({ info, paths: {} }))
openapi({ info, include: ({ method, config }) => method === 'GET' && config['internal'] !== true })
openapi({ info, jsonSchema: { zod: (schema: z.ZodType, io) => z.toJSONSchema(schema, { io }) } })
openapi({
  info,
  onRequest: async (request, reply) =>
    request.headers['x-key'] ? undefined : reply.code(401).send(),
})
openapi({ info, transform: (document) => ({ ...document, servers: [{ url: '/v1' }] }) })
openapi({ info, tags: [{ name: 'albums' }], security: [{ bearer: [] }], docs: false })
openapi({ info, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } })
expectError(openapi({ info, securitySchemes: { bearer: { type: 'http' } } }))
expectError(openapi({ info, security: [{ bearer: 'read' }] }))
expectType<Promise<OpenApiDocument>>(documentOf(app, { version: '3.0' }))
expectType<Promise<OpenApiDocument>>(documentOf(espalier(), { info }))

// A marked hook keeps its type.
const hook = async (request: { headers: object }): Promise<void> => void request.headers
expectType<typeof hook>(secured(hook, { bearer: { type: 'http', scheme: 'bearer' } }, ['read']))
expectError(secured(hook, { bearer: { type: 'http' } }))
expectError(secured(hook, { key: { type: 'apiKey', in: 'body', name: 'x' } }))
app.addHook(
  'onRequest',
  secured(async (request) => void request.headers, {
    key: { type: 'apiKey', in: 'header', name: 'x-key' },
  }),
)

// The words of a route's schema
const words = {
  summary: 'One album',
  description: 'With its tracks.',
  tags: ['albums'],
  deprecated: false,
  operationId: 'getAlbum',
  hide: false,
  security: [{ bearer: ['read'] }, {}],
  servers: [{ url: 'https://example.org' }],
  callbacks: {},
  externalDocs: { url: 'https://example.org/docs' },
  examples: { first: { summary: 'The first', value: 1 } },
  consumes: ['application/json'],
  produces: ['application/json'],
  'x-internal': true,
} as const
app.post('/words', { schema: { ...words, body: t.Integer() } }, (request) => {
  expectType<number>(request.body)
  return request.body
})
expectError(app.get('/a', { schema: { summary: 1 } }, () => 'a'))
expectError(app.get('/a', { schema: { tags: 'albums' } }, () => 'a'))
expectError(app.get('/a', { schema: { hide: 'yes' } }, () => 'a'))
expectError(app.get('/a', { schema: { deprecated: 1 } }, () => 'a'))
expectError(app.get('/a', { schema: { operationId: 1 } }, () => 'a'))
expectError(app.get('/a', { schema: { externalDocs: 'https://example.org' } }, () => 'a'))
expectError(app.get('/a', { schema: { security: { bearer: [] } } }, () => 'a'))
expectError(app.get('/a', { schema: { servers: ['https://example.org'] } }, () => 'a'))
expectError(app.get('/a', { schema: { examples: [1] } }, () => 'a'))
expectError(app.get('/a', { schema: { sumary: 'a' } }, () => 'a'))

// The document is plain data.
expectAssignable<{ openapi: string; paths: object }>(app.openapi())
const [operation] = Object.values(app.openapi().paths).map((item) => item.get)
expectNotType<any>(operation)
expectType<string | undefined>(operation?.operationId)
