// A handler forgets to return. The compiler tells of this where the function begins.
import { t } from 'espalier'
import { app } from './scope.js'

const byId = { schema: { response: { 200: t.Ref('user#') } } }

app.get('/a', byId, async (request) => {
  // <- This handler returns nothing: return a payload, or what reply.send returns
  request.server.db.find(1)
})
app.get('/b', byId, async (request, reply) => {
  // <- This handler returns nothing: return a payload, or what reply.send returns
  reply.send(request.server.db.find(1))
})
app.get('/c', byId, async (request) => {
  // <- This handler may return undefined: return a payload, or what reply.send returns
  const user = request.server.db.find(1)
  if (user.id > 1) return user
})
app.get('/d', byId, (request) => (request.is404 ? undefined : request.server.db.find(1))) // <- may return undefined
app.setErrorHandler((error) => console.error(error)) // <- The handler returns nothing, and takes no 'reply' to send one
app.setErrorHandler(async () => {}) // <- The handler returns nothing, and takes no 'reply' to send one
app.setNotFoundHandler((request) => {
  // <- The handler returns nothing, and takes no 'reply' to send one
  request.log.info('missing')
})
app.setNotFoundHandler({}, async () => {}) // <- The handler returns nothing, and takes no 'reply' to send one
app.get('/e', () => {}) // <- The handler returns nothing, and takes no 'reply' to send one
app.get('/f', (request) => {
  // <- The handler returns nothing, and takes no 'reply' to send one
  request.server.db.find(1)
})
app.get('/g', async (request) => {
  // <- The handler returns nothing, and takes no 'reply' to send one
  request.server.db.find(1)
})
app.get('/h', byId, (request) => {
  // <- This handler returns nothing: return a payload, or what reply.send returns
  request.server.db.find(1)
})
app.route({
  method: 'GET',
  url: '/i',
  handler(request) {
    // <- The handler returns nothing, and takes no 'reply' to send one
    request.server.db.find(1)
  },
})
app.get('/j', () => undefined) // <- The handler returns nothing, and takes no 'reply' to send one
app.get('/k', (request) => {
  // <- The handler returns nothing, and takes no 'reply' to send one
  if (request.is404) return undefined
  return
})
app.get('/l', { handler: () => undefined }) // <- The handler returns nothing, and takes no 'reply' to send one
app.get('/m', async () => undefined) // <- The handler returns nothing, and takes no 'reply' to send one
