// Compares the router that makes no code with find-my-way, by random routes, options, URLs and constraints.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import test from 'node:test'
import { promisify } from 'node:util'
import findMyWay, { type ConstraintStrategy, type HTTPVersion } from 'find-my-way'
import { OwnRouter, type RouterConfig } from '../../../src/server/routing/own-router.ts'
import type { Router } from '../../../src/server/routing/router.ts'
import { toPattern } from '../../../src/server/routing/urls.ts'

interface Random {
  readonly one: <Value>(values: readonly Value[]) => Value
  /** @param share how often, from 0 to 1 */
  readonly maybe: (share: number) => boolean
  readonly list: <Value>(most: number, make: () => Value) => Value[]
}

/** Random choices of a seed (mulberry32). */
function randomOf(seed: number): Random {
  const next = (): number => {
    seed = (seed + 0x6d2b79f5) | 0
    let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    one: (values) => values[Math.floor(next() * values.length)]!,
    maybe: (share) => next() < share,
    list: (most, make) => Array.from({ length: Math.floor(next() * (most + 1)) }, make),
  }
}

const texts = [
  'a',
  'ab',
  'abc',
  'b',
  'B',
  'a.b',
  'a-b',
  'ä',
  'a b',
  '1',
  '',
  'x::y',
  'a%b',
  'İ',
  'long-text',
]
const regexes = [
  '(^\\d+$)',
  '(\\d+)',
  '(^[a-c]+$)',
  '([^-]*)',
  '(a|(b))',
  '(.*)',
  '(?:a)',
  '((a+)+)',
  '(\\)',
  '(',
]
const betweens = ['.b', '.a.b', '-', '.', '-a', '.b-', '-%', '-::']

function segmentOf({ one, maybe }: Random): string {
  if (maybe(0.4)) return one(texts)
  const param = (): string => `:${one(['x', 'y', 'z', 'id'])}${maybe(0.3) ? one(regexes) : ''}`
  const start = maybe(0.15) ? one(['a', 'ab', '@']) : ''
  if (maybe(0.5)) return start + param()
  const end = maybe(0.2) ? one(['.b', '-c']) : ''
  return start + param() + one(betweens) + (maybe(0.5) ? param() : '') + end
}

function pathOf(random: Random): string {
  const { one, maybe } = random
  if (maybe(0.03)) return one(['*', '*a', '', 'a', '/*a'])
  const count = one([0, 1, 1, 1, 2, 2, 3])
  const path = `/${Array.from({ length: count }, () => segmentOf(random)).join('/')}`
  return path + (maybe(0.3) ? one(['*', '/', '/*', '/:last?', '/:last?/', '/:no?/a']) : '')
}

const values = [
  ...[
    '1',
    '42',
    'a',
    'b',
    'ab',
    'B',
    'İ',
    'a-b',
    'a.b',
    'x%2Fy',
    'A%2fB',
    '%20',
    '%25',
    '%2525',
    'ä',
  ],
  ...['%C3%A4', '', 'aaaaaaaaaaaa', 'a:b', 'a;b', '-', '%zz', 'a%', '%E0%A4'],
]
const queries = [
  ...['?a=1', '?', '#x', ';s=1', '?a=%20&b=2;c', '?a=1#b/c', ';', '?a[]=1&a[]=2'],
  ...[
    '?a=1&a=2&a=3',
    '?a&=&b=',
    '?a+b=c+d%2B',
    '?a=%zz+%41',
    '?%zz=b=%3D=c',
    '?&&a=1&',
    '?__proto__=1',
    '?%C3%A4=%E0%A4',
  ],
]
const origins = [
  'http://host',
  'HTTPS://h:1',
  'http://',
  'http://a b',
  'http://h?x=1#',
  'http://h?x=1',
]

/** A URL near a path: its parameters get values, and some of its characters change. */
function urlOf({ one, list, maybe }: Random, path: string): string {
  if (maybe(0.03)) return one(['*', 'http://h', 'https://h?a=1', 'http://h#'])
  const filled = path
    .replaceAll(/::|:\w+(\((?:[^()]|\([^()]*\))*\))?\??/g, (part) =>
      part === '::' ? ':' : one(values),
    )
    .replaceAll('*', () => list(2, () => one(values)).join('/'))
    .replaceAll(/[ %ä](?![\dA-F]{2})/g, (text) => (maybe(0.8) ? encodeURIComponent(text) : text))
  const changes = ['//', 'A', '', 'b', '/']
  const changed = maybe(0.3) ? filled.replace(one(['/', 'a', '-', '.']), one(changes)) : filled
  const url = (changed.startsWith('/') ? '' : '/') + changed + (maybe(0.1) ? '/' : '')
  return (maybe(0.05) ? one(origins) : '') + url + (maybe(0.3) ? one(queries) : '')
}

type Strategy = ConstraintStrategy<HTTPVersion.V1>

const storage: Strategy['storage'] = () => {
  const stored = new Map<unknown, never>()
  return {
    get: (value) => stored.get(value) ?? null,
    set: (value, all) => stored.set(value, all as never),
  }
}
const secret: Strategy = {
  name: 'secret',
  storage,
  deriveConstraint: ({ headers }) => headers['secret'] as string,
}
const strict = {
  ...secret,
  name: 'strict',
  mustMatchWhenDerived: true,
  deriveConstraint: secret.deriveConstraint,
}
const later = {
  ...secret,
  name: 'later',
  deriveConstraint(
    { headers }: IncomingMessage,
    _context: unknown,
    done: (error: unknown, value?: unknown) => void,
  ) {
    if (headers['later'] === 'z') done(new Error('z'))
    else setImmediate(done, null, headers['later'])
  },
} as Strategy

function constraintsOf({ one, maybe }: Random): Record<string, unknown> {
  return {
    ...(maybe(0.3) && { host: one(['a.io', 'b.io', /\.io$/, /^b/]) }),
    ...(maybe(0.3) && { version: one(['1.0.0', '1.2.0', '1.2.3', '2.0.0']) }),
    ...(maybe(0.3) && { secret: one(['x', 'y']) }),
    ...(maybe(0.2) && { strict: one(['x', 'y']) }),
    ...(maybe(0.2) && { later: one(['x', 'y']) }),
  }
}

function headersOf({ one, maybe }: Random): Record<string, unknown> {
  return {
    ...(maybe(0.5) && { host: one(['a.io', 'b.io', 'c.io', 'b.org', 'd']) }),
    ...(maybe(0.4) && { 'accept-version': one(['1.x', '1.2.x', '*', '2.0.0', '1.2.3', '3.x']) }),
    ...(maybe(0.4) && { secret: one(['x', 'y', 'z']) }),
    ...(maybe(0.4) && { later: one(['x', 'y', 'z']) }),
    ...(maybe(0.2) && { strict: one(['x', 'y', 'z']) }),
  }
}

function configOf({ one, maybe }: Random): RouterConfig {
  return {
    caseSensitive: maybe(0.7),
    ignoreTrailingSlash: maybe(0.3),
    ignoreDuplicateSlashes: maybe(0.3),
    useSemicolonDelimiter: maybe(0.3),
    allowUnsafeRegex: maybe(0.5),
    ...(maybe(0.5) && { maxParamLength: one([3, 10]) }),
    ...(maybe(0.5) && { onBadUrl: (path) => ({ bad: path }) as never }),
    ...(maybe(0.5) && { onMaxParamLength: (path) => ({ tooLong: path }) as never }),
    ...(maybe(0.3) && { querystringParser: (query) => ({ query }) }),
    defaultRoute: () => 'none' as never,
  }
}

const methods = ['GET', 'POST', 'HEAD'] as const
interface Declared {
  readonly method: (typeof methods)[number]
  readonly path: string
  readonly constraints: Record<string, unknown>
  readonly store: object
}

/** A copy without the prototypes, which differ. */
const plain = (value: unknown): object => ({ ...(value as object) })

/** A handler that tells what it was called with. */
function tell(
  _request: unknown,
  _response: unknown,
  params: unknown,
  store: unknown,
  query: unknown,
): unknown {
  return { params: plain(params), store, query: plain(query) }
}

/** Compares what both routers do. @returns what they return, or 'thrown' */
async function same(
  both: readonly Router[],
  run: (router: Router) => unknown,
  about: object,
): Promise<unknown> {
  const [theirs, ours] = await Promise.all(
    both.map(async (router) => {
      try {
        return await run(router)
      } catch {
        return 'thrown'
      }
    }),
  )
  assert.deepEqual(ours, theirs, JSON.stringify(about))
  return ours
}

const counts = { declared: 0, refused: 0, none: 0, failed: 0, found: 0 }

/** Compares what both routers find. */
async function compare(
  random: Random,
  both: readonly Router[],
  routes: readonly Declared[],
  about: object,
) {
  const { one, maybe } = random
  for (let index = 0; index < 15; index++) {
    const route = one(routes)
    const method = maybe(0.7) ? route.method : one(methods)
    const url = urlOf(random, maybe(0.95) ? route.path : pathOf(random))
    const headers = headersOf(random)
    const request = { method, url, headers } as unknown as IncomingMessage
    const response = {} as ServerResponse
    const answer = await same(both, (router) => router.lookup(request, response), {
      ...about,
      method,
      url,
      headers,
    })
    const kind =
      answer === 'none' ? 'none' : Object.hasOwn(answer as object, 'store') ? 'found' : 'failed'
    counts[kind]++
    const lookup = (router: Router): unknown =>
      promisify(router.lookup.bind(router) as never)(request, response)
    await same(both, lookup, { ...about, method, url, headers, later: true })
    const derived = maybe(0.5) ? undefined : { host: headers['host'], version: '1.x' }
    const find = (router: Router): unknown => {
      const found = router.find(method, url, derived)
      return found && [found.store, plain(found.params), plain(found.searchParams)]
    }
    await same(both, find, { ...about, method, url, find: true })
  }
}

/** Both routers with the same routes. */
function routersOf(
  config: RouterConfig,
  strategies: readonly Strategy[],
  routes: readonly Declared[],
): Router[] {
  const both: Router[] = [findMyWay(config), new OwnRouter(config)]
  for (const router of both) {
    for (const strategy of strategies) router.addConstraintStrategy({ ...strategy })
    for (const route of routes) declare(router, route)
  }
  return both
}

function declare(router: Router, { method, path, constraints, store }: Declared): void {
  router.on(method, path, { constraints }, tell as never, store)
}

test('the router that makes no code finds what find-my-way finds', async () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = randomOf(seed)
    const { one, list, maybe } = random
    const config = configOf(random)
    const strategies = [secret, later, ...(maybe(0.3) ? [strict] : [])]
    const isConstrained = maybe(0.5)
    let id = 0
    const paths = ['/a/:x', ...list(3, () => pathOf(random))]
    const more = list(8, () => ({
      method: one(methods),
      path: maybe(0.4) ? one(paths) : pathOf(random),
      constraints: isConstrained ? constraintsOf(random) : {},
      store: { id: String(id++) },
    }))
    const routes: Declared[] = [
      { method: 'GET', path: '/a/:x', constraints: {}, store: { id: 'first' } },
      ...more,
    ]
    const about = { seed, config, routes }
    const declared: Declared[] = []
    let both = routersOf(config, strategies, [])
    for (const route of routes) {
      const result = await same(both, (router) => declare(router, route), { ...about, route })
      counts[result === 'thrown' ? 'refused' : 'declared']++
      if (result !== 'thrown') declared.push(route)
      // A route that is refused leaves traces in find-my-way.
      else both = routersOf(config, strategies, declared)
    }
    const names = ['version', 'host', 'secret', 'strict', 'other']
    await same(
      both,
      (router) => names.map((name) => Boolean(router.hasConstraintStrategy(name))),
      about,
    )
    const present = [
      ...declared,
      { ...one(declared), method: one(methods) },
      { ...one(declared), constraints: {} },
    ]
    for (const route of present) {
      const pattern = toPattern(route.path, config)
      // Newer versions of find-my-way trim a slash themselves.
      if (toPattern(pattern, config) !== pattern) continue
      const find = (router: Router): unknown =>
        router.findRoute(route.method, pattern, route.constraints)?.store
      await same(both, find, { ...about, route })
    }
    await compare(random, both, routes, about)
    const { method, path, constraints } = one(routes)
    await same(both, (router) => router.off(method, path, constraints), { ...about, path })
    await compare(random, both, routes, { ...about, off: path })
  }
  // The routes and URLs are of all kinds.
  for (const count of Object.values(counts)) assert.ok(count > 200, JSON.stringify(counts))
})

test('of parameters with regular expressions, the longest text at the end goes first', async () => {
  const paths = ['/:x', '/:x.b', '/:x.a.b', '/:x(\\d+)', '/:x-:y']
  const routes = paths.map(
    (path) => ({ method: 'GET', path, constraints: {}, store: { path } }) as const,
  )
  const both = routersOf({}, [], routes)
  for (const url of ['/1', '/a', '/1.b', '/1.a.b', '/1-2', '/1-2.b', '/1-2.a.b']) {
    await same(both, (router) => router.find('GET', url)?.store as unknown, { url })
  }
})
