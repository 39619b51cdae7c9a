// What a hook derives becomes part of the request, for what comes later and for the subtree.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { shared } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

test('several hooks derive in order, sync and async, each with what came before it', async () => {
  const app = espalier()
    .decorate('title', 'user ')
    .derive('onRequest', (request) => ({ token: request.headers.authorization ?? 'none' }))
    .derive('preHandler', async function (request) {
      return { user: this.title + request.token }
    })
    .derive('preHandler', ({ user }) => ({ shout: user.toUpperCase() }))
    .get('/', ({ token, user, shout }) => ({ token, user, shout }))
  const headers = { authorization: 'ada' }
  assert.deepEqual((await app.inject({ url: '/', headers })).json(), {
    token: 'ada',
    user: 'user ada',
    shout: 'USER ADA',
  })
  assert.equal((await app.inject({ url: '/' })).json<Record<string, unknown>>().user, 'user none')
  await app.close()
})

test('it is there from its phase on, for hooks in the order of the calls, and in the subtree only', async () => {
  const app = untyped()
  const seen: string[] = []
  const see = (name: string) => (request: object) => {
    seen.push(`${name} ${'user' in request}`)
  }
  app.register(async (child) => {
    child.addHook('preHandler', async (request) => see('before')(request))
    child.derive('preHandler', async () => ({ user: 1 }))
    child.addHook('preHandler', async (request) => see('behind')(request))
    child.addHook('onRequest', async (request) => see('onRequest')(request))
    child.get('/', (request) => {
      see('handler')(request)
      return 'ok'
    })
    child.register(async (grandchild) => void grandchild.get('/below', ({ user }) => ({ user })))
  })
  app.get('/beside', (request) => ({ has: 'user' in request }))
  await app.inject('/')
  assert.deepEqual(seen, ['onRequest false', 'before false', 'behind true', 'handler true'])
  assert.deepEqual((await app.inject('/below')).json(), { user: 1 })
  assert.deepEqual((await app.inject('/beside')).json(), { has: false })
  await app.close()
})

test('it may reply instead, sync or async, and what comes later does not run', async () => {
  for (const isAsync of [false, true]) {
    const app = untyped()
    let ran = 0
    const refuse = (_request: unknown, reply: any) => reply.code(401).send('who?')
    app.derive('preHandler', isAsync ? async (q, reply) => refuse(q, reply) : refuse)
    app.get('/', () => ++ran)
    const { statusCode, body } = await app.inject('/')
    assert.deepEqual([statusCode, body, ran], [401, 'who?', 0])
    await app.close()
  }
})

test('one that gives nothing adds nothing, and each request has its own', async () => {
  const app = untyped()
  let count = 0
  app.derive('onRequest', ({ url }) => (url === '/' ? { list: [++count] } : undefined))
  app.get('/', ({ list }) => list).get('/none', (request) => 'list' in request)
  assert.deepEqual((await app.inject('/')).json(), [1])
  assert.deepEqual((await app.inject('/')).json(), [2])
  assert.equal((await app.inject('/none')).body, 'false')
  await app.close()
})

test('an error in it is answered as that of any hook', async () => {
  const app = untyped()
  app.derive('preValidation', async () => {
    throw Object.assign(new Error('no such tenant'), { statusCode: 404 })
  })
  app.get('/', () => 'ok')
  const response = await app.inject('/')
  assert.deepEqual([response.statusCode, response.json().message], [404, 'no such tenant'])
  await app.close()
})

test('a name that requests have already is refused, with an error that says where', async () => {
  for (const name of ['body', 'id', 'send2']) {
    const app = untyped()
    app.decorateRequest('send2', 1)
    app.register(async function tenants(child) {
      child.derive('onRequest', () => ({ [name]: 1 }))
      child.get('/', () => 'ok')
    })
    const [{ statusCode }, text] = await silenced(() => app.inject('/'))
    assert.equal(statusCode, 500)
    assert.match(text, new RegExp(`request decorator '${name}' is already there.*tenants`))
    await app.close()
  }
})

test('a name that a plugin derives twice is refused with an error that says where it was and is, and what to do', async () => {
  const auth = shared(function auth(scope: any) {
    scope.derive('onRequest', () => ({ user: 1 }))
  }) as any
  const again = `It was derived again in root > users, by the plugin 'root > users > auth'.`
  const alone = "It was derived in root, by the plugin 'root > auth'. Derive another name"
  const cases: [string, (app: any) => unknown, string][] = [
    [
      'twice',
      (app) => app.register(auth),
      `it is derived in root, by the plugin 'root > auth'. ${again} Derive it once, in the outermost scope`,
    ],
    [
      'behind a decorator',
      (app) => app.decorateRequest('user', null).register(auth),
      `root has it, by decorateRequest. ${alone}`,
    ],
  ]
  for (const [name, prepare, words] of cases) {
    const app = untyped()
    prepare(app)
    app.register(async function users(child) {
      if (name === 'twice') child.register(auth)
      child.get('/', () => 'ok')
    })
    const [{ statusCode }, text] = await silenced(() => app.inject('/'))
    assert.equal(statusCode, 500)
    assert.ok(text.includes(`The request decorator 'user' is already there: ${words}`), text)
    await app.close()
  }
})

test('one that a scope below derives in an earlier phase is refused as well', async () => {
  const app = untyped()
  app.derive('preHandler', () => ({ user: 1 }))
  app.register(async function users(child) {
    child.derive('onRequest', () => ({ user: 2 }))
    child.get('/', () => 'ok')
  })
  const [{ statusCode }, text] = await silenced(() => app.inject('/'))
  assert.equal(statusCode, 500)
  assert.match(text, /a scope below derives it in an earlier phase. It was derived in root. Derive/)
  await app.close()
})

test('an instance whose methods requests would not have is refused, and one of data alone is not', async () => {
  class Session {
    user = 'Ada'
    logout(): boolean {
      return true
    }
  }
  class Admin extends Session {
    role = 'admin'
  }
  class Row {
    user = 'Ada'
  }
  const bare = Object.assign(Object.create(null) as object, { user: 'Ada' })
  for (const [given, lost] of [
    [new Session(), 'logout'],
    [new Admin(), 'logout'],
    [['Ada'], 'length'],
    [new Row(), undefined],
    [bare, undefined],
  ] as const) {
    const app = untyped()
    app.register(async function tenants(child) {
      child.derive('onRequest', async () => given)
      child.get('/', (request) => request.user)
    })
    const [response, text] = await silenced(() => app.inject('/'))
    if (lost === undefined) assert.equal(response.body, 'Ada')
    else {
      assert.equal(response.statusCode, 500)
      assert.match(text, /derive in .*tenants gives an instance of a class, whose '\w+' requests/)
    }
    await app.close()
  }
})

test('only three phases derive, and only by functions without done', () => {
  const app = untyped()
  const code = 'ESP_ERR_DERIVE_PHASE'
  assert.throws(() => app.derive('onSend', () => ({})), { code, message: /onSend.*onRequest/ })
  assert.throws(() => app.derive('onReady', () => ({})), { code })
  assert.throws(() => app.derive('nothing', () => ({})), { code: 'ESP_ERR_HOOK_NOT_SUPPORTED' })
  assert.throws(() => app.derive('onRequest', 1 as never), { code: 'ESP_ERR_HOOK_INVALID_HANDLER' })
  const withDone = ((_q: unknown, _r: unknown, done: () => void) => {
    done()
  }) as never
  assert.throws(() => app.derive('onRequest', withDone), { code: 'ESP_ERR_DERIVE_DONE' })
})

test('what a shared plugin derives is there for a hook that is added behind it: it was loaded later, and came later', async () => {
  const seen: unknown[] = []
  const app = espalier()
    .register(
      shared((same) =>
        same
          .derive('onRequest', () => ({ user: 'ada' }))
          .register(shared((inner) => inner.derive('onRequest', () => ({ inner: 1 }))))
          .derive('onRequest', (request) => ({ sum: request.inner + 1 })),
      ),
    )
    .addHook('onRequest', async (request) => {
      seen.push(request.user, request.sum)
    })
    .get('/', () => seen)
  assert.deepEqual((await app.inject('GET /')).json(), ['ada', 2])
  await app.close()
})
