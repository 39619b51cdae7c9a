// Specification 2.6, 4.3: validators of one's own, for a server, a context or a route.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { deepFreeze, untyped, type UntypedServer } from '../support/untyped.ts'

const part = { type: 'object' }
const ok = () => ({})
const validating = (validator: (data: any) => unknown) => () => validator

/** Sends JSON to a route whose body is validated by this function, and gives what it answers. */
async function post(validator: (data: any) => unknown, payload: unknown = {}): Promise<any> {
  const app = untyped().post(
    '/',
    { schema: { body: part }, validatorCompiler: validating(validator) },
    ({ body }) => ({ body, type: typeof body }),
  )
  return send(app, payload)
}

async function send(app: UntypedServer, payload: unknown, url = '/'): Promise<any> {
  const headers = { 'content-type': 'application/json' }
  const text = JSON.stringify(payload)
  const response = await app.inject({ method: 'POST', url, headers, payload: text })
  return response.json()
}

test('a compiler holds for the context that sets it and its children; the nearest one is taken', async () => {
  const name = (value: string) => validating(() => ({ value }))
  const route = { schema: { querystring: { n: t.Integer() } } }
  const app = untyped().get('/ajv', route, ({ query }) => [query])
  app.register(async (child) => {
    child.setValidatorCompiler(name('child'))
    child.get('/child', route, ({ query }) => [query])
    child.get('/route', { ...route, validatorCompiler: name('route') }, ({ query }) => [query])
    child.register(async (grandchild) => {
      grandchild.get('/inherited', route, ({ query }) => [query])
      grandchild.register(async (nested) => {
        nested.setValidatorCompiler(name('nested')).get('/nested', route, ({ query }) => [query])
      })
    })
  })
  app.register(async (sibling) => void sibling.get('/sibling', route, ({ query }) => [query]))
  for (const [path, expected] of [
    ['/ajv', { n: 1 }],
    ['/child', 'child'],
    ['/route', 'route'],
    ['/inherited', 'child'],
    ['/nested', 'nested'],
    ['/sibling', { n: 1 }],
  ] as const) {
    assert.deepEqual((await app.inject(`${path}?n=1`)).json(), [expected], path)
  }
})

test('a compiler that the root sets holds for every context', async () => {
  const app = untyped().setValidatorCompiler(validating(() => ({ value: 'mine' })))
  app.register(async (child) => {
    child.get('/', { schema: { querystring: part } }, ({ query }) => [query])
  })
  assert.deepEqual((await app.inject('/')).json(), ['mine'])
})

test('a compiler is called once per part, with schema, method, url and httpPart, and nothing else', async () => {
  const calls: any[][] = []
  const schema = deepFreeze({
    params: { type: 'object', title: 'p' },
    body: { type: 'object', title: 'b' },
    query: { type: 'object', title: 'q' },
    headers: { type: 'object', title: 'h' },
    response: { 200: part },
  })
  const app = untyped().setValidatorCompiler((...args: unknown[]) => {
    calls.push(args)
    return () => true
  })
  app.register(async (child) => void child.post('/a/:id', { schema }, ok), { prefix: '/v1' })
  app.delete('/none', { schema: { body: part } }, ok)
  await app.ready()
  const method = 'POST'
  const url = '/v1/a/:id'
  assert.deepEqual(calls, [
    [{ schema: schema.params, method, url, httpPart: 'params' }],
    [{ schema: schema.body, method, url, httpPart: 'body' }],
    [{ schema: schema.query, method, url, httpPart: 'querystring' }],
    [{ schema: schema.headers, method, url, httpPart: 'headers' }],
  ])
  assert.equal(calls[1]?.[0]?.schema, schema.body)
})

test('a compiler is given a short form as a full schema', async () => {
  let seen: unknown
  const validatorCompiler = ({ schema }: { schema: unknown }) => {
    seen = schema
    return () => true
  }
  const a = { type: 'integer' }
  await untyped()
    .post('/', { schema: { body: { a } }, validatorCompiler }, ok)
    .ready()
  assert.deepEqual(seen, { type: 'object', properties: { a } })
})

test('the value of { value } takes the place of the part, also when it is falsy', async () => {
  for (const value of ['x', { a: 1 }, 0, '', false, null]) {
    assert.deepEqual((await post(() => ({ value }))).body, value)
    assert.deepEqual((await post(async () => ({ value }))).body, value)
  }
  assert.deepEqual(await post(() => ({ value: undefined })), { type: 'undefined' })
})

test('a validator that returns true, or a promise of it, leaves the part as it is', async () => {
  assert.deepEqual((await post(() => true, { a: 1 })).body, { a: 1 })
  assert.deepEqual((await post(async () => true, { a: 1 })).body, { a: 1 })
})

test('a body with properties named value and error is not taken for the answer of a validator', async () => {
  const body = { value: 1, error: 'no error' }
  assert.deepEqual((await post(() => true, body)).body, body)
  assert.deepEqual((await post((value) => ({ value }), body)).body, body)
  assert.deepEqual((await post(async (value) => ({ value }), body)).body, body)
})

test('{ error } is a failed validation, and an error of null or undefined is none', async () => {
  for (const answer of [{ error: new Error('not this') }, { error: 'not this', value: 1 }]) {
    const expected = {
      statusCode: 400,
      code: 'ESP_ERR_VALIDATION',
      error: 'Bad Request',
      message: 'not this',
    }
    assert.deepEqual(await post(() => answer), expected)
    assert.deepEqual(await post(async () => answer), expected)
  }
  assert.equal((await post(() => ({ value: 1, error: undefined }))).body, 1)
  assert.equal((await post(() => ({ value: 1, error: null }))).body, 1)
})

test('a validator that returns false fails with the errors on the function', async () => {
  const validator = Object.assign(() => false, { errors: [{ message: 'is wrong' }] })
  assert.equal((await post(validator)).message, 'body is wrong')
  assert.equal((await post(() => false)).message, 'body is not valid')
})

test('a promise that rejects is a failed validation, whatever it rejects with', async () => {
  for (const [reason, message] of [
    [new Error('not this'), 'not this'],
    ['not this', 'not this'],
    [undefined, 'body is not valid'],
    [null, 'body is not valid'],
  ]) {
    const answer = await post(() => Promise.reject(reason))
    assert.deepEqual([answer.statusCode, answer.message], [400, message])
  }
})

test('a validator that throws is a fault of the server, whose message is not sent', async () => {
  const [answer, log] = await silenced(() =>
    post(() => {
      throw new Error('secret')
    }),
  )
  const error = 'Internal Server Error'
  assert.deepEqual(answer, { statusCode: 500, error, message: error })
  assert.match(log, /secret/)
})

test('parts are validated one after the other, also when validators are asynchronous', async () => {
  const order: string[] = []
  const app = untyped().setValidatorCompiler(({ httpPart }: { httpPart: string }) => async () => {
    order.push(httpPart)
    await new Promise((resolve) => setTimeout(resolve, 5))
    order.push(`${httpPart} done`)
    return httpPart === 'body' ? { error: 'no' } : true
  })
  app.post('/', { schema: { params: part, body: part, query: part } }, ok)
  assert.equal((await send(app, {})).statusCode, 400)
  assert.deepEqual(order, ['params', 'params done', 'body', 'body done'])
})

test('a compiler that returns no function is a boot error that names part, route and plugin', async () => {
  for (const [rubbish, name] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [{}, 'an object'],
    [Promise.resolve(() => true), 'an object'],
  ] as const) {
    const app = untyped().register(async function users(child) {
      child.setValidatorCompiler(() => rubbish).post('/a', { schema: { body: part } }, ok)
    })
    await assert.rejects(() => Promise.resolve(app.ready()), {
      code: 'ESP_ERR_SCH_VALIDATION_BUILD',
      message: `The validator for the body of POST /a in root > users cannot be built: the validatorCompiler returned ${name}, not a function`,
    })
  }
})

test('a compiler that throws is a boot error that names part, route and plugin', async () => {
  for (const [thrown, reason] of [
    [new Error('no idea'), 'no idea'],
    ['no idea', "'no idea'"],
    [undefined, 'undefined'],
  ] as const) {
    const validatorCompiler = () => {
      throw thrown
    }
    const app = untyped().get('/a', { schema: { headers: part }, validatorCompiler }, ok)
    await assert.rejects(
      () => Promise.resolve(app.ready()),
      (error: any) => {
        assert.equal(error.code, 'ESP_ERR_SCH_VALIDATION_BUILD')
        const where = 'The validator for the headers of GET /a in root cannot be built'
        assert.equal(error.message, `${where}: ${reason}`)
        assert.equal(error.cause, thrown)
        return true
      },
    )
  }
})

test('setValidatorCompiler refuses what is no function', () => {
  assert.throws(() => untyped().setValidatorCompiler({}), {
    code: 'ESP_ERR_FUNCTION_EXPECTED',
    message: 'validatorCompiler in root takes a function, but was given an object',
  })
})

test('a validator can be chosen by httpPart: no coercion for the body, coercion elsewhere', async () => {
  const coercing = new Ajv({ coerceTypes: 'array' })
  const parts = { body: new Ajv(), params: coercing, querystring: coercing, headers: coercing }
  const n = { type: 'object', properties: { n: { type: 'integer' } } }
  const app = untyped()
    .setValidatorCompiler(({ schema, httpPart }: { schema: object; httpPart?: 'body' }) => {
      if (!httpPart) throw new Error('Missing httpPart')
      const ajv = parts[httpPart]
      if (!ajv) throw new Error(`Missing compiler for ${httpPart}`)
      return ajv.compile(schema)
    })
    .post('/:n', { schema: { params: n, query: n, headers: n, body: n } }, (request) => [
      request.params.n,
      request.query.n,
      request.headers.n,
      request.body.n,
    ])
  const send = async (value: unknown) => {
    const payload = { n: value }
    return app.inject({ method: 'POST', url: '/1?n=2', headers: { n: '3' }, payload })
  }
  assert.deepEqual((await send(4)).json(), [1, 2, 3, 4])
  assert.equal((await send('4')).json().message, 'body/n must be integer')
})
