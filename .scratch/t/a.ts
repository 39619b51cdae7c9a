import espalier, { t } from 'espalier'
import { openapi } from 'espalier/openapi'
const app = espalier().register(openapi({ info: { title: 'x', version: '1' } }))
app.openapi().paths
app.get('/', { schema: { summary: 5, response: { 200: t.String() } } }, () => 'x')
app.get('/b', { schema: { tags: ['x'], hide: 'no' } }, () => 'x')
app.get('/c', { schema: { tags: ['x'], operationId: 'c', summry: 'no' } }, () => 'x')
app.get('/d', { schema: { tags: ['x'], deprecated: true, 'x-foo': 1, params: { a: t.Integer() } } }, (r) => r.params.a)
app.get('/e/:a', { schema: { tags: ['x'], deprecated: true, 'x-foo': 1, params: { a: t.Integer() } } }, (r) => r.params.a.toFixed())
