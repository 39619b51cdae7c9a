// Responses that a scope declares, and what hooks and handlers in it send.
import espalier, { plugin, t, type HookFor } from 'espalier'

const Problem = t.Object({ title: t.String() })
const Denied = t.Object({ scope: t.String() })
const User = t.Object({ id: t.Integer() })

const app = espalier().addResponses({ 401: Problem })

app.addHook('onRequest', async (_request, reply) => reply.code(401).send({ titel: '' })) // <- 'titel' does not exist
app.addHook('onRequest', async (_request, reply) => reply.code(401).send({ title: 1 })) // <- 'number' is not assignable to type 'string'
app.setErrorHandler((_error, _request, reply) => reply.code(401).send({})) // <- Argument of type '{}' is not assignable
app.get('/a', { schema: { response: { 200: User } } }, (_request, reply) => reply.code(404).send()) // <- '404' is not assignable to parameter of type '200 | 401'

app.addResponses({ 401: Denied }) // <- Response 401 has another schema in this scope
app.addResponses({ 200: User }) // <- '200' is no status for a scope: it takes codes (401) and classes ('4xx') other than 2xx
app.addResponses({ '4XX': Problem }) // <- '4XX' is no status for a scope: it takes codes (401) and classes ('4xx')

const denying = plugin().shared(async (server) => server.addResponses({ 401: Denied }))
app.register(denying) // <- The plugin declares the response '401', which has another schema in this scope
const needing = plugin<{ responses: { 403: typeof Denied } }>()(async (server) => server)
app.register(needing) // <- The plugin needs the response '403', which this scope lacks

const guard: HookFor<'onRequest', { responses: { 401: typeof Problem } }> = async (
  _request,
  reply,
) => reply.code(401).send({ titel: '' })
// <- 'titel' does not exist
app.addHook('onRequest', guard)
