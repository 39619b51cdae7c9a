// What browsers keep: @fastify/cookie, @fastify/session, @fastify/secure-session, @fastify/csrf-protection.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import cookie from '@fastify/cookie'
import csrfProtection from '@fastify/csrf-protection'
import secureSession from '@fastify/secure-session'
import session from '@fastify/session'
import { cookiesOf, posted, serve, type Ask } from '../support/serve.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const secret = 'a secret of at least thirty-two characters'

test('@fastify/cookie reads, sets and clears cookies', async (t) => {
  const app = untyped()
    .register(cookie)
    .get('/', (request, reply) => {
      reply.setCookie('seen', 'yes', { path: '/', httpOnly: true, sameSite: 'lax', maxAge: 60 })
      reply.cookie('two', 'a b').clearCookie('old', { path: '/' })
      return request.cookies
    })
  const ask = await serve(t, app)
  const response = await ask('/', { headers: { cookie: 'a=1; b=x%20y' } })
  assert.deepEqual(await response.json(), { a: '1', b: 'x y' })
  const [seen, two, old] = response.headers.getSetCookie()
  assert.equal(seen, 'seen=yes; Max-Age=60; Path=/; HttpOnly; SameSite=Lax')
  assert.equal(two, 'two=a%20b; SameSite=Lax')
  assert.match(old ?? '', /^old=; .*Expires=Thu, 01 Jan 1970/)
})

test('@fastify/cookie signs, and tells a cookie that was changed', async (t) => {
  const app = untyped()
    .register(cookie, { secret: [secret, 'an older one'] })
    .get('/set', (_request, reply) => reply.setCookie('id', '7', { signed: true }).send('set'))
    .get('/', (request) => request.unsignCookie(request.cookies.id))
  const ask = await serve(t, app)
  const headers = cookiesOf(await ask('/set'))
  const read = await (await ask('/', { headers })).json()
  assert.deepEqual(read, { valid: true, renew: false, value: '7' })
  const changed = { cookie: headers.cookie.replace('id=7', 'id=8') }
  const { valid } = await (await ask('/', { headers: changed })).json()
  assert.equal(valid, false)
})

test('@fastify/cookie adds to its own context only, and is there for the hooks behind it', async (t) => {
  const app = untyped()
    .get('/beside', (request) => String('cookies' in request))
    .register(async (inside: any) => {
      inside.register(cookie)
      inside.addHook('onRequest', async (request: any) => void (request.body = request.cookies.a))
      inside.get('/inside', (request: any) => request.body)
    })
  const ask = await serve(t, app)
  const init = { headers: { cookie: 'a=1' } }
  assert.equal(await (await ask('/inside', init)).text(), '1')
  assert.equal(await (await ask('/beside', init)).text(), 'false')
})

/** Routes that count the visits of a session, and end it. */
function visits(app: UntypedServer): UntypedServer {
  app.get('/', async ({ session }) => {
    session.set('visits', Number(session.get('visits') ?? 0) + 1)
    return String(session.get('visits'))
  })
  return app
}

/** Asks twice as one browser, then as another, and then with cookies that were changed. */
async function checkVisits(ask: Ask): Promise<Record<'cookie', string>> {
  const first = await ask('/')
  assert.equal(await first.text(), '1')
  const headers = cookiesOf(first)
  assert.notEqual(headers.cookie, '')
  assert.equal(await (await ask('/', { headers })).text(), '2')
  assert.equal(await (await ask('/')).text(), '1')
  const forged = { cookie: headers.cookie.replace(/=../, '=xx') }
  assert.equal(await (await ask('/', { headers: forged })).text(), '1')
  return headers
}

test('@fastify/session keeps a session on the server, and ends it', async (t) => {
  const app = visits(
    untyped()
      .register(cookie)
      .register(session, { secret, cookie: { secure: false } }),
  ).post('/logout', async (request) => {
    await request.session.destroy()
    return 'bye'
  })
  const ask = await serve(t, app)
  const headers = await checkVisits(ask)
  assert.match(headers.cookie, /^sessionId=/)
  assert.equal((await ask('/logout', { method: 'POST', headers })).status, 200)
  assert.equal(await (await ask('/', { headers })).text(), '1')
})

test("@fastify/session gives a session another id, and uses a store of one's own", async (t) => {
  const kept = new Map<string, unknown>()
  const store = {
    set: (id: string, value: unknown, done: () => void) => (kept.set(id, value), done()),
    get: (id: string, done: (error: null, value: unknown) => void) => done(null, kept.get(id)),
    destroy: (id: string, done: () => void) => (kept.delete(id), done()),
  }
  const options = { secret, store, cookie: { secure: false } }
  const app = visits(untyped().register(cookie).register(session, options)).post(
    '/login',
    async (request) => {
      await request.session.regenerate(['visits'])
      return 'in'
    },
  )
  const ask = await serve(t, app)
  const before = cookiesOf(await ask('/'))
  const login = await ask('/login', { method: 'POST', headers: before })
  assert.equal(login.status, 200)
  const headers = cookiesOf(login)
  assert.notEqual(headers.cookie, before.cookie)
  assert.equal(await (await ask('/', { headers })).text(), '2')
  assert.equal(kept.size, 1)
})

test('@fastify/session says at boot that its secret is too short', async () => {
  const app = untyped().register(cookie).register(session, { secret: 'short' })
  await assert.rejects(app.ready(), /secret/)
})

test('@fastify/secure-session keeps a session in an encrypted cookie, and deletes it', async (t) => {
  const app = visits(
    untyped().register(secureSession, { key: Buffer.alloc(32, 7), cookie: { path: '/' } }),
  ).post('/logout', (request, reply) => {
    request.session.delete()
    reply.send('bye')
  })
  const ask = await serve(t, app)
  const headers = await checkVisits(ask)
  const bye = await ask('/logout', { method: 'POST', headers })
  assert.match(
    bye.headers.getSetCookie()[0] ?? '',
    /^session=; .*(Max-Age=0|Expires=Thu, 01 Jan 1970)/,
  )
})

const guards: Record<string, (app: UntypedServer) => UntypedServer> = {
  '@fastify/cookie': (app) => app.register(cookie).register(csrfProtection),
  '@fastify/session': (app) =>
    app
      .register(cookie)
      .register(session, { secret, cookie: { secure: false } })
      .register(csrfProtection, { sessionPlugin: '@fastify/session' }),
  '@fastify/secure-session': (app) =>
    app
      .register(secureSession, { key: Buffer.alloc(32, 7), cookie: { path: '/' } })
      .register(csrfProtection, { sessionPlugin: '@fastify/secure-session' }),
}
for (const [name, register] of Object.entries(guards)) {
  test(`@fastify/csrf-protection takes what carries its token only, beside ${name}`, async (t) => {
    const app = register(untyped())
    app.register(async (inside: any) => {
      inside.get('/form', async (_request: any, reply: any) => reply.generateCsrf())
      inside.post('/form', { preHandler: inside.csrfProtection }, () => 'taken')
    })
    const ask = await serve(t, app)
    const form = await ask('/form')
    const [headers, token] = [cookiesOf(form), await form.text()]
    const by = async (more: Record<string, string>, body: object = {}) => {
      const response = await ask('/form', posted(body, more))
      return response.ok ? 'taken' : [response.status, (await response.json()).code]
    }
    assert.equal(await by({ ...headers, 'csrf-token': token }), 'taken')
    assert.equal(await by(headers, { _csrf: token }), 'taken')
    assert.deepEqual(await by({ 'csrf-token': token }), [403, 'FST_CSRF_MISSING_SECRET'])
    assert.deepEqual(await by({ ...headers, 'csrf-token': 'x' }), [403, 'FST_CSRF_INVALID_TOKEN'])
    assert.deepEqual(await by(headers), [403, 'FST_CSRF_INVALID_TOKEN'])
  })
}
