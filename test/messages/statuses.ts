// A reply has a status that is not declared, or the payload of another.
import { t } from 'espalier'
import { app } from './scope.js'

const byId = { schema: { response: { 200: t.Ref('user#'), 404: { message: t.String() } } } }
const noSuccess = { schema: { response: { 404: { message: t.String() } } } }

app.get('/a', byId, (request, reply) => reply.code(201).send({ id: 1, name: '' })) // <- '201' is not assignable to parameter of type '200 | 404'
app.get('/a', byId, (request, reply) => reply.code(402).send({ error: 'none' })) // <- '402' is not assignable to parameter of type '200 | 404'
app.get('/b', byId, async (request, reply) => {
  return reply.code(404).send({ error: 'none' }) // <- 'error' does not exist in type
})
app.get('/c', byId, (request, reply) => reply.send({ id: 1 })) // <- Property 'name' is missing in type '{ id: number; }'
app.get('/d', byId, (request, reply) => reply.code(404).send({ message: 1 })) // <- 'number' is not assignable to type 'string'
app.get('/e', byId, (request, reply) => reply.code(404).send()) // <- Expected 1 arguments, but got 0
app.get('/f', noSuccess, (request, reply) => reply.send({ message: '' })) // <- The response schema has no status 200
