// Streams in the place of a body that fail.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { test } from 'node:test'
import { createGunzip, gzipSync } from 'node:zlib'
import { fastify } from '../../src/index.ts'
import { rawRequest } from '../support/raw-request.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

/** A hook with any number of parameters. */
const hook = (run: (...args: Loose[]) => unknown): AnyHandler => run

test('a stream in the place of the body that fails is answered before it destroys the request', async () => {
  const app = untyped()
  const replace = hook((request, _reply, payload) => {
    const failing = new Transform({
      transform: (_chunk, _encoding, done) => {
        done(Object.assign(new Error('not compressed'), { statusCode: 400 }))
      },
    })
    failing.once('error', (error) => request.raw.destroy(error))
    return Promise.resolve(payload.pipe(failing))
  })
  app.addHook('preParsing', async (...args: [Loose, Loose]) => replace(...args))
  app.post('/', (request: Loose) => request.body)
  const response = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
  assert.deepEqual([response.statusCode, response.json().message], [400, 'not compressed'])
})

const gunzip = hook(async (_request, _reply, payload) => payload.pipe(createGunzip()))
const pass = hook(async (_request, _reply, payload) => payload.pipe(new PassThrough()))
const both = hook(async (_request, _reply, payload) =>
  payload.pipe(createGunzip()).pipe(new PassThrough()),
)
/** Leaves the stream as it is, once it has failed. */
const wait = hook(async (_request, _reply, payload: Readable) => {
  await new Promise((resolve) => payload.once('close', resolve))
})
const piping: Readonly<Record<string, readonly AnyHandler[]>> = {
  'in one hook': [both],
  'in two hooks': [gunzip, pass],
  'in two hooks around another': [gunzip, hook(async () => undefined), pass],
  'before it is read': [gunzip, wait],
}
for (const [where, hooks] of Object.entries(piping)) {
  test(`a stream that is piped and fails is the client's 400, ${where}: the request waited for ever`, async (context) => {
    for (const app of [untyped(), fastify() as unknown as ReturnType<typeof untyped>]) {
      context.after(() => app.close())
      for (const each of hooks) app.addHook('preParsing', each)
      app.post('/', (request) => request.body)
      const url = await app.listen({ port: 0 })
      const body = 'this is not compressed'
      const head = ['POST / HTTP/1.1', 'content-type: text/plain', `content-length: ${body.length}`]
      const response = await rawRequest(url, head, body)
      assert.equal(response.status, 400)
      assert.equal(JSON.parse(response.body).message, 'incorrect header check')
    }
  })
}

test('a request whose client leaves ends, also where a hook pipes it into another stream', async (context) => {
  const app = untyped()
  context.after(() => app.close())
  const ended = new Promise<unknown[]>((resolve) => {
    app.addHook(
      'onError',
      hook(async (_request, _reply, error) => {
        resolve([error.statusCode, error.message])
      }),
    )
  })
  const begun = new Promise((resolve) => {
    app.addHook(
      'preParsing',
      hook(async (_request, _reply, payload) => {
        payload.once('data', resolve)
        return payload.pipe(createGunzip())
      }),
    )
  })
  app.post('/', (request) => request.body)
  const { port } = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(port))
  const part = gzipSync('a text').subarray(0, 12)
  socket.write(
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 26\r\n\r\n',
  )
  socket.write(part)
  await begun
  socket.destroy()
  await once(socket, 'close')
  assert.deepEqual(await ended, [400, 'aborted'])
})
