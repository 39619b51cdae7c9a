// A handler reads what its request does not have.
import { t } from 'espalier'
import { app } from './scope.js'

const schema = { params: { id: t.Integer() }, body: { name: t.String(), age: t.Integer() } }

app.post('/a/:id', { schema }, (request) => request.body.nam) // <- Property 'nam' does not exist on type '{ name: string; age: number; }'
app.post('/b/:id', { schema }, (request) => request.body.age.length) // <- Property 'length' does not exist on type 'number'
app.post('/c/:id', { schema }, (request) => request.params.ide) // <- Property 'ide' does not exist on type '{ id: number; }'
app.get('/d/:id', (request) => request.params.ide) // <- Property 'ide' does not exist on type '{ id: string; }'
app.get('/e', (request) => request.body.name) // <- 'request.body' is of type 'unknown'
app.addHook('onRequest', async (request) => void request.body.name) // <- 'request.body' is possibly 'undefined'
app.get('/f', (request) => request.querystring) // <- Property 'querystring' does not exist on type 'RouteRequest<"GET", "/f"
