// A handler returns what the response schema does not allow. The compiler judges a function as a whole, so it tells of
// this where the function begins.
import { t } from 'espalier'
import { app } from './scope.js'

const byId = {
  schema: {
    params: { id: t.Integer() },
    response: { 200: { id: t.Integer(), name: t.String() }, 404: { message: t.String() } },
  },
}

app.get('/a/:id', byId, () => ({ id: 'x', name: '' })) // <- Serialized<{ id: number; name: string; }>
app.get('/b/:id', byId, (request) => {
  // <- Serialized<{ id: number; name: string; }>
  const { id } = request.params
  return { id: String(id), name: '' }
})
app.get('/c/:id', byId, async (request, reply) => {
  // <- Serialized<{ id: number; name: string; }>
  if (request.params.id > 9) return reply.code(404).send({ message: '' })
  return { id: String(request.params.id), name: '' }
})
app.get('/d/:id', byId, async (request) => {
  // <- Serialized<{ id: number; name: string; }>
  return { id: request.params.id }
})
app.get('/e', { schema: { response: { 200: t.Ref('post#') } } }, async (request) => {
  // <- Serialized<{ id: number; title: string;
  const author = request.server.db.find(1)
  return { id: 1, title: 'x', author: author.name }
})
app.get('/f', { schema: { response: { 404: t.Null() } } }, () => ({ id: 1 })) // <- The response schema has no status 200
app.get('/g/:id', byId, () => ({ idd: 1 })) // <- Serialized<{ id: number; name: string; }>
