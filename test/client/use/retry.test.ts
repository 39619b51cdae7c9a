// Middleware of clients: the option `use`, and what `espalier/client/use` has for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallMiddleware, client, type ClientOptions } from '../../../src/client/index.ts'
import { retry, timeLimit } from '../../../src/client/use/index.ts'
import espalier, { event, t } from '../../../src/index.ts'

type Loose = any

/** A client whose requests get these answers, one after the other, and the statuses of what they
 *  asked. */
function answered(
  answers: readonly (Response | Error | ((init: RequestInit) => Promise<Response>))[],
  options: ClientOptions = {},
) {
  const seen: { url: string; init: RequestInit; headers: Headers }[] = []
  const fetch = async (url: string, init: RequestInit) => {
    seen.push({ url, init, headers: new Headers(init.headers) })
    const answer = answers[seen.length - 1]
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? answer(init) : (answer ?? Response.json({}))
  }
  return { api: client('https://x.test', { fetch, ...options }) as Loose, seen }
}

const failed = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ status }, { status, headers })

test('middleware stands around each request, the first one outermost', async () => {
  const told: unknown[] = []
  const tell =
    (name: string): CallMiddleware =>
    async (request, next) => {
      const { key, method, url, body } = request
      told.push([name, key, method, url, body])
      request.headers.set(`x-${name}`, String(request.headers.get('x-given')))
      const response = await next(request)
      told.push([name, response.statusCode, response.declared, response.json()])
      return response
    }
  const { api, seen } = answered([failed(500)], {
    use: [tell('a'), tell('b')],
    headers: { 'x-given': 'yes' },
    onResponse: ({ statusCode }, { key }) => told.push(['end', key, statusCode]),
  })
  const call = api('POST /users', { body: { name: 'Ada' } })
  await assert.rejects(call, { name: 'UndeclaredResponse', statusCode: 500 })
  const asked = ['POST /users', 'POST', 'https://x.test/users', '{"name":"Ada"}']
  const got = [500, false, { status: 500 }]
  assert.deepEqual(told, [
    ['a', ...asked],
    ['b', ...asked],
    ['b', ...got],
    ['a', ...got],
    ['end', 'POST /users', 500],
  ])
  assert.deepEqual(
    ['x-a', 'x-b', 'content-type'].map((name) => seen[0]?.headers.get(name)),
    ['yes', 'yes', 'application/json'],
  )
})

test('middleware may ask again, give another answer, and throw what it likes', async () => {
  let token = 'old'
  const renew: CallMiddleware = async (request, next) => {
    request.headers.set('authorization', token)
    const response = await next(request)
    if (response.statusCode !== 401) return response
    token = 'new'
    request.headers.set('authorization', token)
    return next(request)
  }
  const { api, seen } = answered([failed(401)], { use: [renew] })
  assert.equal((await api('GET /users/:id', { params: { id: 1 } })).statusCode, 200)
  assert.deepEqual(
    seen.map(({ headers }) => headers.get('authorization')),
    ['old', 'new'],
  )
  const elsewhere = answered([], {
    use: [(request, next) => next({ ...request, url: 'https://y.test/' })],
  })
  await elsewhere.api('POST /users', { body: { name: 'Ada' } })
  assert.equal(elsewhere.seen[0]?.url, 'https://y.test/')
  const own = new Error('own')
  const throwing = answered([], {
    use: [
      () => {
        throw own
      },
    ],
  })
  await assert.rejects(throwing.api('POST /users', { body: { name: 'Ada' } }), own)
  const watching = answered([], { onResponse: () => Promise.reject(own) })
  await assert.rejects(watching.api('POST /users', { body: { name: 'Ada' } }), own)
})

test('a stream that is asked for again goes through the middleware', async (context) => {
  const streaming = espalier().get(
    '/events',
    {
      schema: {
        response: { 200: { content: { 'text/event-stream': { itemSchema: t.Integer() } } } },
      },
    },
    async function* ({ headers }) {
      yield event(Number(headers['last-event-id'] ?? 0) + 1, {
        id: String(headers['x-token']),
        retry: 1,
      })
    },
  )
  const url = await streaming.listen({ port: 0, host: '127.0.0.1' })
  context.after(() => streaming.close())
  let token = 0
  const use: CallMiddleware[] = [
    (request, next) => {
      request.headers.set('x-token', String((token += 1)))
      return next(request)
    },
  ]
  const response = await client<typeof streaming>(url, { use })('GET /events')
  const seen: unknown[] = []
  for await (const message of response.messages({ reconnect: true })) {
    seen.push([message.data, message.id])
    if (seen.length === 3) break
  }
  assert.deepEqual(seen, [
    [1, '1'],
    [2, '2'],
    [3, '3'],
  ])
})

const get = ['GET /users/:id', { params: { id: 1 } }] as const
const post = ['POST /users', { body: { name: 'Ada' } }] as const

test('retry asks again after some statuses and after errors of the network, a few times', async () => {
  const waits: number[] = []
  const wait = (made: number) => {
    waits.push(made)
    return 0
  }
  const again = async (answers: readonly (Response | Error)[], ...call: unknown[]) => {
    const { api, seen } = answered(answers, { use: [retry({ wait })], undeclared: 'throw' })
    const { statusCode, code } = await api(...call).catch((error: unknown) => error)
    return [statusCode, code, seen.length]
  }
  const down = new TypeError('down')
  assert.deepEqual(await again([failed(503), down], ...get), [200, undefined, 3])
  assert.deepEqual(waits, [1, 2])
  const undeclared = 'ESP_ERR_CLIENT_UNDECLARED'
  assert.deepEqual(
    await again(
      [503, 429, 502].map((each) => failed(each)),
      ...get,
    ),
    [...[502, undeclared, 3]],
  )
  assert.deepEqual(await again([down, down, down], ...get), [500, 'ESP_ERR_CLIENT_NETWORK', 3])
  assert.deepEqual(await again([failed(500)], ...get), [500, undeclared, 1])
  assert.deepEqual(await again([failed(503)], ...post), [503, undeclared, 1])
  assert.deepEqual(await again([down], ...post), [500, 'ESP_ERR_CLIENT_NETWORK', 1])
})

test('retry asks again by the methods and the routes that an option names, never with a stream', async () => {
  const times = async (also: readonly any[], body: unknown = { name: 'Ada' }) => {
    const { api, seen } = answered([failed(503)], { use: [retry({ wait: () => 0, also })] })
    await api('POST /users', { body }).catch(() => undefined)
    return seen.length
  }
  assert.deepEqual(
    [await times(['POST']), await times(['POST /users']), await times(['POST /other'])],
    [2, 2, 1],
  )
  assert.equal(await times(['POST'], new ReadableStream()), 1)
  assert.equal(await times(['POST'], new Blob(['x'])), 2)
})

test('retry waits as long as the answer says, in seconds or until a date', async (context) => {
  const after = async (value: string) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_800_000_000_000 })
    const wait = () => assert.fail('the answer says how long')
    const { api, seen } = answered([failed(503, { 'retry-after': value })], {
      use: [retry({ wait })],
    })
    const call = api(...get).catch((error: Loose) => error)
    let waited = 0
    const done = call.then(() => (waited = -waited))
    while (waited >= 0 && waited < 40) {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
      if (seen.length === 2) break
      context.mock.timers.tick(1000)
      waited += 1
    }
    const { statusCode } = await call
    await done
    context.mock.timers.reset()
    return [statusCode, Math.abs(waited)]
  }
  assert.deepEqual(await after('3'), [200, 3])
  assert.deepEqual(await after(new Date(1_800_000_005_000).toUTCString()), [200, 5])
  assert.deepEqual(await after(new Date(0).toUTCString()), [200, 1])
  // Too long: the answer is that of the call.
  assert.deepEqual((await after('31'))[0], 503)
})

test('the signal of the call ends a wait', async () => {
  const abort = new AbortController()
  const { api, seen } = answered(
    [
      async () => {
        setImmediate(() => abort.abort(new Error('enough')))
        return failed(503, { 'retry-after': '30' })
      },
      async ({ signal }) => {
        signal?.throwIfAborted()
        return failed(500)
      },
    ],
    { use: [retry()] },
  )
  await assert.rejects(api(...get, { signal: abort.signal }), {
    code: 'ESP_ERR_CLIENT_ABORTED',
    message: /was aborted/,
  })
  assert.equal(abort.signal.reason.message, 'enough')
  assert.equal(seen.length, 1)
})

/** An answer that does not come, or whose body does not end, until the signal is aborted. */
const never = ({ signal }: RequestInit) =>
  new Promise<Response>((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      reject(signal.reason as Error)
    })
  })
const endless =
  (type: string) =>
  async ({ signal }: RequestInit) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from('"'))
          signal?.addEventListener('abort', () => {
            controller.error(signal.reason)
          })
        },
      }),
      { headers: { 'content-type': type } },
    )

test('a time limit ends a call, and the reading of its body', async () => {
  const late = { code: 'ESP_ERR_CLIENT_ABORTED', name: 'TimeoutError' }
  for (const answer of [never, endless('application/json')]) {
    const { api } = answered([answer], { use: [timeLimit(5)] })
    await assert.rejects(api(...get), late)
  }
  const abort = new AbortController()
  const { api, seen } = answered([never, endless('image/png')], { use: [timeLimit(50)] })
  const call = api(...get, { signal: abort.signal })
  await Promise.resolve()
  abort.abort()
  await assert.rejects(call, { code: 'ESP_ERR_CLIENT_ABORTED', name: 'AbortError' })
  // A stream goes on, until the signal of the call ends it.
  const stop = new AbortController()
  const response = await api(...get, { signal: stop.signal })
  const text = response.text() as Promise<string>
  await Promise.race([text, new Promise((resolve) => setTimeout(resolve, 80))])
  stop.abort()
  await assert.rejects(text, { code: 'ESP_ERR_CLIENT_ABORTED', name: 'AbortError' })
  assert.equal(seen.length, 2)
})

test('a time limit in front of retry counts all requests, behind it each', async () => {
  const slow = async () => failed(503, { 'retry-after': '30' })
  const all = answered([slow, never], { use: [timeLimit(20), retry()] })
  await assert.rejects(all.api(...get), { name: 'TimeoutError' })
  const each = answered([failed(503), failed(503)], {
    use: [retry({ wait: () => 15 }), timeLimit(20)],
  })
  assert.equal((await each.api(...get)).statusCode, 200)
})
