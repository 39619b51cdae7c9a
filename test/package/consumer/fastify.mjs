// The same for modules, beside Espalier under its own name, which stays what it is.
import assert from 'node:assert/strict'
import espalier, { fastify as named } from 'espalier'
import Fastify, { errorCodes, fastify } from 'fastify'

assert.equal(Fastify, fastify)
assert.equal(fastify, named)
assert.equal(typeof errorCodes.FST_ERR_NOT_FOUND_HANDLER, 'function')
assert.throws(() => espalier().get('/'), { code: 'ESP_ERR_ROUTE_ARGUMENTS' })
const app = await Fastify().get('/', async () => 'here')
assert.equal((await app.inject('/')).body, 'here')
