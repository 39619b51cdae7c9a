// A handler sets a status or a header, and forgets to send.
import { defineRoute, t } from 'espalier'
import { app } from './scope.js'

const byId = { schema: { response: { 200: t.Ref('user#'), 404: t.Null() } } }

app.get('/a', (_request, reply) => reply.code(404)) // <- The reply was prepared, but not sent: return what 'reply.send' gives
app.get('/b', (_request, reply) => reply.header('x-a', 'b')) // <- The reply was prepared, but not sent
app.get('/c', async (request, reply) => {
  // <- The reply was prepared, but not sent
  if (request.is404) return reply.code(404)
  return { id: 1 }
})
app.get('/d', { handler: (_request, reply) => reply.code(404) }) // <- The reply was prepared, but not sent
app.route({ method: 'GET', url: '/e', handler: async (_request, reply) => reply.code(404) }) // <- The reply was prepared, but not sent
defineRoute({ method: 'GET', url: '/f', handler: (_request, reply) => reply.code(404) }) // <- The reply was prepared, but not sent
app.get('/g', byId, (_request, reply) => reply.code(404)) // <- The reply was prepared, but not sent
app.get('/h', byId, async (_request, reply) => reply.code(404)) // <- The reply was prepared, but not sent
app.get('/i', byId, async (_request, reply) => reply.header('x-a', 'b')) // <- The reply was prepared, but not sent
app.get('/j', byId, async (request, reply) => {
  // <- The reply was prepared, but not sent
  if (request.is404) return reply.code(404)
  return { id: 1, name: '' }
})
app.addHook('onRequest', async (_request, reply) => reply.code(401)) // <- is not assignable
app.setErrorHandler((_error, _request, reply) => reply.code(500)) // <- The reply was prepared, but not sent
app.setNotFoundHandler(async (_request, reply) => reply.code(404)) // <- The reply was prepared, but not sent
app.derive('onRequest', (_request, reply) => reply.code(401)) // <- The reply was prepared, but not sent
