// `addResponses`: a scope declares what may be answered in it and below.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { errorCodes, plugin, shared, t } from '../../src/index.ts'
import { documentOf } from '../../src/openapi/index.ts'

const Problem = t.Object({ title: t.String(), status: t.Optional(t.Integer()) })
const Denied = t.Object({ scope: t.String() })
const User = t.Object({ id: t.Integer() })

const secret = 'not in the schema'

test('what hooks, error handlers and handlers send is serialized by the responses of the scope', async () => {
  const app = espalier()
    .addResponses({ 401: Problem, 409: Problem, '5xx': Problem })
    .addHook('onRequest', async (request, reply) => {
      const payload = { title: 'no token', secret }
      if (request.headers.authorization === undefined) return reply.code(401).send(payload)
    })
    .setErrorHandler((_error, _request, reply) => {
      const payload = { title: 'failed', secret }
      return reply.code(503).send(payload)
    })
    .get('/open', (_request, reply) => {
      const payload = { title: 'taken', secret }
      return reply.code(409).send(payload)
    })
    .get('/own', { schema: { response: { 200: User } } }, (_request, reply) => {
      const payload = { title: 'taken', secret }
      return reply.code(409).send(payload)
    })
    .get('/failing', () => {
      throw new Error(secret)
    })
  const headers = { authorization: 'x' }
  const answers = await Promise.all([
    app.inject({ url: '/own' }),
    app.inject({ url: '/open', headers }),
    app.inject({ url: '/own', headers }),
    app.inject({ url: '/failing', headers }),
  ])
  assert.deepEqual(
    answers.map(({ statusCode, body }) => [statusCode, body]),
    [
      [401, '{"title":"no token"}'],
      [409, '{"title":"taken"}'],
      [409, '{"title":"taken"}'],
      [503, '{"title":"failed"}'],
    ],
  )
})

test('a route without responses sends other statuses as before', async () => {
  const app = espalier()
    .addResponses({ 401: Problem })
    .get('/', () => ({ any: 'thing' }))
    .get('/other', (_request, reply) => reply.code(404).send({ any: 'thing' }))
  assert.equal((await app.inject('/')).body, '{"any":"thing"}')
  const other = await app.inject('/other')
  assert.deepEqual([other.statusCode, other.body], [404, '{"any":"thing"}'])
})

test('the default answer to an error has the fields that the scope declares', async () => {
  const Told = t.Object({ message: t.String(), hint: t.String() })
  const app = espalier()
    .addResponses({ 409: Told })
    .get('/', () => {
      throw Object.assign(new Error('taken'), { statusCode: 409, hint: 'choose another', secret })
    })
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, body], [409, '{"message":"taken","hint":"choose another"}'])
})

test('a URL without a route is a 404, also where the scope declares another payload for it', async () => {
  const told = '{"message":"Route GET:/none not found"}'
  const whole = '{"statusCode":404,"error":"Not Found","message":"Route GET:/none not found"}'
  const content = { 'application/problem+json': { schema: Problem } }
  const cases = [
    [{ 404: { message: t.String() } }, told],
    [{ '4xx': Problem }, whole],
    [{ 404: t.String() }, whole],
    [{ 404: { description: 'nothing here' } }, whole],
    [{ 404: { content } }, whole],
  ] as const
  for (const [responses, body] of cases) {
    const app = espalier()
    app.addResponses(responses as object)
    app.get('/call', (_request, reply) => reply.callNotFound())
    const { statusCode, headers, ...answer } = await app.inject({ url: '/none' })
    assert.deepEqual([statusCode, answer.body], [404, body])
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal((await app.inject({ url: '/call' })).statusCode, 404)
  }
})

test('hooks and serializers of the user have the last word on such a 404', async () => {
  const replaced = espalier()
    .addResponses({ 404: Problem })
    .addHook('preSerialization', async () => ({ title: 'nothing here', secret }))
  assert.equal((await replaced.inject({ url: '/none' })).body, '{"title":"nothing here"}')
  const wrong = espalier()
    .addResponses({ 404: Problem })
    .addHook('preSerialization', async () => ({ secret }))
  assert.equal((await wrong.inject({ url: '/none' })).statusCode, 500)
  const custom = espalier()
    .addResponses({ 404: Problem })
    .setReplySerializer(() => 'own')
  assert.equal((await custom.inject({ url: '/none' })).body, 'own')
  const failing = espalier()
    .addResponses({ 404: Problem })
    .addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 404) throw new Error(secret)
    })
    .setErrorHandler((_error, _request, reply) => reply.code(500).send('failed'))
  assert.equal((await failing.inject({ url: '/none' })).body, 'failed')
})

test('the own entry of a route takes precedence, in any spelling', async () => {
  for (const key of ['401', '4XX'] as const) {
    const app = espalier().addResponses({ 401: Problem, '4xx': Problem })
    app.route({
      method: 'GET',
      url: '/own',
      schema: { response: { [key]: Denied } as object },
      onRequest: async (_request, reply) => {
        const payload = { title: 'x', scope: 'admin' }
        await reply.code(key === '401' ? 401 : 418).send(payload)
      },
      handler: () => null,
    })
    assert.equal((await app.inject('/own')).body, '{"scope":"admin"}')
  }
})

test('what a hook or an error handler sends by the scope is sent where a route has an entry of its own', async () => {
  const app = espalier()
    .addResponses({ '4xx': Problem, 503: Problem })
    .addHook('onRequest', async (request, reply) => {
      const { problem } = request.headers
      if (problem === 'hook') return reply.code(401).send({ title: 'no token' })
      const wrong = { secret }
      // cast: the compiler would refuse it
      if (problem === 'wrong') return reply.code(401).send(wrong as never)
    })
    .setErrorHandler((_error, _request, reply) => {
      const payload = { title: 'later', secret }
      return reply.code(503).send(payload)
    })
    .get('/', { schema: { response: { 200: User, 401: Denied, 503: Denied } } }, () => {
      throw new Error(secret)
    })
    .get('/own', { schema: { response: { 200: User, 401: Denied } } }, (_request, reply) => {
      const wrong = { title: 'no scope' }
      return reply.code(401).send(wrong as never)
    })
  const answer = async (url: string, problem: string) => {
    const { statusCode, headers, body } = await app.inject({ url, headers: { problem } })
    return [statusCode, headers['declared'], headers['content-type'], body]
  }
  const json = 'application/json; charset=utf-8'
  assert.deepEqual(await answer('/', 'hook'), [401, undefined, json, '{"title":"no token"}'])
  assert.deepEqual(await answer('/', 'none'), [503, undefined, json, '{"title":"later"}'])
  assert.deepEqual(await answer('/', 'wrong'), [503, undefined, json, '{"title":"later"}'])
  assert.deepEqual(await answer('/own', 'none'), [503, '?1', json, '{"title":"later"}'])
})

test('responses are visible in their scope and below it, and nowhere else', async () => {
  const send = (status: number) => ({
    method: 'GET' as const,
    url: '/',
    handler: async () => {
      throw Object.assign(new Error('x'), { statusCode: status, title: 'told', scope: 'all' })
    },
  })
  const app = espalier()
    .addResponses({ 401: Problem })
    .register(
      async (admin) => {
        admin.addResponses({ 403: Denied })
        admin.register(async (inner) => void inner.route(send(403)), { prefix: '/inner' })
      },
      { prefix: '/admin' },
    )
    .register(async (users) => void users.route(send(403)), { prefix: '/users' })
  assert.equal((await app.inject('/admin/inner')).body, '{"scope":"all"}')
  assert.deepEqual(Object.keys((await app.inject('/users')).json()), [
    'statusCode',
    'error',
    'message',
  ])
})

test('they apply to routes that were declared before, as hooks do', async () => {
  const app = espalier()
  app.get('/', (_request, reply) => reply.code(401).send({ title: 'x', secret }))
  app.addResponses({ 401: Problem })
  assert.equal((await app.inject('/')).body, '{"title":"x"}')
})

test('a shared plugin contributes to the scope that registers it', async () => {
  const auth = shared(async (app) =>
    app.addResponses({ 401: Problem }).addHook('onRequest', async (_request, reply) => {
      const payload = { title: 'no token', secret }
      return reply.code(401).send(payload)
    }),
  )
  const app = espalier()
    .register(auth)
    .get('/', { schema: { response: { 200: User } } }, () => ({ id: 1 }))
  assert.equal((await app.inject('/')).body, '{"title":"no token"}')
})

test('two plugins may declare the same response', async () => {
  const one = plugin().shared(async (app) => app.addResponses({ 401: Problem }))
  const copy = t.Object({ title: t.String(), status: t.Optional(t.Integer()) })
  const other = plugin().shared(async (app) => app.addResponses({ 401: copy }))
  await espalier().register(one).register(other).ready()
})

test('another schema for a visible response is refused, with both places', async () => {
  const app = espalier().addResponses({ 401: Problem })
  // @ts-expect-error -- the compiler refuses it too
  assert.throws(() => app.addResponses({ 401: Denied }), {
    code: 'ESP_ERR_SCOPE_RESPONSE_PRESENT',
    message: /^Response 401 already has a schema in root, and another one in root/,
  })
  app.register(async function users(child) {
    child.addResponses({ 403: Denied })
  })
  await app.after()
  assert.throws(() => app.addResponses({ 403: Problem }), {
    code: 'ESP_ERR_SCOPE_RESPONSE_PRESENT',
    message: /^Response 403 already has a schema in root > users, and another one in root/,
  })
})

test('the error names the two shared plugins that disagree', async () => {
  const app = espalier()
  app.register(shared(async (same) => same.addResponses({ 401: Problem }), { name: 'auth' }))
  app.register(
    shared(async (same) => same.addResponses({ 401: Denied }) as never, { name: 'roles' }),
  )
  await assert.rejects(app.ready(), {
    code: 'ESP_ERR_SCOPE_RESPONSE_PRESENT',
    message:
      /^Response 401 already has a schema in root, by the plugin 'root > auth', and another one in root, by the plugin 'root > roles'/,
  })
})

test('nothing of a refused call is kept', async () => {
  const app = espalier()
  // @ts-expect-error -- a success belongs to its route
  assert.throws(() => app.addResponses({ 401: Problem, 200: User }), {
    code: 'ESP_ERR_SCOPE_RESPONSE_KEY',
    message: /^'200' is no status that addResponses takes, in root/,
  })
  app.addResponses({ 401: Denied })
  for (const wrong of ['default', '2xx', '600', 'unauthorized']) {
    assert.throws(() => app.addResponses({ [wrong]: User } as object), {
      code: 'ESP_ERR_SCOPE_RESPONSE_KEY',
    })
  }
  assert.throws(() => app.addResponses(401 as never), { code: 'ESP_ERR_SCH_NOT_OBJECT' })
})

test('a schema that cannot be compiled stops the boot, and its scope is named', async () => {
  const app = espalier()
  app.register(async function users(child) {
    child.addResponses({ 401: t.Ref('nothing#') } as object)
    child.get('/', () => 'x')
  })
  await assert.rejects(app.ready(), {
    code: 'ESP_ERR_SCH_MISSING_REF',
    message: /response 401 of root > users/,
  })
})

test('after the boot it is refused', async () => {
  const app = espalier()
  await app.ready()
  assert.throws(
    () => app.addResponses({ 401: Problem }),
    errorCodes.ESP_ERR_INSTANCE_ALREADY_LISTENING,
  )
})

test('routes share one serializer; a compiler of the user gets each route', async () => {
  const shown: unknown[] = []
  const show = (app: ReturnType<typeof espalier>) =>
    app
      .addHook('onRequest', async (_request, reply) => {
        shown.push(reply.getSerializationFunction(401))
      })
      .get('/a', () => 1)
      .get('/b', { schema: { response: { 200: t.Integer() } } }, () => 1)
  const app = espalier()
  app.addResponses({ 401: Problem })
  show(app)
  await app.inject('/a')
  await app.inject('/b')
  assert.equal(typeof shown[0], 'function')
  assert.equal(shown[0], shown[1])

  const compiled = new Set<string>()
  const custom = espalier()
  custom.addResponses({ 401: Problem })
  custom.setSerializerCompiler(({ httpStatus, method, url }) => {
    if (httpStatus === '401') compiled.add(`${method} ${url}`)
    return JSON.stringify
  })
  show(custom)
  await custom.ready()
  assert.ok(compiled.has('GET /a') && compiled.has('GET /b'))
})

test('short forms, media types, headers and shared schemas are as in a route', async () => {
  const app = espalier()
    .addSchema('problem', Problem)
    .addResponses({
      401: t.Ref('problem#'),
      403: { scope: t.String() },
      429: {
        headers: { 'retry-after': t.Integer() },
        content: { 'application/problem+json': { schema: Problem } },
      },
    })
    .get('/401', (_request, reply) => reply.code(401).send({ title: 'x' }))
    .get('/403', (_request, reply) => reply.code(403).send({ scope: 'x' }))
    .get('/429', (_request, reply) => reply.code(429).send({ title: 'x' }))
  const bodies = ['{"title":"x"}', '{"scope":"x"}', '{"title":"x"}']
  for (const [index, url] of ['/401', '/403', '/429'].entries()) {
    assert.equal((await app.inject(url)).body, bodies[index])
  }
  assert.match(
    String((await app.inject('/429')).headers['content-type']),
    /^application\/problem\+json/,
  )
})

test('documents have them in each route of the scope', async () => {
  const app = espalier()
    .addResponses({ 401: Problem })
    .get('/open', () => 1)
    .get('/own', { schema: { response: { 200: User, 401: Denied } } }, () => ({ id: 1 }))
    .register(async (child) => {
      child.addResponses({ 403: Denied })
      child.get('/child', { schema: { response: { 200: User } } }, () => ({ id: 1 }))
    })
  const { paths } = await documentOf(app, { info: { title: 'x', version: '1' } })
  const statuses = (path: string) => Object.keys(paths[path]?.get?.responses ?? {}).sort()
  assert.deepEqual(statuses('/open'), ['200', '401'])
  assert.deepEqual(statuses('/own'), ['200', '401'])
  assert.deepEqual(statuses('/child'), ['200', '401', '403'])
})
