// Specification 2.3, 2.5, 4.1, 4.3.6: which entry of a response schema holds, the keywords it may
// have, and a route with a schema of every part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deepFreeze, untyped } from '../support/untyped.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }
const all = { a: 1, b: 2, c: 3 }

/** What a GET answers with this status, by this response schema. */
async function answer(response: object, status: number, payload: unknown = all): Promise<string> {
  const app = untyped().get('/', { schema: deepFreeze({ response }) }, (_request, reply) =>
    reply.code(status).send(payload),
  )
  const { statusCode, body } = await app.inject('/')
  assert.equal(statusCode, status)
  await app.close()
  return body
}

for (const [key, within, beside] of [
  ['2xx', [200, 201, 299], [302, 404, 500]],
  ['3xx', [300, 302, 399], [200, 404, 500]],
  ['4xx', [400, 418, 499], [200, 302, 500]],
  ['5xx', [500, 503, 599], [200, 302, 404]],
] as const) {
  test(`the class ${key} holds for its statuses, and for no other`, async () => {
    for (const status of within)
      assert.equal(await answer({ [key]: { a: integer } }, status), '{"a":1}')
    for (const status of beside) {
      assert.deepEqual(JSON.parse(await answer({ [key]: { a: integer } }, status)), all)
    }
  })
}

test('an exact status holds for that status alone', async () => {
  for (const key of [200, 302, 404, 503]) {
    for (const status of [200, 201, 302, 303, 404, 405, 503, 504]) {
      const expected = key === status ? '{"a":1}' : JSON.stringify(all)
      assert.equal(await answer({ [key]: { a: integer } }, status), expected)
    }
  }
})

test('default holds for any status without a more specific entry, also where all went well', async () => {
  const response = { default: { a: integer }, 201: { b: integer }, '3xx': { c: integer } }
  for (const [status, expected] of [
    [200, '{"a":1}'],
    [201, '{"b":2}'],
    [202, '{"a":1}'],
    [302, '{"c":3}'],
    [404, '{"a":1}'],
    [500, '{"a":1}'],
  ] as const) {
    assert.equal(await answer(response, status), expected)
  }
})

const entries: Readonly<Record<string, readonly [schema: object, payload: unknown, body: string]>> =
  {
    nullable: [{ type: 'integer', nullable: true }, null, 'null'],
    'a type with null': [{ type: ['integer', 'null'] }, null, 'null'],
    enum: [{ enum: ['a', 'b'] }, 'b', '"b"'],
    const: [{ const: 'a' }, 'a', '"a"'],
    default: [{ type: 'object', properties: { a: { ...integer, default: 7 } } }, {}, '{"a":7}'],
    anyOf: [{ anyOf: [integer, { type: 'object', properties: { a: integer } }] }, all, '{"a":1}'],
    oneOf: [{ oneOf: [integer, { type: 'object', properties: { a: integer } }] }, all, '{"a":1}'],
    allOf: [
      {
        allOf: [
          { type: 'object', properties: { a: integer } },
          { type: 'object', properties: { b: integer } },
        ],
      },
      all,
      '{"a":1,"b":2}',
    ],
    'if, then, else': [
      {
        type: 'object',
        if: { properties: { a: { const: 1 } } },
        then: { properties: { a: integer } },
        else: { properties: { b: integer } },
      },
      all,
      '{"a":1}',
    ],
    items: [
      { type: 'array', items: { type: 'object', properties: { a: integer } } },
      [all],
      '[{"a":1}]',
    ],
    'items, a list': [{ type: 'array', items: [integer, text] }, [1, 'x'], '[1,"x"]'],
    additionalProperties: [
      { type: 'object', properties: { a: integer }, additionalProperties: text },
      { a: 1, b: 2 },
      '{"a":1,"b":"2"}',
    ],
    patternProperties: [
      { type: 'object', patternProperties: { '^[ab]$': integer } },
      all,
      '{"a":1,"b":2}',
    ],
  }
for (const [keyword, [schema, payload, body]] of Object.entries(entries)) {
  test(`the keyword ${keyword} holds in a response`, async () => {
    const response = { 200: { type: 'object', properties: { value: schema } } }
    assert.equal(await answer(response, 200, { value: payload, secret: 1 }), `{"value":${body}}`)
  })
}

/** The route of specification 4.1 whose schema has all parts. */
function theUrl() {
  const schema = deepFreeze({
    body: {
      type: 'object',
      required: ['requiredKey'],
      properties: {
        requiredKey: { type: 'array', maxItems: 3, items: integer },
        nullableKey: { type: ['number', 'null'] },
        restricted: {
          oneOf: [
            { type: 'string', maxLength: 5 },
            { type: 'number', minimum: 10 },
          ],
        },
        enumKey: { type: 'string', enum: ['John', 'Foo'] },
        notKey: { not: { type: 'array' } },
      },
    },
    querystring: { name: text, excitement: integer },
    params: { type: 'object', properties: { par1: text, par2: { type: 'number' } } },
    headers: { type: 'object', properties: { 'x-foo': text }, required: ['x-foo'] },
    response: { '2xx': { value: text }, 201: { value: text, name: text } },
  })
  return untyped().post('/the/url', { schema }, (request, reply) => {
    const { query, headers, body } = request
    const value = [query.excitement, headers['x-foo'], body.requiredKey.length].join(' ')
    return reply.code(body.nullableKey === null ? 201 : 200).send({ value, name: query.name })
  })
}

const request = {
  method: 'POST',
  url: '/the/url?name=Ada&excitement=7',
  headers: { 'x-foo': 'foo' },
} as const

test('POST /the/url validates each part by its schema, and answers by the schema of the status', async () => {
  const app = theUrl()
  const body = { requiredKey: ['1', 2], restricted: 'short', enumKey: 'Foo', notKey: { a: 1 } }
  const sent = await app.inject({ ...request, payload: body })
  assert.deepEqual([sent.statusCode, sent.body], [200, '{"value":"7 foo 2"}'])
  const created = await app.inject({ ...request, payload: { ...body, nullableKey: null } })
  assert.deepEqual([created.statusCode, created.body], [201, '{"value":"7 foo 2","name":"Ada"}'])
  await app.close()
})

test('POST /the/url refuses what does not fit, with 400 and the place', async () => {
  const app = theUrl()
  const body = { requiredKey: [1] }
  const send = (change: object) => app.inject({ ...request, payload: body, ...change })
  for (const [change, message] of [
    [{ payload: {} }, "body must have required property 'requiredKey'"],
    [
      { payload: { requiredKey: [1, 2, 3, 4] } },
      'body/requiredKey must NOT have more than 3 items',
    ],
    [{ payload: { requiredKey: ['x'] } }, 'body/requiredKey/0 must be integer'],
    [
      { payload: { ...body, restricted: 'too long' } },
      /^body\/restricted must NOT have more than 5/,
    ],
    [
      { payload: { ...body, enumKey: 'Bar' } },
      /^body\/enumKey must be equal to one of the allowed/,
    ],
    [{ payload: { ...body, notKey: [1] } }, 'body/notKey must NOT be valid'],
    [{ url: '/the/url?excitement=much' }, 'querystring/excitement must be integer'],
    [{ headers: {} }, "headers must have required property 'x-foo'"],
  ] as const) {
    const response = await send(change)
    const answered = response.json<{ statusCode: number; message: string }>()
    assert.equal(answered.statusCode, 400)
    if (typeof message === 'string') assert.equal(answered.message, message)
    else assert.match(answered.message, message)
  }
  await app.close()
})
