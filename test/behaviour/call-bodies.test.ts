// What typed calls, and inject by route key, take for a body besides JSON: what fetch takes.
import assert from 'node:assert/strict'
import { Stream, Readable } from 'node:stream'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { client } from '../../src/client/client.ts'
import espalier from '../../src/index.ts'

type Loose = any

/** Answers with the type, the framing and the bytes of what it was sent. */
const app = espalier()
  .addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body)
  .removeContentTypeParser(['application/json', 'text/plain'])
  .route({
    method: ['POST', 'DELETE'],
    url: '/:any?',
    handler: ({ headers, body }: Loose) => {
      const framed = headers['transfer-encoding'] ?? headers['content-length']
      return { type: headers['content-type'], framed, body: String(body) }
    },
  })
const url = await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())

const doors: Record<string, Loose> = {
  client: client<typeof app>(url),
  'inject by route key': (...input: Loose) => (app as Loose).inject(...input),
}
const codes = { client: 'ESP_ERR_CLIENT_ROUTE', 'inject by route key': 'ESP_ERR_INJECT_ROUTE' }

const octets = 'application/octet-stream'
const bytes = new TextEncoder().encode('-bytes-').subarray(1, 6)
const webStream = () => new Blob(['bytes']).stream()
const form = () => {
  const form = new FormData()
  form.set('a', '1')
  form.set('file', new Blob(['bytes'], { type: 'a/b' }), 'x.txt')
  return form
}
/** A stream as they were before Node 0.10, which begins when it is resumed. */
function oldStream() {
  return Object.assign(new Stream(), {
    readable: true,
    pause: () => undefined,
    resume(this: Stream) {
      this.emit('data', 'bytes')
      this.emit('end')
    },
  })
}

/** What is sent, and its type and framing where the call says no type. */
const bodies: Record<string, [make: () => unknown, type: string, framed: string, body: string]> = {
  'a view': [() => bytes, octets, '5', 'bytes'],
  'a Buffer': [() => Buffer.from('bytes'), octets, '5', 'bytes'],
  'a DataView': [() => new DataView(bytes.slice().buffer), octets, '5', 'bytes'],
  'an ArrayBuffer': [() => bytes.slice().buffer, octets, '5', 'bytes'],
  'a Blob': [() => new Blob(['bytes']), octets, '5', 'bytes'],
  'a Blob of a type': [() => new Blob(['bytes'], { type: 'a/b' }), 'a/b', '5', 'bytes'],
  'a File': [() => new File(['bytes'], 'x', { type: 'a/b' }), 'a/b', '5', 'bytes'],
  'a web stream': [webStream, octets, 'chunked', 'bytes'],
  'a stream of Node': [() => Readable.from([Buffer.from('bytes')]), octets, 'chunked', 'bytes'],
  URLSearchParams: [
    () => new URLSearchParams({ a: '1 2' }),
    'application/x-www-form-urlencoded;charset=UTF-8',
    '5',
    'a=1+2',
  ],
}

for (const [door, call] of Object.entries(doors)) {
  for (const [what, [make, type, framed, body]] of Object.entries(bodies)) {
    test(`${door}: ${what} is sent as it is: it was JSON`, async () => {
      const expected = { type, framed, body }
      assert.deepEqual((await call('POST /:any?', { body: make() })).json(), expected)
      assert.deepEqual((await call('DELETE /:any?', { body: make() })).json(), expected)
      for (const own of ['image/png', 'application/json']) {
        const input = { headers: { 'Content-Type': own }, body: make() }
        assert.deepEqual((await call('POST /:any?', input)).json(), { ...expected, type: own })
      }
    })
  }

  test(`${door}: FormData is sent with its boundary, whatever the call says of it`, async () => {
    for (const type of [undefined, 'multipart/form-data', 'Multipart/Form-Data; boundary=x']) {
      const input = { headers: { 'Content-Type': type, 'x-own': 'yes' }, body: form() }
      const { type: sent, body } = (await call('POST /:any?', input)).json()
      const boundary = /^multipart\/form-data; boundary=(\S{9,})$/.exec(sent)?.[1]
      assert.ok(boundary, sent)
      assert.equal(body.split(`--${boundary}`).length, 4)
      assert.match(body, /name="a"\r\n\r\n1\r\n/)
      assert.match(body, /name="file"; filename="x.txt"\r\nContent-Type: a\/b\r\n\r\nbytes\r\n/)
    }
  })

  test(`${door}: an object that is not of its type is an error that names the route, and says what to do`, async () => {
    const wrong: [string, unknown][] = [
      ['application/x-www-form-urlencoded', { a: 1 }],
      ['text/csv', [1, 2]],
      ['text/plain', new Map()],
      ['text/plain', form()],
      ['application/json', form()],
    ]
    for (const [type, body] of wrong) {
      const pending = async () => call('POST /:any?', { headers: { 'content-type': type }, body })
      await assert.rejects(pending, (error: Loose) => {
        assert.equal(error.code, Reflect.get(codes, door))
        const says = `has an object for a body of type '${type}'. Give text or bytes`
        assert.ok(error.message.includes("'POST /:any?'"), error.message)
        assert.ok(error.message.includes(says), error.message)
        return true
      })
    }
  })

  test(`${door}: all else is JSON, of another type text`, async () => {
    const values = [{ pipe: 'steel', type: 'x' }, [1], 'text', 7, false, null]
    for (const body of values) {
      const answer = (await call('POST /:any?', { body })).json()
      assert.deepEqual([answer.type, JSON.parse(answer.body)], ['application/json', body])
      const headers = { 'content-type': 'a/b+json' }
      assert.equal((await call('POST /:any?', { headers, body })).json().body, answer.body)
    }
    for (const body of ['text', 7, false]) {
      const answer = (
        await call('POST /:any?', { headers: { 'content-type': 'a/b' }, body })
      ).json()
      assert.deepEqual([answer.type, answer.body], ['a/b', String(body)])
    }
  })

  test(`${door}: bytes of another realm are bytes`, async () => {
    const body = runInNewContext('new Uint8Array([65, 66]).buffer')
    assert.equal((await call('POST /:any?', { body })).json().body, 'AB')
  })
}

test('client: a type that all calls have gives way to that of a body', async () => {
  const headers = { 'Content-Type': 'a/b', 'x-own': 'yes' }
  const own: Loose = client<typeof app>(url, { headers })
  assert.match((await own('POST /:any?', { body: form() })).json().type, /^multipart\/form-data; b/)
  assert.equal((await own('POST /:any?', { body: bytes })).json().type, octets)
  assert.equal((await own('POST /:any?')).json().type, 'a/b')
})

test('client: fetch is told that a stream goes one way at a time', async () => {
  const seen: unknown[] = []
  const own: Loose = client<typeof app>('', {
    fetch: async (_url, init) => {
      seen.push([Reflect.get(init, 'duplex'), init.body])
      return Response.json(null)
    },
  })
  const given = [webStream(), Readable.from([])]
  for (const body of given) await own('POST /:any?', { body })
  assert.deepEqual(
    seen,
    given.map((body) => ['half', body]),
  )
})

test('client: an old stream of Node, which fetch does not take, is an error: it was [object Object]', async () => {
  const input = { headers: { 'content-type': octets }, body: oldStream() }
  await assert.rejects(doors['client']('POST /:any?', input), { code: codes.client })
})

test('inject by route key: an old stream of Node is a stream', async () => {
  const input = { headers: { 'content-type': 'a/b' }, body: oldStream() }
  const { type, body } = (await doors['inject by route key']('POST /:any?', input)).json()
  assert.deepEqual([type, body], ['a/b', 'bytes'])
})
