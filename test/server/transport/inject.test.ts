import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteInput } from '../../../src/http/route-call.ts'
import { injectRequest } from '../../../src/server/transport/inject.ts'

/** Injects into a server that answers with what it was sent. */
async function sent(target: string, input?: RouteInput) {
  const response = await injectRequest(
    (request, reply) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        const { method, url, headers } = request
        reply.end(JSON.stringify({ method, url, type: headers['content-type'], body }))
      })
    },
    target,
    input,
  )
  return response.json() as { method: string; url: string; type?: string; body: string }
}

test('a target without a method is a URL for GET', async () => {
  const { method, url } = await sent('/a?b=1')
  assert.deepEqual([method, url], ['GET', '/a?b=1'])
})

for (const [pattern, params, path] of [
  ['/:a/:b', { a: 'x y', b: 1 }, '/x%20y/1'],
  ['/:a-:b', { a: 1, b: 2 }, '/1-2'],
  ['/:a.:b', { a: 1, b: 2 }, '/1.2'],
  ['/:hour(^\\d+)h:minute(^(\\d{2}))m', { hour: 1, minute: '02' }, '/1h02m'],
  ['/:a?', { a: 'x' }, '/x'],
  ['/x/:a?', {}, '/x'],
  ['/files/*', { '*': 'a/b c' }, '/files/a/b%20c'],
  ['/time::now', {}, '/time:now'],
  ['/:flag', { flag: false }, '/false'],
] as const) {
  test(`parameters are put into ${pattern}`, async () => {
    assert.equal((await sent(`GET ${pattern}`, { params })).url, path)
  })
}

test('a parameter that is missing is an error that names it', async () => {
  for (const params of [undefined, {}, { id: null }, { id: {} }]) {
    await assert.rejects(async () => sent('GET /:id', { params }), {
      code: 'ESP_ERR_INJECT_ROUTE',
      message: "inject('GET /:id') lacks the path parameter 'id'",
    })
  }
})

test('query values are written as text, lists as repeated names, and undefined not at all', async () => {
  const { url } = await sent('GET /', { query: { a: 1, b: [true, 'x'], c: undefined } })
  assert.equal(url, '/?a=1&b=true&b=x')
})

test('a body is JSON, also when it is a string, false or null', async () => {
  for (const body of [{ a: 1 }, 'text', false, null, 0]) {
    const { type, body: text } = await sent('POST /', { body })
    assert.deepEqual([type, text], ['application/json', JSON.stringify(body)])
  }
})

test('a body of another type is sent as it is', async () => {
  const headers = { 'Content-Type': 'text/plain' }
  const { type, body } = await sent('POST /', { headers, body: 'a "b"' })
  assert.deepEqual([type, body], ['text/plain', 'a "b"'])
})
