// The server of the page of React.
import { EventEmitter, on } from 'node:events'
import espalier, { t } from '../../src/index.ts'

/** `price` is told to each stream; `left` says that one was closed. */
export const told = new EventEmitter()

const names = ['a', 'b', 'c', 'd']

export const shop = espalier({ logger: false })
  .get(
    '/items/:id',
    {
      schema: {
        params: { id: t.Integer() },
        response: { 200: { name: t.String() }, 404: { message: t.String() } },
      },
    },
    ({ params: { id } }, reply) => {
      if (id === 500) throw Object.assign(new Error('busy'), { statusCode: 410 })
      return id === 404 ? reply.code(404).send({ message: 'no item' }) : { name: `item ${id}` }
    },
  )
  .get(
    '/items',
    {
      schema: {
        querystring: { after: t.Optional(t.Integer()) },
        response: { 200: { names: t.Array(t.String()), next: t.Optional(t.Integer()) } },
      },
    },
    ({ query: { after = 0 } }) => ({
      names: names.slice(after, after + 2),
      ...(after + 2 < names.length && { next: after + 2 }),
    }),
  )
  .post(
    '/items',
    { schema: { body: { name: t.String() }, response: { 201: { name: t.String() } } } },
    ({ body }, reply) => {
      names.unshift(body.name)
      return reply.code(201).send(body)
    },
  )
  .get(
    '/prices',
    {
      schema: {
        response: {
          200: { content: { 'text/event-stream': { itemSchema: { price: t.Integer() } } } },
        },
      },
    },
    ({ signal }) => {
      signal.addEventListener('abort', () => told.emit('left'))
      return prices(on(told, 'price', { signal }))
    },
  )

async function* prices(events: AsyncIterable<unknown[]>): AsyncGenerator<{ price: number }> {
  for await (const [price] of events) yield { price: Number(price) }
}

type Built = typeof shop
export interface Shop extends Built {}
