// The schema of a route does not fit its method or its path, or has an unknown key.
import { t } from 'espalier'
import { z } from 'zod'
import { app } from './scope.js'

app.get('/a/:id', { schema: { params: { userId: t.Integer() } } }, () => 1) // <- Path '/a/:id' has no parameter 'userId'
app.get('/b', { schema: { body: { name: t.String() } } }, () => 1) // <- A GET request has no body
app.post('/c', { schema: { boddy: { name: t.String() } } }, (request) => 1) // <- 'boddy' is not a part of a route schema
app.post('/d', { schema: { params: 1 } }, () => 1) // <- Type 'number' is not assignable to type 'object'
app.get('/e', { schema: { response: t.Ref('user#') } }, () => ({ id: 1, name: '' })) // <- a schema for each status, as in { 200: schema }
app.post('/f', { schema: { body: { name: z.string() } } }, () => 1) // <- is a Standard Schema, which stands for a whole part
app.get('/g', { schema: { response: { 200: { name: z.string() } } } }, () => ({ name: '' })) // <- is a Standard Schema
t.Object({ name: t.String({ minLength: '1' }) }) // <- Type 'string' is not assignable to type 'number'
app.get('/h', { schema: { querystring: z.object({ n: z.number() }) } }, () => 1) // <- 'n' takes no text
app.get('/i', { schema: { headers: z.object({ 'X-A': z.string() }) } }, () => 1) // <- 'X-A' is never there
app.post('/h', { schema: t.Object({ name: t.String() }) }, () => 1) // <- This is one schema; a route's schema has body, querystring, params, headers and response
app.post('/i', { schema: z.object({ name: z.string() }) }, () => 1) // <- "a route's schema has body, querystring, params, headers and response"
