// What is asked of the servers, and what they have to answer.
import { accept, chunks, items, ownAnswer, ownRequest, sentOrder } from './peers/shared.mjs'

/** What a server is started with. */
export interface ServerOptions {
  readonly log?: boolean
  readonly http2?: boolean
  /** Whether it has 500 more routes. */
  readonly many?: boolean
  /** Whether it has the route that zod validates. */
  readonly zod?: boolean
}

export interface Scenario {
  readonly key: string
  readonly title: string
  readonly server?: ServerOptions
  readonly method?: 'GET' | 'POST'
  readonly path: string
  /** JSON. */
  readonly body?: string
  readonly answer: Answer
  /** How many requests allocations are counted of, if not the usual number: so few that nothing is collected. */
  readonly counted?: number
}

export interface Answer {
  readonly status: number
  /** The media type without parameters. */
  readonly type: string
  /** The body; where it is undefined, frameworks have answers of their own with a message. */
  readonly text?: string
}

const json = (value: unknown): Answer => ({
  status: 200,
  type: 'application/json',
  text: JSON.stringify(value),
})
const failure = (status: number): Answer => ({ status, type: 'application/json' })

const order = { method: 'POST', path: '/orders', body: JSON.stringify(sentOrder) } as const
const hello = { path: '/', answer: json({ hello: 'world' }) }
const wrongLines = sentOrder.lines.map((line, at) => (at === 5 ? { ...line, quantity: 'x' } : line))
const lines = Array.from({ length: 1000 }, (_, at) => `${at}`.padEnd(1045, '.'))

export const scenarios: readonly Scenario[] = [
  { key: 'S1', title: 'hello, with a response schema', ...hello },
  {
    key: 'S2',
    title: 'path parameter and query, validated and coerced',
    path: '/users/42/posts?page=3&limit=20&active=true',
    answer: json({ user: 42, page: 3, limit: 20, active: true }),
  },
  {
    key: 'S3',
    title: 'a nested order of 1 kB posted, validated, serialized',
    ...order,
    answer: json(accept(sentOrder)),
  },
  {
    key: 'S4',
    title: '100 objects of 12 fields serialized, 20 kB',
    path: '/items',
    answer: json(items),
    counted: 200,
  },
  {
    key: 'S5',
    title: 'four contexts deep, with six hooks and four decorators',
    path: '/a/b/c/d',
    answer: json({ a: 1, b: 2, c: 4, d: 5 }),
  },
  {
    key: 'S6a',
    title: 'a 404 among 500 routes',
    server: { many: true },
    path: '/many/none/1/detail',
    answer: failure(404),
  },
  {
    key: 'S6b',
    title: 'a late route with a parameter among 500',
    server: { many: true },
    path: '/many/r499/7/detail',
    answer: json({ id: '7' }),
  },
  {
    key: 'S7',
    title: 'a 400: the order of S3 with one wrong field',
    ...order,
    body: JSON.stringify({ ...sentOrder, lines: wrongLines }),
    answer: failure(400),
  },
  {
    key: 'stream',
    title: 'a stream of 16 chunks, 64 kB',
    path: '/stream',
    answer: { status: 200, type: 'application/octet-stream', text: chunks.join('') },
    counted: 200,
  },
  {
    key: 'body',
    title: 'a body of 1 MB posted, parsed and validated',
    method: 'POST',
    path: '/lines',
    body: JSON.stringify({ lines }),
    answer: json({ count: lines.length }),
    counted: 5,
  },
  { key: 'log', title: 'S1 with a log of requests', server: { log: true }, ...hello },
  {
    key: 'zod',
    title: 'the order of S3, validated by zod',
    server: { zod: true },
    ...order,
    path: '/zod',
    answer: json(accept(sentOrder)),
  },
  { key: 'http2', title: 'S1 over HTTP/2, in clear text', server: { http2: true }, ...hello },
]

/** The size of an application whose routes have schemas of their own. */
export interface OwnSize {
  readonly routes: number
  readonly contexts: number
}

/** A request to the last route of such an application. */
export function lastRoute({ routes, contexts }: OwnSize): Scenario {
  const [request, answer] =
    routes > 0
      ? [ownRequest(routes - 1), ownAnswer(routes - 1, 7)]
      : [{ path: `/c${contexts - 1}` }, { own: contexts - 1 }]
  return { key: 'own', title: 'the last route', ...request, answer: json(answer) }
}
