// The ways by which the value of a sensitive field could leave with a log, a trace or an error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import ajvErrors from 'ajv-errors'
import { type } from 'arktype'
import * as v from 'valibot'
import espalier, { LogController, t } from '../../src/index.ts'
import { untyped, untypedFastify } from '../support/untyped.ts'

const secret = 'hunter2-hunter2'
const json = { 'content-type': 'application/json' }

const Login = t.Object({
  name: t.String({ maxLength: 5 }),
  password: t.Sensitive(t.String({ maxLength: 30 })),
  codes: t.Optional(t.Array(t.Sensitive(t.String({ maxLength: 9 })))),
  card: t.Optional(t.Sensitive(t.Object({ number: t.Integer() }, { additionalProperties: false }))),
})

/** A server that keeps its lines. */
function logging(options: object = {}) {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const { serializers, ...others } = options as { serializers?: object }
  const logger = { stream, ...(serializers && { serializers }) }
  const app = untyped({ logger, ...others })
  const text = (): string => lines.join('')
  return { app, lines, text }
}

const entries = (lines: readonly string[]): any[] => lines.map((line) => JSON.parse(line))

/** Bodies with the secret in or beside sensitive fields. Each is refused. */
const bodies: Record<string, unknown> = {
  'too long': { name: 'a', password: secret.repeat(3) },
  'a list': { name: 'a', password: [secret, secret] },
  'an object': { name: 'a', password: { [secret]: secret } },
  'an item': { name: 'a', password: 'x', codes: ['x', secret] },
  'an item for a list': { name: 'a', password: 'x', codes: secret },
  'inside of an object': { name: 'a', password: 'x', card: { number: secret } },
  'the name of a field inside': { name: 'a', password: 'x', card: { number: 1, [secret]: 1 } },
  'beside it': { name: 'too long', password: secret },
  'text that is no JSON': `{"name":"a","password":"${secret}"x}`,
  'other text that is no JSON': secret,
  'text that ends early': `{"password":"${secret}`,
}

/** Those that ajv may make valid. */
const accepted = ['an item for a list', 'the name of a field inside']

const forms: Record<string, () => ReturnType<typeof logging>> = {
  'by default': () => logging(),
  'in strict mode': () => logging({ strict: true }),
  'as problem details': () => logging({ problemDetails: true }),
  'with all errors and their data': () =>
    logging({ ajv: { customOptions: { allErrors: true, verbose: true } } }),
  'in a server of fastify': () => {
    const { lines, text } = logging()
    const stream = { write: (line: string) => lines.push(line) }
    return { app: untypedFastify({ logger: { stream } }), lines, text }
  },
  'by a compiler of the application': () => {
    const made = logging()
    made.app.setValidatorCompiler(() => (data: any) => ({
      error: new Error(`not ${JSON.stringify(data)}`),
    }))
    return made
  },
  'by one that gives records': () => {
    const made = logging()
    const message = 'is not '
    made.app.setValidatorCompiler(() => (data: any) => ({
      error: [
        { instancePath: '/password', message: message + JSON.stringify(data) },
        { instancePath: '', message: message + JSON.stringify(data), params: { data } },
        { instancePath: '/name', message: `is not ${JSON.stringify(data)}`, keyword: 'of mine' },
      ],
    }))
    return made
  },
}

for (const [form, make] of Object.entries(forms)) {
  test(`a refused request does not tell a sensitive value: ${form}`, async () => {
    const { app, text } = make()
    const seen: unknown[] = []
    app.addHook('onError', async (...args: any[]) => {
      const [, , error] = args
      seen.push(error, error.validation, error.issues, error.cause, error.stack)
    })
    app.post('/', { schema: { body: Login } }, () => 'fine')
    for (const [what, payload] of Object.entries(bodies)) {
      const response = await app.inject({
        method: 'POST',
        url: '/',
        payload,
        headers: json,
      } as never)
      assert.ok(response.statusCode === 400 || accepted.includes(what), what)
      assert.doesNotMatch(response.body, /hunter2/, what)
      const { inspect } = await import('node:util')
      assert.doesNotMatch(inspect(seen, { depth: 9, showHidden: true }), /hunter2/, what)
    }
    assert.doesNotMatch(text(), /hunter2/)
    assert.match(text(), /is not valid|body\/password/)
  })
}

test('it is told what is wrong with a sensitive field', async () => {
  const app = untyped({ problemDetails: true }).post('/', { schema: { body: Login } }, () => 'fine')
  const body = { name: 'a', password: secret.repeat(3) }
  const response = await app.inject({ method: 'POST', url: '/', body } as never)
  const message = 'must NOT have more than 30 characters'
  assert.equal(response.json().detail, `body/password ${message}`)
  const issue = { part: 'body', pointer: '/password', code: 'maxLength', expected: 30 }
  assert.deepEqual(response.json().issues, [{ ...issue, received: 'string', message }])
})

test('the values that a sensitive field may have are not told', async () => {
  const { app, text } = logging({ problemDetails: true })
  const body = t.Object({
    key: t.Sensitive(t.Literal(secret)),
    kind: t.Sensitive(t.String({ enum: [secret] })),
  })
  app.post('/', { schema: { body } }, () => 'fine')
  for (const given of [
    { key: 'x', kind: secret },
    { key: secret, kind: 'x' },
  ]) {
    const response = await app.inject({ method: 'POST', url: '/', body: given } as never)
    assert.equal(response.statusCode, 400)
    assert.doesNotMatch(response.body, /hunter2/)
  }
  assert.doesNotMatch(text(), /hunter2/)
})

test('nor is the name of another field that is the same', async () => {
  const { app, text } = logging({ strict: true })
  app.post('/', { schema: { body: Login } }, () => 'fine')
  const body = { name: 'a', password: secret, [secret]: 1 }
  const response = await app.inject({ method: 'POST', url: '/', body } as never)
  assert.equal(response.json().message, 'body is not valid')
  assert.doesNotMatch(text(), /hunter2/)
})

test('messages of ajv-errors, of data and of transforms that quote a value are replaced', async () => {
  const ajv = { plugins: [ajvErrors as never], customOptions: { allErrors: true, $data: true } }
  const { app, text } = logging({ ajv, problemDetails: true })
  const password = { type: 'string', minLength: 20, sensitive: true }
  const message = { errorMessage: { minLength: 'not ${0}' } }
  const parts: Record<string, object> = {
    '/errors': { type: 'object', properties: { password: { ...password, ...message } } },
    '/above': {
      type: 'object',
      properties: { password },
      errorMessage: { properties: { password: 'not ${/password}' } },
    },
    '/data': {
      type: 'object',
      properties: {
        password: { ...password, minLength: 1 },
        again: { const: { $data: '1/password' } },
      },
    },
    '/transform': t.Object({
      password: t
        .Transform(t.Sensitive(t.String()))
        .Decode((text): string => {
          throw new Error(`not ${text}`)
        })
        .Encode((text) => text),
    }),
    '/whole': t
      .Transform(t.Object({ password: t.Sensitive(t.String()) }))
      .Decode((body): unknown => {
        throw new Error(`not ${body.password}`)
      })
      .Encode(() => ({ password: '' })),
  }
  for (const [path, body] of Object.entries(parts))
    app.post(path, { schema: { body } }, () => 'fine')
  for (const url of Object.keys(parts)) {
    const body = { password: secret, again: 'x' }
    const response = await app.inject({ method: 'POST', url, body } as never)
    assert.equal(response.statusCode, 400, url)
    assert.doesNotMatch(response.body, /hunter2/, url)
  }
  assert.doesNotMatch(text(), /hunter2/)
})

test('a schema of a validation library is sensitive as a whole', async () => {
  const schemas = {
    '/valibot': v.object({ password: v.pipe(v.string(), v.literal('x')) }),
    '/arktype': type({ password: '"x"' }),
  }
  for (const problemDetails of [false, true]) {
    const { app, text } = logging({ problemDetails })
    for (const [path, schema] of Object.entries(schemas))
      app.post(path, { schema: { body: t.Sensitive(schema) } }, (request) => request.body)
    for (const url of Object.keys(schemas)) {
      const bad = await app.inject({ method: 'POST', url, body: { password: secret } } as never)
      assert.equal(bad.statusCode, 400)
      assert.match(bad.body, /body is not valid/)
      const good = await app.inject({ method: 'POST', url, body: { password: 'x' } } as never)
      assert.deepEqual(good.json(), { password: 'x' })
    }
    assert.doesNotMatch(text(), /hunter2/)
  }
})

test('a formatter, an attached error and a validation function have no value', async () => {
  const { app } = logging()
  const seen: unknown[] = []
  app.setSchemaErrorFormatter((errors: unknown) => {
    seen.push(errors)
    return new Error('refused')
  })
  app.post('/', { schema: { body: Login }, attachValidation: true }, (request) => {
    seen.push(request.validationError, request.validationError.validation)
    const validate = request.getValidationFunction('body')
    assert.equal(validate(request.body), false)
    seen.push(validate.errors)
    return 'fine'
  })
  const body = { name: 'a', password: { [secret]: secret } }
  await app.inject({ method: 'POST', url: '/', body } as never)
  assert.equal(seen.length, 4)
  assert.doesNotMatch(JSON.stringify(seen), /hunter2/)
})

const Urls = {
  params: t.Object({ id: t.Integer(), token: t.Sensitive(t.String()) }),
  querystring: t.Object({
    page: t.Optional(t.Integer()),
    key: t.Optional(t.Sensitive(t.Union([t.String(), t.Array(t.String())]))),
    keys: t.Optional(t.Array(t.Sensitive(t.String()))),
  }),
  headers: t.Object({ 'X-Key': t.Optional(t.Sensitive(t.String())) }),
  body: Login,
}
const path = '/users/:id/tokens/:token'
const query = `page=1&key=${secret}&${secret}&k%65y=${secret};key=${secret}&keys=${secret}&%ZZ=${secret}`
const url = `/users/7/tokens/${secret}?${query}`
const shown = `${path}?page=1&key=[redacted]&[redacted]&k%65y=[redacted];key=[redacted]&keys=[redacted]&[redacted]`

test('the URL of a request is logged without sensitive values', async () => {
  const { app, lines, text } = logging()
  app.post(path, { schema: Urls }, (request, reply) => {
    request.log.info({ req: request }, 'mine')
    reply.send('first')
    reply.send('second')
    return reply
  })
  app.post(`/failing${path}`, { schema: Urls }, () => {
    throw new Error('failing')
  })
  const body = { name: 'a', password: secret }
  await app.inject({ method: 'POST', url, body } as never)
  const failed = await app.inject({ method: 'POST', url: `/failing${url}`, body } as never)
  assert.equal(failed.statusCode, 500)
  const found = entries(lines).flatMap(({ req }) => (req === undefined ? [] : [req.url]))
  assert.deepEqual(found, [shown, shown, `/failing${shown}`, `/failing${shown}`])
  assert.match(text(), /sent already/)
  assert.doesNotMatch(text(), /hunter2/)
})

const plainUrl = `/users/7/tokens/${secret}?page=1&key=${secret}&keys=${secret}`

test('serializers of requests see none, whatever part they read', async () => {
  const read = (request: any) => ({
    ...{
      url: request.url,
      originalUrl: request.originalUrl,
      method: request.method,
      id: request.id,
    },
    ...{ query: request.query, params: request.params, body: request.body },
    headers: request.headers,
    raw: [request.raw.url, request.raw.originalUrl, request.raw.headers, request.raw.rawHeaders],
    distinct: request.raw.headersDistinct,
    method2: request.raw.method,
    decorated: request.isIt(),
  })
  for (const at of ['logger', 'context', 'route']) {
    const serializers = { req: read }
    const rewriteUrl = (request: any): string => request.url
    const { app, lines, text } = logging({ rewriteUrl, ...(at === 'logger' && { serializers }) })
    app.decorateRequest('isIt', function (this: any) {
      return this.isIt !== undefined
    })
    app.register(
      async (child: any) => {
        const route = at === 'route' ? { logSerializers: serializers } : {}
        child.post(path, { schema: Urls, ...route }, (request: any) => {
          request.log.info({ req: request }, 'mine')
          throw new Error('failing')
        })
      },
      at === 'context' ? { logSerializers: serializers } : {},
    )
    const headers = { 'x-key': secret, 'x-other': 'shown' }
    const body = { name: 'a', password: secret, codes: [secret.slice(0, 8)], card: { number: 7 } }
    await app.inject({ method: 'POST', url: plainUrl, body, headers } as never)
    assert.doesNotMatch(text(), /hunter2/)
    const mine = entries(lines).find(({ msg }) => msg === 'mine').req
    assert.deepEqual(mine.body, {
      name: 'a',
      password: '[redacted]',
      codes: ['[redacted]'],
      card: '[redacted]',
    })
    assert.deepEqual(mine.params, { id: 7, token: '[redacted]' })
    assert.equal(mine.query.page, 1)
    assert.equal(mine.query.key, '[redacted]')
    assert.equal(mine.headers['x-key'], '[redacted]')
    assert.equal(mine.headers['x-other'], 'shown')
    assert.equal(mine.originalUrl, `${path}?page=1&key=[redacted]&keys=[redacted]`)
    assert.equal(mine.method2, 'POST')
    assert.equal(mine.decorated, true)
  }
})

test('a log controller and a logger that is no pino see none', async () => {
  const seen: string[] = []
  class Own extends LogController {
    override incomingRequest(request: any): void {
      seen.push(request.url, JSON.stringify(request.query))
      request.log.info({ req: request }, 'incoming')
    }
  }
  const note = (given: any): void => {
    seen.push(given.req?.url ?? '')
  }
  const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace']
  const loggerInstance: any = Object.fromEntries(methods.map((name) => [name, note]))
  loggerInstance.child = () => loggerInstance
  const app = untyped({ loggerInstance, logController: new Own() })
  app.get(path, { schema: { params: Urls.params, querystring: Urls.querystring } }, () => 'fine')
  await app.inject({ url: plainUrl })
  assert.ok(seen.includes(`${path}?page=1&key=[redacted]&keys=[redacted]`))
  assert.doesNotMatch(seen.join(), /hunter2/)
})

test('other routes log their URLs as they come', async () => {
  const { app, lines } = logging()
  app.post('/a/:token', { schema: { body: Login } }, () => 'fine')
  app.get(
    '/b',
    { schema: { querystring: t.Object({ key: t.Optional(t.String()) }) } },
    () => 'fine',
  )
  const body = { name: 'a', password: secret }
  await app.inject({ method: 'POST', url: '/a/1?key=2', body } as never)
  await app.inject('/b?key=2&x=#1')
  const urls = entries(lines).flatMap(({ req }) => (req === undefined ? [] : [req.url]))
  assert.deepEqual(urls, ['/a/1?key=2', '/b?key=2&x='])
})

test('a hostile depth hides more, and costs no stack', async () => {
  const Tree = t.Recursive((self) =>
    t.Object({ secret: t.Optional(t.Sensitive(t.String())), more: t.Optional(self) }),
  )
  const { app, text } = logging({
    serializers: { req: (request: any) => ({ body: request.body }) },
    bodyLimit: 1e7,
  })
  app.post('/', { schema: { body: Tree } }, (request) => {
    request.log.info({ req: request })
    return 'fine'
  })
  const depth = 3000
  const payload = '{"more":'.repeat(depth) + `{"secret":"${secret}"}` + '}'.repeat(depth)
  const response = await app.inject({ method: 'POST', url: '/', payload, headers: json } as never)
  assert.equal(response.statusCode, 200)
  assert.doesNotMatch(text(), /hunter2/)
})

test('a typed server logs so too', async () => {
  const lines: string[] = []
  const app = espalier({ logger: { stream: { write: (line: string) => lines.push(line) } } })
  app.get(
    '/reset',
    { schema: { querystring: { token: t.Sensitive(t.String()) } } },
    ({ query }) => query.token.length,
  )
  assert.equal(
    (await app.inject({ url: '/reset', query: { token: secret } })).json(),
    secret.length,
  )
  assert.match(lines.join(''), /\/reset\?token=\[redacted\]/)
  assert.doesNotMatch(lines.join(''), /hunter2/)
})
