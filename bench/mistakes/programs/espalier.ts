import espalier, { t } from 'espalier'
import { client } from 'espalier/client'

const users = [{ id: 1, name: 'Ada', password: 'secret' }]
const find = (id: number) => users.find((user) => user.id === id)

const User = t.Object({ id: t.Integer(), name: t.String() })
const schema = {
  params: { id: t.Integer() },
  querystring: { limit: t.Optional(t.Integer()) },
  response: { 200: User, 404: { message: t.String() } },
} as const
const app = espalier()
  .get('/users/:id', { schema }, ({ params }, reply) => {
    return find(params.id) ?? reply.code(404).send({ message: 'no such user' })
  })
  .get('/users', { schema: { response: { 200: t.Array(User) } } }, () => users)
  .post(
    '/users',
    { schema: { body: { name: t.String() }, response: { 200: User } } },
    ({ body }) => {
      return { id: 2, name: body.name }
    },
  )

export const one = async (): Promise<string> =>
  (await app.inject('GET /users/:id', { params: { id: 1 } })).body
export const list = async (): Promise<string> => (await app.inject('GET /users')).body

// mistake: field
export const field = () => espalier().get('/users/:id', { schema }, () => ({ id: 1 }))
// mistake: type
export const type = () => espalier().get('/users/:id', { schema }, () => ({ id: '1', name: 'Ada' }))
// mistake: nothing
export const nothing = () =>
  espalier().get('/users/:id', { schema }, ({ params }) => find(params.id))
// mistake: status
export const status = () =>
  espalier().get('/users/:id', { schema }, (_, reply) => reply.code(403).send({ message: 'no' }))
// mistake: error
export const error = () =>
  espalier().get('/users/:id', { schema }, (_, reply) => reply.code(404).send({ text: 'no' }))
// mistake: parameter
export const parameter = () =>
  espalier().get('/users/:id', { schema }, ({ params }, reply) => {
    params.id.toUpperCase()
    return reply.code(404).send({ message: 'no' })
  })
// mistake: query
export const query = () =>
  espalier().get('/users/:id', { schema }, (request, reply) => {
    console.log(request.query.limt)
    return reply.code(404).send({ message: 'no' })
  })
// mistake: path
export const path = () =>
  espalier().get('/users/:user', { schema }, ({ params }) => ({ id: params.id, name: 'Ada' }))
// mistake: scope
export const scope = () =>
  espalier()
    .register(async (members) =>
      members.decorateRequest('user', 'Ada').get('/me', ({ user }) => user),
    )
    .get('/open', ({ user }) => user)
// mistake: input
export const input = () => app.inject('POST /users', { body: { nam: 'Ada' } })
// mistake: output
export const output = async () => {
  const response = await client(app)('GET /users', {})
  if (response.statusCode === 200) console.log(response.json()[0]?.nam)
}
