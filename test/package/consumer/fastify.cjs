// What `require('fastify')` gives where the package that stands for Fastify has that name.
const assert = require('node:assert/strict')
const Fastify = require('fastify')

assert.equal(Fastify.default, Fastify)
assert.equal(Fastify.fastify, Fastify)
const app = new Fastify()
app.get('/', async () => ({ hello: 'world' }))
app.get('/failing', (request, reply) => reply.code(99))
assert.throws(() => app.get('/'), { code: 'FST_ERR_ROUTE_ARGUMENTS' })
assert.ok(new Fastify.errorCodes.FST_ERR_VALIDATION('x') instanceof Error)
Promise.all([app.inject('/'), app.inject('/failing')]).then(([found, failed]) => {
  assert.deepEqual(found.json(), { hello: 'world' })
  assert.equal(failed.json().code, 'FST_ERR_BAD_STATUS_CODE')
})
