// Compares the router that makes no code with find-my-way, by random routes, options, URLs and constraints.
import assert from 'node:assert/strict'
import test from 'node:test'
import findMyWay, { type ConstraintStrategy, type HTTPVersion } from 'find-my-way'
import { toPattern } from '../../../src/server/routing/urls.ts'
import { OwnRouter, type RouterConfig } from '../../../src/server/routing/own-router.ts'

/** Numbers that are the same in each run. */
function randomOf(seed: number) {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const one = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(next() * values.length)] as Value
  const list = <Value>(most: number, make: () => Value): Value[] =>
    Array.from({ length: Math.floor(next() * (most + 1)) }, make)
  return { one, list, maybe: (share: number): boolean => next() < share }
}
type Random = ReturnType<typeof randomOf>

const words = [
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
  '12',
  '',
  'x:y',
  'a%b',
  'long-word',
]

function segmentOf({ one, maybe }: Random): string {
  const text = (): string => one(words).replaceAll(':', '::')
  if (maybe(0.45)) return text()
  const regex = (): string =>
    one(['(^\\d+$)', '(\\d+)', '(^[a-c]+$)', '([^-]*)', '(a|(b))', '(.*)', '(?:a)'])
  const param = (): string => `:${one(['x', 'y', 'z', 'id'])}${maybe(0.3) ? regex() : ''}`
  const start = maybe(0.15) ? one(['a', 'ab', '@']) : ''
  if (maybe(0.55)) return start + param()
  const parts = [
    param(),
    one(['-', '.', '-a', '.b-', '-%']),
    maybe(0.5) ? param() : '',
    maybe(0.2) ? one(['.b', '-c']) : '',
  ]
  return start + parts.join('')
}

function pathOf(random: Random): string {
  const { one, list, maybe } = random
  if (maybe(0.02)) return '*'
  const path = `/${list(3, () => segmentOf(random)).join('/')}`
  if (maybe(0.1)) return `${path}*`
  return path + (maybe(0.08) ? one(['/:last?', '/:last?/']) : maybe(0.1) ? '/' : '')
}

/** A URL near a path: its parameters have values, and some of its characters are changed. */
function urlOf(random: Random, path: string): string {
  const { one, list, maybe } = random
  const value = (): string =>
    one([
      '1',
      '42',
      'a',
      'b',
      'ab',
      'B',
      'a-b',
      'a.b',
      'x%2Fy',
      '%20',
      '%25',
      '%2525',
      'ä',
      '%C3%A4',
      '',
      'aaaaaaaaaaaa',
      'a:b',
      'a;b',
      'A%2fB',
      '%zz',
      '-',
      'a%',
    ])
  const filled = path
    .replaceAll('::', '\u0000')
    .replaceAll(/:\w+(\((?:[^()]|\([^()]*\))*\))?\??/g, value)
    .replaceAll('*', () => list(2, value).join('/'))
    .replaceAll('\u0000', ':')
    .replaceAll(/[ %ä](?!\w\w)/g, (text) => (maybe(0.8) ? encodeURIComponent(text) : text))
  const changed = maybe(0.3)
    ? filled.replace(one(['/', 'a', '-', '.']), one(['//', 'A', '', 'b', '/']))
    : filled
  const query = maybe(0.3)
    ? one(['?a=1', '?', '#x', ';s=1', '?a=%20&b=2;c', '?a=1#b/c', ';', '?a[]=1&a[]=2'])
    : ''
  const url = (changed.startsWith('/') ? changed : `/${changed}`) + (maybe(0.1) ? '/' : '') + query
  if (maybe(0.02)) return '*'
  return maybe(0.05)
    ? `${one(['http://host', 'HTTPS://h:1', 'http://', 'http://a b', 'http://h?x=1#'])}${url}`
    : url
}

/** A strategy whose store is a list. */
const strategyOf = (
  name: string,
  mustMatchWhenDerived: boolean,
): ConstraintStrategy<HTTPVersion.V1> => ({
  name,
  mustMatchWhenDerived,
  storage() {
    const stored = new Map<string, never>()
    return {
      get: (value) => stored.get(value) ?? null,
      set: (value, routes) => void stored.set(value, routes as never),
    }
  },
  deriveConstraint: (request) => request.headers[name] as string,
})

function constraintsOf({ one, maybe }: Random): Record<string, unknown> {
  return {
    ...(maybe(0.3) && { host: one(['a.io', 'b.io', /\.io$/, /^b/]) }),
    ...(maybe(0.3) && { version: one(['1.0.0', '1.2.0', '1.2.3', '2.0.0']) }),
    ...(maybe(0.3) && { secret: one(['x', 'y']) }),
    ...(maybe(0.2) && { strict: one(['x', 'y']) }),
  }
}

function headersOf({ one, maybe }: Random): Record<string, string> {
  return {
    ...(maybe(0.5) && { host: one(['a.io', 'b.io', 'c.io', 'b.org', 'd']) }),
    ...(maybe(0.4) && { 'accept-version': one(['1.x', '1.2.x', '*', '2.0.0', '1.2.3', '3.x']) }),
    ...(maybe(0.4) && { secret: one(['x', 'y', 'z']) }),
    ...(maybe(0.3) && { strict: one(['x', 'y', 'z']) }),
  }
}

/** What a function returns, or that it throws. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return run()
  } catch {
    return 'thrown'
  }
}

type Compared = Pick<OwnRouter, keyof OwnRouter>
const methods = ['GET', 'POST', 'HEAD'] as const

/** Makes both routers, with answers that tell what was called. */
function routersOf(random: Random): {
  both: Compared[]
  config: RouterConfig
  isConstrained: boolean
} {
  const { one, maybe } = random
  const config = {
    caseSensitive: maybe(0.7),
    ignoreTrailingSlash: maybe(0.3),
    ignoreDuplicateSlashes: maybe(0.3),
    useSemicolonDelimiter: maybe(0.3),
    allowUnsafeRegex: maybe(0.5),
    ...(maybe(0.5) && { maxParamLength: one([3, 10]) }),
    ...(maybe(0.5) && { onBadUrl: (path: string) => ['bad URL', path] as never }),
    ...(maybe(0.5) && { onMaxParamLength: (path: string) => ['too long', path] as never }),
    ...(maybe(0.3) && { querystringParser: (query: string) => ({ query }) }),
    defaultRoute: () => 'none' as never,
  }
  const both = [findMyWay(config) as Compared, new OwnRouter(config)]
  const isConstrained = maybe(0.5)
  const strict = maybe(0.3)
  for (const router of both) {
    router.addConstraintStrategy(strategyOf('secret', false))
    if (strict || isConstrained) router.addConstraintStrategy(strategyOf('strict', strict))
  }
  return { both, config, isConstrained }
}

const told = (...[, , params, store, query]: unknown[]): unknown => ({
  params: { ...(params as object) },
  store,
  query: { ...(query as object) },
})

test('the router that makes no code finds what find-my-way finds', () => {
  const counts = { routes: 0, refused: 0, found: 0, none: 0, failed: 0 }
  for (let seed = 1; seed <= 1500; seed++) {
    const random = randomOf(seed)
    const { one, list, maybe } = random
    const { both, config, isConstrained } = routersOf(random)
    const about = (more: object): string => JSON.stringify({ seed, config, paths, ...more })
    const equal = (run: (router: Compared) => unknown, more: object): unknown => {
      const [theirs, ours] = both.map((router) => outcomeOf(() => run(router)))
      assert.deepEqual(ours, theirs, about(more))
      return ours
    }
    const paths = list(9, () => ({
      method: one(methods),
      path: pathOf(random),
      constraints: isConstrained ? constraintsOf(random) : {},
    }))
    for (const [index, route] of paths.entries()) {
      const { method, path, constraints } = route
      const result = equal((router) => router.on(method, path, { constraints }, told, index + 1), route)
      counts[result === 'thrown' ? 'refused' : 'routes']++
    }
    const check = (): void => {
      for (const { method, path, constraints } of [
        ...paths,
        ...list(3, () => ({ method: one(methods), path: pathOf(random), constraints: {} })),
      ]) {
        equal((router) => router.findRoute(method, toPattern(path, config), constraints)?.store, {
          path,
          findRoute: true,
        })
      }
      for (let index = 0; index < 12; index++) {
        const method = one(methods)
        const url = urlOf(random, paths.length > 0 && maybe(0.9) ? one(paths).path : pathOf(random))
        const headers = headersOf(random)
        const answer = equal(
          (router) => router.lookup({ method, url, headers } as never, {} as never),
          { method, url, headers },
        )
        counts[answer === 'none' ? 'none' : Array.isArray(answer) ? 'failed' : 'found']++
        equal(
          (router) => {
            const found = router.find(method, url, maybe(0) ? {} : undefined)
            return found && [found.store, { ...found.params }, { ...found.searchParams }]
          },
          { method, url },
        )
      }
    }
    check()
    if (paths.length > 0) {
      const { method, path, constraints } = one(paths)
      equal((router) => router.off(method, path, constraints), { off: path })
      check()
    }
  }
  console.log(counts)
})
