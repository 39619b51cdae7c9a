// A schema that stops the boot, or refuses each request.
import { t } from 'espalier'
import { app } from './scope.js'

const Page = t.Object({ page: t.Integer() })

app.get('/a', { schema: { querystring: Page, query: Page } }, () => 1) // <- 'query' is another name of 'querystring'
