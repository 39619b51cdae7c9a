// How routes are found: constraints, the router's options, what a server tells of its routes.
import espalier, {
  defineRoute,
  plugin,
  t,
  type ConstraintStrategy,
  type FoundRoute,
} from 'espalier'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier()

// Constraints and slashes.
app.get('/', { constraints: { host: /^a\./, version: '1.2.0', secret: 7 } }, () => 1)
app.get('/', { prefixTrailingSlash: 'no-slash', version: '1.2.0' }, () => 1)
expectError(app.get('/', { constraints: { host: 7 } }, () => 1))
expectError(app.get('/', { constraints: { version: 2 } }, () => 1))
expectError(app.get('/', { prefixTrailingSlash: 'never' }, () => 1))

// Strategies.
const secret = {
  name: 'secret',
  storage: () => ({ get: (_value: string) => null, set: (_value: string, _route: unknown) => {} }),
  deriveConstraint: (request: { headers: object }) => request.headers,
}
expectAssignable<ConstraintStrategy>(secret)
expectNotAssignable<ConstraintStrategy>({ name: 'secret' })
espalier({ constraints: { secret } })
app.addConstraintStrategy(secret)
expectError(app.addConstraintStrategy({ name: 'secret' }))
expectType<boolean>(app.hasConstraintStrategy('secret'))

// The options of the factory.
espalier({ routerOptions: { caseSensitive: false, querystringParser: (query) => ({ query }) } })
espalier({
  rewriteUrl(request) {
    expectType<''>(this.prefix)
    return request.url ?? '/'
  },
  frameworkErrors(error, request, reply) {
    expectType<false>(isAny(request))
    expectType<string>(error.code)
    expectType<string>(request.url)
    return reply.code(400).send(error.message)
  },
})
expectError(espalier({ caseSensitive: 'no' }))
expectError(espalier({ routerOptions: { caseSensitiv: true } }))
expectError(espalier({ rewriteUrl: () => 7 }))

// What a server tells of its routes.
expectType<FoundRoute | null>(app.findRoute({ method: 'GET', url: '/' }))
expectType<boolean>(app.hasRoute({ method: 'GET', url: '/', constraints: { host: 'a' } }))
expectError(app.hasRoute({ path: '/' }))
expectType<string>(app.printRoutes({ method: 'GET', commonPrefix: false, includeMeta: ['x'] }))
expectType<string[]>(app.supportedMethods)
expectError(app.addHttpMethod(7))

// The shortcut of a method that was added, here and below.
const purging = app.addHttpMethod('PURGE', { hasBody: true }).decorate('late', 1)
expectType<typeof purging>(
  purging.purge('/purge/:id', { schema: { querystring: { n: t.Integer() } } }, (request, reply) => {
    expectType<string>(request.params.id)
    expectType<number>(request.query.n)
    return reply.send(request.body)
  }),
)
purging.register(async (child) => {
  child.purge('/x', ({ params }, _reply) => {
    expectType<{}>(params)
  })
})
expectError(purging.purge('/x', { schema: { querystring: 7 } }, () => 'a'))
expectError(purging.purge('/x/:id', (request) => request.params.name))
expectError(app.purge('/x', () => 'a'))
expectError(purging.mkcol('/x', () => 'a'))
app.addHttpMethod('GET').get('/got/:id', ({ params }) => params.id)
app.addHttpMethod('PURGE' as string).get('/any', () => 'a')

// A program of Fastify may name a type provider: the types stay those of the schemas.
interface Provider {
  readonly validator: unknown
}
expectType<typeof app>(app.withTypeProvider<Provider>())

// A method of any name, and TRACE.
app.route({ method: 'MKCOL', url: '/x', handler: (request) => request.method })
app.trace('/x', (request, _reply) => {
  expectType<unknown>(request.body)
})

// A method is one that a server has by itself, or that was added to it.
const none = { url: '/x', handler: () => 'a' }
const added = { method: 'PURGE', ...none } as const
expectError(app.route({ method: 'PSOT', ...none }))
expectError(app.route({ method: ['GET', 'PSOT'], ...none }))
expectError(app.route(added))
expectError(purging.route({ method: 'MKCALENDAR', ...none }))
expectError(defineRoute({ method: 'PSOT', ...none }))
app.route({ method: 'post', ...none }).route({ method: ['get', 'Put', 'PROPFIND'], ...none })
defineRoute<{ server: { purge: unknown } }>()(added)
purging.route(added).route({ method: ['GET', 'purge'], ...none })
purging.register(async (child) => child.route(added))
for (const method of app.supportedMethods) app.route({ method, ...none })
app.route({ method: app.supportedMethods, ...none })
app.route(defineRoute({ method: `${'GET' as string}X`, ...none }))
const generic = <Read extends 'GET' | 'HEAD', Any extends string>(read: Read, any: Any) => {
  app.route({ method: read, ...none })
  app.route({ method: [read, any], ...none })
  defineRoute({ method: any, ...none })
}
generic('GET', 'PURGE')
const cased = <Some extends 'get' | 'post', Any extends string>(
  some: Uppercase<Some>,
  any: Any,
) => {
  app.route({ method: some, ...none })
  app.route({ method: any.toUpperCase() as Uppercase<Any>, ...none })
  app.route({ method: any.toLowerCase() as Lowercase<Any>, ...none })
}
cased('GET', 'purge')

// A body is of its schema where a method has one: those of WebDAV, QUERY, and what is added with one.
const counted = { body: { n: t.Integer() } }
purging.purge('/body', { schema: counted }, ({ body }, _reply) => expectType<number>(body.n))
purging.purge('/none', ({ body }, _reply) => expectType<unknown>(body))
const asked = { url: '/asked', schema: counted }
app.route({ method: 'QUERY', ...asked, handler: ({ body }, _reply) => expectType<number>(body.n) })
app.route({
  method: ['post', 'LOCK'],
  ...asked,
  handler: ({ body }, _reply) => expectType<number>(body.n),
})
app.route({
  method: ['POST', 'DELETE'],
  ...asked,
  handler: ({ body }, _reply) => expectType<unknown>(body),
})
app.route({ method: 'DELETE', ...asked, handler: ({ body }, _reply) => expectType<unknown>(body) })

// One slash between a prefix and a path.
espalier()
  .register(async (child) => child.get('/a', () => 'a').get('/', () => 'b'), { prefix: 'v1/' })
  .inject('GET /v1/a')
const below = espalier().register(async (child) => child.get('/a', () => 'a'), {
  prefix: '/v1' as '/v1' | '/v1/',
})
below.inject('GET /v1/a')
expectError(below.inject('GET /v1//a'))
espalier().register(
  async (child) => {
    expectType<'/v1/'>(child.prefix)
  },
  { prefix: '/v1/' },
)

// Of several routes with one key, which constraints tell apart, a call may reach any.
const One = t.Object({ a: t.String() })
const Two = t.Object({ a: t.Integer(), b: t.String() })
const versioned = espalier()
  .get('/v', { constraints: { version: '1.0.0' }, schema: { response: { 200: One } } }, () => ({
    a: '',
  }))
  .get('/v', { constraints: { version: '2.0.0' }, schema: { response: { 200: Two } } }, () => ({
    a: 1,
    b: '',
  }))
  .get('/other', () => 1)
expectType<{ a: string } | { a: number; b: string }>(
  (await versioned.inject('GET /v', { headers: { 'accept-version': '1.0.0' } })).json(),
)
expectError((await versioned.inject('GET /v')).json().b)
expectType<number>((await versioned.inject('GET /other')).json())

// Each version may be a plugin.
const version = <const Version extends string>(number: Version) =>
  plugin()((scope) => scope.get('/x', { constraints: { version: number } }, () => ({ number })))
const first = plugin()((scope) =>
  scope.get(
    '/x',
    { constraints: { version: '1.0.0' }, schema: { querystring: { a: t.String() } } },
    () => 'first' as const,
  ),
)
const second = plugin()((scope) =>
  scope.get(
    '/x',
    { constraints: { version: '2.0.0' }, schema: { querystring: { b: t.String() } } },
    () => 'second' as const,
  ),
)
const versions = espalier()
  .register(first, { prefix: '/p' })
  .register(second, { prefix: '/p' })
  .register(version('1.0.0'))
  .register(version('2.0.0'))
  .register(version('3.0.0'))
expectType<'first' | 'second'>((await versions.inject('GET /p/x', { query: { a: '' } })).json())
expectType<'first' | 'second'>((await versions.inject('GET /p/x', { query: { b: '' } })).json())
expectError(versions.inject('GET /p/x', { query: { c: '' } }))
expectType<{ number: '1.0.0' } | { number: '2.0.0' } | { number: '3.0.0' }>(
  (await versions.inject('GET /x')).json(),
)
