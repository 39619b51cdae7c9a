// Specification 1.6, 2.3, 8.2 and the decisions "which bodies are validated": however a content type is
// written, a body is refused or validated; no handler sees one that its schema refuses.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { t } from '../../src/index.ts'
import { rawRequest } from '../support/raw-request.ts'
import { untyped } from '../support/untyped.ts'

const validated = 'ESP_ERR_VALIDATION'
const unsupported = 'ESP_ERR_CTP_INVALID_MEDIA_TYPE'
const good = '{"name":"Ada"}'
const bad = '{"nam":"Ada"}'

const app = untyped({ bodyLimit: 1000 })
for (const method of ['POST', 'PUT', 'PATCH']) {
  const schema = { body: t.Object({ name: t.String() }) }
  app.route({ method, url: '/', schema, handler: ({ body }: any) => ({ got: body }) })
}
app.post('/raw', ({ body }) => ({ got: body ?? 'nothing' }))
app.post('/text', { schema: { body: t.String({ maxLength: 3 }) } }, ({ body }) => ({ got: body }))
app.get('/', ({ body }) => ({ type: typeof body }))
app.delete('/', ({ body }) => ({ got: body ?? 'nothing' }))
app.post('/small', { bodyLimit: 4 }, () => ({}))

const json = ['application/json', 'Application/JSON', 'APPLICATION/JSON', ' application/json']
json.push(
  'application/json ',
  '\tapplication/json',
  'application/json\t',
  ' \t application/json \t ',
)
json.push('application/json;charset=utf-8', 'application/json; charset=utf-8', 'application/json;')
json.push('application/json ; charset=utf-8', 'application/json\t;charset=utf-8')
json.push(
  'application/json; charset="utf-8"',
  'application/json; charset=UTF-16',
  'application/json;;',
)
json.push('application/json; x="a;b"', 'application/json; =', 'application/json;text/plain')

const others = ['', ' ', '/', 'application', 'application/', '/json', 'json', 'application/jsonx']
others.push('application /json', 'application/ json', 'applicationjson', 'application/json/x')
others.push(
  'application/json, text/plain',
  'application/json,application/json',
  ',application/json',
)
others.push('text/html, application/json', 'application/json text/plain', '"application/json"')
others.push('application\\json', 'application/json:', 'application/js on')
others.push('application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'text/html')
others.push('application/octet-stream', 'application/json5', 'text/json', 'application/*', '*/*')
others.push('application/x-json', 'text/x-json', 'application/vnd.api+json')

after(() => app.close())

describe('a content type written in an unusual way', () => {
  let url = ''
  before(async () => {
    url = await app.listen({ port: 0 })
  })

  const send = async (type: string, body: string, method = 'POST') => {
    const length = `content-length: ${body.length}`
    return rawRequest(url, [`${method} / HTTP/1.1`, `content-type:${type}`, length], body)
  }

  for (const method of ['POST', 'PUT', 'PATCH']) {
    test(`does not let a ${method} body by its schema, over a socket`, async () => {
      for (const type of json) {
        const refused = await send(type, bad, method)
        assert.match(refused.body, new RegExp(validated), JSON.stringify(type))
        assert.equal(refused.status, 400)
        assert.deepEqual(JSON.parse((await send(type, good, method)).body), {
          got: { name: 'Ada' },
        })
      }
      for (const type of others) {
        const refused = await send(type, bad, method)
        assert.match(refused.body, new RegExp(unsupported), JSON.stringify(type))
        assert.equal(refused.status, 415)
      }
    })
  }

  test('that ends in a blank of Latin-1 is refused or validated', async () => {
    for (const type of ['application/json\u00a0', '\u00a0application/json', 'text/plain\u00a0']) {
      assert.match((await send(type, bad)).body, new RegExp(`${validated}|${unsupported}`))
    }
  })

  test('is text where it says text, and text is validated by the body schema too', async () => {
    for (const type of ['text/plain', 'Text/Plain; charset=utf-8', 'text/plain;application/json']) {
      const refused = JSON.parse((await send(type, good)).body)
      assert.equal(refused.code, validated)
      assert.equal(refused.message, 'body must be object')
    }
  })

  test('counts once: of two header lines the first one is read', async () => {
    const lines = ['POST / HTTP/1.1', `content-length: ${bad.length}`]
    const types = ['content-type: application/json', 'content-type: text/html']
    assert.equal((await rawRequest(url, [...lines, ...types], bad)).status, 400)
    assert.equal((await rawRequest(url, [...lines, ...types.reverse()], bad)).status, 415)
  })

  test('that has a control character or a folded line is refused by the parser of HTTP', async () => {
    for (const type of [
      'application/json\u000b',
      'application/json\u0000',
      'application/\r\n json',
    ]) {
      const { status } = await send(type, bad)
      assert.equal(status, 400)
    }
  })

  test('is of no use in a body that is sent in chunks', async () => {
    const chunked = `${bad.length.toString(16)}\r\n${bad}\r\n0\r\n\r\n`
    const lines = ['POST / HTTP/1.1', 'transfer-encoding: chunked']
    const sent = await rawRequest(url, [...lines, 'content-type: Application/Json ;a=b'], chunked)
    assert.match(sent.body, new RegExp(validated))
    assert.equal((await rawRequest(url, [...lines, 'content-type: x/y'], chunked)).status, 415)
    assert.equal((await rawRequest(url, lines, chunked)).status, 415)
  })
})

interface Sent {
  readonly method?: 'POST' | 'PUT' | 'GET' | 'DELETE'
  readonly url?: string
  readonly type?: string
  readonly length?: string
}
async function send(payload: string | undefined, { method, url, type, length }: Sent = {}) {
  const response = await app.inject({
    method: method ?? 'POST',
    url: url ?? '/',
    headers: {
      ...(type !== undefined && { 'content-type': type }),
      ...(length !== undefined && { 'content-length': length }),
    },
    ...(payload !== undefined && { payload }),
  })
  return response.json<Record<string, unknown>>()
}
const asJson = 'application/json'

test('a body without a content type is unsupported', async () => {
  assert.deepEqual(await send(good), {
    statusCode: 415,
    code: unsupported,
    error: 'Unsupported Media Type',
    message: 'Unsupported Media Type',
  })
})

test('a content type without a parser is unsupported also where the route has no schema', async () => {
  assert.equal((await send(good, { url: '/raw', type: 'text/html' }))['code'], unsupported)
  assert.equal((await send(good, { method: 'DELETE', type: 'text/html' }))['code'], unsupported)
})

test('JSON and text are parsed; text that is declared as a string is validated as one', async () => {
  assert.deepEqual(await send('[1]', { url: '/raw', type: asJson }), { got: [1] })
  assert.deepEqual(await send('[1]', { url: '/raw', type: 'text/plain' }), { got: '[1]' })
  assert.deepEqual(await send('abc', { url: '/text', type: 'text/plain' }), { got: 'abc' })
  assert.equal((await send('abcd', { url: '/text', type: 'text/plain' }))['code'], validated)
})

test('a request without a body and without a content type has no body', async () => {
  assert.deepEqual(await send(undefined, { url: '/raw' }), { got: 'nothing' })
  assert.deepEqual(await send(undefined, { url: '/raw', length: '0' }), { got: 'nothing' })
  assert.equal((await send(undefined))['message'], 'body must be object')
})

test('the body of GET is not read, and that of DELETE is parsed', async () => {
  assert.deepEqual(await send('{', { method: 'GET', type: asJson }), { type: 'undefined' })
  assert.deepEqual(await send('[1]', { method: 'DELETE', type: asJson }), { got: [1] })
})

test('an empty body that is said to be JSON is refused', async () => {
  for (const length of ['0', undefined]) {
    const sent = length === undefined ? { type: asJson } : { type: asJson, length }
    assert.deepEqual(await send(undefined, sent), {
      statusCode: 400,
      code: 'ESP_ERR_CTP_EMPTY_JSON_BODY',
      error: 'Bad Request',
      message: "Body cannot be empty when content-type is set to 'application/json'",
    })
  }
})

test('a body that is no JSON is refused with the reason', async () => {
  for (const text of ['{', '{"name":"Ada"', 'nul', "{'name':1}", '{"a":1}{"a":1}', '\u0000']) {
    const answer = await send(text, { type: asJson })
    assert.equal(answer['statusCode'], 400)
    assert.equal(answer['code'], 'ESP_ERR_CTP_INVALID_JSON_BODY')
    assert.match(String(answer['message']), /^Body is not valid JSON: ./)
  }
})

test('JSON that would reach a prototype is refused, at any depth and however it is written', async () => {
  for (const text of [
    '{"__proto__":{"name":"Ada"}}',
    '{"name":"Ada","a":[{"__proto__":null}]}',
    '{"name":"Ada","\\u005f\\u005fproto__":{}}',
    '{"name":"Ada","__proto__" : {}}',
    '{"name":"Ada","constructor":{"prototype":{"admin":true}}}',
    '{"name":"Ada","a":{"constructor":{"prototype":{}}}}',
  ]) {
    assert.equal(
      (await send(text, { type: asJson }))['code'],
      'ESP_ERR_CTP_INVALID_JSON_BODY',
      text,
    )
  }
})

test('a property that is called constructor is no attack', async () => {
  const text = '{"constructor":"Gaudí"}'
  assert.deepEqual(await send(text, { url: '/raw', type: asJson }), {
    got: { constructor: 'Gaudí' },
  })
})

test('a body over the limit of the server or of the route is refused with 413', async () => {
  const expected = {
    statusCode: 413,
    code: 'ESP_ERR_CTP_BODY_TOO_LARGE',
    error: 'Payload Too Large',
    message: 'Request body is too large',
  }
  assert.deepEqual(await send(`"${'x'.repeat(999)}"`, { type: asJson }), expected)
  assert.deepEqual(await send('12345', { url: '/small', type: asJson }), expected)
  assert.deepEqual(await send('1234', { url: '/small', type: asJson }), {})
})

test('without a limit of its own a server takes a body of 1 MiB, and not a byte more', async () => {
  const server = untyped().post('/', ({ body }) => ({ length: String(body).length }))
  const sized = (size: number) => ({
    method: 'POST' as const,
    url: '/',
    headers: { 'content-type': 'text/plain' },
    payload: 'x'.repeat(size),
  })
  assert.deepEqual((await server.inject(sized(1_048_576))).json(), { length: 1_048_576 })
  assert.equal((await server.inject(sized(1_048_577))).statusCode, 413)
  await server.close()
})

test('a body over the limit is refused also when its length is not announced', async () => {
  const server = untyped().post('/', { bodyLimit: 4 }, () => ({}))
  const url = await server.listen({ port: 0 })
  const lines = ['POST / HTTP/1.1', 'transfer-encoding: chunked', 'content-type: application/json']
  const { status, head } = await rawRequest(url, lines, '3\r\n123\r\n2\r\n45\r\n0\r\n\r\n')
  await server.close()
  assert.equal(status, 413)
  assert.match(head, /connection: close/i)
})

test('a body whose size is not the announced one is refused', async () => {
  const answer = await send(good, { type: asJson, length: '20' })
  assert.equal(answer['code'], 'ESP_ERR_CTP_INVALID_CONTENT_LENGTH')
  assert.equal(answer['statusCode'], 400)
})

test('the media type is judged before the body is read', async () => {
  assert.equal((await send('x'.repeat(2000), { type: 'text/html' }))['code'], unsupported)
})
