import { treaty } from '@elysiajs/eden'
import { node } from '@elysiajs/node'
import { Elysia, t } from 'elysia'

const users = [{ id: 1, name: 'Ada', password: 'secret' }]
const find = (id: number) => users.find((user) => user.id === id)

const create = () => new Elysia({ adapter: node() })
const User = t.Object({ id: t.Integer(), name: t.String() })
const schema = {
  params: t.Object({ id: t.Integer() }),
  query: t.Object({ limit: t.Optional(t.Integer()) }),
  response: { 200: User, 404: t.Object({ message: t.String() }) },
}
const app = create()
  .get(
    '/users/:id',
    ({ params, status }) => find(params.id) ?? status(404, { message: 'no such user' }),
    schema,
  )
  .get('/users', () => users, { response: { 200: t.Array(User) } })
  .post('/users', ({ body }) => ({ id: 2, name: body.name }), {
    body: t.Object({ name: t.String() }),
    response: { 200: User },
  })

const text = async (path: string) =>
  (await app.handle(new Request(`http://localhost${path}`))).text()
export const one = (): Promise<string> => text('/users/1')
export const list = (): Promise<string> => text('/users')

// mistake: field
export const field = () => create().get('/users/:id', () => ({ id: 1 }), schema)
// mistake: type
export const type = () => create().get('/users/:id', () => ({ id: '1', name: 'Ada' }), schema)
// mistake: nothing
export const nothing = () => create().get('/users/:id', ({ params }) => find(params.id), schema)
// mistake: status
export const status = () =>
  create().get('/users/:id', ({ status }) => status(403, { message: 'no' }), schema)
// mistake: error
export const error = () =>
  create().get('/users/:id', ({ status }) => status(404, { text: 'no' }), schema)
// mistake: parameter
export const parameter = () =>
  create().get(
    '/users/:id',
    ({ params, status }) => {
      params.id.toUpperCase()
      return status(404, { message: 'no' })
    },
    schema,
  )
// mistake: query
export const query = () =>
  create().get(
    '/users/:id',
    ({ query, status }) => {
      console.log(query.limt)
      return status(404, { message: 'no' })
    },
    schema,
  )
// mistake: path
export const path = () =>
  create().get('/users/:user', ({ params }) => ({ id: params.id, name: 'Ada' }), schema)
// mistake: scope
export const scope = () =>
  create()
    .use(
      create()
        .derive(() => ({ user: 'Ada' }))
        .get('/me', ({ user }) => user),
    )
    .get('/open', ({ user }) => user)
// mistake: input
export const input = () => treaty<typeof app>('').users.post({ nam: 'Ada' })
// mistake: output
export const output = async () => {
  const { data } = await treaty<typeof app>('').users.get()
  console.log(data?.[0]?.nam)
}
