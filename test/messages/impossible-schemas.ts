// A schema that stops the boot, or refuses each request.
import { t } from 'espalier'
import { app } from './scope.js'

const Page = t.Object({ page: t.Integer() })

app.get('/a', { schema: { querystring: Page, query: Page } }, () => 1) // <- 'query' is another name of 'querystring'
app.get('/b', { schema: { querystring: t.Integer() } }, () => 1) // <- 'querystring' is always an object
app.get('/c/:id', { schema: { params: { type: 'string' } } }, () => 1) // <- 'params' is always an object
app.get('/d', { schema: { headers: t.Array(t.String()) } }, () => 1) // <- which never fits this schema
