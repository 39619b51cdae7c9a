// Schemas of zod, valibot and arktype as parts of routes: each library validates by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from 'arktype'
import * as v from 'valibot'
import * as z from 'zod'
import espalier, { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

/** The same schemas in each library: a number that may come as text, and what has a default. */
const libraries = {
  zod: {
    id: z.object({ id: z.coerce.number() }),
    page: z.object({ page: z.coerce.number().default(1), q: z.string().optional() }),
    count: z.object({ 'x-count': z.coerce.number() }),
    name: z.object({ name: z.string().transform((text) => text.length) }),
    reply: z.object({ id: z.number(), at: z.date() }),
    closed: z.strictObject({ a: z.string() }),
    list: z.object({ list: z.array(z.object({ 'a/b~': z.number() })) }),
  },
  valibot: {
    id: v.object({ id: v.pipe(v.string(), v.transform(Number), v.number()) }),
    page: v.object({
      page: v.pipe(v.optional(v.string(), '1'), v.transform(Number)),
      q: v.optional(v.string()),
    }),
    count: v.object({ 'x-count': v.pipe(v.string(), v.transform(Number)) }),
    name: v.object({
      name: v.pipe(
        v.string(),
        v.transform((text) => text.length),
      ),
    }),
    reply: v.object({ id: v.number(), at: v.date() }),
    closed: v.strictObject({ a: v.string() }),
    list: v.object({ list: v.array(v.object({ 'a/b~': v.number() })) }),
  },
  arktype: {
    id: type({ id: 'string.numeric.parse' }),
    page: type({ page: type('string.numeric.parse').default('1'), 'q?': 'string' }),
    count: type({ 'x-count': 'string.numeric.parse', '+': 'delete' }),
    name: type({ name: type('string').pipe((text) => text.length) }),
    reply: type({ id: 'number', at: 'Date', '+': 'delete' }),
    closed: type({ a: 'string', '+': 'reject' }),
    list: type({ list: type({ 'a/b~': 'number' }).array() }),
  },
}

for (const [library, schemas] of Object.entries(libraries)) {
  test(`${library} validates all parts, and the handler reads what comes out`, async () => {
    const app = untyped().post(
      '/:id',
      {
        schema: {
          params: schemas.id,
          querystring: schemas.page,
          headers: schemas.count,
          body: schemas.name,
        },
      },
      ({ params, query, headers, body }) => ({ params, query, count: headers['x-count'], body }),
    )
    const headers = { 'x-count': '3' }
    const ask = (url: string, payload: object) =>
      app.inject({ method: 'POST', url, headers, payload })
    assert.deepEqual((await ask('/5', { name: 'tea' })).json(), {
      params: { id: 5 },
      query: { page: 1 },
      count: 3,
      body: { name: 3 },
    })
    assert.deepEqual((await ask('/5?page=2&q=x', { name: '' })).json<{ query: object }>().query, {
      page: 2,
      q: 'x',
    })
    const message = async (url: string, payload: object) => {
      const { statusCode, ...response } = await ask(url, payload)
      assert.equal(statusCode, 400)
      return response.json<{ message: string }>().message
    }
    assert.match(await message('/x', { name: '' }), /^params\/id /)
    assert.match(await message('/1', { name: 5 }), /^body\/name /)
    assert.match(await message('/1?q=1&q=2', { name: '' }), /^querystring\/q /)
    await app.close()
  })

  test(`${library} leaves the headers that its schema does not name: an outer hook found no authorization`, async () => {
    const app = untyped().addHook('preHandler', async (request) => {
      assert.equal(request.headers.authorization, 'Bearer x')
    })
    app.register(async (child) => {
      child.get('/', { schema: { headers: schemas.count } }, ({ headers }) => headers)
    })
    const headers = { authorization: 'Bearer x', 'x-count': '3', host: 'a.org' }
    const { 'user-agent': _agent, ...seen } = (await app.inject({ url: '/', headers })).json<
      Record<string, unknown>
    >()
    assert.deepEqual(seen, { ...headers, 'x-count': 3 })
  })

  test(`${library} names the path of an issue by a JSON pointer`, async () => {
    const app = untyped().post('/', { schema: { body: schemas.list } }, () => 1)
    const payload = { list: [{ 'a/b~': 1 }, { 'a/b~': 'x' }] }
    const refused = await app.inject({ method: 'POST', url: '/', payload })
    assert.match(refused.json<{ message: string }>().message, /^body\/list\/1\/a~1b~0 /)
    await app.close()
  })

  test(`${library} refuses a body that is absent, and what a closed object does not have`, async () => {
    const app = untyped().post('/', { schema: { body: schemas.closed } }, ({ body }) => body)
    const absent = await app.inject({ method: 'POST', url: '/' })
    assert.equal(absent.statusCode, 400)
    assert.match(absent.json<{ message: string }>().message, /^body [^/]/)
    const ask = (payload: object) => app.inject({ method: 'POST', url: '/', payload })
    assert.equal((await ask({ a: '', b: '' })).statusCode, 400)
    assert.equal((await ask({ a: '' })).payload, '{"a":""}')
    await app.close()
  })

  test(`${library} serializes a reply, also below content; what it refuses is a 500 that tells nothing`, async () => {
    const media = { content: { 'application/json': { schema: schemas.reply } } }
    const app = untyped()
    app.get('/', { schema: { response: { '2xx': schemas.reply } } }, (_, reply) =>
      reply.send({ id: 1, at: new Date(0), secret: 'x' }),
    )
    app.get('/content', { schema: { response: { 200: media } } }, () => ({
      id: 1,
      at: new Date(0),
      secret: 'x',
    }))
    app.get('/bad', { schema: { response: { 200: schemas.reply } } }, () => ({ id: 'secret' }))
    for (const url of ['/', '/content']) {
      const sent = { id: 1, at: '1970-01-01T00:00:00.000Z' }
      assert.deepEqual((await app.inject({ url })).json(), sent)
    }
    const [refused, text] = await silenced(() => app.inject({ url: '/bad' }))
    assert.equal(refused.statusCode, 500)
    assert.doesNotMatch(refused.payload, /secret|number|date/i)
    assert.match(text, /response\/(id|at) /)
    await app.close()
  })

  test(`${library}: with attachValidation the handler decides, and the part is as it was sent`, async () => {
    const app = untyped().post(
      '/',
      { schema: { body: schemas.name }, attachValidation: true },
      ({ validationError, body }) => ({ part: validationError?.validationContext ?? null, body }),
    )
    const ask = (name: unknown) => app.inject({ method: 'POST', url: '/', payload: { name } })
    assert.deepEqual((await ask(5)).json(), { part: 'body', body: { name: 5 } })
    assert.deepEqual((await ask('tea')).json(), { part: null, body: { name: 3 } })
    await app.close()
  })

  test(`a schema of ${library} cannot be shared: the error names the scope`, () => {
    const wrong = { code: 'ESP_ERR_SCH_NOT_OBJECT', message: /in root must .* Standard Schema/ }
    const app = untyped()
    assert.throws(() => app.addSchema('name', schemas.name), wrong)
    assert.throws(() => app.addSchema(schemas.name), wrong)
    assert.deepEqual(app.getSchemas(), {})
  })
}

test('a part of a library stands beside parts of TypeBox', async () => {
  const app = espalier().post(
    '/',
    {
      schema: {
        body: z.object({ name: z.string(), count: z.coerce.number().default(1) }),
        querystring: { q: t.Integer() },
        response: { 200: t.Object({ q: t.Integer(), count: t.Integer() }) },
      },
    },
    ({ body, query }) => ({ ...body, q: query.q }),
  )
  const given = await app.inject('POST /', { body: { name: 'tea' }, query: { q: 3 } })
  assert.deepEqual(given.json(), { count: 1, q: 3 })
  await app.close()
})

test('the issues of a Standard Schema become the list and the message of a validation error', async () => {
  const app = espalier()
  app.setErrorHandler((error, _request, reply) => {
    assert.ok(error instanceof Error && 'validation' in error && 'validationContext' in error)
    const { message, validation, validationContext } = error
    return reply.code(400).send({ message, validation, validationContext })
  })
  app.post('/', { schema: { body: z.object({ tags: z.array(z.string()) }) } }, () => 1)
  const refused = await app.inject({ method: 'POST', url: '/', payload: { tags: ['a', 1] } })
  const { message, validation, validationContext } = refused.json<{
    message: string
    validation: { instancePath: string }[]
    validationContext: string
  }>()
  assert.match(message, /^body\/tags\/1 /)
  assert.equal(validation[0]?.instancePath, '/tags/1')
  assert.equal(validationContext, 'body')
  await app.close()
})

const takenName = 'is taken'
const asynchronous = {
  zod: z.object({
    name: z.string().refine(async (name) => Promise.resolve(name !== 'a'), takenName),
  }),
  valibot: v.objectAsync({
    name: v.pipeAsync(
      v.string(),
      v.checkAsync(async (name) => Promise.resolve(name !== 'a'), takenName),
    ),
  }),
}
for (const [library, schema] of Object.entries(asynchronous)) {
  test(`an async schema of ${library} validates a part`, async () => {
    const app = untyped().post('/', { schema: { body: schema } }, () => 'ok')
    const ask = (name: string) => app.inject({ method: 'POST', url: '/', payload: { name } })
    assert.equal((await ask('new')).payload, 'ok')
    const refused = await ask('a')
    assert.equal(refused.statusCode, 400)
    assert.equal(refused.json<{ message: string }>().message, 'body/name is taken')
    await app.close()
  })

  test(`an async schema of ${library} cannot serialize a reply: a 500 that says so on stderr`, async () => {
    const app = untyped().get('/', { schema: { response: { 200: schema } } }, () => ({ name: '' }))
    const [refused, text] = await silenced(() => app.inject({ url: '/' }))
    assert.equal(refused.statusCode, 500)
    assert.match(text, /an async schema cannot serialize a reply/)
    await app.close()
  })
}

const fails = () => {
  throw new Error('the database is down')
}
const failing = {
  'throws at once': z.object({ a: z.string().transform(fails) }),
  'rejects later': v.objectAsync({
    a: v.pipeAsync(
      v.string(),
      v.checkAsync(async () => Promise.resolve().then(fails)),
    ),
  }),
}
for (const [how, schema] of Object.entries(failing)) {
  test(`a schema that ${how} is a fault of the server, of which the client learns nothing`, async () => {
    const app = untyped()
    app.post('/', { schema: { body: schema } }, () => 1)
    app.get('/', { schema: { response: { 200: schema } } }, () => ({ a: '' }))
    for (const method of ['POST', 'GET'] as const) {
      const payload = method === 'POST' && { payload: { a: '' } }
      const [refused, text] = await silenced(async () =>
        app.inject({ method, url: '/', ...payload }),
      )
      assert.equal(refused.statusCode, 500)
      assert.doesNotMatch(refused.payload, /database/)
      assert.match(text, method === 'GET' ? /database|async/ : /Standard Schema failed.*database/)
    }
    await app.close()
  })
}

test('the output of a Standard Schema is what leaves: transforms and defaults of a reply', async () => {
  const Reply = z.object({
    day: z.date().transform((date) => date.getUTCDay()),
    n: z.number().default(1),
  })
  const app = espalier().get('/', { schema: { response: { 200: Reply } } }, () => ({
    day: new Date(0),
  }))
  assert.deepEqual((await app.inject('GET /')).json(), { day: 4, n: 1 })
  await app.close()
})

test('a body that is absent is undefined to a Standard Schema, which may have a default for it', async () => {
  const app = espalier()
    .post(
      '/default',
      { schema: { body: z.object({ n: z.number() }).default({ n: 7 }) } },
      (request) => {
        return { n: request.body.n }
      },
    )
    .post('/optional', { schema: { body: v.optional(v.object({ n: v.number() })) } }, (request) => {
      return { n: request.body?.n ?? null }
    })
  assert.equal((await app.inject('POST /default')).body, '{"n":7}')
  assert.equal((await app.inject('POST /optional')).body, '{"n":null}')
  assert.equal((await app.inject('POST /optional', { body: { n: 1 } })).body, '{"n":1}')
  const given = { method: 'POST', headers: { 'content-type': 'application/json' } } as const
  const refused = await app.inject({ ...given, url: '/optional', payload: 'null' })
  assert.equal(refused.statusCode, 400)
  await app.close()
})

test('statuses and media types choose among schemas of several libraries', async () => {
  const app = untyped()
  const schema = {
    response: {
      200: {
        content: {
          'application/json': { schema: libraries.zod.reply },
          'application/vnd.one+json': { schema: t.Object({ id: t.Integer() }) },
        },
      },
      '4xx': libraries.valibot.closed,
      default: libraries.arktype.reply,
    },
  }
  app.get('/:status', { schema }, ({ params, query }, reply) => {
    if (query.type !== undefined) reply.type(query.type)
    return reply
      .code(Number(params.status))
      .send(params.status === '404' ? { a: 'x' } : { id: 1, at: new Date(0), b: 1 })
  })
  const ask = async (url: string) => (await app.inject({ url })).payload
  const whole = '{"id":1,"at":"1970-01-01T00:00:00.000Z"}'
  assert.equal(await ask('/200'), whole)
  assert.equal(await ask('/200?type=application/vnd.one%2Bjson'), '{"id":1}')
  assert.equal(await ask('/404'), '{"a":"x"}')
  assert.equal(await ask('/202'), whole)
  await app.close()
})

test('content is for bodies and responses: a query of it is a boot error that names the route', async () => {
  const query = { content: { 'application/json': { schema: libraries.zod.id } } }
  const app = untyped().get('/x', { schema: { query } }, () => 1)
  await assert.rejects(
    async () => app.ready(),
    /the querystring of GET \/x in root.*'content' chooses/,
  )
})

test('a compiler of a context is given a Standard Schema too, in place of the library', async () => {
  const app = untyped()
  app.setValidatorCompiler(({ schema }: { readonly schema: unknown }) => {
    assert.equal(schema, libraries.zod.id)
    return () => ({ value: { id: 'mine' } })
  })
  app.get('/:id', { schema: { params: libraries.zod.id } }, ({ params }) => params)
  assert.equal((await app.inject({ url: '/1' })).payload, '{"id":"mine"}')
  await app.close()
})

test('a Standard Schema inside a JSON Schema is a boot error that says where', async () => {
  const parts = [
    { querystring: { n: z.number() } },
    { querystring: t.Object({ n: z.number() as never }) },
    { querystring: { n: type('number') } },
    { querystring: { type: 'object', properties: { n: v.number() } } },
  ]
  for (const schema of parts) {
    const app = untyped().get('/x', { schema }, () => 1)
    const message = /querystring of GET \/x in root.*Standard Schema/
    await assert.rejects(async () => app.ready(), message)
  }
})

test('text of a URL comes to a Standard Schema as it is', async () => {
  const schema = { querystring: z.object({ tags: z.array(z.string()), n: z.coerce.number() }) }
  const app = espalier().get('/', { schema }, ({ query }) => query)
  const query = { tags: ['a', 'b'], n: '5' }
  assert.deepEqual((await app.inject('GET /', { query })).json(), { tags: ['a', 'b'], n: 5 })
  // @ts-expect-error -- nothing makes a list of one value
  assert.equal((await app.inject('GET /', { query: { ...query, tags: 'a' } })).statusCode, 400)
})

test('what is made of headers has the names that it was given, later too, and stands alone where it is no object', async () => {
  const schemaOf = (make: (headers: Record<string, unknown>) => unknown) =>
    z
      .looseObject({})
      .refine(() => Promise.resolve(true))
      .transform((given) => make(given))
  const app = untyped()
    .get('/renamed', { schema: { headers: schemaOf((all) => ({ tokenOf: all['x-t'] })) } }, show)
    .get('/list', { schema: { headers: schemaOf((all) => [all['x-t']]) } }, show)
  function show({ headers }: { headers: Record<string, unknown> | unknown[] }) {
    return Array.isArray(headers) ? headers : { tokenOf: headers['tokenOf'], 'x-t': headers['x-t'] }
  }
  const ask = async (url: string) =>
    (await app.inject({ url, headers: { 'x-t': 'a' } })).json<unknown>()
  assert.deepEqual(await ask('/renamed'), { tokenOf: 'a', 'x-t': 'a' })
  assert.deepEqual(await ask('/list'), ['a'])
})

test('text of a reply goes through a Standard Schema: it left as it was, neither refused nor changed', async () => {
  const text = z.string()
  const numeric = type('string.numeric.parse')
  const mail = v.pipe(v.string(), v.email())
  const csv = { content: { 'text/csv': { schema: text.transform((line) => `${line};`) } } }
  const app = espalier()
    .get('/upper', { schema: { response: { 200: text.toUpperCase() } } }, () => 'abc')
    .get(
      '/length',
      { schema: { response: { 200: text.transform((all) => all.length) } } },
      () => 'abc',
    )
    .get('/number', { schema: { response: { 200: numeric } } }, (_, reply) => reply.send('17'))
    .get('/mail', { schema: { response: { 200: mail } } }, () => 'no mail')
    .get('/csv', { schema: { response: { 200: csv } } }, () => 'a;b')
    .get('/json', { schema: { response: { 200: text } } }, (_, reply) =>
      reply.type('application/json').send('{"a":1}'),
    )
  const ask = async (url: string) => {
    const { statusCode, headers, body } = await app.inject({ url })
    return [statusCode, headers['content-type'], body]
  }
  const [plain, json] = ['text/plain; charset=utf-8', 'application/json; charset=utf-8']
  assert.deepEqual(await ask('/upper'), [200, plain, 'ABC'])
  assert.deepEqual(await ask('/length'), [200, json, '3'])
  assert.deepEqual(await ask('/number'), [200, json, '17'])
  const [refused] = await silenced(() => ask('/mail'))
  assert.equal(refused[0], 500)
  assert.deepEqual(await ask('/csv'), [200, 'text/csv; charset=utf-8', 'a;b;'])
  assert.deepEqual((await ask('/json')).slice(2), ['{"a":1}'])
  const length: number = (await app.inject('GET /length')).json()
  assert.equal(length, 3)
})

test('text that a Standard Schema makes nothing of is not sent', async () => {
  const app = espalier().get(
    '/',
    { schema: { response: { 200: z.string().transform((text) => text.trim() || null) } } },
    () => ' ',
  )
  assert.equal((await app.inject({ url: '/' })).body, 'null')
})

test('text of a hook, of an error handler, or that a hook has made of a payload is not the business of a Standard Schema', async () => {
  const response = { 200: z.object({ a: z.number() }), 401: z.object({ e: z.string() }) }
  const app = untyped()
    .get('/hook', { schema: { response }, preHandler: refuse }, () => ({ a: 1 }))
    .get('/made', { schema: { response }, preSerialization: stringify }, () => ({ a: 1 }))
    .get('/error', { schema: { response }, errorHandler: answer }, fail)
  interface Prepared {
    code(status: 401): { send(text: string): object }
  }
  async function refuse(_request: unknown, reply: Prepared) {
    return reply.code(401).send('no')
  }
  function answer(_error: unknown, _request: unknown, reply: Prepared) {
    return reply.code(401).send('x')
  }
  async function stringify(_request: unknown, _reply: unknown, payload: unknown) {
    return JSON.stringify(payload)
  }
  function fail(): never {
    throw new Error('failed')
  }
  const ask = async (url: string) => {
    const { statusCode, body } = await app.inject(url)
    return [statusCode, body]
  }
  assert.deepEqual(await ask('/hook'), [401, 'no'])
  assert.deepEqual(await ask('/made'), [200, '{"a":1}'])
  assert.deepEqual(await ask('/error'), [401, 'x'])
})
