// Specification 2.7, 7.1 to 7.4: what a failed validation is, and who may answer it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { errorCodes, t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const schema = { body: t.Object({ name: t.String() }) }
const ok = () => ({ handled: true })
const post = (app: UntypedServer, payload: object = {}, url = '/') =>
  app.inject({ method: 'POST', url, payload })

test('the default answer is 400 with statusCode, code, error and message, in this order', async () => {
  const response = await post(untyped().post('/', { schema }, ok))
  assert.equal(response.statusCode, 400)
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(
    response.body,
    '{"statusCode":400,"code":"ESP_ERR_VALIDATION","error":"Bad Request",' +
      '"message":"body must have required property \'name\'"}',
  )
})

for (const [part, request] of [
  ['params', { url: '/x?n=1', headers: { n: '1' }, payload: { n: 1 } }],
  ['body', { url: '/1?n=1', headers: { n: '1' }, payload: {} }],
  ['querystring', { url: '/1', headers: { n: '1' }, payload: { n: 1 } }],
  ['headers', { url: '/1?n=1', headers: {}, payload: { n: 1 } }],
] as const) {
  test(`the message and the validationContext name the part ${part}`, async () => {
    const n = { n: t.Integer() }
    const app = untyped()
      .setErrorHandler((error, _request, reply) => reply.send(error.validationContext))
      .post('/:n', { schema: { params: n, body: n, querystring: n, headers: n } }, ok)
    const response = await app.inject({ method: 'POST', ...request })
    assert.equal(response.body, part)
  })

  test(`the text for ${part} names part and property`, async () => {
    const n = { n: t.Integer() }
    const app = untyped().post('/:n', { schema: { params: n, body: n, query: n, headers: n } }, ok)
    const { message } = (await app.inject({ method: 'POST', ...request })).json()
    const missing = `${part} must have required property 'n'`
    assert.equal(message, part === 'params' ? 'params/n must be integer' : missing)
  })
}

test('the error is an Error with code, status, the list of ajv as validation, and the part', async () => {
  let seen: any
  const app = untyped()
    .setErrorHandler((error, _request, reply) => {
      seen = error
      return reply.send({})
    })
    .post('/', { schema }, ok)
  assert.equal((await post(app)).statusCode, 400)
  assert.ok(seen instanceof errorCodes.ESP_ERR_VALIDATION)
  assert.equal(seen.statusCode, 400)
  assert.equal(seen.code, 'ESP_ERR_VALIDATION')
  assert.equal(seen.message, "body must have required property 'name'")
  assert.equal((seen as any).validationContext, 'body')
  assert.deepEqual((seen as any).validation, [
    {
      instancePath: '',
      schemaPath: '#/required',
      keyword: 'required',
      params: { missingProperty: 'name' },
      message: "must have required property 'name'",
    },
  ])
})

test('without attachValidation the handler does not run and no hook behind validation does', async () => {
  let ran = false
  const app = untyped()
    .addHook('preHandler', async () => void (ran = true))
    .post('/', { schema }, () => (ran = true))
  await post(app)
  assert.equal(ran, false)
})

test('with attachValidation the handler runs and decides what a failure means', async () => {
  const app = espalier().post('/', { schema, attachValidation: true }, (request, reply) => {
    const { validationError } = request
    if (validationError === undefined) return { name: request.body.name }
    assert.ok(validationError instanceof Error)
    return reply.code(400).send({
      part: validationError.validationContext,
      list: validationError.validation,
      text: validationError.message,
    })
  })
  const failed = await app.inject({ method: 'POST', url: '/', payload: {} })
  assert.equal(failed.statusCode, 400)
  assert.equal(failed.json<Record<string, unknown>>().part, 'body')
  assert.equal(
    failed.json<Record<string, unknown>>().text,
    "body must have required property 'name'",
  )
  assert.equal(failed.json<{ list: { keyword: string }[] }>().list[0]?.keyword, 'required')
  const passed = await app.inject({ method: 'POST', url: '/', payload: { name: 'Ada' } })
  assert.deepEqual(passed.json(), { name: 'Ada' })
})

test('a validationError that the handler sends is answered as the default answer', async () => {
  const sends = ({ validationError }: any, reply: any) => reply.code(400).send(validationError)
  const attached = untyped().post('/', { schema, attachValidation: true }, sends)
  const plain = untyped().post('/', { schema }, ok)
  assert.equal((await post(attached)).body, (await post(plain)).body)
})

test('with attachValidation the parts behind the first that failed are validated too', async () => {
  const options = { schema: { ...schema, query: { n: t.Integer() } }, attachValidation: true }
  const app = untyped().post('/', options, ({ validationError, query }) => [
    validationError.validationContext,
    query.n,
  ])
  assert.deepEqual((await post(app, {}, '/?n=1')).json(), ['body', 1])
})

test('with attachValidation the parts without a schema are as they were sent where another was refused', async () => {
  const app = espalier().post('/:id', { schema, attachValidation: true }, (request) => [
    request.validationError?.validationContext,
    request.params.id,
    request.query['n'],
    request.headers['x-n'],
  ])
  const headers = { 'x-n': '3' }
  const response = await app.inject({ method: 'POST', url: '/1?n=2', headers, payload: {} })
  assert.deepEqual(response.json(), ['body', '1', '2', '3'])
})

test('with attachValidation the error of a custom validator is attached too', async () => {
  const reason = new Error('not this')
  const validatorCompiler = () => async () => ({ error: reason })
  const options = { schema, attachValidation: true, validatorCompiler }
  const app = untyped().post('/', options, ({ validationError }) => [
    validationError.validation === reason,
    validationError.message,
  ])
  assert.deepEqual((await post(app)).json(), [true, 'not this'])
})

test('an error handler may choose another status and another payload', async () => {
  const app = untyped()
    .setErrorHandler((error, _request, reply) => {
      if (error.validation) reply.status(422).send({ problems: error.validation.length })
    })
    .post('/', { schema }, ok)
  const response = await post(app)
  assert.equal(response.statusCode, 422)
  assert.deepEqual(response.json(), { problems: 1 })
})

test('an error handler that sends or throws the error gets the default answer', async () => {
  const expected = (await post(untyped().post('/', { schema }, ok))).body
  const handlers: ((error: unknown, request: unknown, reply: any) => unknown)[] = [
    (error, _request, reply) => reply.send(error),
    (error) => {
      throw error
    },
    async (error) => {
      throw error
    },
  ]
  for (const handler of handlers) {
    const response = await post(untyped().setErrorHandler(handler).post('/', { schema }, ok))
    assert.equal(response.statusCode, 400)
    assert.equal(response.body, expected)
  }
})

test('the formatter of the factory makes the error from the list and the part', async () => {
  const calls: unknown[][] = []
  const schemaErrorFormatter = (...args: any[]) => {
    calls.push(args)
    return new Error(`${args[1]}: ${args[0][0].message}`)
  }
  const app = untyped({ schemaErrorFormatter }).post('/', { schema }, ok)
  const answer = (await post(app)).json()
  assert.equal(answer.statusCode, 400)
  assert.equal(answer.code, 'ESP_ERR_VALIDATION')
  assert.equal(answer.message, "body: must have required property 'name'")
  assert.equal(calls.length, 1)
  assert.equal(calls[0]?.length, 2)
  assert.equal((calls[0]?.[0] as any)[0].keyword, 'required')
})

test('inside a formatter this is the server', async () => {
  const selves: unknown[] = []
  function schemaErrorFormatter(this: { word: string }) {
    selves.push(this)
    return new Error(this.word)
  }
  const app = untyped({ schemaErrorFormatter }).decorate('word', 'wrong').post('/', { schema }, ok)
  assert.equal((await post(app)).json().message, 'wrong')
  assert.equal(selves[0], app)
})

test('a formatter may be set later; that of a child holds for the child, and is called on it', async () => {
  const app = untyped({ schemaErrorFormatter: () => new Error('factory') })
  const selves: unknown[] = []
  const children: unknown[] = []
  app.setSchemaErrorFormatter(() => new Error('root')).post('/', { schema }, ok)
  app.register(async (child) => {
    children.push(child)
    child.setSchemaErrorFormatter(function (this: unknown) {
      selves.push(this)
      return new Error('child')
    })
    child.post('/child', { schema }, ok)
    child.register(async (nested) => void nested.post('/nested', { schema }, ok))
  })
  app.register(async (sibling) => void sibling.post('/sibling', { schema }, ok))
  const message = async (url: string) => (await post(app, {}, url)).json().message
  assert.equal(await message('/'), 'root')
  assert.equal(await message('/child'), 'child')
  assert.deepEqual(selves, children)
  assert.equal(await message('/nested'), 'child')
  assert.equal(await message('/sibling'), 'root')
})

test('the error of a formatter keeps its class, and is given validation and validationContext', async () => {
  class Refused extends Error {}
  const app = untyped()
    .setSchemaErrorFormatter(() => new Refused('no'))
    .setErrorHandler((error, _request, reply) =>
      reply.send([error instanceof Refused, error.validation[0].keyword, error.validationContext]),
    )
    .post('/', { schema }, ok)
  const response = await post(app)
  assert.equal(response.statusCode, 400)
  assert.deepEqual(response.json(), [true, 'required', 'body'])
})

test('a formatter that returns no Error is a fault of the server that names the plugin', async () => {
  for (const [returned, name] of [
    [undefined, 'undefined'],
    ['wrong', "'wrong'"],
    [{ message: 'wrong' }, 'an object'],
    [Promise.resolve(new Error('wrong')), 'an object'],
  ] as const) {
    const app = untyped().setSchemaErrorFormatter(() => returned)
    app.register(async function users(child) {
      child.post('/', { schema }, ok)
    })
    const [response, log] = await silenced(() => post(app))
    assert.equal(response.statusCode, 500)
    assert.equal(response.json().message, 'Internal Server Error')
    const where = 'The schemaErrorFormatter in root > users'
    assert.ok(log.includes(`${where} must return an Error synchronously, but returned ${name}`))
  }
})

test('setSchemaErrorFormatter and the option of the factory refuse what is no function, or async', () => {
  for (const [formatter, shown] of [
    ['x', "'x'"],
    [async () => new Error('late'), 'async'],
  ] as const) {
    const refused = {
      code: 'ESP_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN',
      message: `The schemaErrorFormatter must be a function that is not async, but is ${shown}`,
    }
    assert.throws(() => untyped().setSchemaErrorFormatter(formatter), refused)
    assert.throws(() => untyped({ schemaErrorFormatter: formatter }), refused)
  }
})

test('a formatter formats lists in the structure of ajv that a custom validator returns', async () => {
  const list = [{ instancePath: '/name', message: 'is not a name' }]
  const validatorCompiler = () => () => ({ error: list })
  const app = untyped().post('/', { schema, validatorCompiler }, ok)
  assert.equal((await post(app)).json().message, 'body/name is not a name')
})

test('a valid request has no validationError', async () => {
  const app = untyped().post('/', { schema, attachValidation: true }, ({ validationError }) => [
    validationError === undefined,
  ])
  assert.deepEqual((await post(app, { name: 'Ada' })).json(), [true])
})
