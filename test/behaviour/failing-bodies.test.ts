// Streams in the place of a body that fail.
import assert from 'node:assert/strict'
import { Transform } from 'node:stream'
import { test } from 'node:test'
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
