import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { z } from 'zod'
import espalier, { httpError, t } from '../../src/index.ts'
import { untyped as anyServer, untypedFastify } from '../support/untyped.ts'

// Types matter to few of these tests.
const untyped: (options?: object) => any = anyServer

const secret = 'hunter2-hunter2'
const User = t.Object({
  name: t.String(),
  password: t.Sensitive(t.String({ minLength: 8 })),
})

test('a sensitive field is read by a handler like any other', async () => {
  const app = espalier()
  app.post(
    '/',
    { schema: { body: User, response: { 200: t.Omit(User, ['password']) } } },
    (request) => {
      assert.equal(request.body.password, secret)
      return request.body
    },
  )
  const response = await app.inject({
    method: 'POST',
    url: '/',
    body: { name: 'a', password: secret },
  })
  assert.equal(response.statusCode, 200)
  assert.deepEqual(response.json(), { name: 'a' })
})

const refused: Record<string, object> = {
  'a field': User,
  'a list of objects': t.Array(User),
  'a list in a field': t.Object({ users: t.Array(User) }),
  'a tuple': t.Tuple([t.String(), User]),
  'a union': t.Union([User, t.Null()]),
  'an intersection': t.Intersect([User, t.Object({ id: t.Integer() })]),
  'a composite': t.Composite([User, t.Object({ id: t.Integer() })]),
  'optional fields': t.Partial(User),
  'picked fields': t.Pick(User, ['password']),
  'a record': t.Record(t.String(), t.Sensitive(t.String())),
  'a whole schema': t.Sensitive(t.String()),
  'an optional field': t.Object({ password: t.Optional(t.Sensitive(t.String())) }),
  'a sensitive field made optional inside': t.Object({
    password: t.Sensitive(t.Optional(t.String())),
  }),
  'a mapped type': t.Mapped(t.KeyOf(User), (key) => t.Index(User, key)),
  'a transform': t
    .Transform(t.Sensitive(t.String()))
    .Decode((text) => text)
    .Encode((text) => text),
  'a sensitive transform': t.Sensitive(
    t
      .Transform(t.String())
      .Decode((text) => text)
      .Encode((text) => text),
  ),
  'a recursion': t.Recursive((self) =>
    t.Object({ password: t.Sensitive(t.String()), more: t.Array(self) }),
  ),
  'a keyword of JSON Schema': {
    type: 'object',
    properties: { password: { type: 'string', sensitive: true } },
  },
  'other properties': { type: 'object', additionalProperties: { type: 'string', sensitive: true } },
  patterns: { type: 'object', patternProperties: { '^p': { type: 'string', sensitive: true } } },
  'a condition': {
    type: 'object',
    if: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    then: { type: 'object', properties: { password: { type: 'string', sensitive: true } } },
    else: { type: 'object', properties: {} },
  },
  'a definition': {
    $ref: '#/definitions/secret',
    definitions: { secret: { type: 'string', sensitive: true } },
  },
  'a shared schema': t.Ref('user'),
  'a schema of a module': t.Module({ User, Users: t.Array(t.Ref('User')) }).Import('Users'),
  'a computed schema of a module': t
    .Module({ User, Some: t.Partial(t.Ref('User')) })
    .Import('Some'),
  'a schema of TypeBox 1': Type.Object({ password: Type.String({ sensitive: true }) }),
  'a list of a shared schema': t.Array(t.Ref('user#')),
  'a field of a shared schema': t.Object({ password: t.Ref('user#/properties/password') }),
  'a short form': { password: t.Sensitive(t.String()) },
  content: { content: { 'application/json': { schema: User } } },
  'content of another type': { content: { 'text/plain': { schema: t.Sensitive(t.String()) } } },
  'items of a stream': { content: { 'text/event-stream': { itemSchema: User } } },
  'a header': { description: 'none', headers: { 'x-token': t.Sensitive(t.String()) } },
  'a header with a schema': {
    description: 'none',
    headers: { 'x-token': { schema: t.Sensitive(t.String()) } },
  },
}

async function assertRefused(app: { ready(): PromiseLike<unknown> }, where: RegExp): Promise<void> {
  await assert.rejects(
    async () => app.ready(),
    (error: Error & { code?: string }) => {
      assert.equal(error.code, 'ESP_ERR_SCH_SENSITIVE', error.message)
      assert.match(error.message, where)
      assert.match(error.message, / has a sensitive value at (\/|the top).*t\.Omit.*t\.Reveal/)
      return true
    },
  )
}

for (const [name, schema] of Object.entries(refused)) {
  test(`a response with a sensitive value is refused at boot: ${name}`, async () => {
    const app = untyped().addSchema('user', User)
    app.get('/', { schema: { response: { 201: schema } } }, () => undefined)
    await assertRefused(app, /The (header x-token of the )?response 201 of GET \/ in root has/)
  })
}

test('so it is in strict mode, in servers of fastify, and where an application compiles', async () => {
  const response = { 200: t.Array(User) }
  for (const app of [untyped({ strict: true }), untypedFastify()]) {
    app.get('/', { schema: { response } }, () => undefined)
    await assert.rejects(
      async () => app.ready(),
      /response 200 of GET \/ in root has a sensitive value/,
    )
  }
  const app = untyped().setSerializerCompiler(() => JSON.stringify)
  await assertRefused(
    app.get('/', { schema: { response } }, () => undefined),
    /response 200/,
  )
})

test('a response of a scope is refused at boot, and one of errors', async () => {
  const Taken = httpError('Taken', 409, { password: t.Sensitive(t.String()) })
  const scope = untyped()
    .addResponses({ 401: User })
    .get('/', () => undefined)
  await assertRefused(scope, /The response 401 of root has/)
  const headers = { 'x-token': t.Sensitive(t.String()) }
  const headed = untyped().addResponses({ 401: { description: 'no', headers } })
  await assertRefused(
    headed.get('/', () => undefined),
    /The header x-token of the response 401 of root/,
  )
  const errors = untyped()
    .addResponses(Taken)
    .get('/', () => undefined)
  await assertRefused(errors, /The response 409 of root has/)
  const own = untyped().get('/', { schema: { response: { 409: Taken } } }, () => undefined)
  await assertRefused(own, /The response 409 of GET \/ in root has/)
})

test('a schema that is compiled later is refused then', async () => {
  const logger = { level: 'silent' }
  const app = untyped({ exposeErrors: true, logger })
  app.get('/', (_request: unknown, reply: any) => reply.serializeInput({}, User))
  const response = await app.inject('/')
  assert.match(response.json().message, /sensitive value at \/properties\/password/)
})

test('a schema of validation libraries is sensitive as a whole', async () => {
  const Token = t.Sensitive(z.string())
  const app = untyped().get('/', { schema: { response: { 200: Token } } }, () => 'x')
  await assertRefused(app, /has a sensitive value at the top/)
})

test('a field that is only called `sensitive` is none', async () => {
  const response = { 200: t.Object({ sensitive: t.Boolean() }) }
  const app = espalier().get('/', { schema: { response } }, () => ({ sensitive: true }))
  assert.deepEqual((await app.inject('/')).json(), { sensitive: true })
})

test('a keyword with another value is refused', async () => {
  const body = { type: 'object', properties: { a: { type: 'string', sensitive: 'yes' } } }
  const app = untyped().post('/', { schema: { body } }, () => undefined)
  await assert.rejects(async () => app.ready(), /sensitive/)
})

test('a response reveals a value by name', async () => {
  const Token = t.Sensitive(t.String())
  for (const strict of [false, true]) {
    const app = espalier({ strict })
      .post(
        '/user',
        { schema: { body: User, response: { 200: t.Reveal(User, ['password']) } } },
        (request) => request.body,
      )
      .get(
        '/token',
        { schema: { response: { 200: t.Object({ token: t.Reveal(Token) }) } } },
        () => ({ token: secret }),
      )
      .get(
        '/list',
        { schema: { response: { 200: t.Union([t.Array(t.Reveal(Token)), t.Null()]) } } },
        () => [secret],
      )
    const body = { name: 'a', password: secret }
    assert.deepEqual((await app.inject({ method: 'POST', url: '/user', body })).json(), body)
    assert.deepEqual((await app.inject('/token')).json(), { token: secret })
    assert.deepEqual((await app.inject('/list')).json(), [secret])
  }
})

test('what is not sensitive cannot be revealed', () => {
  const reveal = t.Reveal as (schema: unknown, names?: string[]) => unknown
  for (const given of [
    [t.String()],
    [User],
    [User, ['name']],
    [User, ['pasword']],
    [User, ['toString']],
  ])
    assert.throws(() => reveal(...(given as [unknown, string[]?])), {
      name: 'TypeError',
      message: /t\.Reveal: .* is not sensitive/,
    })
})

test('an error of a reply does not quote a revealed value', async () => {
  const lines: string[] = []
  const logger = { stream: { write: (line: string) => lines.push(line) } }
  const Code = t
    .Transform(t.Sensitive(t.String()))
    .Decode((text) => text)
    .Encode((text) => {
      throw new Error(`not ${text}`)
    })
  const shown = t.Object({ pin: t.Reveal(t.Sensitive(t.Integer())) })
  for (const options of [
    {},
    { strict: true },
    { exposeErrors: true },
    { responses: 'report' },
  ] as const) {
    const app = untyped({ logger, ...options })
    app.get('/pin', { schema: { response: { 200: shown } } }, () => ({ pin: secret }))
    app.get(
      '/code',
      { schema: { response: { 200: t.Object({ code: t.Reveal(Code as never) }) } } },
      () => ({ code: secret }),
    )
    for (const url of ['/pin', '/code']) {
      const response = await app.inject(url)
      assert.equal(response.statusCode, 500)
      assert.doesNotMatch(response.body, /hunter2/)
    }
  }
  assert.ok(lines.some((line) => line.includes('/pin does not fit')))
  assert.ok(lines.some((line) => line.includes('/code does not fit')))
  assert.doesNotMatch(lines.join(''), /hunter2/)
})
