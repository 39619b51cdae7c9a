import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'

const secret = 'hunter2-hunter2'
const User = t.Object({
  name: t.String(),
  password: t.Sensitive(t.String({ minLength: 8 })),
})

test('a sensitive field is read by a handler like any other', async () => {
  const app = espalier()
  app.post('/', { schema: { body: User, response: { 200: t.Omit(User, ['password']) } } }, (request) => {
    assert.equal(request.body.password, secret)
    return request.body
  })
  const response = await app.inject({ method: 'POST', url: '/', body: { name: 'a', password: secret } })
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
  'a sensitive field made optional inside': t.Object({ password: t.Sensitive(t.Optional(t.String())) }),
  'a mapped type': t.Mapped(t.KeyOf(User), (key) => t.Index(User, key)),
  'a transform': t.Transform(t.Sensitive(t.String()))
    .Decode((text) => text)
    .Encode((text) => text),
  'a sensitive transform': t.Sensitive(
    t
      .Transform(t.String())
      .Decode((text) => text)
      .Encode((text) => text),
  ),
  'a recursion': t.Recursive((self) => t.Object({ password: t.Sensitive(t.String()), more: t.Array(self) })),
  'a keyword of JSON Schema': { type: 'object', properties: { password: { type: 'string', sensitive: true } } },
  'other properties': { type: 'object', additionalProperties: { type: 'string', sensitive: true } },
  'patterns': { type: 'object', patternProperties: { '^p': { type: 'string', sensitive: true } } },
  'a condition': {
    type: 'object',
    if: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    then: { type: 'object', properties: { password: { type: 'string', sensitive: true } } },
    else: { type: 'object', properties: {} },
  },
  'a definition': { $ref: '#/definitions/secret', definitions: { secret: { type: 'string', sensitive: true } } },
  'a shared schema': t.Ref('user'),
  'a list of a shared schema': t.Array(t.Ref('user#')),
  'a field of a shared schema': t.Object({ password: t.Ref('user#/properties/password') }),
  'a short form': { password: t.Sensitive(t.String()) },
  'content': { content: { 'application/json': { schema: User } } },
  'content of another type': { content: { 'text/plain': { schema: t.Sensitive(t.String()) } } },
  'items of a stream': { content: { 'text/event-stream': { itemSchema: User } } },
  'a header': { description: 'none', headers: { 'x-token': t.Sensitive(t.String()) } },
  'a header with a schema': { description: 'none', headers: { 'x-token': { schema: t.Sensitive(t.String()) } } },
}

for (const [name, schema] of Object.entries(refused)) {
  for (const strict of [false, true]) {
    test(`a response with a sensitive value is refused at boot: ${name}${strict ? ', strict' : ''}`, async () => {
      const app = espalier({ strict }).addSchema('user', User)
      // cast: the compiler refuses some of these too
      app.get('/', { schema: { response: { 201: schema } } } as never, () => undefined as never)
      await assert.rejects(async () => app.ready(), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'ESP_ERR_SCH_SENSITIVE', error.message)
        assert.match(error.message, /response 201 of GET \/ in root has a sensitive value at (\/|the top)/)
        assert.match(error.message, /t\.Omit.*t\.Reveal/)
        return true
      })
    })
  }
}
