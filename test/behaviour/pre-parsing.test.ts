// preParsing hooks are given the body as a stream, and may put another in its place.
import assert from 'node:assert/strict'
import { PassThrough, Readable, Transform } from 'node:stream'
import { test } from 'node:test'
import { createGunzip, gzipSync } from 'node:zlib'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

/** A hook with any number of parameters. */
const hook = (run: (this: Loose, ...args: Loose[]) => unknown): AnyHandler => run
const json = { 'content-type': 'application/json' }

/** A transform that counts the bytes it was given, as decompressing plugins do. */
function counting(decode: (text: string) => string): Transform {
  const stream: Transform & { receivedEncodedLength?: number } = new Transform({
    transform(chunk, _encoding, done) {
      stream.receivedEncodedLength = (stream.receivedEncodedLength ?? 0) + Number(chunk.length)
      done(null, decode(String(chunk)))
    },
  })
  return stream
}

const forms: Readonly<Record<string, (replace: (payload: Readable) => unknown) => AnyHandler>> = {
  'an async hook': (replace) => hook(async (_request, _reply, payload) => replace(payload)),
  'a hook that is not async': (replace) => hook((_request, _reply, payload) => replace(payload)),
  'a callback hook': (replace) =>
    hook((_request, _reply, payload, done) => {
      done(null, replace(payload))
    }),
  'a callback hook that calls back later': (replace) =>
    hook((_request, _reply, payload, done) => {
      setImmediate(() => done(null, replace(payload)))
    }),
}
for (const [what, form] of Object.entries(forms)) {
  test(`the stream that ${what} of preParsing gives is parsed, and undefined keeps the one before`, async () => {
    const app = untyped()
    app.addHook(
      'preParsing',
      form((payload) => payload.pipe(createGunzip())),
    )
    app.addHook(
      'preParsing',
      form(() => undefined),
    )
    app.post('/', { preParsing: form((stream) => stream.pipe(new PassThrough())) }, (request) => [
      request.body,
    ])
    const payload = gzipSync('{"a":"é"}')
    const response = await app.inject({ method: 'POST', url: '/', headers: json, payload })
    assert.equal(response.body, '[{"a":"é"}]')
    await app.close()
  })
}

test('preParsing runs before the body is parsed, with the stream that the hook before it left', async () => {
  const seen: unknown[] = []
  const replaced = Readable.from(['{"n":', '7}'])
  const app = untyped()
  app.addHook(
    'preParsing',
    hook(async ({ body, raw }, _reply, payload) => {
      seen.push(body, payload === raw)
      return replaced
    }),
  )
  app.addHook(
    'preParsing',
    hook(async (_request, _reply, payload) => void seen.push(payload === replaced)),
  )
  app.addHook('preValidation', async ({ body }) => void seen.push(body))
  app.post('/', () => 'done')
  await app.inject({ method: 'POST', url: '/', headers: json, payload: '{"n":1}' })
  assert.deepEqual(seen, [undefined, true, true, { n: 7 }])
  await app.close()
})

test('preParsing may read the whole body before it gives another', async () => {
  const reverse = hook(async (_request, _reply, payload: Readable) => {
    const chunks: Buffer[] = []
    for await (const chunk of payload) chunks.push(chunk)
    return Readable.from([Buffer.concat(chunks).reverse()])
  })
  const app = untyped().post('/', { preParsing: reverse }, ({ body }) => body)
  const headers = { 'content-type': 'text/plain' }
  const response = await app.inject({ method: 'POST', url: '/', headers, payload: 'abc' })
  assert.equal(response.body, 'cba')
  await app.close()
})

test('preParsing runs for requests without a body, and for those to no route', async () => {
  const seen: string[] = []
  const app = untyped().addHook(
    'preParsing',
    hook(async ({ method, url }, _reply, payload) => {
      seen.push(`${method} ${url} ${payload instanceof Readable}`)
    }),
  )
  app.get('/', () => 'done').post('/', ({ body }) => body === undefined)
  assert.equal((await app.inject('/')).body, 'done')
  assert.equal((await app.inject({ method: 'POST', url: '/' })).body, 'true')
  assert.equal((await app.inject({ method: 'POST', url: '/none' })).statusCode, 404)
  assert.deepEqual(seen, ['GET / true', 'POST / true', 'POST /none true'])
  await app.close()
})

function post(app: UntypedServer, payload: string | Buffer | Readable) {
  return app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'text/plain' },
    payload,
  })
}

const limited = (bodyLimit: number, preParsing: AnyHandler) =>
  untyped({ bodyLimit }).post('/', { preParsing }, (request) => request.body)

test('bodyLimit holds for the bytes that a stream in the place of the body has', async () => {
  const gunzip = hook(async (_request, _reply, payload) => payload.pipe(createGunzip()))
  const bomb = gzipSync('x'.repeat(100_000))
  const app = limited(bomb.length, gunzip)
  const { statusCode, body } = await post(app, bomb)
  assert.deepEqual([statusCode, JSON.parse(body).code], [413, 'ESP_ERR_CTP_BODY_TOO_LARGE'])
  assert.equal((await post(app, gzipSync('xyz'))).body, 'xyz')
  await app.close()
})

test('bodyLimit holds for the receivedEncodedLength that such a stream tells, too', async () => {
  const shorten = hook(async (_request, _reply, payload) =>
    payload.pipe(counting((text) => text.slice(0, 1))),
  )
  const app = limited(10, shorten)
  // The length of a stream is not announced.
  assert.equal((await post(app, Readable.from(['x'.repeat(10)]))).body, 'x')
  assert.equal((await post(app, Readable.from(['x'.repeat(11)]))).statusCode, 413)
  await app.close()
})

test('a body that says it is over the limit is not read, whatever a hook would make of it', async () => {
  const shrink = Readable.from(['x'])
  const app = limited(10, async () => shrink)
  assert.equal((await post(app, 'x'.repeat(11))).statusCode, 413)
  assert.equal(shrink.readableDidRead, false)
  await app.close()
})

test('content-length is compared with receivedEncodedLength, not with the decoded bytes', async () => {
  const double = (told: number) =>
    hook(async (_request, _reply, payload) => {
      const stream = payload.pipe(counting((text) => text + text))
      // Bytes that are told to have been read before.
      stream.receivedEncodedLength = told
      return stream
    })
  const right = untyped().post('/', { preParsing: double(0) }, ({ body }) => body)
  const wrong = untyped().post('/', { preParsing: double(1) }, ({ body }) => body)
  assert.equal((await post(right, 'abc')).body, 'abcabc')
  const { statusCode, body } = await post(wrong, 'abc')
  const code = 'ESP_ERR_CTP_INVALID_CONTENT_LENGTH'
  assert.deepEqual([statusCode, JSON.parse(body).code], [400, code])
  await right.close()
  await wrong.close()
})

test('a body that cannot be decoded is 400, and the server lives', async () => {
  const app = untyped().addHook(
    'preParsing',
    hook(async ({ headers }, _reply, payload) =>
      headers['content-encoding'] === 'gzip' ? payload.pipe(createGunzip()) : undefined,
    ),
  )
  app.post('/', ({ body }) => body)
  const url = await app.listen({ port: 0 })
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' }
  const refused = await fetch(url, { method: 'POST', body: 'no gzip', headers })
  assert.equal(refused.status, 400)
  const cut = await fetch(url, { method: 'POST', body: gzipSync('cut').subarray(0, 15), headers })
  assert.equal(cut.status, 400)
  assert.equal((await post(app, 'plain')).body, 'plain')
  await app.close()
})

const failures: Readonly<Record<string, readonly [make: () => Readable, status: number]>> = {
  'fails with an error': [() => new Readable({ read() {} }).destroy(new Error('x')), 400],
  'fails with an error of a status': [
    () => new Readable({ read() {} }).destroy(Object.assign(new Error('x'), { statusCode: 422 })),
    422,
  ],
  'closes before its end': [() => new Readable({ read() {} }).destroy(), 400],
}
for (const [what, [make, status]] of Object.entries(failures)) {
  test(`a stream in the place of the body that ${what} is answered with ${status}`, async () => {
    const app = untyped().post('/', { preParsing: make }, () => assert.fail('the handler ran'))
    assert.equal((await post(app, 'text')).statusCode, status)
    await app.close()
  })

  test(`so is one that ${what} while the next hook is waiting`, async () => {
    const wait = hook(async (_request, _reply, stream) => {
      await new Promise<void>((resolve) => stream.once('close', resolve))
    })
    const app = untyped().post('/', { preParsing: [make, wait] }, () => assert.fail())
    assert.equal((await post(app, 'text')).statusCode, status)
    await app.close()
  })

  test(`one that ${what}, and is not read at all, harms nobody`, async () => {
    const closed: Promise<void>[] = []
    const give = () => {
      const stream = make()
      closed.push(new Promise<void>((resolve) => stream.once('close', resolve)))
      return stream
    }
    const early = async (_request: unknown, reply: Loose) => reply.code(401).send('no')
    const app = untyped().addHook('preParsing', give)
    app.get('/', () => 'done').post('/', { preParsing: early }, () => assert.fail())
    assert.equal((await app.inject('/')).body, 'done')
    assert.equal((await post(app, 'text')).statusCode, 401)
    await Promise.all(closed)
    assert.equal(closed.length, 2)
    await app.close()
  })
}

test('a stream that has ended before it is the body is an error of the server', async () => {
  const read = hook(async (_request, _reply, payload: Readable) => {
    for await (const _chunk of payload);
    return payload
  })
  const app = untyped().post('/', { preParsing: read }, () => assert.fail('the handler ran'))
  const [{ statusCode }, log] = await silenced(async () => post(app, 'text'))
  assert.equal(statusCode, 500)
  assert.match(log, /ESP_ERR_CTP_BODY_ALREADY_READ|read before its turn/)
  await app.close()
})

test('a stream that a preParsing hook has paused is read all the same', async () => {
  const app = untyped()
  const paused = hook((_request, _reply, payload, done) => {
    done(null, payload.pipe(new PassThrough().pause()))
  })
  app.addHook('preParsing', paused).post('/', ({ body }) => body)
  const response = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
  assert.deepEqual(response.json(), { a: 1 })
})
