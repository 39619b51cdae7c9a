// Specification 2.6: which formatter makes the error of a failed validation, and what it may not do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shared, t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const schema = { body: t.Object({ name: t.String() }) }
const ok = () => ({ handled: true })
const saying = (text: string) => () => new Error(text)

const post = (app: UntypedServer, url = '/') => app.inject({ method: 'POST', url, payload: {} })

async function messages(app: UntypedServer, urls: readonly string[]) {
  const said: string[] = []
  for (const url of urls) said.push((await post(app, url)).json().message)
  await app.close()
  return said
}

test('the formatter of a route comes before those of its context and of the factory', async () => {
  const app = untyped({ schemaErrorFormatter: saying('factory') })
  const options = { schema, schemaErrorFormatter: saying('route') }
  app.post('/', options, ok).post('/other', { schema }, ok)
  app.register(async (child) => {
    child.setSchemaErrorFormatter(saying('child'))
    child.post('/child', options, ok).post('/child/other', { schema }, ok)
  })
  const urls = ['/', '/other', '/child', '/child/other']
  assert.deepEqual(await messages(app, urls), ['route', 'factory', 'route', 'child'])
})

test('a formatter holds for its context and below, the nearest one first, late ones included', async () => {
  const app = untyped().post('/', { schema }, ok)
  app.register(async (child) => {
    child.post('/child', { schema }, ok)
    child.register(async (nested) => {
      nested.post('/nested', { schema }, ok).setSchemaErrorFormatter(saying('nested'))
    })
    child.setSchemaErrorFormatter(saying('child'))
  })
  app.register(async (around) => {
    const add = async (same: UntypedServer) => same.setSchemaErrorFormatter(saying('shared'))
    around.register(shared(add) as never)
    around.post('/around', { schema }, ok)
  })
  app.register(async (beside) => void beside.post('/beside', { schema }, ok))
  await app.register(async () => {})
  app.setSchemaErrorFormatter(saying('root'))
  const urls = ['/', '/child', '/nested', '/around', '/beside']
  assert.deepEqual(await messages(app, urls), ['root', 'child', 'nested', 'shared', 'root'])
})

test("this is the server of the route's context, whoever has set the formatter", async () => {
  const selves: unknown[] = []
  const servers: unknown[] = []
  function noting(this: unknown) {
    selves.push(this)
    return new Error('noted')
  }
  for (const options of [{ schemaErrorFormatter: noting }, {}]) {
    const app = untyped(options).post('/', { schema }, ok)
    if (!('schemaErrorFormatter' in options)) app.setSchemaErrorFormatter(noting)
    app.register(async (child) => {
      const route = { schema, schemaErrorFormatter: noting }
      child.post('/child', { schema }, ok).post('/route', route, ok)
      servers.push(app, child, child)
    })
    await messages(app, ['/', '/child', '/route'])
  }
  assert.equal(selves.length, 6)
  for (const [index, self] of selves.entries()) assert.equal(self, servers[index], String(index))
})

test('it is given the list of records, and the part: body, params, querystring or headers', async () => {
  const calls: unknown[][] = []
  const schemaErrorFormatter = (...args: unknown[]) => {
    calls.push(args)
    return new Error('noted')
  }
  const n = { n: t.Integer() }
  const app = untyped({ schemaErrorFormatter })
  const keys = ['body', 'params', 'querystring', 'query', 'headers']
  for (const key of keys) app.post(`/${key}/:n`, { schema: { [key]: n } }, ok)
  for (const key of keys) {
    const request = { headers: { n: 'x' }, payload: { n: 'x' } }
    await app.inject({ method: 'POST', url: `/${key}/x?n=x`, ...request })
  }
  await app.close()
  const record = {
    instancePath: '/n',
    schemaPath: '#/properties/n/type',
    keyword: 'type',
    params: { type: 'integer' },
    message: 'must be integer',
  }
  const parts = ['body', 'params', 'querystring', 'querystring', 'headers']
  assert.deepEqual(
    calls,
    parts.map((part) => [[record], part]),
  )
})

test('it is called once for a request, also where the failure is attached', async () => {
  const calls: unknown[] = []
  const app = untyped({
    schemaErrorFormatter: (_errors: unknown, part: string) => {
      calls.push(part)
      return new Error(`of ${part}`)
    },
  })
  const both = { schema: { ...schema, headers: t.Object({ none: t.String() }) } }
  app.post('/', both, ok)
  app.post('/attached', { schema, attachValidation: true }, ({ validationError }) => ({
    message: `attached: ${validationError.message}`,
  }))
  assert.deepEqual(await messages(app, ['/', '/attached']), ['of body', 'attached: of body'])
  assert.deepEqual(calls, ['body', 'body'])
})

test('it is not called for a valid request, nor for other errors', async () => {
  let isCalled = false
  const schemaErrorFormatter = () => {
    isCalled = true
    return new Error('formatted')
  }
  const app = untyped({ schemaErrorFormatter }).post('/', { schema }, () => {
    throw Object.assign(new Error('broken'), { statusCode: 409 })
  })
  const payloads = [
    ['{"name":"Ada"}', 'broken'],
    ['{', /^Body is not valid JSON/],
  ] as const
  for (const [payload, message] of payloads) {
    const headers = { 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: '/', headers, payload })
    assert.match(answer.json().message, new RegExp(message))
  }
  assert.equal(isCalled, false)
  await app.close()
})

const single: Readonly<Record<string, () => unknown>> = {
  'an error': () => ({ error: new Error('single') }),
  'an object': () => ({ error: { message: 'single' } }),
  'a text': () => ({ error: 'single' }),
  'an Error that it returns': () => new Error('single'),
  'an error, by a promise': async () => ({ error: new Error('single') }),
}
for (const [what, validate] of Object.entries(single)) {
  test(`it is not called where another validator gives ${what} in place of a list`, async () => {
    const app = untyped({ schemaErrorFormatter: saying('formatted') })
    app.post('/', { schema, validatorCompiler: () => validate }, ok)
    const { statusCode, body } = await post(app)
    assert.deepEqual([statusCode, JSON.parse(body).message], [400, 'single'])
    await app.close()
  })
}

test('it is called for the issues of a Standard Schema, which are a list', async () => {
  const issues = [{ message: 'is no name', path: ['name'] }]
  const body = { '~standard': { version: 1, vendor: 'x', validate: () => ({ issues }) } }
  const app = untyped({
    schemaErrorFormatter: ([record]: any[], part: string) =>
      new Error(`${part}${record.instancePath}: ${record.message}`),
  })
  app.post('/', { schema: { body } }, ok)
  assert.deepEqual(await messages(app, ['/']), ['body/name: is no name'])
})

test('its error is answered with 400 and as a validation error, whatever status it had', async () => {
  const schemaErrorFormatter = () =>
    Object.assign(new Error('mine'), { statusCode: 422, code: 'MINE' })
  const app = untyped({ schemaErrorFormatter }).post('/', { schema }, ok)
  const answer = { statusCode: 400, code: 'MINE', error: 'Bad Request', message: 'mine' }
  assert.deepEqual((await post(app)).json(), answer)
  await app.close()
})

test('one error that it gives each time is not changed from one request to the next', async () => {
  const error = Object.freeze(new Error('always'))
  const app = untyped({ schemaErrorFormatter: () => error }).post('/', { schema }, ok)
  assert.deepEqual(await messages(app, ['/', '/']), ['always', 'always'])
})

const wrong: Readonly<Record<string, () => unknown>> = {
  'resolves to an error': () => Promise.resolve(new Error('late')),
  rejects: () => Promise.reject(new Error('late')),
  'gives a text': () => 'wrong',
  'gives null': () => null,
  'gives nothing': () => undefined,
  'gives an object like an error': () => ({ name: 'Error', message: 'wrong' }),
}
for (const [what, formatter] of Object.entries(wrong)) {
  test(`one that ${what} is a fault of the server that names the place, and the server lives`, async () => {
    const seen: any[] = []
    const app = untyped().setErrorHandler((error) => {
      seen.push(error)
      throw error
    })
    app.register(async function users(child) {
      child.setSchemaErrorFormatter(formatter).post('/', { schema }, ok)
      const options = { schema, schemaErrorFormatter: formatter }
      app.post('/route', { ...options, attachValidation: true }, ok)
    })
    for (const [url, place] of [
      ['/', 'root > users'],
      ['/route', 'root'],
    ] as const) {
      const [{ statusCode, body }, log] = await silenced(async () => {
        const answer = await post(app, url)
        // A rejection that nobody handles is told of now.
        await new Promise((resolve) => setImmediate(resolve))
        return answer
      })
      assert.deepEqual([statusCode, JSON.parse(body).message], [500, 'Internal Server Error'])
      const text = `The schemaErrorFormatter in ${place} must return an Error synchronously`
      assert.ok(log.includes(text), log)
      assert.equal(seen.pop().code, 'ESP_ERR_SCH_ERROR_FORMATTER')
    }
    assert.equal((await app.inject('/none')).statusCode, 404)
    await app.close()
  })
}

test('what it throws is answered as any error that is thrown, and is told to stderr with the route', async () => {
  for (const [error, status, message] of [
    [new Error('broken'), 500, 'Internal Server Error'],
    [Object.assign(new Error('teapot'), { statusCode: 418 }), 418, 'teapot'],
  ] as const) {
    const schemaErrorFormatter = () => {
      throw error
    }
    const app = untyped().post('/', { schema, schemaErrorFormatter }, ok)
    const [answer, log] = await silenced(async () => post(app))
    assert.deepEqual([answer.statusCode, answer.json().message], [status, message])
    assert.equal(log.includes('POST / in root: Error: broken'), status === 500)
    await app.close()
  }
})

test('what is no function is refused on a route, and the setter is for boot only', async () => {
  const app = untyped()
  assert.throws(() => app.post('/', { schema, schemaErrorFormatter: 'x' }, ok), {
    code: 'ESP_ERR_ROUTE_OPTION',
    message: /'schemaErrorFormatter'.*root must be a function, but is 'x'/,
  })
  await app.ready()
  assert.throws(() => app.setSchemaErrorFormatter(saying('late')), {
    code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING',
  })
  await app.close()
})
