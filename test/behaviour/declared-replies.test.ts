// The header `declared`: whether the status of a reply is one that its route declares.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { fastify, t } from '../../src/index.ts'
import { serve } from '../support/serve.ts'

const Problem = t.Object({ message: t.String() })
const Named = t.Object({ name: t.String() })

/** The mark of a reply, behind its status. */
async function marksOf(app: { inject(url: string): Promise<any> }, ...urls: string[]) {
  const marks: string[] = []
  for (const url of urls) {
    const { statusCode, headers } = await app.inject(url)
    marks.push(`${statusCode} ${headers.declared ?? 'none'}`)
  }
  return marks
}

const response = { 200: Named, 302: t.Null(), 304: t.Null(), 404: Problem, '5xx': Problem }

test('an error status that the route declares is marked, other replies have no mark', async () => {
  const app = espalier()
    .get('/ok', { schema: { response } }, () => ({ name: 'x' }))
    .get('/404', { schema: { response } }, (_request, reply) =>
      reply.code(404).send({ message: 'none' }),
    )
    .get('/502', { schema: { response } }, (_request, reply) =>
      reply.code(502).send({ message: 'far' }),
    )
    .get('/302', { schema: { response } }, (_request, reply) => reply.redirect('/ok'))
    .get('/304', { schema: { response } }, (_request, reply) => reply.code(304).send(null))
    .get('/free', () => 1)
    .get('/free/201', (_request, reply) => reply.code(201).send(1))
    .get('/free/404', (_request, reply) => reply.code(404).send(1))
  assert.deepEqual(
    await marksOf(app, '/ok', '/404', '/502', '/302', '/304', '/free', '/free/201', '/free/404'),
    ['200 none', '404 ?1', '502 ?1', '302 ?1', '304 ?1', '200 none', '201 none', '404 none'],
  )
  assert.equal((await app.inject({ method: 'HEAD', url: '/404' })).headers['declared'], '?1')
})

test('a success that the route does not declare is marked so', async () => {
  const app = espalier()
    .addHook('onRequest', async (request, reply) => {
      if (request.url === '/hook') await reply.code(202).send({ any: 1 })
    })
    .get('/hook', { schema: { response } }, () => ({ name: 'x' }))
    .get('/204', { schema: { response } }, (_request, reply: any) => reply.code(204).send())
    .setNotFoundHandler((_request, reply) => reply.code(200).send({ page: 'of all' }))
  assert.deepEqual(await marksOf(app, '/hook', '/204', '/no-route'), ['202 ?0', '204 ?0', '200 ?0'])
})

test('a page that the route declares is marked, since others answer with pages too', async () => {
  const html = { 200: { content: { 'text/html': { schema: t.String() } } } }
  const app = espalier()
    .get('/own', { schema: { response: html } }, () => '<p>')
    .get('/free', (_request, reply) => reply.type('text/html').send('<p>'))
    .get('/202', { schema: { response } }, (_request, reply: any) =>
      reply.code(202).type('text/html').send('<p>'),
    )
    .setNotFoundHandler((_request, reply) => reply.code(200).type('text/html').send('<p>'))
  assert.deepEqual(await marksOf(app, '/own', '/free', '/202', '/no-route'), [
    ...['200 ?1', '200 ?1', '202 ?0', '200 ?0'],
  ])
  const { declared } = await app.inject('GET /own')
  assert.equal(declared, true)
})

test('an error is declared if its payload was written by the schema of its status', async () => {
  const fail = (statusCode: number) => () => {
    throw Object.assign(new Error('failed'), { statusCode })
  }
  const errors = { 200: Named, 404: Problem, 409: t.Object({ number: t.Integer() }) }
  const app = espalier({ logger: false })
    .get('/404', { schema: { response: errors } }, fail(404))
    .get('/409', { schema: { response: errors } }, fail(409))
    .get('/410', { schema: { response: errors } }, fail(410))
    .get('/500', { schema: { response: { 200: Named } } }, fail(500))
    .get('/text', { schema: { response: { 200: Named, 404: t.String() } } }, fail(404))
  assert.deepEqual(await marksOf(app, '/404', '/409', '/410', '/500', '/text'), [
    '404 ?1',
    '409 none',
    '410 none',
    '500 none',
    '404 none',
  ])
})

test('an error handler and a hook send what the schema writes, or have no mark', async () => {
  const Refused = { 401: Problem, 403: t.String(), 404: { description: 'nothing' } }
  const content = { content: { 'application/octet-stream': {} } }
  const schema = { response: { 200: Named, ...Refused, 410: content } }
  const app = espalier()
    .addHook('onRequest', async (request, reply) => {
      const { status = 0, as } = request.query as { status?: string; as?: string }
      const payload = { object: { message: 'no' }, text: 'no', bytes: Buffer.from('no') }[as ?? '']
      if (as === 'thrown') throw new Error('no')
      if (as === 'json') await reply.code(Number(status)).type('application/json').send('[]')
      else await reply.code(Number(status)).send(payload)
    })
    .setErrorHandler((_error, _request, reply) => reply.code(401).send({ message: 'no' }))
    .get('/', { schema }, () => ({ name: 'x' }))
  assert.deepEqual(
    await marksOf(
      app,
      ...['/?status=401&as=object', '/?status=401&as=text', '/?status=401&as=bytes'],
      ...['/?status=401', '/?status=401&as=json', '/?status=403&as=text', '/?status=404'],
      ...['/?status=404&as=text', '/?status=410&as=bytes', '/?status=418&as=object', '/?as=thrown'],
    ),
    [
      ...['401 ?1', '401 none', '401 none', '401 none', '401 none', '403 ?1', '404 ?1'],
      ...['404 none', '410 ?1', '418 none', '401 ?1'],
    ],
  )
})

test('a status that an onSend hook sets is not that of the payload', async () => {
  const app = espalier()
    .addHook('onSend', async (request, reply) => {
      reply.code(request.url === '/304' ? 304 : 404)
    })
    .get('/404', { schema: { response } }, () => ({ name: 'x' }))
    .get('/304', { schema: { response } }, () => ({ name: 'x' }))
  assert.deepEqual(await marksOf(app, '/404', '/304'), ['404 none', '304 ?1'])
})

test('a failed validation is declared where the route says nothing of its responses', async () => {
  const params = { id: t.Integer() }
  const fail = () => {
    throw Object.assign(new Error('failed'), { statusCode: 400 })
  }
  const app = espalier()
    .get('/inferred/:id', { schema: { params } }, () => 1)
    .get('/declared/:id', { schema: { params, response: { 200: t.Integer() } } }, () => 1)
    .get('/own/:id', { schema: { params, response: { 200: t.Integer(), 400: Problem } } }, () => 1)
    .get('/free', fail)
    .get('/%zz', () => 1)
  assert.deepEqual(await marksOf(app, '/inferred/x', '/declared/x', '/own/x', '/free', '/%zz'), [
    '400 ?1',
    '400 none',
    '400 ?1',
    '400 none',
    '400 none',
  ])
})

test('what no schema describes has no mark, nor has a reply by hand', async () => {
  const app = espalier()
    .setErrorHandler((_error, _request, reply) => reply.code(400).send({ own: 1 }))
    .get('/own/:id', { schema: { params: { id: t.Integer() } } }, () => 1)
    .get('/raw', { schema: { response } }, (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(404).end()
      return reply
    })
    .get('/gone', { schema: { response } }, (_request, reply) => reply.callNotFound())
  assert.deepEqual(await marksOf(app, '/own/x', '/raw', '/gone', '/no-route'), [
    '400 none',
    '404 none',
    '404 none',
    '404 none',
  ])
})

test('a mark of the server behind a proxy stays, one of an answer that failed goes', async () => {
  const app = espalier()
    .get('/proxied', (_request, reply) =>
      reply.code(404).header('declared', '?1').send({ message: 'of another' }),
    )
    .get('/failed', (_request, reply) => {
      reply.header('declared', '?1')
      throw new Error('failed')
    })
  assert.deepEqual(await marksOf(app, '/proxied', '/failed'), ['404 ?1', '500 none'])
})

test('servers of Fastify mark nothing', async () => {
  const app = fastify().get('/404', { schema: { response } }, (_request, reply) =>
    reply.code(404).send({ message: 'none' }),
  )
  assert.deepEqual(await marksOf(app, '/404', '/no-route'), ['404 none', '404 none'])
})

test('browsers of other origins may read the mark', async (context) => {
  const app = espalier()
    .addHook('onRequest', async (request, reply) => {
      const { expose, raw } = request.query as { expose?: string; raw?: string }
      if (raw) reply.raw.setHeader('access-control-allow-origin', '*')
      else reply.header('access-control-allow-origin', '*')
      if (expose !== undefined) reply.header('access-control-expose-headers', expose)
    })
    .get('/404', { schema: { response } }, (_request, reply) =>
      reply.code(404).send({ message: 'none' }),
    )
    .get('/ok', { schema: { response } }, () => ({ name: 'x' }))
  const ask = await serve(context, app)
  const exposed = async (path: string) => {
    const { headers } = await ask(path)
    return [headers.get('declared'), headers.get('access-control-expose-headers')]
  }
  assert.deepEqual(await exposed('/404'), ['?1', 'declared'])
  assert.deepEqual(await exposed('/404?raw=1'), ['?1', 'declared'])
  assert.deepEqual(await exposed('/404?expose=x-total'), ['?1', 'x-total, declared'])
  assert.deepEqual(await exposed('/404?expose=x, Declared'), ['?1', 'x, Declared'])
  assert.deepEqual(await exposed('/ok'), [null, null])
})
