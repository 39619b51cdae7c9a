// Responses by status and by content type; payloads that are no JSON: streams and a `Response`.
import { Readable } from 'node:stream'
import espalier, { t } from 'espalier'
import { startWhenRun } from './start.ts'

const Order = t.Object({ id: t.Integer(), item: t.String() }, { $id: 'order' })
const Problem = t.Object({ message: t.String() })

const orders = [
  { id: 1, item: 'tea', cost: 3 },
  { id: 2, item: 'cake', cost: 5 },
]

export const app = espalier()
  .addSchema(Order)
  // The exact status comes first, then its class, then `default`. What the schema has not, stays here:
  // `cost` does not leave.
  .get(
    '/orders/:id',
    {
      schema: {
        params: { id: t.Integer() },
        response: { 200: t.Ref('order#'), 404: t.Null(), '4xx': Problem },
      },
    },
    ({ params }, reply) => {
      if (params.id < 1) return reply.code(422).send({ message: 'ids begin with 1' })
      const order = orders.find(({ id }) => id === params.id)
      return order ?? reply.code(404).send()
    },
  )
  // The type of the reply chooses among the media types of `content`; an entry may say more of itself.
  .get(
    '/orders',
    {
      schema: {
        headers: { accept: t.String({ default: 'application/json' }) },
        response: {
          200: {
            description: 'All orders, as the client likes them',
            content: {
              'application/json': { schema: t.Array(t.Ref('order#')) },
              'text/csv': { schema: t.String() },
            },
          },
        },
      },
    },
    ({ headers }, reply) => {
      if (headers.accept !== 'text/csv') return reply.type('application/json').send(orders)
      const lines = orders.map(({ id, item }) => `${id},${item}\n`)
      return reply.type('text/csv').send(['id,item\n', ...lines].join(''))
    },
  )
  // A stream is sent as fast as the client reads it. Its first failure is still an error answer.
  .get('/numbers', (_request, reply) =>
    reply.type('text/plain').send(Readable.from(['one\n', 'two\n', 'three\n'])),
  )
  .get('/broken', () =>
    Readable.from(
      (async function* broken() {
        yield await Promise.reject<string>(Object.assign(new Error('no tea'), { statusCode: 503 }))
      })(),
    ),
  )
  // A `Response` brings its status and its headers along.
  .get('/standard', () => Response.json({ by: 'the Fetch standard' }, { status: 203 }))

await startWhenRun(import.meta.url, app, (url) => [
  `curl ${url}/orders/1                       # without the cost`,
  `curl -i ${url}/orders/9                    # 404, and nothing more`,
  `curl ${url}/orders/0                       # 422`,
  `curl ${url}/orders -H 'accept: text/csv'`,
  `curl ${url}/numbers`,
  `curl ${url}/broken                         # 503`,
  `curl -i ${url}/standard`,
])
