// What servers of `fastify` take and send as Fastify does, each compared with Fastify 4.24 and 5.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { fastify } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'

type Loose = any

const create = (options?: Loose): Loose => fastify(options)

const object = { type: 'object', required: ['a'] }
/** A Standard Schema, which takes every value. */
const foreign = {
  '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) },
}

test('the error of a failed validation is a plain Error', async () => {
  let seen: unknown
  const app = create()
  app.setErrorHandler((error: Loose, _request: Loose, reply: Loose) => {
    seen = [error.name, error.constructor, Object.keys(error).sort()]
    reply.send('told')
  })
  app.post('/', { schema: { body: object } }, () => 'valid')
  await app.inject({ method: 'POST', url: '/', payload: {} })
  assert.deepEqual(seen, [
    'Error',
    Error,
    ['code', 'statusCode', 'validation', 'validationContext'],
  ])
})

test('a connection is cut where rewriteUrl gives no string', async () => {
  const app = create({ rewriteUrl: () => 1 }).get('/', () => 'here')
  await app.listen({ port: 0, host: '127.0.0.1' })
  let received = ''
  await silenced(
    () =>
      new Promise<void>((resolve) => {
        const socket = connect(app.server.address().port, '127.0.0.1')
        socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
        socket.on('data', (chunk) => {
          received += String(chunk)
          socket.destroy()
        })
        socket.on('close', () => resolve())
      }),
  )
  await app.close()
  assert.equal(received, '')
})

test('an absent body that is valid as null is undefined to the handler', async () => {
  const app = create()
  const seen: unknown[] = []
  const handler = ({ body }: Loose) => seen.push(body)
  app.post('/types', { schema: { body: { type: ['object', 'null'] } } }, handler)
  app.post('/null', { schema: { body: { type: 'null' } } }, handler)
  for (const url of ['/types', '/null']) await app.inject({ method: 'POST', url })
  assert.deepEqual(seen, [undefined, undefined])
})

test('a validator of the application gets null for an absent body, also for a Standard Schema', async () => {
  const app = create()
  const seen: unknown[] = []
  app.setValidatorCompiler(() => (data: unknown) => {
    seen.push(data)
    return { value: data }
  })
  app.post('/own', { schema: { body: { own: true } } }, () => 'x')
  app.post('/foreign', { schema: { body: foreign } }, () => 'x')
  for (const url of ['/own', '/foreign']) await app.inject({ method: 'POST', url })
  assert.deepEqual(seen, [null, null])
})

test('a body of a type that its schema does not list is not validated', async () => {
  const app = create()
  const parse = (_request: Loose, body: string, done: Loose) => done(null, body)
  app.addContentTypeParser('text/x', { parseAs: 'string' }, parse)
  const content = { 'application/json': { schema: object } }
  app.post('/', { schema: { body: { content } } }, ({ body }: Loose) => body)
  const headers = { 'content-type': 'text/x' }
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/', headers, payload: 'x' })
  assert.deepEqual([statusCode, body], [200, 'x'])
})

test('a response that has only a description says nothing of its payload, as in Fastify 5', async () => {
  const schema = { response: { 200: { description: 'told' } } }
  const app = create().get('/', { schema }, () => ({ a: 1 }))
  assert.equal((await app.inject('/')).body, '{"a":1}')
})

test('of the types that a handler sets, JSON alone gets a charset', async () => {
  const app = create()
  app.get('/page', (_request: Loose, reply: Loose) => reply.type('text/html').send('x'))
  app.get('/json', (_request: Loose, reply: Loose) => reply.type('application/json').send('1'))
  const type = async (url: string) => (await app.inject(url)).headers['content-type']
  assert.deepEqual(
    [await type('/page'), await type('/json')],
    ['text/html', 'application/json; charset=utf-8'],
  )
})

test('an empty text has a length where the status has no content, but for 204', async () => {
  const app = create()
  for (const status of [204, 205, 304]) {
    app.get(`/${status}`, (_request: Loose, reply: Loose) => reply.code(status).send(''))
  }
  const length = async (url: string) => (await app.inject(url)).headers['content-length']
  assert.deepEqual(
    [await length('/204'), await length('/205'), await length('/304')],
    [undefined, '0', '0'],
  )
})

test('an async iterable is sent as JSON', async () => {
  const items = async function* () {
    await Promise.resolve()
    yield 'a'
  }
  const app = create().get('/', () => items())
  const { headers, body } = await app.inject('/')
  assert.deepEqual([headers['content-type'], body], ['application/json; charset=utf-8', '{}'])
})

test('the names of trailers are joined by a space, and a sync trailer is deprecated, as in Fastify 4', async () => {
  const warnings: Loose[] = []
  process.on('warning', (warning) => warnings.push(warning))
  const app = create().get('/', (_request: Loose, reply: Loose) => {
    reply.trailer('a', (_reply: Loose, _payload: Loose, done: Loose) => done(null, '1'))
    reply.trailer('b', () => 'two').send('x')
  })
  const { headers, trailers } = await app.inject('/')
  assert.deepEqual([headers.trailer, trailers], ['a b', { a: '1', b: 'two' }])
  await new Promise(setImmediate)
  assert.deepEqual(
    warnings.map(({ name, code }) => [name, code]),
    [['FastifyDeprecation', 'FSTDEP013']],
  )
})
