// Errors as values: their fields, and where they are declared.
import espalier, { httpError, plugin, t, type ErrorResponses } from 'espalier'

const NotFound = httpError('NotFound', 404, { id: t.Integer() })
const Unauthorized = httpError('Unauthorized', 401)
const User = t.Object({ id: t.Integer() })

new NotFound({ id: 'x' }) // <- Type 'string' is not assignable to type 'number'
new NotFound() // <- Expected 1-3 arguments, but got 0
new NotFound('no user') // <- Argument of type 'string' is not assignable to parameter of type '{ id: number; }'
new Unauthorized({ id: 7 }) // <- Argument of type '{ id: number; }' is not assignable to parameter of type 'string'

httpError('Fine', 200) // <- 200 is no status of an error: it takes one from 400 to 599
httpError('Named' as string, 404) // <- The code of an error is a literal: clients tell errors apart by it
httpError('Taken', 404, { message: t.String() }) // <- Every error has 'message': give the field another name

const app = espalier().addResponses(NotFound)
const Other = httpError('NotFound', 404, { slug: t.String() })
app.addResponses(Other) // <- The error 'NotFound' has other fields in this scope
app.addResponses(Unauthorized, Other) // <- The error 'NotFound' has other fields in this scope
espalier().addResponses({ 404: User }).addResponses(NotFound) // <- Response 404 has another schema in this scope
app.addResponses({ 404: User }) // <- Response 404 has another schema in this scope
app.get('/', { schema: { response: { 200: User, 409: NotFound } } }, () => ({ id: 1 })) // <- This is an error of status 404
const needing = plugin<{ responses: ErrorResponses<typeof Unauthorized> }>()(
  async (server) => server,
)
app.register(needing) // <- The plugin needs the response '401', which this scope lacks
