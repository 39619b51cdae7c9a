// Routes of servers that are type parameters: their context is that of the constraint.
import espalier, { t, type Ctx, type RouteKey, type Server } from 'espalier'
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

// One of two servers may have other routes, and goes on. What only one of them has cannot be read.
const either = (flag: boolean) => (flag ? espalier().get('/a', () => 1) : espalier())
const on = either(true).get('/b', () => 2)
expectType<'GET /b'>({} as RouteKey<typeof on>)
