// A hook that takes `done` wraps all that follows it, as AsyncLocalStorage needs it.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import { untyped, type AnyHandler } from '../support/untyped.ts'

const json = { 'content-type': 'application/json' }

for (const name of ['onRequest', 'preParsing', 'preValidation', 'preHandler']) {
  for (const late of [false, true]) {
    test(`what follows ${name} runs in the context of its ${late ? 'late ' : ''}done`, async () => {
      const storage = new AsyncLocalStorage<string>()
      const app = untyped()
      const run = (done: () => void): void => storage.run('kept', done)
      const hook = (done: () => void): void => {
        if (late) setImmediate(run, done)
        else run(done)
      }
      app.addHook(name, withDone(name, hook))
      app.addHook('onSend', async (_request, reply) => {
        reply.header('x-sent', storage.getStore())
      })
      app.post('/', { preHandler: async () => {} }, async () => ({ store: storage.getStore() }))
      const response = await app.inject({ method: 'POST', url: '/', headers: json, payload: '{}' })
      assert.deepEqual(response.json(), { store: 'kept' })
      assert.equal(response.headers['x-sent'], 'kept')
      await app.close()
    })
  }
}

/** A hook of its phase's arity that takes `done`. */
function withDone(name: string, hook: (done: () => void) => void): AnyHandler {
  if (name === 'preParsing') {
    return ((_request: unknown, _reply: unknown, _payload: unknown, done: () => void) => {
      hook(done)
    }) as AnyHandler
  }
  return ((_request: unknown, _reply: unknown, done: () => void) => {
    hook(done)
  }) as AnyHandler
}
