// Errors as values: `httpError` makes classes of errors, which scopes and routes declare.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from '../../src/client/index.ts'
import espalier, { fastify, httpError, plugin, t } from '../../src/index.ts'
import { documentOf } from '../../src/openapi/index.ts'
import { listening } from '../support/serve.ts'

const NotFound = httpError('NotFound', 404, { id: t.Integer() })
const Gone = httpError('Gone', 404, {
  since: t.String({ format: 'date' }),
  by: t.Optional(t.String()),
})
const Unauthorized = httpError('Unauthorized', 401)
const User = t.Object({ id: t.Integer() })
const params = { id: t.Integer() }
const response = { 200: User }

/** A service, which knows no server. */
function find(id: number): { id: number } {
  if (id === 7) throw new NotFound({ id }, `no user ${id}`)
  if (id === 8) throw new Gone({ since: new Date('2020-02-29T00:00:00Z') })
  if (id === 9) throw new Unauthorized()
  return { id }
}

const body7 =
  '{"statusCode":404,"code":"NotFound","error":"Not Found","message":"no user 7","id":7}'
const body8 =
  '{"statusCode":404,"code":"Gone","error":"Not Found","message":"Gone","since":"2020-02-29"}'
const body9 =
  '{"statusCode":401,"code":"Unauthorized","error":"Unauthorized","message":"Unauthorized"}'

/** The status, the mark and the body of an answer. */
async function answer(app: { inject: ReturnType<typeof espalier>['inject'] }, url: string) {
  const { statusCode, headers, body } = await app.inject({ url })
  return [statusCode, headers['declared'], body]
}

test('an error is an Error with its fields, and belongs to its class', () => {
  const cause = new Error('of the database')
  const error = new NotFound({ id: 7 }, 'no user 7', { cause })
  assert.ok(error instanceof NotFound && error instanceof Error && !(error instanceof Gone))
  const { id, code, statusCode, message, name } = error
  assert.deepEqual(
    { id, code, statusCode, message, name, cause: error.cause },
    { id: 7, code: 'NotFound', statusCode: 404, message: 'no user 7', name: 'NotFound', cause },
  )
  assert.match(String(error.stack), /^NotFound: no user 7\n\s+at .*http-errors\.test/)
  const plain = new Unauthorized(undefined, { cause })
  assert.deepEqual([plain.message, plain.cause], ['Unauthorized', cause])
  assert.ok(!('cause' in new Unauthorized()))
  assert.deepEqual(
    [NotFound.name, NotFound.code, NotFound.statusCode],
    ['NotFound', 'NotFound', 404],
  )
})

test('an error takes the fields of its class alone', () => {
  const given = { id: 7, statusCode: 200, stack: 'none', other: 1 }
  const error = new NotFound(given)
  assert.equal(error.statusCode, 404)
  assert.match(String(error.stack), /^NotFound: NotFound\n/)
  assert.ok(!('other' in error))
})

test('an error is answered with its status and its fields, wherever it is thrown', async () => {
  const hooks = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const
  const app = espalier()
    .addResponses(NotFound, Gone)
    .addResponses(Unauthorized)
    .get('/:id', { schema: { params, response } }, ({ params: { id } }) => find(id))
    .get('/later/:id', { schema: { params } }, async ({ params: { id } }) => {
      await Promise.resolve()
      return find(id)
    })
    .get('/sent/:id', { schema: { params } }, ({ params: { id } }, reply) => {
      try {
        return find(id)
      } catch (error) {
        return reply.send(error)
      }
    })
  for (const hook of hooks) {
    const step = async () => void find(7)
    app.route({ method: 'GET', url: `/${hook}`, [hook]: step, handler: () => 1 })
  }
  for (const path of ['', '/later', '/sent']) {
    assert.deepEqual(await answer(app, `${path}/7`), [404, '?1', body7])
    assert.deepEqual(await answer(app, `${path}/8`), [404, '?1', body8])
    assert.deepEqual(await answer(app, `${path}/9`), [401, '?1', body9])
    assert.deepEqual(await answer(app, `${path}/1`), [200, undefined, '{"id":1}'])
  }
  for (const hook of hooks) assert.deepEqual(await answer(app, `/${hook}`), [404, '?1', body7])
})

test('a subclass is declared and thrown as its class is, with headers of its own', async () => {
  class Limited extends httpError('Limited', 429, { seconds: t.Integer() }) {
    readonly headers = { 'retry-after': this.seconds }
  }
  const app = espalier()
    .addResponses(Limited)
    .get('/', () => {
      throw new Limited({ seconds: 5 })
    })
  const { statusCode, headers, body } = await app.inject('/')
  assert.deepEqual([statusCode, headers['retry-after'], headers['declared']], [429, '5', '?1'])
  assert.match(body, /"code":"Limited".*"seconds":5/)
})

test('several errors of one status come from plugins, parents and children', async () => {
  const Missing = httpError('Missing', 404, { file: t.String() })
  const missing = () => {
    throw new Missing({ file: 'a.txt' })
  }
  const files = plugin().shared(async (app) => app.addResponses(Missing))
  const again = plugin().shared(async (app) => app.addResponses(Missing, NotFound))
  const app = espalier()
    .addResponses(NotFound)
    .register(files)
    .register(again)
    .get('/missing', missing)
    .register(
      async (child) => {
        child.addResponses(Gone)
        child.get('/:id', { schema: { params } }, (request) => find(request.params.id))
        child.get('/missing', missing)
      },
      { prefix: '/child' },
    )
  const told = [
    404,
    '?1',
    '{"statusCode":404,"code":"Missing","error":"Not Found","message":"Missing","file":"a.txt"}',
  ]
  assert.deepEqual(await answer(app, '/missing'), told)
  assert.deepEqual(await answer(app, '/child/missing'), told)
  assert.deepEqual(await answer(app, '/child/7'), [404, '?1', body7])
  assert.deepEqual(await answer(app, '/child/8'), [404, '?1', body8])
})

test('a route names errors beside those of its scope', async () => {
  const app = espalier()
    .addResponses(NotFound)
    .get(
      '/:id',
      { schema: { params, response: { 200: User, 404: Gone, 401: Unauthorized } } },
      (request) => find(request.params.id),
    )
    .get('/other/:id', { schema: { params, response } }, (request) => find(request.params.id))
    .get(
      '/replaced/:id',
      {
        schema: { params, response: { 200: User, 404: { message: t.String() } } },
      },
      (request) => find(request.params.id),
    )
  assert.deepEqual(await answer(app, '/7'), [404, '?1', body7])
  assert.deepEqual(await answer(app, '/8'), [404, '?1', body8])
  assert.deepEqual(await answer(app, '/9'), [401, '?1', body9])
  assert.equal((await app.inject('/other/8')).statusCode, 500)
  assert.equal((await app.inject('/other/9')).statusCode, 500)
  // The route's own schema comes first, as for any error of the status.
  assert.deepEqual(await answer(app, '/replaced/7'), [404, '?1', '{"message":"no user 7"}'])
})

/** A server whose log lines are kept. */
function logging(options: object = {}) {
  const lines: { level: number; msg: string; err?: { code: string; stack: string } }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as never) }
  return { app: espalier({ logger: { level: 'info', stream }, ...options }), lines }
}

test('where nothing declares it, the client learns nothing, and the log says what to add', async () => {
  const { app, lines } = logging()
  app.register(async function users(child) {
    child.get('/:id', { schema: { params } }, (request) => find(request.params.id))
  })
  const { statusCode, headers, body } = await app.inject('/7')
  const nothing =
    '{"statusCode":500,"error":"Internal Server Error","message":"Internal Server Error"}'
  assert.deepEqual([statusCode, headers['declared'], body], [500, undefined, nothing])
  const failed = lines.filter(({ level }) => level === 50)
  assert.equal(failed.length, 1)
  const [{ msg, err } = { msg: '' }] = failed
  assert.equal(
    msg,
    'NotFound was thrown in GET /:id in root > users, where nothing declares it. Call app.addResponses(NotFound) in root > users or above, or name it in the response schema of the route, as 404: NotFound',
  )
  assert.equal(err?.code, 'ESP_ERR_HTTP_ERROR_UNDECLARED')
  assert.match(err.stack, /caused by: NotFound: no user 7\n\s+at find/)
})

test('an entry of the status that is no error, or of another error, does not declare it', async () => {
  for (const given of [
    { 404: User },
    { 404: Gone },
    { '4xx': User },
    { 404: httpError('Not', 404) },
  ]) {
    const { app } = logging()
    app.addResponses(given as object)
    app.get('/:id', { schema: { params } }, (request) => find(request.params.id))
    assert.equal((await app.inject('/7')).statusCode, 500)
  }
})

test('an error beside a class of statuses is answered by its own schema', async () => {
  const app = espalier()
    .addResponses({ '4xx': t.Object({ title: t.String() }) })
    .addResponses(NotFound)
    .get('/:id', { schema: { params } }, (request) => find(request.params.id))
  assert.deepEqual(await answer(app, '/7'), [404, '?1', body7])
})

test('other errors of the status are answered as before, without a mark', async () => {
  const { app, lines } = logging()
  app.addResponses(NotFound, httpError('Bad', 400))
  app.get('/:id', { schema: { params } }, () => {
    throw Object.assign(new Error('plain'), { statusCode: 404, id: 1 })
  })
  const plain = '{"statusCode":404,"error":"Not Found","message":"plain"}'
  assert.deepEqual(await answer(app, '/7'), [404, undefined, plain])
  const refused = await app.inject('/x')
  assert.deepEqual([refused.statusCode, refused.headers['declared']], [400, undefined])
  assert.match(refused.body, /"message":"params\/id must be integer"/)
  assert.match((await app.inject('/none/of/them')).body, /"message":"Route GET:/)
  assert.deepEqual(
    lines.filter(({ level }) => level > 30),
    [],
  )
})

test('hooks on errors and error handlers see the error itself; thrown again it is answered', async () => {
  const seen: unknown[] = []
  const app = espalier()
    .addResponses(NotFound)
    .addHook('onError', async (_request, _reply, error) => void seen.push(error))
    .setErrorHandler((error, _request, reply) => {
      seen.push([error instanceof NotFound && error.id, reply.statusCode])
      if (error instanceof Gone) return reply.code(410).send({ gone: error.since })
      throw error
    })
    .get('/:id', { schema: { params } }, (request) => find(request.params.id))
  assert.deepEqual(await answer(app, '/7'), [404, '?1', body7])
  assert.ok(seen[0] instanceof NotFound)
  assert.deepEqual(seen[1], [7, 404])
  assert.equal((await app.inject('/8')).statusCode, 410)
  assert.deepEqual(seen[3], [false, 500])
})

test('the status that was set for an error that is sent stays', async () => {
  const app = espalier().get('/', (_request, reply) =>
    reply.code(409).send(new NotFound({ id: 7 })),
  )
  const { statusCode, body } = await app.inject('/')
  assert.equal(statusCode, 409)
  assert.match(body, /"code":"NotFound"/)
})

test('a body is sent by hand too, and its code chooses the schema', async () => {
  const app = espalier()
    .addResponses(NotFound, Gone)
    .get('/', (_request, reply) => {
      const all = { statusCode: 404, code: 'NotFound', error: '', message: '', secret: 1 } as const
      return reply.code(404).send({ ...all, id: 7 })
    })
    .get('/wrong', (_request, reply) => reply.code(404).send({ code: 'Other' } as never))
  assert.deepEqual(await answer(app, '/'), [
    404,
    '?1',
    '{"statusCode":404,"code":"NotFound","error":"","message":"","id":7}',
  ])
  assert.equal((await app.inject('/wrong')).statusCode, 500)
})

test('fields that do not fit are left out, and the log says so', async () => {
  const { app, lines } = logging()
  app.addResponses(NotFound)
  app.get('/', () => {
    throw new NotFound({} as never)
  })
  const plain = '{"statusCode":404,"code":"NotFound","error":"Not Found","message":"NotFound"}'
  assert.deepEqual(await answer(app, '/'), [404, undefined, plain])
  assert.ok(lines.some(({ msg }) => msg.includes('"id" is required')))
})

test('schemas of fields are as in any response: references, transforms, defaults', async () => {
  const Late = httpError('Late', 503, {
    at: t
      .Transform(t.String())
      .Decode((text) => new Date(text))
      .Encode((date) => date.toISOString()),
    kind: t.String({ default: 'usual' }),
  })
  const app = espalier()
    .addResponses(Late)
    .get('/', () => {
      throw new Late({ at: new Date(0) })
    })
  const { statusCode, body } = await app.inject('/')
  assert.equal(statusCode, 503)
  assert.match(body, /"message":"Late","at":"1970-01-01T00:00:00.000Z","kind":"usual"/)
})

test('a code has one class in a scope, and a status has errors or one schema', async () => {
  const Other = httpError('NotFound', 404, { slug: t.String() })
  const app = espalier().addResponses(NotFound)
  app.addResponses(NotFound)
  app.addResponses({ 404: NotFound })
  assert.throws(() => app.addResponses(Other as never), {
    code: 'ESP_ERR_SCOPE_ERROR_PRESENT',
    message:
      /^The error 'NotFound' of status 404 already has other fields in root, and these in root/,
  })
  assert.throws(() => app.addResponses({ 404: User } as never), {
    code: 'ESP_ERR_SCOPE_RESPONSE_PRESENT',
  })
  app.register(async function users(child) {
    child.addResponses(Gone)
    child.addResponses({ 409: User })
  })
  app.register(async function groups(child) {
    child.addResponses(httpError('Taken', 409))
  })
  await app.after()
  assert.throws(() => app.addResponses(httpError('Gone', 404)), {
    code: 'ESP_ERR_SCOPE_ERROR_PRESENT',
    message: /in root > users, and these in root/,
  })
  assert.throws(() => app.addResponses(httpError('Conflict', 409)), {
    code: 'ESP_ERR_SCOPE_RESPONSE_PRESENT',
  })
})

test('an error stands under its own status, which is that of an error', async () => {
  const route = (response: object) => {
    const app = espalier()
    app.get('/', { schema: { response: response as never } }, () => 1)
    return app.ready()
  }
  for (const key of ['409', '4xx', 'default', '200']) {
    await assert.rejects(async () => route({ [key]: NotFound }), {
      code: 'ESP_ERR_HTTP_ERROR_STATUS',
      message: new RegExp(`^The response ${key} of GET / in root is the error 'NotFound', whose`),
    })
  }
  const Moved = httpError('Moved', 302 as 404)
  await assert.rejects(async () => route({ 302: Moved }), { code: 'ESP_ERR_HTTP_ERROR_STATUS' })
  assert.throws(() => espalier().addResponses(httpError('Fine', 200 as 404)), {
    code: 'ESP_ERR_SCOPE_RESPONSE_KEY',
  })
})

test('a client narrows by status and by code', async (context) => {
  const app = espalier()
    .addResponses(NotFound, Gone)
    .get('/:id', { schema: { params, response: { 200: User, 401: Unauthorized } } }, (request) =>
      find(request.params.id),
    )
  const api = client<typeof app>(await listening(context, app))
  const told = async (id: number) => {
    const response = await api('GET /:id', { params: { id } })
    if (response.statusCode === 401) return response.json().code
    if (response.statusCode === 200) return response.json().id
    const error = response.json()
    return error.code === 'NotFound' ? [error.id, error.message] : [error.since, error.by]
  }
  assert.deepEqual(
    [await told(1), await told(7), await told(8), await told(9)],
    [1, [7, 'no user 7'], ['2020-02-29', undefined], 'Unauthorized'],
  )
})

test('documents have the errors by their codes, in each route of the scope', async () => {
  const app = espalier({ jsonShorthand: false })
    .addResponses(NotFound)
    .get('/scope', { schema: { response } }, () => ({ id: 1 }))
    .get('/route', { schema: { response: { 200: User, 404: Gone } } }, () => ({ id: 1 }))
  const { paths, components } = await documentOf(app, { info: { title: 'x', version: '1' } })
  const at404 = (path: string) => {
    const found = paths[path]?.get?.responses?.['404']
    return found && 'content' in found && found.content?.['application/json']?.schema
  }
  const [one, other] = ['#/components/schemas/NotFound', '#/components/schemas/Gone']
  assert.deepEqual(at404('/scope'), { $ref: one })
  assert.deepEqual(at404('/route'), {
    anyOf: [{ $ref: one }, { $ref: other }],
    discriminator: { propertyName: 'code', mapping: { NotFound: one, Gone: other } },
  })
  assert.deepEqual(components?.schemas?.['NotFound'], {
    type: 'object',
    properties: {
      statusCode: { type: 'number', const: 404 },
      code: { type: 'string', const: 'NotFound' },
      error: { type: 'string' },
      message: { type: 'string' },
      id: { type: 'integer' },
    },
    required: ['statusCode', 'code', 'error', 'message', 'id'],
  })
})

test('routes share the serializers of the errors of their scope', async () => {
  const compiled: string[] = []
  const app = espalier()
  app.addResponses(NotFound)
  app.register(async (child) => {
    child.addResponses(Gone)
    const shown: unknown[] = []
    child.addHook('onRequest', async (_request, reply) => {
      shown.push(reply.getSerializationFunction(404))
    })
    child.get('/a', () => 1)
    child.get('/b', () => shown[0] === shown[1])
  })
  await app.inject('/a')
  assert.equal((await app.inject('/b')).body, 'true')

  const custom = espalier()
  custom.setSerializerCompiler(({ method, url, httpStatus }) => {
    compiled.push(`${method} ${url} ${httpStatus}`)
    return JSON.stringify
  })
  custom.addResponses(NotFound, Gone)
  custom.get('/:id', { exposeHeadRoute: false, schema: { params } }, (request) =>
    find(request.params.id),
  )
  assert.match((await custom.inject('/7')).body, /"id":7/)
  assert.deepEqual(
    compiled.filter((each) => each.startsWith('GET /:id')),
    ['GET /:id 404', 'GET /:id 404'],
  )
})

test('a server of Fastify answers it as any error with a status', async () => {
  const app = fastify()
  app.get('/', () => find(7))
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual(
    [statusCode, body],
    [404, '{"statusCode":404,"code":"NotFound","error":"Not Found","message":"no user 7"}'],
  )
})

test('in strict mode errors are written as they are, or without their fields', async () => {
  const app = espalier({ strict: true })
    .addResponses(NotFound, Gone)
    .get('/:id', { schema: { params, response } }, (request) => find(request.params.id))
    .get('/wrong', () => {
      throw new NotFound({ id: '7' as never })
    })
  assert.deepEqual(await answer(app, '/7'), [404, '?1', body7])
  assert.deepEqual(await answer(app, '/8'), [404, '?1', body8])
  assert.equal((await app.inject('/9')).statusCode, 500)
  const plain = '{"statusCode":404,"code":"NotFound","error":"Not Found","message":"NotFound"}'
  assert.deepEqual(await answer(app, '/wrong'), [404, undefined, plain])
})
