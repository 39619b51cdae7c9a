import express, { type Request, type Response } from 'express'
import { z } from 'zod'

const users = [{ id: 1, name: 'Ada', password: 'secret' }]
const find = (id: number) => users.find((user) => user.id === id)

interface User {
  id: number
  name: string
}
const Params = z.object({ id: z.coerce.number().int() })
const Paging = z.object({ limit: z.coerce.number().int().optional() })
const NewUser = z.object({ name: z.string() })

const app = express()
app.use(express.json())
app.get('/users/:id', (request, response: Response<User | { message: string }>) => {
  const user = find(Params.parse(request.params).id)
  if (user) response.json(user)
  else response.status(404).json({ message: 'no such user' })
})
app.get('/users', (_, response: Response<User[]>) => {
  response.json(users)
})
app.post('/users', (request, response: Response<User>) => {
  response.json({ id: 2, name: NewUser.parse(request.body).name })
})

async function text(path: string) {
  const server = app.listen(0)
  await new Promise((done) => server.once('listening', done))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const body = await (await fetch(`http://localhost:${port}${path}`)).text()
  server.close()
  return body
}
export const one = (): Promise<string> => text('/users/1')
export const list = (): Promise<string> => text('/users')

// mistake: field
app.get('/', (_, response: Response<User>) => {
  response.json({ id: 1 })
})
// mistake: type
app.get('/', (_, response: Response<User>) => {
  response.json({ id: '1', name: 'Ada' })
})
// mistake: nothing
app.get('/users/:id', (request, response: Response<User>) => {
  const user = find(Params.parse(request.params).id)
  if (user) response.json(user)
})
// mistake: status
app.get('/', (_, response: Response<User | { message: string }>) => {
  response.status(403).json({ message: 'no' })
})
// mistake: error
app.get('/', (_, response: Response<User | { message: string }>) => {
  response.status(404).json({ text: 'no' })
})
// mistake: parameter
app.get('/users/:id', (request) => {
  Params.parse(request.params).id.toUpperCase()
})
// mistake: query
app.get('/', (request) => {
  console.log(Paging.parse(request.query).limt)
})
// mistake: path
app.get('/users/:user', (request, response: Response<User>) => {
  response.json({ id: Params.parse(request.params).id, name: 'Ada' })
})
// mistake: scope
app.get('/open', (request: Request & { user?: string }, response) => {
  response.send(request.user)
})
// mistake: input
export const input = () => fetch('/users', { method: 'POST', body: JSON.stringify({ nam: 'Ada' }) })
// mistake: output
export const output = async () => {
  const body = await (await fetch('/users')).json()
  console.log(body[0].nam)
}
