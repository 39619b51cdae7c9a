// Documents of routes: @fastify/swagger, @fastify/swagger-ui, @scalar/fastify-api-reference.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import apiReference from '@scalar/fastify-api-reference'
import { t as type } from '../../src/index.ts'
import { serve } from '../support/serve.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const openapi = {
  info: { title: 'Album', version: '1.0.0' },
  components: { securitySchemes: { key: { type: 'apiKey', name: 'key', in: 'header' } } },
}

/** Routes with schemas of each kind. */
async function album(options: object): Promise<UntypedServer> {
  const app = untyped()
  await app.register(swagger, options)
  app.addSchema({ $id: 'Photo', type: 'object', properties: { id: { type: 'integer' } } })
  const params = type.Object({ id: type.Integer() })
  const querystring = { size: { type: 'string', enum: ['s', 'l'], default: 's' } }
  const response = { 200: { $ref: 'Photo#' }, '4xx': { message: { type: 'string' } } }
  const said = { tags: ['photos'], summary: 'One photo', security: [{ key: [] }] }
  app.get('/photos/:id', { schema: { ...said, params, querystring, response } }, () => ({}))
  const body = type.Object({
    title: type.String({ minLength: 1 }),
    note: type.Optional(type.String()),
  })
  app.register(
    async (inside) => {
      inside.post('/photos', { schema: { body, headers: { key: { type: 'string' } } } }, () => ({}))
      inside.get('/hidden', { schema: { hide: true } }, () => ({}))
    },
    { prefix: '/v2' },
  )
  return app
}

test('@fastify/swagger describes all routes by their schemas, as OpenAPI', async () => {
  const app: any = await album({ openapi })
  await app.ready()
  const { paths, components, info } = app.swagger()
  assert.equal(info.title, 'Album')
  assert.deepEqual(Object.keys(paths), ['/photos/{id}', '/v2/photos'])
  const one = paths['/photos/{id}'].get
  assert.deepEqual([one.tags, one.summary, one.security], [['photos'], 'One photo', [{ key: [] }]])
  assert.deepEqual(one.parameters, [
    {
      schema: { type: 'string', enum: ['s', 'l'], default: 's' },
      in: 'query',
      name: 'size',
      required: false,
    },
    { schema: { type: 'integer' }, in: 'path', name: 'id', required: true },
  ])
  const photo = one.responses[200].content['application/json'].schema
  assert.deepEqual(photo, { $ref: '#/components/schemas/def-0' })
  assert.equal(components.schemas['def-0'].title, 'Photo')
  assert.ok('4XX' in one.responses)
  const { post } = paths['/v2/photos']
  const { schema } = post.requestBody.content['application/json']
  assert.deepEqual(schema.required, ['title'])
  assert.deepEqual(schema.properties.title, { minLength: 1, type: 'string' })
  assert.deepEqual(post.parameters[0].in, 'header')
  assert.match(app.swagger({ yaml: true }), /^openapi: 3/)
})

test('@fastify/swagger names shared schemas, leaves routes out, and speaks Swagger 2', async () => {
  const refResolver = { buildLocalReference: ({ $id }: { $id: string }) => $id }
  const transform = ({ schema, url }: any) => ({ schema, url: url.replace('/v2', '') })
  const { securitySchemes: securityDefinitions } = openapi.components
  const old = { info: openapi.info, securityDefinitions }
  const app: any = await album({ swagger: old, refResolver, transform })
  await app.ready()
  const document = app.swagger()
  assert.equal(document.swagger, '2.0')
  assert.deepEqual(Object.keys(document.definitions), ['Photo'])
  assert.deepEqual(Object.keys(document.paths), ['/photos/{id}', '/photos'])
  const one = document.paths['/photos/{id}'].get
  assert.deepEqual(one.responses[200].schema, { $ref: '#/definitions/Photo' })
})

test('@fastify/swagger is no obstacle to validation', async (t) => {
  const ask = await serve(t, await album({ openapi }))
  assert.equal((await ask('/photos/x')).status, 400)
  assert.equal((await ask('/photos/1')).status, 200)
})

test('@fastify/swagger-ui serves a page, its files and the document', async (t) => {
  const app = await album({ openapi })
  await app.register(swaggerUi, { routePrefix: '/docs', uiConfig: { deepLinking: true } })
  const ask = await serve(t, app)
  const page = await ask('/docs')
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(await page.text(), /<title>Swagger UI<\/title>/)
  const script = await ask('/docs/static/swagger-ui-bundle.js')
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
  assert.match(
    await (await ask('/docs/static/swagger-initializer.js')).text(),
    /"deepLinking":true/,
  )
  assert.deepEqual(Object.keys((await (await ask('/docs/json')).json()).paths).length, 2)
  assert.match(await (await ask('/docs/yaml')).text(), /^openapi: 3/)
  assert.equal((await ask('/docs/static/none.js')).status, 404)
})

test('@fastify/swagger-ui asks hooks of its own first, which are for its routes only', async (t) => {
  const app = await album({ openapi })
  const onRequest = (request: any, reply: any, done: () => void) =>
    request.headers.key === 'right' ? done() : reply.code(401).send({ refused: true })
  await app.register(swaggerUi, { routePrefix: '/docs', uiHooks: { onRequest } })
  const ask = await serve(t, app)
  assert.equal((await ask('/docs')).status, 401)
  assert.equal((await ask('/docs', { headers: { key: 'right' } })).status, 200)
  assert.equal((await ask('/photos/1')).status, 200)
})

test('@scalar/fastify-api-reference serves a page and the document of @fastify/swagger', async (t) => {
  const app = await album({ openapi })
  await app.register(apiReference, { routePrefix: '/reference', configuration: { theme: 'moon' } })
  const ask = await serve(t, app)
  const page = await ask('/reference/')
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(await page.text(), /"theme": ?"moon"/)
  const document = await (await ask('/reference/openapi.json')).json()
  assert.deepEqual(Object.keys(document.paths), ['/photos/{id}', '/v2/photos'])
  assert.match(await (await ask('/reference/openapi.yaml')).text(), /^openapi: 3/)
  const script = await ask('/reference/js/scalar.js')
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
  // It has three megabytes, for whose end a server that closes would wait.
  await script.body?.cancel()
  assert.equal((await ask('/reference', { redirect: 'manual' })).status, 301)
})

test('@scalar/fastify-api-reference serves a document that it is given', async (t) => {
  const content = { openapi: '3.1.0', info: openapi.info, paths: {} }
  const options = { routePrefix: '/docs', configuration: { content } }
  const ask = await serve(t, untyped().register(apiReference, options))
  assert.deepEqual(await (await ask('/docs/openapi.json')).json(), content)
})
