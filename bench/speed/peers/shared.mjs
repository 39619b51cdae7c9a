// The data and the schemas of all servers. `start` of a server takes `log`, `http2`, `many` and `zod`, each of which is true
// or undefined: scenarios.ts says what they mean. `startOwn` takes numbers of routes and of contexts.

/** The numbers from 0 to below a count. */
export const upTo = (count) => Array.from({ length: count }, (_, index) => index)

const object = (properties, optional = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})
const string = { type: 'string' }
const integer = { type: 'integer' }
const boolean = { type: 'boolean' }

const address = object({ street: string, city: string, zip: string, country: string })
const order = {
  customer: object({ name: string, email: string, phone: string, address, billing: address }),
  lines: {
    type: 'array',
    minItems: 1,
    items: object({
      sku: string,
      title: string,
      quantity: { type: 'integer', minimum: 1 },
      cents: integer,
      tags: { type: 'array', items: string },
    }),
  },
  express: boolean,
  note: string,
}
const item = {
  id: integer,
  name: string,
  code: string,
  price: { type: 'number' },
  stock: integer,
  active: boolean,
  rating: { type: 'number' },
  color: string,
  size: string,
  brand: string,
  created: string,
  note: { type: ['string', 'null'] },
}

export const schemas = {
  hello: object({ hello: string }),
  params: object({ user: integer }),
  query: object({ page: integer, limit: { type: 'integer', maximum: 100 }, active: boolean }),
  posts: object({ user: integer, page: integer, limit: integer, active: boolean }),
  order: object(order, ['note']),
  accepted: object({ id: integer, total: integer, ...order }, ['note']),
  items: { type: 'array', items: object(item) },
  deep: object({ a: integer, b: integer, c: integer, d: integer }),
  lines: object({ lines: { type: 'array', items: string } }),
  count: object({ count: integer }),
}

/** What the route of items answers: 20 kB. */
export const items = upTo(100).map((id) => ({
  id,
  name: `item number ${id}`,
  code: `c-${1000 + id}`,
  price: id + 0.25,
  stock: 7 * id,
  active: id % 2 === 0,
  rating: 4.5,
  color: 'green',
  size: 'medium',
  brand: 'Hedge & Sons',
  created: '2026-01-02T03:04:05Z',
  note: id % 3 === 0 ? null : 'grows on a wall',
}))

const home = { street: 'Garden Road 12', city: 'Pomona', zip: '91766', country: 'US' }

/** What is posted to the route of orders: 1 kB. */
export const sentOrder = {
  customer: {
    name: 'Ada Pear',
    email: 'ada.pear@example.org',
    phone: '+1 909 555 0100',
    address: home,
    billing: { ...home, street: 'Orchard Lane 7' },
  },
  lines: upTo(6).map((number) => ({
    sku: `sku-${number}`,
    title: 'An apple tree, trained flat',
    quantity: number + 1,
    cents: 1999,
    tags: ['tree', 'garden'],
  })),
  express: true,
  note: 'Please leave it at the gate.',
}

/** What a handler makes of an order. */
export function accept(order) {
  const total = order.lines.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0)
  return { id: 1, total, ...order }
}

/** What a stream is made of: 64 kB. */
export const chunks = upTo(16).map(() => 'espalier'.repeat(512))

/** The most bytes of a body, where a route takes more than frameworks take by default. */
export const bodyLimit = 2 ** 22

/** 500 routes: every second one has a parameter. */
export const manyPaths = upTo(500).map((n) => (n % 2 ? `/many/r${n}/:id/detail` : `/many/r${n}`))

/** The schemas of a route that is like no other. */
export const ownSchemas = (n) => ({
  params: object({ id: integer }),
  querystring: object({ [`page${n}`]: integer, size: integer, q: string }, ['size', 'q']),
  body: object({
    [`title${n}`]: string,
    count: integer,
    done: boolean,
    note: string,
    tags: { type: 'array', items: string },
    place: object({ [`city${n}`]: string, zip: integer }),
  }),
  response: object({ id: integer, [`total${n}`]: integer, names: order.customer }),
})

/** What a handler of such a route answers. */
export const ownAnswer = (n, id) => ({ id, [`total${n}`]: 1, names: sentOrder.customer })

/** The body of a refusal or of an error. */
export const failure = (statusCode, error, message) => ({ statusCode, error, message })

/** Starts a server of Node on a free port, and gives the port. */
export async function listen(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server.address().port
}

/** A request to a route that is like no other. */
export const ownRequest = (n) => ({
  method: 'POST',
  path: `/r${n}/7?page${n}=1&size=2`,
  body: JSON.stringify({
    [`title${n}`]: 'a',
    count: 1,
    done: true,
    note: 'b',
    tags: ['c'],
    place: { [`city${n}`]: 'd', zip: 1 },
  }),
})
