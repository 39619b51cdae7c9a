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
app.get('/d', byId, (request, reply) => reply.send({ id: 1, name: '', password: 'x' })) // <- 'password' does not exist in type
