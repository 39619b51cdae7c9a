// Who asks: @fastify/auth, @fastify/basic-auth, @fastify/bearer-auth, @fastify/jwt.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import auth from '@fastify/auth'
import basicAuth from '@fastify/basic-auth'
import bearerAuth from '@fastify/bearer-auth'
import cookie from '@fastify/cookie'
import jwt from '@fastify/jwt'
import { cookiesOf, posted, serve } from '../support/serve.ts'
import { untyped } from '../support/untyped.ts'

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const basic = (user: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
})

test('@fastify/bearer-auth asks for one of its keys, in its own context only', async (t) => {
  const app = untyped()
    .get('/open', () => 'open')
    .register(async (inside) => {
      inside.register(bearerAuth, { keys: ['one', 'two'] })
      inside.get('/closed', () => 'closed')
    })
  const ask = await serve(t, app)
  assert.equal(await (await ask('/open')).text(), 'open')
  assert.equal(await (await ask('/closed', bearer('two'))).text(), 'closed')
  for (const init of [{}, bearer('three'), basic('one', 'one')]) {
    const response = await ask('/closed', init)
    const { error } = await response.json()
    assert.deepEqual([response.status, typeof error], [401, 'string'])
  }
})

test('@fastify/bearer-auth asks a function, which may reject a key or fail', async (t) => {
  const app = untyped().register(bearerAuth, {
    keys: new Set(),
    auth: async (key: string) => key === 'good',
    errorResponse: ({ message }: Error) => ({ refused: message }),
  })
  app.get('/', () => 'in')
  const ask = await serve(t, app)
  assert.equal((await ask('/', bearer('good'))).status, 200)
  const refused = await ask('/', bearer('bad'))
  assert.deepEqual(
    [refused.status, await refused.json()],
    [401, { refused: 'invalid authorization header' }],
  )
})

async function checkPassword(name: string, password: string): Promise<void> {
  if (name !== 'Ada' || password !== 'secret') throw new Error('wrong password')
}

test('@fastify/basic-auth lets in who knows the password, and challenges others', async (t) => {
  const app = untyped()
    .register(basicAuth, { validate: checkPassword, authenticate: { realm: 'Album' } })
    .register(async (inside: any) => {
      inside.addHook('onRequest', inside.basicAuth)
      inside.get('/closed', () => 'closed')
    })
  app.get('/open', () => 'open')
  const ask = await serve(t, app)
  assert.equal((await ask('/open')).status, 200)
  assert.equal(await (await ask('/closed', basic('Ada', 'secret'))).text(), 'closed')
  const wrong = await ask('/closed', basic('Ada', 'guess'))
  assert.equal(wrong.status, 401)
  assert.equal(wrong.headers.get('www-authenticate'), 'Basic realm="Album", charset="UTF-8"')
  assert.equal((await wrong.json()).message, 'wrong password')
  assert.equal((await ask('/closed', bearer('x'))).status, 401)
})

test('@fastify/auth takes one of several ways in, or all of them', async (t) => {
  const app = untyped()
    .decorate('isMember', (request: any, _reply: any, done: any) =>
      done(request.headers.member === 'yes' ? undefined : new Error('no member')),
    )
    .decorate('isAdult', async (request: any) => {
      if (!(Number(request.headers.age) >= 18)) throw new Error('too young')
    })
    .register(auth)
  app.register(async (inside: any) => {
    const functions = () => [inside.isMember, inside.isAdult]
    inside.get('/either', { preHandler: inside.auth(functions()) }, () => 'in')
    inside.get('/both', { preHandler: inside.auth(functions(), { relation: 'and' }) }, () => 'in')
  })
  const ask = await serve(t, app)
  const status = async (path: string, headers: Record<string, string>) =>
    (await ask(path, { headers })).status
  assert.equal(await status('/either', { age: '18' }), 200)
  assert.equal(await status('/either', { member: 'yes' }), 200)
  assert.equal(await status('/either', {}), 401)
  assert.equal(await status('/both', { member: 'yes', age: '18' }), 200)
  assert.equal(await status('/both', { member: 'yes' }), 401)
  const refused = await ask('/both', { headers: { age: '18' } })
  assert.equal((await refused.json()).message, 'no member')
})

test('@fastify/auth is given the functions of other plugins', async (t) => {
  const app = untyped()
    .register(basicAuth, { validate: checkPassword })
    .register(bearerAuth, { keys: ['key'], addHook: false })
    .register(auth)
  app.register(async (inside: any) => {
    const onRequest = inside.auth([inside.basicAuth, inside.verifyBearerAuth])
    inside.get('/', { onRequest }, () => 'in')
  })
  const ask = await serve(t, app)
  assert.equal((await ask('/', bearer('key'))).status, 200)
  assert.equal((await ask('/', basic('Ada', 'secret'))).status, 200)
  assert.equal((await ask('/', bearer('other'))).status, 401)
})

function tokenServer(options: object = {}) {
  const app = untyped()
    .register(cookie)
    .register(jwt, { secret: 'change me', ...options })
  app.post('/login', async ({ body }, reply) => {
    const token = await reply.jwtSign({ name: body.name }, { expiresIn: body.expiresIn ?? '1h' })
    reply.setCookie('token', token, { path: '/', httpOnly: true })
    return { token }
  })
  app.register(async (members: any) => {
    members.addHook('onRequest', (request: any) => request.jwtVerify())
    members.get('/me', (request: any) => request.user.name)
  })
  return app
}

test('@fastify/jwt signs a token, and knows by it who asks', async (t) => {
  const ask = await serve(t, tokenServer())
  const { token } = await (await ask('/login', posted({ name: 'Ada' }))).json()
  const me = await ask('/me', bearer(token))
  assert.deepEqual([me.status, await me.text()], [200, 'Ada'])
})

test('@fastify/jwt refuses no token, a forged one and one that is over, by codes of its own', async (t) => {
  const ask = await serve(t, tokenServer())
  const expired = await (await ask('/login', posted({ name: 'Ada', expiresIn: -1000 }))).json()
  const { token } = await (await ask('/login', posted({ name: 'Ada' }))).json()
  const refusals = {
    FST_JWT_NO_AUTHORIZATION_IN_HEADER: {},
    FST_JWT_AUTHORIZATION_TOKEN_INVALID: bearer(`${token}x`),
    FST_JWT_AUTHORIZATION_TOKEN_EXPIRED: bearer(expired.token),
  }
  for (const [code, init] of Object.entries(refusals)) {
    const response = await ask('/me', init)
    assert.deepEqual([response.status, (await response.json()).code], [401, code])
  }
})

test('@fastify/jwt reads the token of a cookie, beside @fastify/cookie', async (t) => {
  const ask = await serve(t, tokenServer({ cookie: { cookieName: 'token', signed: false } }))
  const login = await ask('/login', posted({ name: 'Ada' }))
  const me = await ask('/me', { headers: cookiesOf(login) })
  assert.equal(await me.text(), 'Ada')
  assert.equal((await ask('/me', { headers: { cookie: 'token=x' } })).status, 401)
})

test('@fastify/jwt verifies and decodes by the server, and formats users', async (t) => {
  const formatUser = ({ name }: { name: string }) => ({ name: name.toUpperCase() })
  const app: any = tokenServer({ formatUser })
  const ask = await serve(t, app)
  const token = app.jwt.sign({ name: 'Ada' })
  assert.equal(app.jwt.verify(token).name, 'Ada')
  assert.equal(app.jwt.decode(token).name, 'Ada')
  assert.throws(() => app.jwt.verify('x'))
  assert.equal(await (await ask('/me', bearer(token))).text(), 'ADA')
})
