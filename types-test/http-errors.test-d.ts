// Errors as values: their fields, the scopes and routes that declare them, and what clients see.
import espalier, {
  defineRoute,
  httpError,
  plugin,
  shared,
  t,
  type ErrorResponses,
  type HookFor,
} from 'espalier'
import { client, type Contract, type ResponseOf } from 'espalier/client'
import { httpError as inServices } from 'espalier/schema'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import type { Equal } from './support.js'

const NotFound = httpError('NotFound', 404, { id: t.Integer() })
const Gone = httpError('Gone', 404, {
  since: t.String({ format: 'date' }),
  by: t.Optional(t.String()),
})
const Conflict = httpError('Conflict', 409, { with: t.Array(t.Integer()) })
const Unauthorized = httpError('Unauthorized', 401)
const Busy = inServices('Busy', 503, { retry: t.Optional(t.Integer()) })
const User = t.Object({ id: t.Integer() })

// An error takes its fields, and then what `Error` takes.
const notFound = new NotFound({ id: 7 }, 'no such user', { cause: new Error('x') })
expectAssignable<Error>(notFound)
expectType<number>(notFound.id)
expectType<'NotFound'>(notFound.code)
expectType<404>(notFound.statusCode)
expectType<'NotFound'>(NotFound.code)
expectType<404>(NotFound.statusCode)
expectType<string | Date>(new Gone({ since: new Date() }).since)
expectType<string | undefined>(new Gone({ since: '2020-02-29', by: undefined }).by)
new Unauthorized()
new Unauthorized('no token', { cause: 'any value' })
new Busy()
new Busy({}, 'later')
new Busy({ retry: 1 })
new Conflict({ with: [1, 2] as const })
expectError(new NotFound({ id: 'x' }))
expectError(new NotFound())
expectError(new NotFound({}))
expectError(new NotFound({ id: 7, other: 1 }))
expectError(new NotFound('no such user'))
expectError(new Unauthorized({ id: 7 }))
expectError((notFound.id = 8))

// A class of its own has a type too.
class NoUser extends httpError('NoUser', 404, { login: t.String() }) {
  headers = { 'cache-control': 'no-store' }
}
expectType<string>(new NoUser({ login: 'ada' }).login)

// `instanceof` tells an error apart, also in an error handler.
espalier().setErrorHandler((error) => {
  if (error instanceof NotFound) {
    expectType<number>(error.id)
    expectType<404>(error.statusCode)
  }
  throw error
})

// What is no error is refused, with a sentence.
expectError(httpError('Fine', 200))
expectError(httpError('Moved', 302))
expectError(httpError('Odd', 404 as number))
expectError(httpError('Named' as string, 404))
expectError(httpError('Reserved', 404, { message: t.String() }))
expectError(httpError('Plain', 404, { id: 'integer' }))

// A scope declares errors, and their bodies have types in each route below.
const app = espalier()
  .addResponses(NotFound, Gone, Conflict)
  .addResponses(Unauthorized)
  .addResponses({ '5xx': t.Object({ title: t.String() }) })
  .get(
    '/users/:id',
    { schema: { params: { id: t.Integer() }, response: { 200: User } } },
    ({ params }) => params,
  )
  .get('/free', () => 1)
type OfUser = ResponseOf<typeof app, 'GET /users/:id'>
expectType<true>({} as 200 | 401 | 404 | 409 extends OfUser['statusCode'] ? true : false)
const api = client<typeof app>('')
const response = await api('GET /users/:id', { params: { id: 1 } })
if (response.statusCode === 404) {
  const error = response.json()
  expectType<'NotFound' | 'Gone'>(error.code)
  expectType<404>(error.statusCode)
  if (error.code === 'NotFound') {
    expectType<{ statusCode: 404; code: 'NotFound'; error: string; message: string; id: number }>(
      error,
    )
  } else {
    expectType<string>(error.since)
    expectType<string | undefined>(error.by)
    expectError(error.id)
  }
} else if (response.statusCode === 409) expectType<number[]>(response.json().with)
else if (response.statusCode === 401) expectType<'Unauthorized'>(response.json().code)
const free = await api('GET /free')
if (free.statusCode === 404) expectType<'NotFound' | 'Gone'>(free.json().code)

// Children, shared plugins and plugins with needs add errors beside those of the scope.
const Missing = httpError('Missing', 404, { file: t.String() })
const files = shared(async (server) => server.addResponses(Missing))
const tree = espalier()
  .addResponses(NotFound)
  .register(plugin().shared(async (server) => server.addResponses(Missing)))
  .register(
    async (child) =>
      child.addResponses(Gone).get('/', { schema: { response: { 200: User } } }, () => ({ id: 1 })),
    { prefix: '/below' },
  )
  .get('/beside', { schema: { response: { 200: User } } }, () => ({ id: 1 }))
type Code<Response> = Response extends { statusCode: 404; json(): { code: infer Code } }
  ? Code
  : never
type Below = Code<ResponseOf<typeof tree, 'GET /below'>>
type Beside = Code<ResponseOf<typeof tree, 'GET /beside'>>
expectType<true>({} as Equal<Below, 'NotFound' | 'Missing' | 'Gone'>)
expectType<true>({} as Equal<Beside, 'NotFound' | 'Missing'>)
const ownScope = espalier()
  .register(files)
  .get('/', { schema: { response: { 200: User } } }, () => ({ id: 1 }))
expectType<true>({} as Equal<Code<ResponseOf<typeof ownScope, 'GET /'>>, 'Missing'>)

// A route names errors of its own beside them.
const routed = espalier()
  .addResponses(NotFound)
  .get(
    '/:id',
    { schema: { response: { 200: User, 404: Gone, 409: Conflict } } },
    (_request, reply) => {
      if (Math.random() > 0.5)
        return reply
          .code(409)
          .send({ statusCode: 409, code: 'Conflict', error: 'Conflict', message: '', with: [] })
      return { id: 1 }
    },
  )
type OfRouted = ResponseOf<typeof routed, 'GET /:id'>
expectType<true>({} as Equal<OfRouted['statusCode'], 200 | 404 | 409>)
expectType<true>({} as Equal<Code<OfRouted>, 'NotFound' | 'Gone'>)
const spelled = espalier()
  .addResponses(NotFound)
  .get('/', { schema: { response: { 200: User, '404': Gone } } }, () => ({ id: 1 }))
expectType<true>({} as Equal<Code<ResponseOf<typeof spelled, 'GET /'>>, 'NotFound' | 'Gone'>)
expectError(
  espalier().get('/', { schema: { response: { 200: User, 409: NotFound } } }, () => ({ id: 1 })),
)
expectError(
  espalier().get('/', { schema: { response: { 200: User, '4xx': NotFound } } }, () => ({ id: 1 })),
)
expectError(
  espalier().get('/', { schema: { response: { 200: User, default: NotFound } } }, () => ({
    id: 1,
  })),
)
expectError(
  routed.get('/x', { schema: { response: { 200: User, 409: Conflict } } }, (_request, reply) =>
    reply.code(409).send({ id: 1 }),
  ),
)

// A status has errors or one schema; a code has one class.
const Other = httpError('NotFound', 404, { slug: t.String() })
const known = espalier().addResponses(NotFound)
known.addResponses(NotFound)
known.addResponses({ 404: NotFound })
known.addResponses({ 404: Gone })
expectError(known.addResponses(Other))
expectError(known.addResponses(Gone, Other))
expectError(known.addResponses({ 404: User }))
expectError(known.addResponses({ 409: NotFound }))
expectError(espalier().addResponses({ 404: User }).addResponses(NotFound))
expectError(known.register(plugin().shared(async (server) => server.addResponses(Other))))
expectError(known.register(plugin().shared(async (server) => server.addResponses({ 404: User }))))

// Plugins, routes, hooks and contracts name the errors that they need.
type Needed = ErrorResponses<typeof NotFound | typeof Unauthorized>
const needing = plugin<{ responses: Needed }>()(async (server) =>
  server.get('/need', { schema: { response: { 200: User } } }, () => ({ id: 1 })),
)
const met = espalier().addResponses(NotFound, Gone, Unauthorized).register(needing)
expectType<true>({} as Equal<Code<ResponseOf<typeof met, 'GET /need'>>, 'NotFound' | 'Gone'>)
expectError(espalier().register(needing))
expectError(espalier().addResponses(Gone, Unauthorized).register(needing))
const hook: HookFor<'onRequest', { responses: Needed }> = async (_request, reply) =>
  reply.code(401).send({ statusCode: 401, code: 'Unauthorized', error: '', message: '' })
espalier().addResponses(NotFound, Unauthorized).addHook('onRequest', hook)
const route = defineRoute({
  method: 'GET',
  url: '/',
  schema: { response: { 200: User, 404: Gone } },
  handler: () => ({ id: 1 }),
})
interface Routes {
  'GET /': typeof route
}
const served = espalier().addResponses(NotFound, Unauthorized).route(route)
served satisfies Contract<Routes, Needed>
expectNotAssignable<Contract<Routes, Needed>>(espalier().addResponses(NotFound).route(route))
type OfContract = ResponseOf<Contract<Routes, Needed>, 'GET /'>
expectType<true>({} as Equal<OfContract['statusCode'], 200 | 401 | 404>)
expectType<true>({} as Equal<Code<OfContract>, 'NotFound' | 'Gone'>)
