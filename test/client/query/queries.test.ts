// The adapter for TanStack Query, with its real core and a server of its own.
import assert from 'node:assert/strict'
import { EventEmitter, on, once } from 'node:events'
import { after, afterEach, test } from 'node:test'
import {
  dehydrate,
  hydrate,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core'
import { client, type Emitted, UndeclaredResponse } from '../../../src/client/index.ts'
import { queries } from '../../../src/client/query/index.ts'
import espalier, { t } from '../../../src/index.ts'

const told = new EventEmitter()
let asked = 0

const eventStream = { content: { 'text/event-stream': { itemSchema: { n: t.Integer() } } } }
const app = espalier({ logger: false })
  .get(
    '/users/:id',
    {
      schema: {
        params: { id: t.Integer() },
        response: { 200: { id: t.Integer() }, 404: { message: t.String() } },
      },
    },
    ({ params: { id } }, reply) => {
      asked += 1
      return id > 9 ? reply.code(404).send({ message: `no user ${id}` }) : { id }
    },
  )
  .get(
    '/users',
    {
      schema: {
        querystring: { after: t.Optional(t.Integer()) },
        response: { 200: { ids: t.Array(t.Integer()), next: t.Optional(t.Integer()) } },
      },
    },
    ({ query: { after = 0 } }) => ({
      ids: [after + 1, after + 2],
      ...(after < 4 && { next: after + 2 }),
    }),
  )
  .post(
    '/users',
    {
      schema: {
        body: { name: t.String() },
        response: { 201: { name: t.String() }, 409: { message: t.String() } },
      },
    },
    ({ body: { name } }, reply) =>
      name === 'Ada' ? reply.code(409).send({ message: 'taken' }) : reply.code(201).send({ name }),
  )
  .delete('/users/:id', { schema: { response: { 204: t.Null() } } }, (_request, reply) =>
    reply.code(204).send(null),
  )
  .get('/gone', { schema: { response: { 200: { ok: t.Boolean() } } } }, () => {
    throw Object.assign(new Error('gone'), { statusCode: 410 })
  })
  .get('/never', ({ signal }) => {
    told.emit('never')
    signal.addEventListener('abort', () => told.emit('left'))
    return new Promise<string>(() => undefined)
  })
  .get('/ticks', { schema: { response: { 200: eventStream } } }, ({ signal }) => {
    signal.addEventListener('abort', () => told.emit('closed'))
    return ticks(on(told, 'tick', { signal }))
  })
  .get(
    '/lines',
    {
      schema: {
        response: { 200: { content: { 'application/jsonl': { itemSchema: t.Integer() } } } },
      },
    },
    async function* () {
      yield* [1, 2, 3]
    },
  )
  .get(
    '/picture',
    { schema: { response: { 200: { content: { 'image/png': {} } } } } },
    (_request, reply) => reply.type('image/png').send(Buffer.from([1, 2, 3])),
  )
  .get('/page', (_request, reply) => reply.type('text/plain').send('text'))
const url = await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())

async function* ticks(told: AsyncIterable<unknown[]>): AsyncGenerator<{ n: number }> {
  for await (const [n] of told) yield { n: Number(n) }
}

const query = queries(client<typeof app>(url))
let cache = newCache()
afterEach(() => {
  cache.clear()
  cache = newCache()
})

function newCache(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } })
}

test('data is the answer, of each declared status', async () => {
  const user = await cache.fetchQuery(query.queryOptions('GET /users/:id', { params: { id: 1 } }))
  assert.deepEqual(user, { statusCode: 200, ok: true, body: { id: 1 } })
  const none = await cache.fetchQuery(query.queryOptions('GET /users/:id', { params: { id: 10 } }))
  assert.deepEqual(none, { statusCode: 404, ok: false, body: { message: 'no user 10' } })
})

test('a declared error is asked once, an undeclared one as often as the cache says', async () => {
  asked = 0
  const counted = queries(
    client<typeof app>(url, {
      use: [
        (request, next) => {
          asked += request.key === 'GET /gone' ? 1 : 0
          return next(request)
        },
      ],
    }),
  )
  const none = new QueryObserver(cache, {
    ...counted.queryOptions('GET /users/:id', { params: { id: 10 } }),
    retry: 3,
  })
  assert.equal((await settled(none)).data?.statusCode, 404)
  assert.equal(asked, 1)
  asked = 0
  const gone = new QueryObserver(cache, { ...counted.queryOptions('GET /gone'), retry: 3 })
  const { error } = await settled(gone)
  assert.ok(error instanceof UndeclaredResponse)
  assert.equal(error.statusCode, 410)
  assert.equal(asked, 4)
})

test('a query without its input waits', async () => {
  asked = 0
  const options = query.queryOptions('GET /users/:id', null)
  const observer = new QueryObserver(cache, options)
  const stop = observer.subscribe(() => undefined)
  const { status, fetchStatus } = observer.getCurrentResult()
  assert.deepEqual([status, fetchStatus], ['pending', 'idle'])
  const { error } = await observer.refetch()
  assert.match(String(error), /'GET \/users\/:id' has no input yet: it is null/)
  observer.setOptions(query.queryOptions('GET /users/:id', { params: { id: 2 } }))
  assert.deepEqual((await settled(observer)).data?.body, { id: 2 })
  assert.equal(asked, 1)
  stop()
})

test('a query that is cancelled leaves its server', async () => {
  const options = query.queryOptions('GET /never')
  const left = once(told, 'left')
  const open = once(told, 'never')
  const fetched = cache.fetchQuery(options).catch(String)
  await open
  await cache.cancelQueries({ queryKey: query.key('GET /never') })
  await left
  assert.match(String(await fetched), /CancelledError/)
})

test('keys are those of routes, of queries, and of several servers', async () => {
  const one = query.queryOptions('GET /users/:id', { params: { id: 1 } })
  assert.deepEqual(one.queryKey, ['GET /users/:id', { params: { id: 1 } }])
  assert.deepEqual(query.key('GET /users/:id', { params: { id: 1 } }), one.queryKey)
  assert.deepEqual(query.key('GET /users'), query.queryOptions('GET /users').queryKey)
  const named = queries(client<typeof app>(url), { name: 'shop' })
  assert.deepEqual(named.key('GET /users'), ['shop', 'GET /users'])
  assert.deepEqual(named.mutationOptions('POST /users').mutationKey, ['shop', 'POST /users'])

  await cache.fetchQuery(one)
  await cache.fetchQuery(query.queryOptions('GET /users'))
  await cache.invalidateQueries({ queryKey: query.key('GET /users/:id') })
  const isOld = (key: readonly unknown[]) => cache.getQueryState(key)?.isInvalidated
  assert.deepEqual([isOld(one.queryKey), isOld(query.key('GET /users'))], [true, false])
  cache.setQueryData(one.queryKey, { statusCode: 404, ok: false, body: { message: 'gone' } })
  assert.equal(cache.getQueryData(one.queryKey)?.statusCode, 404)
})

test('keys have text for what JSON does not have', () => {
  const any = queries(client<Emitted<{ 'GET /days': { request: {}; responses: {} } }>>(url))
  const day = new Date(0)
  const given = { query: { n: 2n ** 60n, day, nothing: undefined } }
  const { queryKey } = any.queryOptions('GET /days', given)
  const written = { query: { n: '1152921504606846976', day: day.toJSON() } }
  assert.deepEqual(queryKey, ['GET /days', written])
})

test('pages follow one another', async () => {
  const options = query.infiniteOptions(
    'GET /users',
    (from: number | undefined) => ({ query: { after: from } }),
    { initialPageParam: undefined, getNextPageParam: ({ body }) => body.next },
  )
  assert.deepEqual(options.queryKey, ['GET /users', { query: {} }, 'pages'])
  const observer = new InfiniteQueryObserver(cache, options)
  const stop = observer.subscribe(() => undefined)
  await observer.fetchNextPage()
  await observer.fetchNextPage()
  const { data, hasNextPage } = await observer.fetchNextPage()
  const ids = data?.pages.map(({ body }) => body.ids)
  assert.deepEqual(ids, [
    [1, 2],
    [3, 4],
    [5, 6],
  ])
  assert.equal(hasNextPage, false)
  assert.equal(cache.getQueryData(options.queryKey)?.pages.length, 3)
  stop()
})

test('a mutation gives the answer', async () => {
  const observer = new MutationObserver(cache, query.mutationOptions('POST /users'))
  const taken = await observer.mutate({ body: { name: 'Ada' } })
  assert.equal(taken.ok ? taken.body.name : taken.body.message, 'taken')
  const made = await observer.mutate({ body: { name: 'Bea' } })
  assert.deepEqual(made, { statusCode: 201, ok: true, body: { name: 'Bea' } })
  const remove = new MutationObserver(cache, query.mutationOptions('DELETE /users/:id'))
  const removed = await remove.mutate({ params: { id: 1 } })
  assert.deepEqual(removed, { statusCode: 204, ok: true, body: null })
})

test('a stream is a list that grows, until nobody reads it', async () => {
  const options = query.queryOptions('GET /ticks', {}, { keep: 2 })
  const observer = new QueryObserver(cache, options)
  const seen = new EventEmitter()
  const stop = observer.subscribe(({ data, fetchStatus }) => {
    seen.emit(
      'data',
      data?.body.map(({ n }) => n),
      fetchStatus,
    )
  })
  const shown: unknown[] = []
  for await (const [list, status] of on(seen, 'data')) {
    shown.push([list, status])
    const count = (list as unknown[] | undefined)?.at(-1) ?? 0
    if (count === 3) break
    if (list !== undefined) told.emit('tick', Number(count) + 1)
  }
  assert.deepEqual(shown, [
    [[], 'fetching'],
    [[1], 'fetching'],
    [[1, 2], 'fetching'],
    [[2, 3], 'fetching'],
  ])
  const closed = once(told, 'closed')
  stop()
  await closed
  const { data, error } = cache.getQueryState(options.queryKey) ?? {}
  assert.deepEqual([data?.body, error], [[{ n: 2 }, { n: 3 }], null])
})

test('a stream that ends is a list', async () => {
  const lines = await cache.fetchQuery(query.queryOptions('GET /lines'))
  assert.deepEqual(lines, { statusCode: 200, ok: true, body: [1, 2, 3] })
})

test('a body may be bytes, text, and nothing', async () => {
  const { body } = await cache.fetchQuery(query.queryOptions('GET /picture'))
  assert.deepEqual([body.type, await body.bytes()], ['image/png', new Uint8Array([1, 2, 3])])
  const page = await cache.fetchQuery(query.queryOptions('GET /page'))
  assert.equal(page.body, 'text')
})

test('what a server has fetched, a page goes on with', async () => {
  const inProcess = queries(client(app))
  const options = inProcess.queryOptions('GET /users/:id', { params: { id: 3 } })
  await cache.prefetchQuery(options)
  const page = newCache()
  hydrate(page, JSON.parse(JSON.stringify(dehydrate(cache))))
  const { queryKey } = query.queryOptions('GET /users/:id', { params: { id: 3 } })
  assert.deepEqual(page.getQueryData(queryKey), { statusCode: 200, ok: true, body: { id: 3 } })
  page.clear()
})

/** The first result of a query that is not fetched any more. */
async function settled<Result extends { readonly isFetching: boolean }>(observer: {
  getCurrentResult(): Result
  subscribe(listener: (result: Result) => void): () => void
}): Promise<Result> {
  return new Promise((resolve) => {
    const stop = observer.subscribe((result) => {
      if (result.isFetching) return
      stop()
      resolve(result)
    })
  })
}
