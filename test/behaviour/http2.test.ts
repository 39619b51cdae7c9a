import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:https'
import { connect, type ClientHttp2Session } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import espalier from '../../src/index.ts'
import { certificate } from '../support/certificate.ts'

const loopback = { port: 0, host: '127.0.0.1' }

/** Sends one request of HTTP/2. */
async function ask(session: ClientHttp2Session, headers: object, body?: string) {
  const stream = session.request({ ':path': '/', ...headers }).setEncoding('utf8')
  stream.end(body)
  let text = ''
  stream.on('data', (chunk: string) => (text += chunk))
  const ended = once(stream, 'end')
  const [answer] = (await once(stream, 'response')) as [Record<string, unknown>]
  await ended
  return { status: answer[':status'], headers: answer, text }
}

function sample(options: object) {
  return espalier(options)
    .get('/', ({ host, protocol, raw }) => ({ host, protocol, version: raw.httpVersionMajor }))
    .post('/', { schema: { body: { n: { type: 'integer' } } } as const }, ({ body }) => body)
    .get('/stream', (_request, reply) =>
      reply.type('text/plain').send(new Blob(['streamed']).stream()),
    )
}

test('HTTP/2 in clear text: replies, bodies without a length, streams, HEAD and 404', async () => {
  const app = sample({ http2: true })
  const session = connect(await app.listen(loopback))
  const { status, text } = await ask(session, { ':authority': 'a.example:1' })
  assert.deepEqual(
    [status, JSON.parse(text)],
    [200, { host: 'a.example:1', protocol: 'http', version: 2 }],
  )
  const type = { ':method': 'POST', 'content-type': 'application/json' }
  assert.equal((await ask(session, type, '{"n":"1"}')).text, '{"n":1}')
  assert.equal((await ask(session, type, '{"n":"x"}')).status, 400)
  assert.equal((await ask(session, { ':path': '/stream' })).text, 'streamed')
  const head = await ask(session, { ':method': 'HEAD' })
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal((await ask(session, { ':path': '/none' })).status, 404)
  session.close()
  await app.close()
})

test('HTTP/2 takes the headers of writeHead in each form, and leaves out those of one connection', async () => {
  const forms = {
    flat: ['x-a', '1', 'x-b', '2', 'x-a', '3', 'connection', 'close'],
    pairs: [
      ['x-a', '1'],
      ['x-b', '2'],
      ['x-a', '3'],
      ['connection', 'close'],
    ],
    object: { 'x-a': ['1', '3'], 'x-b': '2', connection: 'close' },
  }
  const app = espalier({ http2: true })
  for (const [name, headers] of Object.entries(forms)) {
    app.get(`/${name}`, (_request, reply) => {
      reply.hijack()
      reply.raw.setHeader('x-a', 'replaced')
      reply.raw.writeHead(200, headers as string[]).end('sent')
    })
  }
  const session = connect(await app.listen(loopback))
  for (const name of Object.keys(forms)) {
    const { headers, text } = await ask(session, { ':path': `/${name}` })
    const { 'x-a': a, 'x-b': b, connection } = headers
    assert.deepEqual([a, b, connection, text], ['1, 3', '2', undefined, 'sent'], name)
  }
  session.close()
  await app.close()
})

test('a session that is idle does not keep the server from closing', async () => {
  const app = sample({ http2: true })
  const session = connect(await app.listen(loopback))
  await ask(session, {})
  const gone = once(session, 'close')
  await app.close()
  await gone
})

for (const [how, options] of [
  ['in clear text', {}],
  ['over TLS', { https: certificate }],
] as const) {
  test(`a client ${how} that reads nothing more does not keep the server from closing`, async () => {
    const app = sample({ http2: true, ...options })
    const url = new URL(await app.listen(loopback))
    const port = Number(url.port)
    const socket =
      url.protocol === 'https:'
        ? connectTls({ port, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
        : connectTcp(port)
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
    socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settings]))
    await once(socket, 'data')
    socket.pause()
    await app.close()
    socket.destroy()
  })
}

test('http2SessionTimeout closes an idle session', async () => {
  const app = sample({ http2: true, http2SessionTimeout: 30 })
  const session = connect(await app.listen(loopback))
  // It sends nothing: under load the session might end before a request had arrived.
  await once(session, 'close')
  await app.close()
})

test('HTTP/2 over TLS, and HTTP/1 beside it with allowHTTP1', async () => {
  const app = sample({ http2: true, https: { ...certificate, allowHTTP1: true } })
  const url = await app.listen(loopback)
  assert.match(url, /^https:/)
  const session = connect(url, { rejectUnauthorized: false })
  const { text } = await ask(session, {})
  const { protocol, version } = JSON.parse(text)
  assert.deepEqual([protocol, version], ['https', 2])
  session.close()
  const [response] = await once(get(url, { rejectUnauthorized: false, agent: false }), 'response')
  let body = ''
  for await (const chunk of response) body += String(chunk)
  assert.equal(JSON.parse(body).version, 1)
  await app.close()
})

test('HTTP/1 over TLS', async () => {
  const app = sample({ https: certificate })
  const url = await app.listen(loopback)
  assert.equal(app.listeningOrigin, url)
  const [response] = await once(get(url, { rejectUnauthorized: false, agent: false }), 'response')
  let body = ''
  for await (const chunk of response) body += String(chunk)
  assert.deepEqual([JSON.parse(body).protocol, JSON.parse(body).version], ['https', 1])
  await app.close()
})

test('a request on a session that was just opened is answered while the server closes', async () => {
  const app = sample({ http2: true })
  const session = connect(await app.listen(loopback))
  await once(session, 'connect')
  const answered = ask(session, {})
  const closed = app.close()
  assert.equal((await answered).status, 503)
  await closed
})
