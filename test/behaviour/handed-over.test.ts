// Who may still answer, once another part of the framework has taken a request over.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { get } from 'node:http'
import type { Readable } from 'node:stream'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { RequestMessage } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

/** A stream that fails on the next turn of the event loop. */
function failing(): Readable {
  const stream = new PassThrough()
  setImmediate(() => stream.destroy(new Error('too late')))
  return stream
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

test('a not-found handler of a sibling sees what the request has already', async () => {
  const app = untyped()
  const seen: unknown[] = []
  app.register(async (own) => {
    own.derive('onRequest', () => ({ user: 'ann' }))
    own.addHook('onResponse', async (request) => void seen.push(Reflect.get(request, 'user')))
    own.get('/x', (_, reply) => reply.callNotFound())
  })
  app.register(async (other) => {
    other.decorateRequest('user', null).decorateRequest('kind', 'other')
    other.setNotFoundHandler((request) => [
      Reflect.get(request, 'user'),
      Reflect.get(request, 'kind'),
    ])
  })
  assert.deepEqual((await app.inject('/x')).json(), ['ann', 'other'])
  await settled()
  assert.deepEqual(seen, ['ann'])
})

test('a body that fails after callNotFound does not answer', async () => {
  const app = untyped()
  app.addHook('preParsing', async (_, reply) => {
    setTimeout(() => void reply.callNotFound(), 5)
    const stream = new PassThrough()
    setTimeout(() => stream.destroy(new Error('stale body')), 15)
    return stream
  })
  app.post('/', () => 'handler')
  app.setNotFoundHandler(async () => {
    await new Promise((resolve) => setTimeout(resolve, 40))
    return 'not found'
  })
  const [response] = await silenced(() =>
    app.inject({ method: 'POST', url: '/', payload: { a: 1 } }),
  )
  assert.equal(response.body, 'not found')
})

test('an error is logged whose reply is hijacked in an onError hook', async () => {
  const app = untyped()
  app.addHook('onError', async (_, reply) => {
    reply.hijack()
    reply.raw.end('hijacked')
  })
  app.get('/', () => {
    throw new Error('boom')
  })
  const [response, log] = await silenced(() => app.inject('/'))
  assert.equal(response.body, 'hijacked')
  assert.match(log, /boom/)
})

test('an error that a listener of the signal sends is the one that is answered', async () => {
  const app = untyped({ handlerTimeout: 20 })
  const calls: string[] = []
  app.addHook('onError', async (...[, , error]: unknown[]) => {
    calls.push(`hook ${(error as Error).message}`)
    await settled()
    calls.push('hook ends')
  })
  app.setErrorHandler((error, _, reply) => {
    calls.push(`handler ${(error as Error).message}`)
    return reply.code(504).send('late')
  })
  app.get('/', async ({ signal }, reply) => {
    signal.addEventListener('abort', () => void reply.send(new Error('gave up')))
    await new Promise(() => undefined)
  })
  assert.equal((await app.inject('/')).body, 'late')
  assert.deepEqual(calls, ['hook gave up', 'hook ends', 'handler gave up'])
})

test('a subscriber of the start of a request may hijack its reply', async (context) => {
  const hijack = (message: unknown): void => {
    const { reply } = message as RequestMessage
    reply.hijack()
    reply.raw.end('mine')
  }
  subscribe('espalier.request.start', hijack)
  context.after(() => unsubscribe('espalier.request.start', hijack))
  assert.equal(
    (
      await untyped()
        .get('/', () => 'handler')
        .inject('/')
    ).body,
    'mine',
  )
})

test('a listener of the signal may return the reply when the client has left', async (context) => {
  const app = untyped()
  context.after(() => app.close())
  let reached = (): void => undefined
  const taken = new Promise<void>((resolve) => (reached = resolve))
  const aborted = new Promise<void>((resolve) => {
    app.get('/', async ({ signal }, reply) => {
      reached()
      signal.addEventListener('abort', () => {
        setImmediate(resolve)
        return reply.code(503).send('gone')
      })
      await aborted
    })
  })
  const request = get(await app.listen({ port: 0 }))
  request.on('error', () => undefined)
  await taken
  request.destroy()
  await aborted
  await settled()
})

test('a stream that nobody sends may fail', async () => {
  const app = untyped()
  app.addHook('preParsing', async (request, reply) => {
    if (request.url !== '/parsed') return undefined
    reply.send('early')
    return failing()
  })
  app.post('/parsed', () => 'handler')
  app.get('/hijacked', (_, reply) => {
    reply.hijack()
    reply.raw.end('raw')
    return failing()
  })
  app.get('/error', () => {
    throw new Error('boom')
  })
  app.setErrorHandler(async (_error, _request, reply) => {
    reply.send('sent')
    return failing()
  })
  const payload = { a: 1 }
  const [answers] = await silenced(async () => {
    const urls = [{ method: 'POST' as const, url: '/parsed', payload }, '/hijacked', '/error']
    const responses = await Promise.all(urls.map((each) => app.inject(each)))
    await settled()
    return responses.map(({ body }) => body)
  })
  assert.deepEqual(answers, ['early', 'raw', 'sent'])
})

test('options of the server may be inherited', async () => {
  const options = Object.create({ bodyLimit: 5 }) as { bodyLimit: number }
  const app = untyped(options).post('/', () => 'read')
  const response = await app.inject({ method: 'POST', url: '/', payload: { long: 'enough' } })
  assert.equal(response.statusCode, 413)
})
