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

app.get('/a/:id', byId, () => ({ id: 'x', name: '' })) // <- Type '{ id: string; name: string; }' is not assignable to type 'Returned<{ 200: { id: TInteger; name: TString; }
app.get('/b/:id', byId, (request) => {
  // <- Type '{ id: string; name: string; }' is not assignable to type 'Returned<{ 200: { id: TInteger; name: TString; }
  const { id } = request.params
  return { id: String(id), name: '' }
})
app.get('/c/:id', byId, async (request, reply) => {
  // <- Type 'Promise<Sent | { id: string; name: string; }>' is not assignable to type 'Returned<{ 200: { id: TInteger; name: TString; }
  if (request.params.id > 9) return reply.code(404).send({ message: '' })
  return { id: String(request.params.id), name: '' }
})
app.get('/d/:id', byId, async (request) => {
  // <- Type 'Promise<{ id: number; }>' is not assignable to type 'Returned<{ 200: { id: TInteger; name: TString; }
  return { id: request.params.id }
})
app.get('/e', { schema: { response: { 200: t.Ref('post#') } } }, async (request) => {
  // <- Type 'Promise<{ id: number; title: string; author: string; }>' is not assignable to type 'Returned<{ readonly 200: TRef<"post#">
  const author = request.server.db.find(1)
  return { id: 1, title: 'x', author: author.name }
})
app.get('/f', { schema: { response: { 404: t.Null() } } }, () => ({ id: 1 })) // <- Type '{ id: number; }' is not assignable to type 'Returned<{ readonly 404: TNull; }
