// A handler returns what the response schema does not allow. The compiler judges a function as a whole, so it tells of
// this where the function begins; what differs is named there.
import { t } from 'espalier'
import { app } from './scope.js'

const byId = {
  schema: {
    params: { id: t.Integer() },
    response: { 200: { id: t.Integer(), name: t.String() }, 404: { message: t.String() } },
  },
}

app.get('/a/:id', byId, () => ({ id: 'x', name: '' })) // <- "The returned 'id' is a string, where the response schema has a number"
app.get('/b/:id', byId, (request) => {
  // <- "The returned 'id' is a string, where the response schema has a number"
  const { id } = request.params
  return { id: String(id), name: '' }
})
app.get('/c/:id', byId, async (request, reply) => {
  // <- "The returned 'id' is a string, where the response schema has a number"
  if (request.params.id > 9) return reply.code(404).send({ message: '' })
  return { id: String(request.params.id), name: '' }
})
app.get('/d/:id', byId, async (request) => {
  // <- "The returned object lacks 'name', which the response schema requires"
  return { id: request.params.id }
})
app.get('/e', { schema: { response: { 200: t.Ref('post#') } } }, async (request) => {
  // <- "The returned 'author'
  const author = request.server.db.find(1)
  return { id: 1, title: 'x', author: author.name }
})
app.get('/f', { schema: { response: { 404: t.Null() } } }, () => ({ id: 1 })) // <- The response schema has no status 200
app.get('/g/:id', byId, () => ({ idd: 1 })) // <- The returned object lacks 'name', which the response schema requires

const Person = t.Object({
  id: t.Integer(),
  name: t.String(),
  email: t.Optional(t.String()),
  age: t.Integer(),
  roles: t.Array(t.String()),
  active: t.Boolean(),
  home: t.Object({ city: t.String(), zip: t.Integer() }),
  born: t.String({ format: 'date' }),
})
interface Row {
  id: number
  name: string | null
  email: string
  age: number
  roles: string[]
  active: boolean
  home: { city: string; zip: number }
  born: Date
}
declare const find: () => Promise<Row | undefined>
const person = { schema: { response: { 200: Person, 404: t.Null() } } }
const people = { schema: { response: { 200: t.Object({ items: t.Array(Person) }) } } }

app.get('/h', person, async (_request, reply) => {
  // <- "The returned 'home.zip' is a string, where the response schema has a number"
  const row = await find()
  if (row === undefined) return reply.code(404).send()
  return { ...row, name: 'Ada', home: { city: 'London', zip: 'W1' } }
})
app.get('/i', person, async () => {
  // <- This handler may return undefined
  const row = await find()
  return row && { ...row, name: 'Ada' }
})
app.get('/j', people, async () => {
  // <- "The returned 'items[].name' may be null, which the response schema does not allow"
  const row = await find()
  return { items: row === undefined ? [] : [row] }
})
app.get('/k', people, async () => {
  // <- "The returned 'items' is a promise, which has to be awaited"
  return { items: find() }
})
app.get('/l/:id', byId, async (request) => {
  // <- "The returned object lacks 'name', which the response schema requires"
  if (request.params.id > 9) return { id: 0 }
  return { id: 1, name: 'Ada' }
})
app.get('/m/:id', byId, ({ params: { id } }) => ({ id: id > 9 ? 'none' : id, name: '' })) // <- "The returned 'id' is a string
app.get('/n/:id', byId, (request) => (request.params.id > 9 ? { id: 1, name: 2 } : 'none')) // <- The returned 'name' is a number, where the response schema has a string
app.get('/o/:id', byId, () => ({ id: 1n, name: '' })) // <- "The returned 'id' is a bigint, where the response schema has a number"
app.route({ method: 'GET', url: '/p', ...people, handler: () => ({ items: [find()] }) }) // <- "The returned 'items[]' is a promise
const summary = t.Union([
  t.Object({ id: t.Integer() }),
  t.Object({ id: t.Integer(), name: t.String() }),
])
app.get('/q', { schema: { response: { 200: summary } } }, () => ({ ide: 1 })) // <- Type '{ ide: number; }' is not assignable to type

const roles = { schema: { response: { 200: t.Object({ role: t.Enum({ A: 'a', B: 'b' }) }) } } }
app.get('/r', roles, () => ({ role: 'c' })) // <- "The returned 'role' does not fit the response schema"
app.get('/s', roles, async (request) => {
  // <- "The returned 'role' does not fit the response schema"
  const role: string = request.server.config.url
  return { role }
})
const pair = t.Object({ m: t.Tuple([t.Integer(), t.String()]) })
app.get('/t', { schema: { response: { 200: pair } } }, () => ({ m: [1, 2] })) // <- "The returned 'm' does not fit the response schema"
const nullable = t.Object({ m: t.Union([t.String(), t.Null()]) })
app.get('/u', { schema: { response: { 200: nullable } } }, () => ({ m: 1 })) // <- "The returned 'm' is a number, where the response schema has a string or null"
const either = t.Union([
  t.Object({ kind: t.Literal('p'), n: t.Integer() }),
  t.Object({ kind: t.Literal('q'), at: t.String() }),
])
const choice = { schema: { response: { 200: t.Object({ alt: either }) } } }
app.get('/v', choice, () => ({ alt: { kind: 'p' } })) // <- "The returned 'alt' does not fit the response schema"
app.get('/w', { schema: { response: { 204: t.Null() } } }, () => null) // <- The response schema has no status 200: set another by 'reply.code', and return what its 'send' gives
