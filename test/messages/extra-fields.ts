// A handler returns a field that a closed schema does not have.
import { t } from 'espalier'
import { app } from './scope.js'

const Closed = t.Object({ id: t.Integer(), name: t.String() }, { additionalProperties: false })
const byId = { schema: { response: { 200: Closed } } }

app.get('/a', byId, () => ({ id: 1, name: '', password: 'x' })) // <- 'password' is not in the response schema
app.get('/b', byId, async () => ({ id: 1, name: '', password: 'x' })) // <- 'password' is not in the response schema
app.get('/c', byId, async () => {
  // <- 'password' is not in the response schema
  return { id: 1, name: '', password: 'x' }
})
app.get('/e', byId, () => [{ id: 1, name: '' }]) // <- "The returned value is a list, where the response schema has an object"
app.get('/f', byId, async () => new Map([['id', 1]])) // <- The returned object lacks 'id'
app.get('/g', byId, ({ id }) => [Promise.resolve({ id, name: '' })]) // <- "The returned value is a list
const list = { schema: { response: { 200: t.Array(Closed) } } }
app.get('/h', list, () => [Promise.resolve({ id: 1 })]) // <- "The returned item is a promise, which has to be awaited"
// What cannot be read is told of alone.
app.get('/i', byId, async (request) => ({ id: 1, name: request.params.nam })) // <- Property 'nam' does not exist
app.get('/j', byId, (_request, reply) => reply.status(200).json({ id: 1 })) // <- Property 'json' does not exist
app.get('/d', byId, (request, reply) => reply.send({ id: 1, name: '', password: 'x' })) // <- 'password' does not exist in type
