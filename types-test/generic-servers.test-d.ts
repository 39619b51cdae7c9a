// Routes of servers that are type parameters: their context is that of the constraint.
import espalier, { t, type Ctx, type RouteKey, type Server } from 'espalier'
import { client } from 'espalier/client'
import { expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const User = t.Object({ id: t.Integer() }, { $id: 'user' })
type Wide = Ctx<'/v1', { db: number }, { user: string }, { nice(): number }, { user: typeof User }>

function declared<App extends Server<Wide>>(app: App) {
  expectError(app.get('/none', { schema: { querystring: { a: t.Ref('none#') } } }, () => 1))
  expectError(app.get('/other/:id', { schema: { params: { other: t.String() } } }, () => 1))
  expectError(app.get('/wrong', { schema: { response: { 200: t.Ref('user#') } } }, () => 1))
  expectError(
    app.route({ method: 'GET', url: '/n', schema: { headers: t.Ref('n#') }, handler: () => 1 }),
  )
  return app
    .post('/users', { schema: { body: t.Ref('user#') } }, function (request, reply) {
      expectType<false>(isAny(request))
      expectType<number>(request.body.id)
      expectType<string>(request.user)
      expectType<number>(reply.nice())
      return this.db
    })
    .route({
      method: 'PUT',
      url: '/users/:id',
      schema: { params: { id: t.Integer() }, body: t.Ref('user#') },
      handler: (request) => request.params.id + request.body.id,
    })
}
expectType<'POST /v1/users' | 'PUT /v1/users/:id'>({} as RouteKey<ReturnType<typeof declared>>)

export class Resource<App extends Server> {
  private readonly app: App
  constructor(app: App) {
    this.app = app
    this.app.get('/:id', { schema: { params: { id: t.Integer() } } }, (request) => {
      expectType<false>(isAny(request))
      expectType<number>(request.params.id)
      return 1
    })
    expectError(this.app.get('/:id', { schema: { querystring: t.Ref('user#') } }, () => 1))
  }
}

// A server with more routes stands for one with fewer: so one of two, which a condition decides, is the one that has what both have.
const either = (flag: boolean) => (flag ? espalier().get('/a', () => 1) : espalier())
const on = either(true).get('/b', () => 2)
expectType<'GET /b'>({} as RouteKey<typeof on>)

const Item = t.Object({ id: t.Integer() })
const built = espalier().get('/items', { schema: { response: { 200: Item } } }, () => ({ id: 1 }))
const documented = (flag: boolean) =>
  flag ? built.register(async (docs) => docs.get('/docs', () => 'docs')) : built
const served = await documented(true)
expectType<'GET /items'>({} as RouteKey<typeof served>)
expectType<{ id: number }>((await served.inject('GET /items')).json())
expectError(served.inject('GET /docs'))
export interface Served extends ReturnType<typeof documented> {}
expectType<{ id: number }>((await client<Served>('http://localhost')('GET /items')).json())

const ask = (app: typeof built) => app.inject('GET /items')
const more = built.get('/more', () => 1)
await ask(more)
expectError(ask(espalier()))
// A route of the same key with another schema is another route.
const Text = t.Object({ id: t.String() })
expectError(
  ask(espalier().get('/items', { schema: { response: { 200: Text } } }, () => ({ id: '1' }))),
)
// More routes do not make up for another scope.
expectError(ask(built.decorate('db', 1)))
let grown: Server = espalier()
grown = grown.get('/a', () => 1)
expectType<never>({} as RouteKey<typeof grown>)
