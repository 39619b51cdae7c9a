// A small server on a real socket: one good answer, one refused request, then the end.
const assert = require('node:assert/strict')

exports.serve = async function serve(espalier, t) {
  const schema = {
    params: { id: t.Integer() },
    response: { 200: t.Object({ id: t.Integer() }) },
  }
  const app = espalier().get('/users/:id', { schema }, async (request) => ({
    id: request.params.id,
    secret: 1,
  }))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })

  const good = await fetch(`${address}/users/7`)
  assert.equal(good.status, 200)
  assert.equal(await good.text(), '{"id":7}')

  const bad = await fetch(`${address}/users/seven`)
  assert.equal(bad.status, 400)
  const { statusCode, code, error, message } = await bad.json()
  assert.deepEqual(
    { statusCode, code, error },
    { statusCode: 400, code: 'ESP_ERR_VALIDATION', error: 'Bad Request' },
  )
  assert.match(message, /^params\/id must be integer/)

  await app.close()
  await assert.rejects(fetch(`${address}/users/7`))
}
