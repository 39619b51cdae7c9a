// What headers ask for and say: @fastify/accepts, @fastify/compress, @fastify/cors, @fastify/etag, @fastify/helmet.
import assert from 'node:assert/strict'
import { request as send } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import accepts from '@fastify/accepts'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import etag from '@fastify/etag'
import helmet from '@fastify/helmet'
import { listening, serve } from '../support/serve.ts'
import { untyped } from '../support/untyped.ts'

test('@fastify/accepts chooses by what a client accepts', async (t) => {
  const app = untyped()
    .register(accepts, { decorateReply: true })
    .get('/', (request, reply) => ({
      type: request.type(['html', 'json']),
      languages: request.languages(),
      encoding: reply.requestEncoding(['br', 'gzip']),
    }))
  const ask = await serve(t, app)
  const headers = { accept: 'application/json', 'accept-language': 'de, en;q=0.5' }
  const read = await ask('/', { headers: { ...headers, 'accept-encoding': 'gzip' } })
  assert.deepEqual(await read.json(), { type: 'json', languages: ['de', 'en'], encoding: 'gzip' })
  const { type } = await (await ask('/', { headers: { accept: 'image/png' } })).json()
  assert.equal(type, false)
})

/** The answer as it was sent: `fetch` would unzip it. */
async function raw(url: string, headers: object = {}, body?: Buffer) {
  const method = body ? 'POST' : 'GET'
  const response = await new Promise<any>((resolve, reject) => {
    send(url, { method, headers: { ...headers } }, resolve)
      .on('error', reject)
      .end(body)
  })
  const { statusCode: status, headers: said } = response
  return { status, encoding: said['content-encoding'], said, bytes: await buffer(response) }
}

test('@fastify/compress compresses what is large enough, by what the client takes', async (t) => {
  const large = { text: 'long '.repeat(1000) }
  const app = untyped()
  await app.register(compress, { threshold: 100 })
  app
    .get('/large', () => large)
    .get('/small', () => ({ text: 'short' }))
    .get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(['a', 'b'])))
    .get('/off', { compress: false }, () => large)
  const origin = await listening(t, app)
  const all = { 'accept-encoding': 'gzip, br' }
  const br = await raw(`${origin}/large`, all)
  assert.deepEqual([br.encoding, br.said.vary], ['br', 'accept-encoding'])
  assert.deepEqual(JSON.parse(brotliDecompressSync(br.bytes).toString()), large)
  const gzip = await raw(`${origin}/large`, { 'accept-encoding': 'gzip' })
  assert.deepEqual(JSON.parse(gunzipSync(gzip.bytes).toString()), large)
  const stream = await raw(`${origin}/stream`, { 'accept-encoding': 'gzip' })
  assert.equal(gunzipSync(stream.bytes).toString(), 'ab')
  assert.equal((await raw(`${origin}/large`)).encoding, undefined)
  assert.equal((await raw(`${origin}/small`, all)).encoding, undefined)
  assert.equal((await raw(`${origin}/off`, all)).encoding, undefined)
})

test('@fastify/compress compresses by hand, and only in its own context', async (t) => {
  const app = untyped().get('/outside', () => 'x'.repeat(5000))
  app.register(async (inside) => {
    await inside.register(compress, { global: false })
    inside.get('/not', () => 'x'.repeat(5000))
    inside.get('/hand', (_request, reply) => reply.type('text/plain').compress('x'.repeat(5000)))
  })
  const origin = await listening(t, app)
  const all = { 'accept-encoding': 'gzip' }
  const encodings = ['/outside', '/not', '/hand'].map((path) => raw(origin + path, all))
  const found = (await Promise.all(encodings)).map(({ encoding }) => encoding)
  assert.deepEqual(found, [undefined, undefined, 'gzip'])
})

test('@fastify/compress unzips requests, and refuses what is not zipped', async (t) => {
  const app = untyped()
  await app.register(compress)
  app.post('/', (request) => request.body)
  const url = `${await listening(t, app)}/`
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const read = await raw(url, headers, gzipSync('{"a":1}'))
  assert.equal(read.bytes.toString(), '{"a":1}')
  const wrong = await raw(url, headers, Buffer.from('{"a":1}'))
  assert.equal(wrong.status, 400)
  const unknown = await raw(url, { ...headers, 'content-encoding': 'x' }, Buffer.from('{}'))
  assert.equal(unknown.status, 415)
})

const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'PUT' },
})

test('@fastify/cors answers preflights, of unknown paths too, and allows origins', async (t) => {
  const origin = ['https://a.example', /\.b\.example$/]
  const app = untyped()
    .register(cors, { origin, credentials: true, methods: ['GET', 'PUT'], maxAge: 60 })
    .get('/', () => 'here')
  const ask = await serve(t, app)
  const allowed = await ask('/', preflight('https://x.b.example'))
  assert.equal(allowed.status, 204)
  const { headers } = allowed
  assert.equal(headers.get('access-control-allow-origin'), 'https://x.b.example')
  assert.equal(headers.get('access-control-allow-methods'), 'GET, PUT')
  assert.equal(headers.get('access-control-allow-credentials'), 'true')
  assert.equal(headers.get('access-control-max-age'), '60')
  assert.equal((await ask('/unknown', preflight('https://a.example'))).status, 204)
  const get = await ask('/', { headers: { origin: 'https://a.example' } })
  assert.equal(get.headers.get('access-control-allow-origin'), 'https://a.example')
  assert.match(get.headers.get('vary') ?? '', /Origin/)
  const foreign = await ask('/', { headers: { origin: 'https://c.example' } })
  assert.equal(foreign.headers.get('access-control-allow-origin'), null)
})

test('@fastify/cors refuses a preflight without its headers, and asks a function for origins', async (t) => {
  const origin = (name: string, done: (error: Error | null, isAllowed?: boolean) => void) =>
    name === 'https://a.example' ? done(null, true) : done(new Error('not you'))
  const app = untyped()
    .register(cors, { origin })
    .get('/', () => 'here')
    .setErrorHandler((error, _request, reply) => reply.code(403).send({ told: error.message }))
  const ask = await serve(t, app)
  const from = async (name: string) => (await ask('/', { headers: { origin: name } })).status
  assert.deepEqual([await from('https://a.example'), await from('https://b.example')], [200, 403])
  const bad = await ask('/', { method: 'OPTIONS', headers: { origin: 'https://a.example' } })
  assert.equal(bad.status, 400)
})

test('@fastify/etag tags text and bytes, and answers 304 to who has them', async (t) => {
  const app = untyped()
    .register(etag)
    .get('/', () => ({ a: 1 }))
    .get('/own', (_request, reply) => reply.header('etag', '"mine"').send('x'))
  const ask = await serve(t, app)
  const tag = (await ask('/')).headers.get('etag') ?? ''
  assert.match(tag, /^"[\w+/=]{28}"$/)
  const again = await ask('/', { headers: { 'if-none-match': tag } })
  assert.deepEqual([again.status, await again.text()], [304, ''])
  assert.equal((await ask('/', { headers: { 'if-none-match': '"old"' } })).status, 200)
  assert.equal((await ask('/own', { headers: { 'if-none-match': '"mine"' } })).status, 304)
})

test('@fastify/etag tags by another algorithm, weakly, in its own context only', async (t) => {
  const app = untyped().get('/outside', () => 'x')
  app.register(async (inside) => {
    inside.register(etag, { algorithm: 'md5', weak: true })
    inside.get('/inside', () => 'x')
  })
  const ask = await serve(t, app)
  assert.match((await ask('/inside')).headers.get('etag') ?? '', /^W\/"[\w+/=]{24}"$/)
  assert.equal((await ask('/outside')).headers.get('etag'), null)
})

test('@fastify/helmet sets headers for all, and other ones or none for a route', async (t) => {
  const app = untyped()
  await app.register(helmet, { global: true, enableCSPNonces: true, hsts: { maxAge: 60 } })
  app
    .get('/', (_request, reply) => reply.cspNonce)
    .get('/framed', { helmet: { frameguard: { action: 'deny' } } }, () => 'x')
    .get('/bare', { helmet: false }, () => 'x')
  const ask = await serve(t, app)
  const { headers, ...response } = await ask('/').then(async (answer) => ({
    headers: answer.headers,
    nonce: await answer.json(),
  }))
  assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
  assert.equal(headers.get('strict-transport-security'), 'max-age=60; includeSubDomains')
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'self'/)
  assert.ok(policy.includes(`script-src 'self' 'nonce-${response.nonce.script}'`), policy)
  assert.equal((await ask('/framed')).headers.get('x-frame-options'), 'DENY')
  assert.equal((await ask('/bare')).headers.get('x-frame-options'), null)
})
