// What cannot be read as a request is answered as clearly as what can.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import espalier from '../../src/index.ts'

/** Writes bytes to a server, and reads until it closes. */
function exchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
    socket.on('error', reject).on('close', () => {
      resolve(answer)
    })
    socket.write(text)
  })
}

const cases = {
  'that is no HTTP': ['hello\r\n\r\n', 400, 'Bad Request'],
  'with a header without a name': ['GET / HTTP/1.1\r\n: x\r\n\r\n', 400, 'Bad Request'],
  'with two lengths': [
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    400,
    'Bad Request',
  ],
  'with headers that are too large': [
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    431,
    'Request Header Fields Too Large',
  ],
} as const

for (const [name, [text, statusCode, error]] of Object.entries(cases)) {
  test(`a request ${name} is answered with ${statusCode} in JSON, and the server lives`, async () => {
    const app = espalier().get('/', () => 'ok')
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const [head = '', body = ''] = (await exchange(url, text)).split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1.1 ${statusCode} ${error}\r\n`))
    assert.match(head, /connection: close/)
    assert.match(head, new RegExp(`content-length: ${Buffer.byteLength(body)}`))
    const payload = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual([payload['statusCode'], payload['error']], [statusCode, error])
    assert.equal(await (await fetch(url)).text(), 'ok')
    await app.close()
  })
}

test('a request with more than one Host header is answered with 400, whatever they say', async () => {
  const app = espalier().get('/', ({ host }) => host)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const send = (...names: string[]) => {
    const lines = ['GET / HTTP/1.1', ...names, 'connection: close', '', '']
    return exchange(url, lines.join('\r\n'))
  }
  for (const [first, second] of [
    ['host: a.test', 'host: b.test'],
    ['Host: a.test', 'x-host: c\r\nHOST: b.test'],
    ['host: a.test', 'host:'],
    ['host: a.test', 'host: a.test'],
  ] as const) {
    const [head = '', body = ''] = (await send(first, second)).split('\r\n\r\n')
    assert.match(head, /^HTTP\/1.1 400 Bad Request\r\n/)
    assert.match(head, /connection: close/)
    assert.equal(JSON.parse(body).message, 'The request has more than one Host header')
  }
  assert.match(await send('host: a.test', 'hosT2: b.test', 'x: host'), /^HTTP\/1.1 200 .*a.test$/s)
  await app.close()
})

test('a client that hangs up in the middle of a request line leaves the server alive', async () => {
  const app = espalier().get('/', () => 'ok')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await new Promise<void>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write('GET /', () => {
        socket.resetAndDestroy()
      })
    })
    socket
      .on('error', () => undefined)
      .on('close', () => {
        resolve()
      })
  })
  assert.equal(await (await fetch(url)).text(), 'ok')
  await app.close()
})
