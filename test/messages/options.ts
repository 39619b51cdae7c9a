// An option is misspelt, missing, or has a value of another type.
import espalier, { defineRoute, t } from 'espalier'
import { app } from './scope.js'

app.get('/a', { schem: { querystring: { page: t.Integer() } } }, () => 1) // <- 'schem' does not exist in type
app.get('/b', { schema: {}, bodyLimt: 1 }, (request) => 1) // <- 'bodyLimt' does not exist in type
app.get('/b', { schema: { querystring: { page: t.Integer() } }, preHandle: () => {} }, () => 1) // <- Did you mean to write 'preHandler'?
app.get('/c', { attachValidation: 'yes' }, () => 1) // <- 'string' is not assignable to type 'boolean
app.get('/d', { bodyLimit: '1mb' }, () => 1) // <- 'string' is not assignable to type 'number'
app.route({ method: 'GET', ulr: '/e', handler: () => 1 }) // <- 'ulr' does not exist in type
app.route({ method: 'GET', ulr: '/e', handler: ({ query }) => query }) // <- 'ulr' does not exist in type
app.route({ method: 'GET', url: '/e', path: '/e', handler: ({ id }) => id }) // <- a route has a 'url' or a 'path', and not both
app.route({ metod: 'GET', url: '/e', handler: ({ id }) => id }) // <- Did you mean to write 'method'?
app.route({ method: 'GET', url: '/e', handlr: () => 1 }) // <- Did you mean to write 'handler'?
app.route({
  method: 'GET',
  url: '/e/:id',
  schema: { params: { id: t.Integer() } },
  handlr: () => 1, // <- Did you mean to write 'handler'?
})
defineRoute({ method: 'GET', url: '/e', handlr: () => 1 }) // <- Did you mean to write 'handler'?
app.route({ method: 'GET', url: '/f' }) // <- Property 'handler' is missing in type
app.route({ method: 'GET', handler: () => 1 }) // <- Property 'url' is missing in type
app.route({ method: 'PSOT', url: '/h', handler: () => 1 }) // <- 'PSOT' is no method, unless 'addHttpMethod' adds it
app.post('/i', { body: { name: t.String() } }, () => 1) // <- The part 'body' stands inside of the schema: { schema: { body } }
app.post('/i', { querystring: { type: 'object' }, handler: () => 1 }) // <- The part 'querystring' stands inside of the schema
app.route({ method: 'GET', url: '/i', response: { 200: t.Integer() }, handler: () => 1 }) // <- The part 'response' stands inside of the schema
defineRoute({ method: 'GET', url: '/i', params: {}, handler: () => 1 }) // <- The part 'params' stands inside of the schema
app.get('/g') // <- Expected 2-3 arguments, but got 1
espalier({ bodyLimt: 1 }) // <- 'bodyLimt' does not exist in type 'OptionsOn<false, false>'. Did you mean to write 'bodyLimit'?
espalier({ ajv: { customOption: {} } }) // <- 'customOption' does not exist in type 'AjvOptions'. Did you mean to write 'customOptions'?
espalier({ ajv: { customOptions: { coerceType: true } } }) // <- Did you mean to write 'coerceTypes'?
