import { type TypeBoxTypeProvider, Type as t } from '@fastify/type-provider-typebox'
import fastify from 'fastify'

const users = [{ id: 1, name: 'Ada', password: 'secret' }]
const find = (id: number) => users.find((user) => user.id === id)

const create = () => fastify().withTypeProvider<TypeBoxTypeProvider>()
const User = t.Object({ id: t.Integer(), name: t.String() })
const schema = {
  params: t.Object({ id: t.Integer() }),
  querystring: t.Object({ limit: t.Optional(t.Integer()) }),
  response: { 200: User, 404: t.Object({ message: t.String() }) },
}
const app = create()
app.get('/users/:id', { schema }, ({ params }, reply) => {
  const user = find(params.id)
  if (user) reply.send(user)
  else reply.code(404).send({ message: 'no such user' })
})
app.get('/users', { schema: { response: { 200: t.Array(User) } } }, async () => users)
app.post(
  '/users',
  { schema: { body: t.Object({ name: t.String() }), response: { 200: User } } },
  async ({ body }) => ({ id: 2, name: body.name }),
)

export const one = async (): Promise<string> => (await app.inject('/users/1')).body
export const list = async (): Promise<string> => (await app.inject('/users')).body

// mistake: field
create().get('/users/:id', { schema }, async () => ({ id: 1 }))
// mistake: type
create().get('/users/:id', { schema }, async () => ({ id: '1', name: 'Ada' }))
// mistake: nothing
create().get('/users/:id', { schema }, async ({ params }) => find(params.id))
// mistake: status
create().get('/users/:id', { schema }, (_, reply) => {
  reply.code(403).send({ message: 'no' })
})
// mistake: error
create().get('/users/:id', { schema }, (_, reply) => {
  reply.code(404).send({ text: 'no' })
})
// mistake: parameter
create().get('/users/:id', { schema }, ({ params }, reply) => {
  params.id.toUpperCase()
  reply.code(404).send({ message: 'no' })
})
// mistake: query
create().get('/users/:id', { schema }, (request, reply) => {
  console.log(request.query.limt)
  reply.code(404).send({ message: 'no' })
})
// mistake: path
create().get('/users/:user', { schema }, async ({ params }) => ({ id: params.id, name: 'Ada' }))
// mistake: scope
declare module 'fastify' {
  interface FastifyRequest {
    user: string
  }
}
const scoped = create()
scoped.register(async (members) => {
  members.decorateRequest('user', 'Ada')
  members.get('/me', ({ user }) => user)
})
scoped.get('/open', ({ user }) => user)
// mistake: input
export const input = () => app.inject({ method: 'POST', url: '/users', payload: { nam: 'Ada' } })
// mistake: output
export const output = async () => {
  const response = await app.inject('/users')
  console.log(response.json()[0].nam)
}
