import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier, fastify } from '../../src/index.ts'

test('an async handler that returns nothing replies with an empty body, where the factory is fastify', async () => {
  const app = fastify()
  app.get('/', async () => undefined)
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, body], [200, ''])
})

test('an error handler finds the status as it was, where the factory is fastify', async () => {
  const app = fastify()
  app.setErrorHandler((_error, _request, reply) => reply.send('handled'))
  app.get('/', () => {
    throw Object.assign(new Error('teapot'), { statusCode: 418 })
  })
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, body], [200, 'handled'])
})

test('the default answer has the status and the headers of the error, where the factory is fastify', async () => {
  const app = fastify()
  app.get('/', () => {
    throw Object.assign(new Error('teapot'), { statusCode: 418, headers: { 'x-tea': 'green' } })
  })
  const { statusCode, headers } = await app.inject('/')
  assert.deepEqual([statusCode, headers['x-tea']], [418, 'green'])
})

test('what is thrown and is no error is the payload, where the factory is fastify', async () => {
  const app = fastify()
  app.get('/', () => {
    throw { reason: 'none' }
  })
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, body], [500, '{"reason":"none"}'])
})

test('options of the default serializer are used', async () => {
  const app = espalier({ serializerOpts: { rounding: 'ceil' } })
  app.get('/', { schema: { response: { 200: { type: 'integer' } } } }, () => 4.2)
  assert.equal((await app.inject('/')).body, '5')
})

test('an $id without a path is found by a reference without its slash', async () => {
  const app = espalier()
  const hello = { type: 'string' }
  app.addSchema({ $id: 'http://example.com/', type: 'object', properties: { hello } })
  const body: object = { type: 'array', items: { $ref: 'http://example.com#/properties/hello' } }
  app.post('/', { schema: { body } }, (request) => request.body)
  const payload = ['world']
  assert.deepEqual((await app.inject({ method: 'POST', url: '/', payload })).json(), payload)
})

test('an error of an onListen or a preClose hook does not stop the others, and goes to the logger', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const app = espalier({ logger: { level: 'error', stream } })
  let runs = 0
  app.addHook('preClose', () => Promise.reject(new Error('kaboom')))
  app.addHook('preClose', (done) => {
    runs += 1
    done()
  })
  await app.ready()
  await app.close()
  assert.equal(runs, 1)
  assert.match(lines.join(''), /kaboom/)
})
