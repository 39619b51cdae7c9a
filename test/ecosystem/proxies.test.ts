// Other servers behind this one: @fastify/http-proxy, @fastify/reply-from.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import httpProxy from '@fastify/http-proxy'
import replyFrom from '@fastify/reply-from'
import websocket from '@fastify/websocket'
import { WebSocket } from 'ws'
import { fastify } from '../../src/index.ts'
import { listening, posted, serve } from '../support/serve.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

/** A server that says what it was asked. */
async function upstreamOf(t: TestContext): Promise<string> {
  const app = untyped()
  const echo = (request: any, reply: any) => {
    reply.header('x-upstream', 'yes')
    const { method, url, body } = request
    return { method, url, body, host: request.headers['x-forwarded-host'], by: request.headers.by }
  }
  app
    .get('/moved', (_request, reply) => reply.redirect('/echo'))
    .get('/gone', (_request, reply) => reply.code(410).send({ gone: true }))
    .all('/*', echo)
  return listening(t, app)
}

/** A port of the machine on which nobody listens. */
async function deadOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

test('@fastify/reply-from answers with what another server says', async (t) => {
  const base = await upstreamOf(t)
  const app = untyped().register(replyFrom, { base })
  app
    .get('/', (_request, reply) => reply.from('/echo?a=1'))
    .post('/', (_request, reply) => reply.from('/echo'))
    .get('/gone', (_request, reply) => reply.from())
  const ask = await serve(t, app)
  const get = await ask('/')
  assert.equal(get.headers.get('x-upstream'), 'yes')
  assert.deepEqual([(await get.json()).url, get.status], ['/echo?a=1', 200])
  const { method, body } = await (await ask('/', posted({ a: 1 }))).json()
  assert.deepEqual([method, body], ['POST', { a: 1 }])
  const gone = await ask('/gone')
  assert.deepEqual([gone.status, await gone.json()], [410, { gone: true }])
})

test('@fastify/reply-from rewrites headers on both ways, and what comes back', async (t) => {
  const base = await upstreamOf(t)
  const app = untyped().register(replyFrom, { base })
  app.get('/', (_request, reply) =>
    reply.from('/echo', {
      queryString: () => 'b=2',
      rewriteRequestHeaders: (_original: unknown, headers: object) => ({ ...headers, by: 'me' }),
      rewriteHeaders: (headers: object) => ({ ...headers, 'x-own': '1' }),
      onResponse: (_request: unknown, reply: any, response: any) => {
        reply.code(203).send(response.stream)
      },
    }),
  )
  const ask = await serve(t, app)
  const response = await ask('/')
  const { url, by } = await response.json()
  assert.deepEqual([response.status, url, by], [203, '/echo?b=2', 'me'])
  assert.equal(response.headers.get('x-own'), '1')
})

test('@fastify/reply-from answers for a server that is not there', async (t) => {
  const app = untyped().register(replyFrom, { base: await deadOrigin() })
  app
    .get('/', (_request, reply) => reply.from('/'))
    .get('/told', (_request, reply) =>
      reply.from('/', {
        onError: (reply: any, { error }: any) => reply.code(502).send({ told: error.code }),
      }),
    )
  const ask = await serve(t, app)
  const [dead] = await silenced(() => ask('/'))
  assert.equal(dead.status, 500)
  const told = await ask('/told')
  assert.equal(told.status, 502)
})

test('@fastify/http-proxy passes on all below its prefix, in its own context', async (t) => {
  const upstream = await upstreamOf(t)
  const app = untyped()
    .register(httpProxy, { upstream, prefix: '/api', rewritePrefix: '/v1' })
    .get('/own', () => 'mine')
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-hook', 'ran')
  })
  const ask = await serve(t, app)
  assert.equal(await (await ask('/own')).text(), 'mine')
  const get = await ask('/api/users/1?a=b')
  assert.equal((await get.json()).url, '/v1/users/1?a=b')
  assert.deepEqual([get.headers.get('x-upstream'), get.headers.get('x-hook')], ['yes', 'ran'])
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    assert.equal((await (await ask('/api/x', { method })).json()).method, method)
  }
  assert.equal((await ask('/other')).status, 404)
})

test('@fastify/http-proxy passes bodies on, and rewrites where a redirect leads', async (t) => {
  const upstream = await upstreamOf(t)
  const ask = await serve(t, untyped().register(httpProxy, { upstream, prefix: '/api' }))
  const sent = { text: 'long '.repeat(20_000) }
  assert.deepEqual((await (await ask('/api/x', posted(sent))).json()).body, sent)
  const moved = await ask('/api/moved', { redirect: 'manual' })
  assert.deepEqual([moved.status, moved.headers.get('location')], [302, '/api/echo'])
})

test('@fastify/http-proxy asks a hook first, and refuses paths that leave its prefix', async (t) => {
  const upstream = await upstreamOf(t)
  const preHandler = (request: any, reply: any, done: any) => {
    if (request.headers.key === 'right') done()
    else reply.code(401).send({ refused: true })
  }
  const options = { upstream, prefix: '/api/:version', rewritePrefix: '/:version/x', preHandler }
  const ask = await serve(t, untyped().register(httpProxy, options))
  const init = { headers: { key: 'right' } }
  const { url } = await (await ask('/api/v2/users', init)).json()
  assert.equal(url, '/v2/x/users')
  assert.equal((await ask('/api/v2/users')).status, 401)
  assert.equal((await ask('/api/v2/..%2f..%2fsecret', init)).status, 400)
})

test('@fastify/http-proxy passes WebSockets on', async (t) => {
  const behind = untyped()
  await behind.register(websocket)
  behind.get('/chat', { websocket: true }, (socket) => {
    socket.on('message', (message: Buffer) => socket.send(`behind: ${message.toString()}`))
  })
  const upstream = await listening(t, behind)
  const app = untyped().register(httpProxy, { upstream, prefix: '/ws', websocket: true })
  const origin = await listening(t, app)
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/chat`)
  await once(socket, 'open')
  socket.send('hello')
  const [message] = await once(socket, 'message')
  assert.equal(String(message), 'behind: hello')
  socket.close()
  await once(socket, 'close')
})

for (const names of [
  ['@fastify/reply-from', '@fastify/http-proxy'],
  ['@fastify/http-proxy', '@fastify/reply-from'],
]) {
  for (const [factory, create] of Object.entries({ espalier: untyped, fastify: Object(fastify) })) {
    test(`${names.join(' beside ')} decorates the same name, with the factory ${factory}`, async (t) => {
      const upstream = await upstreamOf(t)
      const app = create()
      for (const name of names) {
        if (name === '@fastify/reply-from') app.register(replyFrom, { base: upstream })
        else app.register(httpProxy, { upstream, prefix: '/proxied' })
      }
      app.get('/own', (_request: any, reply: any) => reply.from('/echo?own'))
      const ask = await serve(t, app)
      const urls = ['/proxied/echo?a', '/own'].map(
        async (path) => (await (await ask(path)).json()).url,
      )
      assert.deepEqual(await Promise.all(urls), ['/echo?a', '/echo?own'])
    })
  }
}
