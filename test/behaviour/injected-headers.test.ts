// The headers of a request are the same by `inject` and over HTTP, where Node joins and lists lines.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import espalier from '../../src/index.ts'

const table: Record<string, string | string[]> = {
  'set-cookie': ['a=1; expires=Thu, 01 Jan 2026 00:00:00 GMT', 'b=2'],
  cookie: ['a=1', 'b=2'],
  accept: ['text/html', 'text/plain'],
  'X-Upper': ['a', 'b'],
  'x-one': ['a'],
  'x-none': [],
  'x-text': 'a',
  'x-forwarded-for': ['10.0.0.1', '10.0.0.2'],
  ...Object.fromEntries(
    `age authorization content-type etag expires from if-modified-since if-unmodified-since
    last-modified location max-forwards proxy-authorization referer retry-after server user-agent
    origin if-match accept-encoding access-control-request-headers via warning`
      .split(/\s+/)
      .map((name) => [name, ['a/a', 'b/b']]),
  ),
}

test('headers of several lines are joined or dropped as Node does', async (context) => {
  const app = espalier().get('/', ({ headers, raw: { rawHeaders } }) => {
    const lines = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 && name.toLowerCase() === 'set-cookie' ? [rawHeaders[at + 1]] : [],
    )
    return JSON.stringify([headers, lines])
  })
  context.after(() => app.close())
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  for (const [name, value] of [...Object.entries(table), ['set-cookie', 'a=1'] as const]) {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const lines = [value].flat().map((each) => `${name}: ${each}\r\n`)
    socket.end(`GET / HTTP/1.0\r\nhost: x\r\n${lines.join('')}\r\n`)
    const [, overHttp = ''] = (await text(socket)).split('\r\n\r\n')
    const injected = (await app.inject({ url: '/', headers: { [name]: value } })).body
    const of = (body: string) => {
      const [headers, cookies] = JSON.parse(body) as [Record<string, unknown>, string[]]
      return [headers[name.toLowerCase()], cookies]
    }
    assert.deepEqual(of(injected), of(overHttp), name)
  }
})

test('a cookie that a request sets is a list in calls by route key too', async () => {
  const app = espalier().get('/', ({ headers }) => JSON.stringify(headers['set-cookie']))
  const response = await app.inject('GET /', { headers: { 'set-cookie': 'a=1' } })
  assert.equal(response.body, '["a=1"]')
})
