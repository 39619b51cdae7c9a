import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import espalier from '../../src/index.ts'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'

type Loose = any

/** An answer over a socket. */
async function ask(context: TestContext, app: Loose, method = 'GET') {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  context.after(() => app.close())
  const [response] = (await once(get(address, { method }), 'response')) as [IncomingMessage]
  const chunks = await response.setEncoding('utf8').toArray()
  return { headers: response.headers, trailers: response.trailers, body: chunks.join('') }
}

const forms = {
  'calls back': (_reply: Loose, payload: Loose, done: Loose) => done(null, `${payload.length}`),
  'calls back later': (_reply: Loose, payload: Loose, done: Loose) =>
    void setImmediate(() => done(null, `${payload.length}`)),
  'is async': async (_reply: Loose, payload: Loose) => `${payload.length}`,
  'returns its value': (_reply: Loose, payload: Loose) => `${payload.length}`,
}
for (const [name, trailer] of Object.entries(forms)) {
  test(`a trailer that ${name} is sent behind the body, in chunks`, async (context) => {
    const app = espalier().get('/', (_request, reply) => {
      reply.trailer('Size', trailer)
      return { a: 1 }
    })
    const { headers, trailers, body } = await ask(context, app)
    assert.equal(body, '{"a":1}')
    assert.equal(headers['transfer-encoding'], 'chunked')
    assert.equal(headers['content-length'], undefined)
    assert.equal(headers['trailer'], 'size')
    assert.deepEqual({ ...trailers }, { size: '7' })
  })
}

test('the names of several trailers are told ahead as a list, with commas', async (context) => {
  const app = espalier().get('/', (_request, reply) => {
    reply.trailer('x-one', async () => '1').trailer('X-Two', async () => '2')
    return 'body'
  })
  const { headers, trailers } = await ask(context, app)
  assert.equal(headers['trailer'], 'x-one, x-two')
  assert.deepEqual({ ...trailers }, { 'x-one': '1', 'x-two': '2' })
})

test('a stream has trailers too, whose functions are given no payload', async (context) => {
  const app = espalier().get('/', (_request, reply) =>
    reply
      .trailer('x-end', (_reply, payload, done) => done(null, String(payload)))
      .send(Readable.from(['a', 'b'])),
  )
  const { trailers, body } = await ask(context, app)
  assert.deepEqual([body, { ...trailers }], ['ab', { 'x-end': 'null' }])
})

test('an empty body has trailers, a reply to HEAD and one without a body have none', async (context) => {
  const seen: string[] = []
  const create = (status: number) =>
    espalier().get('/', (_request, reply) => {
      reply.trailer('x-end', async () => {
        seen.push(String(status))
        return 'x'
      })
      reply.code(status).send('')
    })
  assert.deepEqual({ ...(await ask(context, create(200))).trailers }, { 'x-end': 'x' })
  assert.deepEqual({ ...(await ask(context, create(204))).trailers }, {})
  const { headers, trailers } = await ask(context, create(201), 'HEAD')
  assert.deepEqual([headers['trailer'], { ...trailers }], [undefined, {}])
  assert.deepEqual(seen, ['200'])
})

test('a trailer that fails is left out and told of, and the others are sent', async (context) => {
  const app = espalier().get('/', (_request, reply) => {
    reply.trailer('a', (_reply, _payload, done) => done(new Error('no value')))
    reply.trailer('b', async () => 'b')
    reply.trailer('c', async () => {
      throw new Error('rejected')
    })
    reply.trailer('d', async () => 'with\nbreak')
    return 'x'
  })
  const [{ trailers, body }, log] = await silenced(() => ask(context, app))
  assert.equal(body, 'x')
  assert.match(log, /no value/)
  assert.match(log, /rejected/)
  assert.match(log, /Invalid character in (trailer|header) content/)
  assert.deepEqual({ ...trailers }, { b: 'b' })
})

test('trailers can be asked for and removed, and without any the body has its length', async (context) => {
  const seen: boolean[] = []
  const app = espalier().get('/', (_request, reply) => {
    reply.trailer('ETag', async () => 'x').trailer('Other', async () => 'y')
    seen.push(reply.hasTrailer('etag'), reply.hasTrailer('none'))
    reply.removeTrailer('ETAG').removeTrailer('other').removeTrailer('none')
    seen.push(reply.hasTrailer('ETag'))
    return 'x'
  })
  const { headers } = await ask(context, app)
  assert.deepEqual(seen, [true, false, false])
  assert.equal(headers['content-length'], '1')
  assert.equal(headers['trailer'], undefined)
})

test('names that belong into the head are refused as trailers, and what is no function', async () => {
  const names = ['Transfer-Encoding', 'content-length', 'Set-Cookie', 'Trailer', 'authorization']
  const app = espalier().get('/', (_request, reply) => {
    for (const name of names) {
      const code = 'ESP_ERR_BAD_TRAILER_NAME'
      assert.throws(() => reply.trailer(name, async () => ''), { code })
    }
    assert.throws(() => reply.trailer('no token', async () => ''))
    const trailer: Loose = 'x'
    assert.throws(() => reply.trailer('a', trailer), { code: 'ESP_ERR_BAD_TRAILER_VALUE' })
    return 'refused'
  })
  assert.equal((await app.inject({ url: '/' })).body, 'refused')
})

test('early hints are sent before the reply', async (context) => {
  const app = espalier().get('/', async (_request, reply) => {
    await new Promise<void>((resolve) =>
      reply.writeEarlyHints({ link: '</a.css>; rel=preload' }, resolve),
    )
    return 'x'
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  context.after(() => app.close())
  const request = get(address)
  const answered = once(request, 'response')
  const [hints] = await once(request, 'information')
  assert.deepEqual([hints.statusCode, hints.headers.link], [103, '</a.css>; rel=preload'])
  const [response] = (await answered) as [IncomingMessage]
  assert.deepEqual(await response.setEncoding('utf8').toArray(), ['x'])
})

test('a client of HTTP/1.0 gets the body alone: it knows no chunks, and took their lengths for the body', async (context) => {
  const app = espalier()
    .get('/', (_request, reply) => reply.trailer('size', () => '7').send({ a: 1 }))
    .get('/stream', (_request, reply) =>
      reply.trailer('size', () => '7').send(Readable.from(['{"a":1}'])),
    )
  context.after(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const path of ['/', '/stream']) {
    const { head, body } = await rawRequest(url, [`GET ${path} HTTP/1.0`])
    assert.equal(body, '{"a":1}')
    assert.doesNotMatch(head, /transfer-encoding|trailer/i)
  }
})
