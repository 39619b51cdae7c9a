// A handler forgets to return. The compiler tells of this where the function begins.
import { t } from 'espalier'
import { app } from './scope.js'

const byId = { schema: { response: { 200: t.Ref('user#') } } }

app.get('/a', byId, async (request) => {
  // <- Type 'Promise<void>' is not assignable to type 'Returned<{ 200: TRef<"user#">; }
  request.server.db.find(1)
})
app.get('/b', byId, async (request, reply) => {
  // <- Type 'Promise<void>' is not assignable to type 'Returned<{ 200: TRef<"user#">; }
  reply.send(request.server.db.find(1))
})
app.get('/c', byId, async (request) => {
  // <- Type 'Promise<{ id: number; name: string; } | undefined>' is not assignable to type 'Returned<{ 200: TRef<"user#">; }
  const user = request.server.db.find(1)
  if (user.id > 1) return user
})
