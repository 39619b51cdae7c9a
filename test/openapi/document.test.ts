// Documents, as `documentOf` gives them. `tools.mjs` shows them to validators and to generators of clients.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import basicAuth from '@fastify/basic-auth'
import bearerAuth from '@fastify/bearer-auth'
import formbody from '@fastify/formbody'
import jwt from '@fastify/jwt'
import multipart, { ajvFilePlugin } from '@fastify/multipart'
import { t } from '../../src/index.ts'
import { documentOf, type OpenApiDocument, secured } from '../../src/openapi/index.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const info = { title: 'Album', version: '1.0.0' }
const loose = { ajv: { customOptions: { strict: false } } }

/** The document of what a function adds to a server. */
async function tell(add: (app: UntypedServer) => void, options: object = {}): Promise<any> {
  const app = untyped(loose)
  add(app)
  const document: OpenApiDocument = await documentOf(app, { info, ...options })
  await app.close()
  return document
}

/** A body schema as the document has it. */
async function tellBody(body: unknown): Promise<any> {
  const { paths, components } = await tell((app) => app.post('/', { schema: { body } }, () => ({})))
  return { schema: paths['/'].post.requestBody.content['application/json'].schema, components }
}

const pet = (kind: object, id?: string) => ({
  ...(id !== undefined && { $id: id }),
  type: 'object',
  required: ['kind'],
  properties: { kind },
})

test('a discriminator leads to components by the values of its property', async () => {
  const discriminator = { propertyName: 'kind' }
  const oneOf = [pet({ const: 'cat' }, 'Cat'), pet({ enum: ['dog', 'wolf'] }, 'Dog')]
  const { schema } = await tellBody({ type: 'object', discriminator, oneOf })
  const [cat, dog] = ['#/components/schemas/Cat', '#/components/schemas/Dog']
  assert.deepEqual(schema.discriminator, {
    propertyName: 'kind',
    mapping: { cat, dog, wolf: dog },
  })
  const named = await tellBody(
    t.Union([
      t.Object({ a: t.Literal('x') }, { $id: 'X' }),
      t.Object({ a: t.Literal('y') }, { $id: 'Y' }),
    ]),
  )
  assert.equal(named.schema.discriminator.propertyName, 'a')
})

test('a sensitive value is one that is only written, without its default', async () => {
  const Token = t.Sensitive(t.String({ default: 'hunter2-hunter2', minLength: 8 }))
  const User = t.Object({ name: t.String(), token: Token }, { $id: 'User' })
  for (const version of ['3.1', '3.0'] as const) {
    const { paths, components } = await tell(
      (app) =>
        app
          .post(
            '/',
            { schema: { body: User, response: { 200: t.Omit(User, ['token']) } } },
            () => ({}),
          )
          .get(
            '/',
            { schema: { response: { 200: t.Object({ token: t.Reveal(Token) }) } } },
            () => ({}),
          ),
      { version },
    )
    const shown = { type: 'string', minLength: 8 }
    // The two directions differ by the default.
    const { UserInput } = components.schemas
    assert.deepEqual(UserInput.properties.token, { ...shown, writeOnly: true })
    const { schema } = paths['/'].get.responses[200].content['application/json']
    assert.deepEqual(schema.properties.token, shown)
    assert.doesNotMatch(JSON.stringify([paths, components]), /hunter2|sensitive/)
  }
})

test('alternatives without names have no discriminator', async () => {
  const discriminator = { propertyName: 'kind' }
  const oneOf = [pet({ const: 'cat' }), pet({ const: 'dog' })]
  const { schema } = await tellBody({ type: 'object', discriminator, oneOf })
  assert.deepEqual(schema, { type: 'object', oneOf })
  const alike = [pet({ const: 'cat' }, 'A'), pet({ const: 'cat' }, 'B')]
  assert.equal('discriminator' in (await tellBody({ anyOf: alike })).schema, false)
})

test('documents of strict routes say that objects have no other fields', async () => {
  const closed = { additionalProperties: false }
  const user = t.Object({ id: t.Integer(), in: t.Object({ a: t.Null() }) }, { $id: 'User' })
  const member = t.Object({ kind: t.Literal('x') }, { $id: 'Member' })
  const { paths, components } = await tell((app) => {
    app.addSchema(user).addSchema(member)
    app.register(
      (strict) => {
        const response = { 200: t.Union([t.Ref('Member'), t.Object({ b: t.Null() })]) }
        strict.post('/user', { schema: { body: t.Ref('User'), response } }, () => ({}))
        const joined = t.Intersect([t.Ref('Member'), t.Object({ c: t.Null() }, closed)])
        const map = t.Record(t.String(), t.Object({ d: t.Null() }))
        strict.post('/joined', { schema: { body: joined, response: { 200: map } } }, () => ({}))
        const free = t.Union([t.Object({ e: t.Null() }), t.Unsafe({ type: 'object' })])
        strict.post('/free', { schema: { body: free } }, () => ({}))
        strict.post('/loose', { strict: false, schema: { body: member } }, () => ({}))
      },
      { strict: true } as never,
    )
  })
  const schemas = (path: string) => {
    const { requestBody, responses } = paths[path].post
    const of = (each: any) => each?.content?.['application/json']?.schema
    return { body: of(requestBody), reply: of(responses[200]) }
  }
  // A component for whole values is closed itself; one for parts is closed where it is used.
  assert.deepEqual(schemas('/user').body, { $ref: '#/components/schemas/User' })
  assert.equal(components.schemas.User.additionalProperties, false)
  assert.equal(components.schemas.User.properties.in.additionalProperties, false)
  const { reply } = schemas('/user')
  assert.equal(reply.unevaluatedProperties, false)
  assert.equal(components.schemas.Member.additionalProperties, undefined)
  const { body: joined, reply: map } = schemas('/joined')
  assert.equal(joined.unevaluatedProperties, false)
  assert.deepEqual(
    joined.allOf.map((each: any) => each.additionalProperties),
    [undefined, undefined],
  )
  assert.equal(map.additionalProperties.additionalProperties, false)
  // An object of any fields stays one.
  const open = schemas('/free').body.anyOf.map((each: any) => each.additionalProperties)
  assert.deepEqual(open, [undefined, true])
  assert.equal(schemas('/loose').body.unevaluatedProperties, undefined)
})

test('callbacks are told as they are written', async () => {
  const oneOf = [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }]
  const schema = { oneOf, discriminator: { propertyName: 'kind' } }
  const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} }
  const callbacks = { done: { '{$request.body#/url}': { post } } }
  const { paths } = await tell((app) => app.get('/', { schema: { callbacks } }, () => ({})))
  assert.deepEqual(paths['/'].get.callbacks, callbacks)
})

test('names of components do not depend on the order of registration, nor on other plugins', async () => {
  const part = (item: object) => async (scope: UntypedServer) => {
    scope.addSchema({ $id: 'Item', type: 'object', properties: item })
    scope.get('/item', { schema: { response: { 200: { $ref: 'Item#' } } } }, () => ({}))
  }
  const parts = { '/a': { a: { type: 'string' } }, '/b': { b: { type: 'number' } } }
  const documents = [
    ['/a', '/b'],
    ['/b', '/a'],
    ['/c', '/a', '/b'],
  ].map((prefixes) =>
    tell((app) => {
      for (const prefix of prefixes) {
        const item = prefix === '/a' || prefix === '/b' ? parts[prefix] : undefined
        const add = item === undefined ? async () => {} : part(item)
        app.register(async (scope) => add(scope), { prefix })
      }
    }),
  )
  const [first, ...others] = await Promise.all(documents)
  assert.deepEqual(
    Object.keys(first.components.schemas).filter((name) => /Item/.test(name)),
    ['a.Item', 'b.Item'],
  )
  for (const other of others) assert.deepEqual(other, first)
})

test('a form is offered for bodies that it can carry', async () => {
  const number = { type: 'number' }
  const object = { type: 'object', properties: { a: number } }
  const list = (items: object) => ({ type: 'array', items })
  const form = 'application/x-www-form-urlencoded'
  const fields = [number, list(number), { anyOf: [object, number] }, {}, object, list(object)]
  const { paths } = await tell((app) => {
    app.register(formbody)
    app.register(async (scope) => {
      for (const [index, field] of fields.entries()) {
        const body = { type: 'object', properties: { field } }
        scope.post(`/${index}`, { schema: { body } }, () => ({}))
      }
    })
  })
  const isOffered = fields.map((_, index) => {
    return form in paths[`/${index}`].post.requestBody.content
  })
  assert.deepEqual(isOffered, [true, true, true, true, false, false])
})

test('guards of one name that differ are different schemes', async () => {
  const guard = (name: string) =>
    secured(async () => {}, { key: { type: 'apiKey', in: 'header', name } })
  const { paths, components } = await tell((app) => {
    app.get('/a', { onRequest: guard('x-a') }, () => ({}))
    app.get('/b', { onRequest: guard('x-b') }, () => ({}))
    app.get('/c', { onRequest: guard('x-a') }, () => ({}))
  })
  const security = ['/a', '/b', '/c'].map((path) => paths[path].get.security)
  assert.deepEqual(security, [[{ key: [] }], [{ key2: [] }], [{ key: [] }]])
  const { key, key2 } = components.securitySchemes
  assert.deepEqual([key.name, key2.name], ['x-a', 'x-b'])
})

test('published plugins have schemes of their own', async () => {
  const { paths } = await tell((app) => {
    app.register(async (inside) => {
      inside.register(bearerAuth, { keys: ['key'] })
      inside.get('/bearer', () => ({}))
    })
    app.register(async (inside: any) => {
      await inside.register(basicAuth, { validate: async () => {} })
      inside.get('/basic', { onRequest: inside.basicAuth }, () => ({}))
    })
    app.register(async (inside: any) => {
      await inside.register(bearerAuth, { keys: ['key'], addHook: false })
      inside.addHook('onRequest', inside.verifyBearerAuth)
      inside.register(async (below: any) => below.get('/bearer-below', () => ({})))
    })
  })
  for (const path of ['/bearer', '/basic', '/bearer-below']) {
    const [, name = ''] = /^\/(\w+)/.exec(path) ?? []
    assert.deepEqual(paths[path].get.security, [{ [name]: [] }])
  }
})

test('no hook is a guard by its source or by its name', async () => {
  const { paths } = await tell((app) => {
    app.register(jwt, { secret: 'change me' })
    app.register(bearerAuth, { keys: ['key'], addHook: false })
    app.register(async (inside) => {
      inside.addHook('onRequest', async function verifyBearerAuth(request: any) {
        const token = await request.jwtVerify().catch(() => undefined)
        if (token?.session === 'bad') throw new Error('bad')
      })
      inside.get('/open', () => ({}))
    })
  })
  assert.equal(paths['/open'].get.security, undefined)
})

test('without a guard no security is needed, and the document says so', async () => {
  const add = (app: UntypedServer) => app.get('/', () => ({}))
  const { security, paths } = await tell(add)
  assert.deepEqual([security, paths['/'].get.security], [[], undefined])
  assert.deepEqual((await tell(add, { security: [{ key: [] }] })).security, [{ key: [] }])
})

test('where no response is declared, anything may come', async () => {
  const { paths } = await tell((app) => {
    app.get('/', () => ({})).head('/head', (_request, reply) => reply.send())
    app.get(
      '/bare',
      { schema: { response: { 200: { description: 'Done' } } } },
      (_request, reply) => reply.send(),
    )
  })
  assert.deepEqual(paths['/'].get.responses[200], { description: 'OK', content: { '*/*': {} } })
  assert.deepEqual(paths['/head'].head.responses[200], { description: 'OK' })
  assert.deepEqual(paths['/bare'].get.responses[200], { description: 'Done' })
})

test('a response that takes anything has no other schema for errors', async () => {
  const { paths } = await tell((app) => {
    const body = t.Object({})
    const any = { description: 'Anything', content: { '*/*': {} } }
    app.post('/a', { schema: { body, response: { default: t.Any() } } }, () => ({}))
    app.post('/b', { schema: { body, response: { default: any } } }, () => ({}))
  })
  for (const path of ['/a', '/b']) {
    const { content } = paths[path].post.responses.default
    assert.deepEqual(Object.keys(content), ['*/*'])
  }
})

test('bytes and texts of any schema are told as such, and their body may be missing', async () => {
  const { paths } = await tell((app) => {
    const any = { schema: t.Any() }
    const content = { 'application/pdf': any, 'text/csv': any, 'multipart/form-data': any }
    app.post('/', { schema: { body: { content } } }, () => ({}))
  })
  const { content, required } = paths['/'].post.requestBody
  assert.equal(required, false)
  assert.deepEqual(content, {
    'application/pdf': { schema: { type: 'string', format: 'binary' } },
    'text/csv': { schema: { type: 'string' } },
    'multipart/form-data': { schema: {} },
  })
})

test('the fields of a form with files are told as their values', async () => {
  const field = (value: object) => ({ type: 'object', properties: { value } })
  const properties = {
    photo: { isFile: true },
    title: field({ type: 'string' }),
    tags: { type: 'array', items: field({ type: 'string' }) },
    place: { type: 'object', properties: { lat: { type: 'number' } } },
  }
  const app = untyped({ ajv: { plugins: [ajvFilePlugin] } })
  app.register(multipart, { attachFieldsToBody: true })
  app.post('/', { schema: { body: { type: 'object', properties } } }, () => ({}))
  const { paths }: any = await documentOf(app, { info })
  const { schema } = paths['/'].post.requestBody.content['multipart/form-data']
  assert.deepEqual(schema.properties, {
    photo: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
    title: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    place: properties.place,
  })
})

test('hosts that a route is for are told', async () => {
  const { paths } = await tell((app) => {
    app.get('/one', { constraints: { host: 'a.example' } }, () => ({}))
    app.get('/many', { constraints: { host: /^a\./ } }, () => ({}))
  })
  assert.deepEqual(paths['/one'].get.servers, [{ url: '//a.example' }])
  assert.deepEqual(paths['/many'].get['x-constraints'], { host: '/^a\\./' })
})

test('names of components have only the signs that OpenAPI allows', async () => {
  const tree = t.Recursive((self) => t.Object({ below: t.Array(self) }))
  const box = (name: string) => ({
    200: t.Object({ [name]: t.String() }, { $id: 'Box' }),
    201: t.Object({ [name]: t.String() }, { $id: '箱' }),
  })
  const { components, paths } = await tell((app) => {
    for (const [at, name] of ['@acme/users plugin', '用户'].entries()) {
      const scope = async (inside: UntypedServer) =>
        inside.get(`/${at}`, { schema: { response: box(name) } }, () => ({}))
      app.register(Object.defineProperty(scope, 'name', { value: name }))
    }
    app.post('/größe', { schema: { body: tree } }, () => ({}))
    app.put('/tree', { schema: { body: tree, operationId: 'put a tree!' } }, () => ({}))
  })
  const names = Object.keys(components.schemas)
  assert.deepEqual(
    names.filter((name) => !/^[\w.-]+$/.test(name)),
    [],
  )
  assert.ok(names.includes('acme.users.plugin.Box') && names.includes('Get1201'), names.join())
  const { $ref } = paths['/größe'].post.requestBody.content['application/json'].schema
  assert.equal($ref, '#/components/schemas/PostGr.eBody')
})

test('a property may have the name of one that every object has', async () => {
  const { schema } = await tellBody({
    anyOf: [
      {
        $id: 'A',
        type: 'object',
        required: ['constructor'],
        properties: { constructor: { const: 'a' } },
      },
      { $id: 'B', type: 'object', properties: { b: { type: 'string' } } },
    ],
  })
  assert.equal('discriminator' in schema, false)
})

test('paths begin with a slash, and braces in them are no parameters', async () => {
  const { paths } = await tell((app) => {
    app.options('*', () => ({}))
    app.get('/a/{b}', () => ({}))
  })
  assert.deepEqual(Object.keys(paths), ['/a/%7Bb%7D', '/{path}'])
})

test('no two parameters of a path have one name', async () => {
  const { paths } = await tell((app) => {
    app.get('/a/:x/b/:x', () => ({}))
    app.get('/:path/:path2/*', () => ({}))
  })
  const names = Object.values(paths).map(({ get }: any) =>
    get.parameters.map((each: any) => each.name),
  )
  assert.deepEqual(Object.keys(paths), ['/a/{x}/b/{x2}', '/{path}/{path2}/{path3}'])
  assert.deepEqual(names, [
    ['x', 'x2'],
    ['path', 'path2', 'path3'],
  ])
})

test('two routes that differ in a slash at the end are two; one route is one', async () => {
  const { paths } = await tell((app) => {
    app.get('/a', () => ({})).get('/a/', () => ({}))
    app.register(async (inside) => inside.get('/', () => ({})), { prefix: '/b' })
  })
  assert.deepEqual(Object.keys(paths), ['/a', '/a/', '/b'])
})

test('a header that the version of a route needs is told once', async () => {
  const headers = { type: 'object', properties: { 'Accept-Version': { type: 'string' } } }
  const { paths } = await tell((app) =>
    app.get('/', { constraints: { version: '1.0.0' }, schema: { headers } }, () => ({})),
  )
  assert.deepEqual(
    paths['/'].get.parameters.map((each: any) => [each.name, each.required]),
    [['accept-version', true]],
  )
})

test('a body for a parser of all types may have any type', async () => {
  const { paths } = await tell((app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', async () => ({}))
    app.post('/', { schema: { body: { type: 'object' } } }, () => ({}))
  })
  assert.deepEqual(Object.keys(paths['/'].post.requestBody.content), ['*/*'])
})

test('two guards of one route keep their schemes, also under one name', async () => {
  const guard = (scheme: object, scopes: string[] = []) =>
    secured(async () => {}, scheme as never, scopes)
  const constructor = { type: 'http', scheme: 'digest' }
  const { paths, components } = await tell((app) => {
    const key = { key: { type: 'http', scheme: 'bearer' } }
    const onRequest = [guard(key, ['read']), guard({ key: constructor }), guard({ constructor })]
    app.get('/', { onRequest }, () => ({}))
  })
  assert.deepEqual(paths['/'].get.security, [{ key: ['read'], key2: [], constructor: [] }])
  assert.deepEqual(components.securitySchemes, {
    constructor,
    key: { type: 'http', scheme: 'bearer' },
    key2: constructor,
  })
  const odd = tell((app) =>
    app.get('/', { onRequest: guard({ 'my key!': constructor }) }, () => ({})),
  )
  await assert.rejects(odd, {
    code: 'ESP_ERR_OPENAPI_ROUTE',
    message: /GET \/ in root: the security scheme 'my key!'/,
  })
})

test('a mark without schemes says that a hook lets everybody pass, and opens no other guard', async () => {
  const key = { key: { type: 'apiKey', in: 'header', name: 'x-key' } } as const
  const { paths } = await tell((app: any) => {
    app.register(basicAuth, { validate: async () => {} })
    app.register(async (inside: any) => {
      const open = secured(inside.basicAuth, {})
      inside.get('/open', { onRequest: open }, () => ({}))
      inside.get('/both', { onRequest: [secured(async () => {}, key), open] }, () => ({}))
    })
  })
  assert.deepEqual(paths['/open'].get.security, undefined)
  assert.deepEqual(paths['/both'].get.security, [{ key: [] }])
})

test('what a route declares may refer to the schemes of its hooks', async () => {
  const key = { type: 'apiKey', in: 'header', name: 'x-key' } as const
  const security = [{}, { key: [] }]
  const { paths, components } = await tell((app) =>
    app.get('/', { onRequest: secured(async () => {}, { key }), schema: { security } }, () => ({})),
  )
  assert.deepEqual([paths['/'].get.security, components.securitySchemes], [security, { key }])
})

test('a converter that gives a promise is refused, and its rejection ends nothing', async () => {
  const body = { '~standard': { version: 1, vendor: 'late', validate: () => ({ value: 1 }) } }
  const late = async () => {
    throw new Error('late')
  }
  await assert.rejects(
    tell((app) => app.post('/', { schema: { body } }, () => ({})), { jsonSchema: { late } }),
    { code: 'ESP_ERR_OPENAPI_ROUTE', message: /body: The jsonSchema of 'late' returned a promise/ },
  )
})

test('the items of a stream are told from version 3.2 on; before, a stream is text', async () => {
  const content = {
    'text/event-stream': { itemSchema: { $ref: 'tick#' }, description: 'Ticks' },
    'application/jsonl': { itemSchema: { n: t.Integer() }, examples: [{ n: 1 }] },
  }
  const add = (app: UntypedServer) =>
    app
      .addSchema({ $id: 'tick', type: 'object', properties: { n: { type: 'integer' } } })
      .get('/', { schema: { response: { 200: { content } } } }, () => [].values())
  const told = async (version: string) => {
    const { paths, components } = await tell(add, { version })
    return { content: paths['/'].get.responses[200].content, schemas: components?.schemas }
  }
  const text = { type: 'string' }
  const { content: now, schemas } = await told('3.2')
  const [events, lines] = [now['text/event-stream'], now['application/jsonl']]
  assert.deepEqual(events, {
    itemSchema: {
      type: 'object',
      properties: {
        data: {
          ...text,
          contentMediaType: 'application/json',
          contentSchema: { $ref: '#/components/schemas/tick' },
        },
        event: text,
        id: text,
        retry: { type: 'integer', minimum: 0 },
      },
      required: ['data'],
    },
    description: 'Ticks',
  })
  assert.deepEqual(schemas.tick.properties, { n: { type: 'integer' } })
  assert.deepEqual(lines.itemSchema.properties, { n: { type: 'integer' } })
  assert.deepEqual(lines.examples, { example1: { value: { n: 1 } } })
  for (const version of ['3.1', '3.0']) {
    const before = await told(version)
    assert.deepEqual(before.content['text/event-stream'].schema, text)
    assert.deepEqual(before.content['application/jsonl'].schema, text)
    assert.equal('itemSchema' in before.content['application/jsonl'], false)
    assert.equal(before.schemas?.tick, undefined)
  }
})
