// `queries` makes the options of TanStack Query, whose data are the answers of a route.
import {
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core'
import espalier, { t } from 'espalier'
import { client, type Client, type Emitted } from 'espalier/client'
import { queries, type Answer, type AnswerOf, type Queries } from 'espalier/query'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier()
  .get(
    '/users/:id',
    {
      schema: {
        params: { id: t.Integer() },
        response: { 200: { name: t.String() }, 404: { message: t.String() } },
      },
    },
    () => ({ name: '' }),
  )
  .get(
    '/users',
    {
      schema: {
        querystring: { after: t.Optional(t.String()) },
        response: { 200: { names: t.Array(t.String()), next: t.Optional(t.String()) } },
      },
    },
    () => ({ names: [] }),
  )
  .post(
    '/users',
    {
      schema: {
        body: { name: t.String() },
        response: { 201: { id: t.Integer() }, 409: { message: t.String() } },
      },
    },
    (_request, reply) => reply.code(201).send({ id: 1 }),
  )
  .post('/ping', () => ({ pong: true }))
  .delete('/users/:id', { schema: { response: { 204: t.Null() } } }, (_request, reply) =>
    reply.code(204).send(null),
  )
  .get(
    '/prices',
    {
      schema: {
        response: {
          200: { content: { 'text/event-stream': { itemSchema: { price: t.Number() } } } },
        },
      },
    },
    async function* () {
      yield { price: 1 }
    },
  )
  .get(
    '/picture',
    { schema: { response: { 200: { content: { 'image/png': {} } } } } },
    (_request, reply) => reply.type('image/png').send(Buffer.from('')),
  )
type Built = typeof app
interface App extends Built {}

const api = client<App>('https://example.org')
const query = queries(api)
const cache = new QueryClient()
expectType<Queries<App>>(query)

// Data is narrowed by its status, and has no type that is not known.
const user = await cache.query(query.queryOptions('GET /users/:id', { params: { id: 1 } }))
expectType<AnswerOf<App, 'GET /users/:id'>>(user)
expectType<200 | 404>(user.statusCode)
if (user.statusCode === 404) expectType<string>(user.body.message)
else expectType<string>(user.body.name)
if (user.ok) expectType<{ name: string }>(user.body)
expectType<false>(isAny(user))

// Inputs are those of calls; null stands for one that is not known yet.
query.queryOptions('GET /users')
query.queryOptions('GET /users', { query: { after: 'a' } }, { maxResponseSize: 1 })
query.queryOptions('GET /users', null)
query.queryOptions('GET /users/:id', null)
expectError(query.queryOptions('GET /user'))
expectError(query.queryOptions('GET /users/:id'))
expectError(query.queryOptions('GET /users/:id', { params: { id: 'x' } }))
expectError(query.queryOptions('GET /users/:id', { params: { id: 1 }, body: 1 }))
expectError(query.queryOptions('GET /users', {}, { keeps: 1 }))

// An observer infers its data, and so does `select`.
const observer = new QueryObserver(cache, {
  ...query.queryOptions('GET /users'),
  select: ({ body }) => body.names.length,
})
expectType<number | undefined>(observer.getCurrentResult().data)

// Keys know the data of their queries.
const key = query.key('GET /users/:id', { params: { id: 1 } })
expectType<AnswerOf<App, 'GET /users/:id'> | undefined>(cache.getQueryData(key))
cache.setQueryData(key, { statusCode: 200, ok: true, body: { name: '' } })
expectError(cache.setQueryData(key, { statusCode: 200, ok: true, body: { nam: '' } }))
expectError(cache.setQueryData(key, { statusCode: 201, ok: true, body: { name: '' } }))
expectError(query.key('GET /users/:id', { params: { id: 'x' } }))

// Pages have the type of the parameter.
const pages = query.infiniteOptions(
  'GET /users',
  (after: string | undefined) => ({ query: { after } }),
  { initialPageParam: undefined, getNextPageParam: ({ body }) => body.next },
)
const { data } = new InfiniteQueryObserver(cache, pages).getCurrentResult()
expectType<AnswerOf<App, 'GET /users'>[] | undefined>(data?.pages)
expectError(
  query.infiniteOptions('GET /users', (after: number) => ({ query: { after } }), {
    initialPageParam: 1,
    getNextPageParam: () => 2,
  }),
)
expectError(
  query.infiniteOptions('GET /users', (after: string) => ({ query: { after } }), {
    initialPageParam: '',
    getNextPageParam: () => 2,
  }),
)

// Mutations take the input of a call.
const post = new MutationObserver(cache, query.mutationOptions('POST /users'))
const made = await post.mutate({ body: { name: '' } })
if (made.ok) expectType<number>(made.body.id)
else expectType<string>(made.body.message)
expectError(post.mutate())
expectError(post.mutate({ body: { nam: '' } }))
const ping = new MutationObserver(cache, query.mutationOptions('POST /ping'))
expectType<{ pong: boolean }>((await ping.mutate()).body)

// Bodies are what the cache holds.
expectType<{ price: number }[]>((await cache.query(query.queryOptions('GET /prices'))).body)
expectType<Answer<204, true, null>>(
  await new MutationObserver(cache, query.mutationOptions('DELETE /users/:id')).mutate({
    params: { id: 1 },
  }),
)
expectType<Blob>((await cache.query(query.queryOptions('GET /picture'))).body)

// A client that returns undeclared answers is no source of queries.
expectNotAssignable<Client<App>>(client<App>('', { undeclared: 'return' }))
expectError(queries(client<App>('', { undeclared: 'return' })))

// A written contract gives the same.
interface Api extends Emitted<{
  'GET /users/:id': {
    request: { params: { id: number } }
    responses: { 200: { json: { name: string } }; 404: { json: { message: string } } }
  }
}> {}
const emitted = queries(client<Api>(''))
expectAssignable<AnswerOf<App, 'GET /users/:id'>>(
  await cache.query(emitted.queryOptions('GET /users/:id', { params: { id: 1 } })),
)
expectError(emitted.queryOptions('GET /users/:id'))
