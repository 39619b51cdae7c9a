// What an ES module gets: `import espalier, { t } from 'espalier'`.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import * as everything from 'espalier'
import espalier, { t } from 'espalier'
import { client } from 'espalier/client'
import { serve } from './serve.cjs'

assert.equal(typeof everything.shared, 'function')
assert.equal(typeof everything.plugin, 'function')
assert.equal(typeof everything.errorCodes.ESP_ERR_VALIDATION, 'function')
assert.equal(everything.espalier, espalier)
assert.equal(everything.version, createRequire(import.meta.url)('espalier/package.json').version)
await serve(espalier, t)

const app = espalier().get('/hello/:name', (request) => ({ hello: request.params.name }))
const api = client(await app.listen({ port: 0, host: '127.0.0.1' }))
const answer = await api('GET /hello/:name', { params: { name: 'a b' } })
assert.deepEqual([answer.statusCode, answer.json()], [200, { hello: 'a b' }])
await app.close()
