// RFC 9457: with the option `problemDetails`, the default answers of errors are application/problem+json.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { client } from '../../src/client/index.ts'
import { openapi } from '../../src/openapi/index.ts'
import espalier, { t } from '../../src/index.ts'
import { listening } from '../support/serve.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const problemType = 'application/problem+json'
const jsonType = 'application/json; charset=utf-8'

const problems = (options: object = {}): any => untyped({ problemDetails: true, ...options })

const failing = (facts: object) => () => {
  throw Object.assign(new Error('why'), facts)
}

async function answer(app: any, request: object | string = '/') {
  const [response] = await silenced(() => app.inject(request))
  const { statusCode, headers, body } = response as any
  return {
    statusCode,
    type: headers['content-type'],
    mark: headers.declared,
    body: JSON.parse(body),
  }
}

test('an error with a status of its own is a problem with its message and its code', async () => {
  const app = problems().get('/', failing({ statusCode: 409, code: 'TAKEN' }))
  assert.deepEqual(await answer(app), {
    statusCode: 409,
    type: problemType,
    mark: undefined,
    body: { title: 'Conflict', status: 409, detail: 'why', code: 'TAKEN' },
  })
})

test('an unforeseen error is a problem without what the client must not know', async () => {
  const secret = failing({ code: 'SECRET', issues: ['secret'], validation: [] })
  const { type, body } = await answer(problems().get('/', secret))
  assert.equal(type, problemType)
  assert.deepEqual(body, { title: 'Internal Server Error', status: 500 })
  const shown = await answer(problems({ exposeErrors: true }).get('/', failing({ code: 'SECRET' })))
  assert.deepEqual(shown.body, {
    title: 'Internal Server Error',
    status: 500,
    detail: 'why',
    code: 'SECRET',
  })
})

test('a failed validation is a problem with its issues', async () => {
  const schema = { body: t.Object({ name: t.String() }) }
  const app = problems().post('/', { schema }, () => 1)
  const { statusCode, type, body, mark } = await answer(app, {
    method: 'POST',
    url: '/',
    payload: {},
  })
  assert.deepEqual([statusCode, type, mark], [400, problemType, undefined])
  assert.deepEqual(body, {
    title: 'Bad Request',
    status: 400,
    detail: "body must have required property 'name'",
    code: 'ESP_ERR_VALIDATION',
    issues: [
      {
        part: 'body',
        pointer: '/name',
        code: 'required',
        expected: 'string',
        received: 'missing',
        message: "must have required property 'name'",
      },
    ],
  })
})

test('another error with issues keeps them', async () => {
  const app = problems().get('/', failing({ statusCode: 422, issues: ['secret'] }))
  assert.equal((await answer(app)).body.issues, undefined)
})

test('the answers of the framework are problems', async () => {
  const app = problems({ bodyLimit: 10 })
  app.post('/', () => 1).get('/:name', () => 1)
  const post = { method: 'POST', url: '/' }
  for (const [status, request] of [
    [404, '/no/where'],
    [413, { ...post, payload: { text: 'longer than ten' } }],
    [415, { ...post, headers: { 'content-type': 'text/csv' }, payload: 'a,b' }],
    [400, { ...post, headers: { 'content-type': 'application/json' }, payload: '{' }],
    [400, '/%zz'],
  ] as const) {
    const { statusCode, type, body } = await answer(app, request)
    assert.deepEqual([statusCode, type, body.status], [status, problemType, status])
    assert.ok(body.title !== '' && body.detail !== '')
  }
  assert.deepEqual((await answer(app, '/no/where')).body, {
    title: 'Not Found',
    status: 404,
    detail: 'Route GET:/no/where not found',
  })
})

test('hooks see the problem of a request without a route', async () => {
  let seen: unknown
  const app = problems().addHook(
    'preSerialization',
    async (_request: any, _reply: any, payload: any) => {
      seen = payload
      return { ...payload, instance: '/problems/1' }
    },
  )
  const { type, body } = await answer(app, '/nowhere')
  assert.equal(type, problemType)
  assert.equal((seen as any).title, 'Not Found')
  assert.equal(body.instance, '/problems/1')
})

test('a timeout is a problem', async () => {
  const app = problems({ handlerTimeout: 20 }).get('/', () => new Promise(() => {}))
  const { statusCode, type, body } = await answer(app)
  assert.deepEqual([statusCode, type, body.code], [503, problemType, 'ESP_ERR_HANDLER_TIMEOUT'])
})

test('an answer in place of one that a hook has spoilt is a problem', async () => {
  const app = problems().addHook('onSend', async () => {
    throw new Error('again')
  })
  app.get('/', failing({ statusCode: 409 }))
  const { statusCode, type, body } = await answer(app)
  assert.deepEqual([statusCode, type, body.detail], [409, problemType, 'why'])
})

test('what is no request is answered with a problem', async (context) => {
  const app = problems()
  const { port } = new URL(await listening(context, app))
  const text = await new Promise<string>((resolve, reject) => {
    let all = ''
    const socket = connect(Number(port), 'localhost', () => socket.write('no http\r\n\r\n'))
    socket
      .on('data', (chunk) => (all += chunk))
      .on('end', () => resolve(all))
      .on('error', reject)
  })
  assert.match(text, /^HTTP\/1.1 400 Bad Request\r\ncontent-type: application\/problem\+json\r\n/)
  assert.deepEqual(JSON.parse(text.slice(text.indexOf('{'))), {
    title: 'Bad Request',
    status: 400,
    detail: 'The request is no HTTP',
  })
})

const Declared = t.Object({ title: t.String(), status: t.Integer(), item: t.Optional(t.String()) })

test('a schema that is declared for the status decides', async () => {
  const Old = t.Object({ statusCode: t.Integer(), message: t.String() })
  const content = { [problemType]: { schema: Declared } }
  const app = problems()
  const error = failing({ statusCode: 409, item: 'tea', other: 'x' })
  app.get('/old', { schema: { response: { 409: Old } } }, error)
  app.get('/json', { schema: { response: { '4xx': Declared } } }, error)
  app.get('/problem', { schema: { response: { '4xx': { content } } } }, error)
  app.get('/misfit', { schema: { response: { 409: t.Object({ needed: t.String() }) } } }, error)
  assert.deepEqual(await answer(app, '/old'), {
    statusCode: 409,
    type: jsonType,
    mark: '?1',
    body: { statusCode: 409, message: 'why' },
  })
  const body = { title: 'Conflict', status: 409, item: 'tea' }
  assert.deepEqual(await answer(app, '/json'), {
    statusCode: 409,
    type: jsonType,
    mark: '?1',
    body,
  })
  assert.deepEqual(await answer(app, '/problem'), {
    statusCode: 409,
    type: problemType,
    mark: '?1',
    body,
  })
  assert.deepEqual(await answer(app, '/misfit'), {
    statusCode: 409,
    type: problemType,
    mark: undefined,
    body: { title: 'Conflict', status: 409, detail: 'why' },
  })
})

test('a scope may declare the problems of requests without a route', async () => {
  const content = { [problemType]: { schema: t.Object({ title: t.String() }) } }
  const app = problems().addResponses({ '4xx': { content } })
  const { type, body } = await answer(app, '/nowhere')
  assert.deepEqual([type, body], [problemType, { title: 'Not Found' }])
  const other = problems().addResponses({ '4xx': t.Object({ error: t.String() }) })
  const json = await answer(other, '/nowhere')
  assert.deepEqual([json.type, json.body], [jsonType, { error: 'Not Found' }])
})

test('a document describes problems', async () => {
  const app = problems()
  await app.register(openapi({ info: { title: 'Problems', version: '1' } }))
  app.post('/', { schema: { body: { name: t.String() } } }, () => 1)
  app.get(
    '/own',
    {
      schema: {
        querystring: { n: t.Integer() },
        response: { 200: t.Null(), 400: { content: { [problemType]: { schema: Declared } } } },
      },
    },
    () => null,
  )
  await app.ready()
  const { paths, components } = (await app.inject('/openapi.json')).json()
  const ref = { schema: { $ref: '#/components/schemas/ProblemDetails' } }
  for (const status of ['400', '413', '415']) {
    assert.deepEqual(paths['/'].post.responses[status].content, { [problemType]: ref })
  }
  const { required, properties } = components.schemas.ProblemDetails
  assert.deepEqual(required, ['title', 'status'])
  assert.ok('issues' in properties)
  const own = paths['/own'].get.responses['400'].content
  assert.deepEqual(Object.keys(own), [problemType])
  assert.equal(own[problemType].schema.anyOf, undefined)
})

test('a client reads a problem as JSON', async (context) => {
  const content = { 'application/problem+json': { schema: Declared } }
  const app = espalier({ problemDetails: true })
    .addResponses({ 409: { content } })
    .get('/', (): { ok: boolean } => failing({ statusCode: 409 })() as never)
    .get('/other', { schema: { querystring: { n: t.Integer() } } }, () => 'fine')
  const url = await listening(context, app as never)
  const api = client<typeof app>(url)
  const response = await api('GET /')
  assert.equal(response.statusCode, 409)
  if (response.statusCode === 409) assert.equal(response.json().title, 'Conflict')
  // The types of a route that declares no problems have the other payload for a failed validation.
  const wrong = await api('GET /other', { query: { n: 'x' as never } }).catch(
    (error: unknown) => error,
  )
  assert.equal((wrong as any).code, 'ESP_ERR_CLIENT_UNDECLARED')
  assert.equal((wrong as any).response.json().issues[0].pointer, '/n')
})
