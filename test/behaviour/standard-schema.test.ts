import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import espalier, { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'

test('a Standard Schema validates a part by itself, and the handler reads its output', async () => {
  const app = espalier().post(
    '/',
    {
      schema: {
        body: z.object({ name: z.string(), count: z.coerce.number().default(1) }),
        querystring: { q: t.Integer() },
      },
    },
    ({ body, query }) => ({ ...body, q: query.q }),
  )
  const given = await app.inject('POST /', { body: { name: 'tea' }, query: { q: 3 } })
  assert.deepEqual(given.json(), { name: 'tea', count: 1, q: 3 })
  await app.close()
})

test('the issues of a Standard Schema become the list and the message of a validation error', async () => {
  const app = espalier()
  app.setErrorHandler((error, _request, reply) => {
    assert.ok(error instanceof Error && 'validation' in error && 'validationContext' in error)
    const { message, validation, validationContext } = error
    return reply.code(400).send({ message, validation, validationContext })
  })
  app.post('/', { schema: { body: z.object({ tags: z.array(z.string()) }) } }, () => 1)
  const refused = await app.inject({ method: 'POST', url: '/', payload: { tags: ['a', 1] } })
  const { message, validation, validationContext } = refused.json()
  assert.match(message, /^body\/tags\/1 /)
  assert.equal(validation[0].instancePath, '/tags/1')
  assert.equal(validationContext, 'body')
  await app.close()
})

test('an async Standard Schema validates a part', async () => {
  const free = z.string().refine(async (name) => Promise.resolve(name !== 'taken'), 'is taken')
  const app = espalier().post('/', { schema: { body: z.object({ name: free }) } }, () => 'ok')
  const body = (name: string) => app.inject('POST /', { body: { name } })
  assert.equal((await body('new')).body, 'ok')
  const refused = await app.inject({ method: 'POST', url: '/', payload: { name: 'taken' } })
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().message, 'body/name is taken')
  await app.close()
})

test('a Standard Schema serializes a reply: what it does not have never leaves', async () => {
  const app = espalier().get(
    '/',
    { schema: { response: { 200: z.object({ id: z.number() }) } } },
    () => ({ id: 1, secret: 'x' }) as { id: number },
  )
  assert.equal((await app.inject({ url: '/' })).body, '{"id":1}')
  await app.close()
})

test('a reply that its Standard Schema refuses is a 500 that tells the client nothing', async () => {
  const app = espalier().get(
    '/',
    { schema: { response: { 200: z.object({ id: z.number() }) } } },
    () => ({ id: 'secret' }) as never,
  )
  const [refused, text] = await silenced(() => app.inject({ url: '/' }))
  assert.equal(refused.statusCode, 500)
  assert.equal(refused.json().message, 'Internal Server Error')
  assert.match(text, /response\/id /)
  await app.close()
})

test('a Standard Schema inside a JSON Schema is a boot error that says where', async () => {
  const app = espalier()
  app.get('/x', { schema: { querystring: { n: z.number() } as never } }, () => 1)
  await assert.rejects(async () => app.ready(), /querystring of GET \/x in root.*Standard Schema/)
})
