// Where a schema belongs stands what is none.
import { t } from 'espalier'
import { z } from 'zod'
import { app } from './scope.js'

const elsewhere = { type: 'object', properties: { name: 'string', age: { type: 'integer' } } }

app.post('/a', { schema: { body: { name: 'string' } } }, () => 1) // <- 'string' is no schema, as { type: 'string' } is one
app.post('/b', { schema: { body: { user: t.String(), age: t.Integer } } }, () => 1) // <- it has to be called, as in t.String()
app.get('/c', { schema: { response: { 200: t.String } } }, () => '') // <- it has to be called, as in t.String()
app.post('/d', { schema: { body: { type: 'object', properties: { a: 'string' } } } }, () => 1) // <- 'string' is no schema
app.post('/e', { schema: { body: { type: 'object', properties: { a: t.String } } } }, () => 1) // <- it has to be called
app.post('/f', { schema: { body: { type: 'object', properties: { a: z.string() } } } }, () => 1) // <- is a Standard Schema
app.post('/g', { schema: { body: { properties: { a: { type: 'sting' } } } } }, () => 1) // <- 'sting' is no type of JSON Schema
app.post('/h', { schema: { body: { anyOf: [{ type: 'nul' }] } } }, () => 1) // <- 'nul' is no type of JSON Schema
app.post('/i', { schema: { body: elsewhere } }, () => 1) // <- A text is no schema, as { type: 'string' } is one
app.addSchema({ $id: 'a', type: 'object', properties: { name: 'string' } }) // <- 'string' is no schema
app.addSchema('b', t.String) // <- it has to be called, as in t.String()
app.addSchema(z.object({ id: z.number() })) // <- A Standard Schema cannot be shared: give it to routes as a part
app.addSchema('c', z.object({ id: z.number() })) // <- A Standard Schema cannot be shared: give it to routes as a part
app.post('/j', { schema: { body: { content: { 'text/csv': { schema: 'string' } } } } }, () => 1) // <- 'string' is no schema
