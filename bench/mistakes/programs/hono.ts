import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { hc } from 'hono/client'
import { createMiddleware } from 'hono/factory'

const users = [{ id: 1, name: 'Ada', password: 'secret' }]
const find = (id: number) => users.find((user) => user.id === id)

const User = z.object({ id: z.int(), name: z.string() })
const json = <Schema extends z.ZodType>(schema: Schema) => ({
  description: '',
  content: { 'application/json': { schema } },
})
const route = createRoute({
  method: 'get',
  path: '/users/{id}',
  request: {
    params: z.object({ id: z.coerce.number().int() }),
    query: z.object({ limit: z.coerce.number().int().optional() }),
  },
  responses: { 200: json(User), 404: json(z.object({ message: z.string() })) },
})
const listed = createRoute({
  method: 'get',
  path: '/users',
  responses: { 200: json(z.array(User)) },
})
const posted = createRoute({
  method: 'post',
  path: '/users',
  request: { body: { ...json(z.object({ name: z.string() })), required: true } },
  responses: { 200: json(User) },
})
const app = new OpenAPIHono()
  .openapi(route, (c) => {
    const user = find(c.req.valid('param').id)
    return user ? c.json(user, 200) : c.json({ message: 'no such user' }, 404)
  })
  .openapi(listed, (c) => c.json(users, 200))
  .openapi(posted, (c) => c.json({ id: 2, name: c.req.valid('json').name }, 200))

const text = async (path: string) => (await app.request(path)).text()
export const one = (): Promise<string> => text('/users/1')
export const list = (): Promise<string> => text('/users')

// mistake: field
export const field = () => new OpenAPIHono().openapi(route, (c) => c.json({ id: 1 }, 200))
// mistake: type
export const type = () =>
  new OpenAPIHono().openapi(route, (c) => c.json({ id: '1', name: 'Ada' }, 200))
// mistake: nothing
export const nothing = () =>
  new OpenAPIHono().openapi(route, (c) => {
    const user = find(c.req.valid('param').id)
    if (user) return c.json(user, 200)
  })
// mistake: status
export const status = () => new OpenAPIHono().openapi(route, (c) => c.json({ message: 'no' }, 403))
// mistake: error
export const error = () => new OpenAPIHono().openapi(route, (c) => c.json({ text: 'no' }, 404))
// mistake: parameter
export const parameter = () =>
  new OpenAPIHono().openapi(route, (c) => {
    c.req.valid('param').id.toUpperCase()
    return c.json({ message: 'no' }, 404)
  })
// mistake: query
export const query = () =>
  new OpenAPIHono().openapi(route, (c) => {
    console.log(c.req.valid('query').limt)
    return c.json({ message: 'no' }, 404)
  })
// mistake: path
export const path = () => {
  const other = createRoute({ ...route, path: '/users/{user}' })
  return new OpenAPIHono().openapi(other, (c) =>
    c.json({ id: c.req.valid('param').id, name: 'Ada' }, 200),
  )
}
// mistake: scope
const guard = createMiddleware<{ Variables: { user: string } }>(async (c, next) => {
  c.set('user', 'Ada')
  await next()
})
export const scope = () =>
  new OpenAPIHono()
    .use('/members/*', guard)
    .get('/members/me', (c) => c.text(c.get('user')))
    .get('/open', (c) => c.text(c.get('user')))
// mistake: input
export const input = () => hc<typeof app>('').users.$post({ json: { nam: 'Ada' } })
// mistake: output
export const output = async () => {
  const response = await hc<typeof app>('').users.$get()
  console.log((await response.json())[0]?.nam)
}
