import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { type EspalierOptions } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

/** Routes by the header x-secret. */
function secret(details: object = {}) {
  return {
    name: 'secret',
    storage() {
      const routes = new Map<unknown, unknown>()
      return {
        get: (value: unknown) => routes.get(value) ?? null,
        set: (value: unknown, route: unknown) => void routes.set(value, route),
      }
    },
    deriveConstraint: (request: { headers: Record<string, unknown> }): unknown =>
      request.headers['x-secret'],
    ...details,
  }
}

function withSecret(details: object = {}, options: object = {}) {
  return espalier({ constraints: { secret: secret(details) }, ...options } as EspalierOptions)
}

test('a route for a host answers requests for that host only', async () => {
  const app = espalier()
    .get('/', { constraints: { host: 'a.example' } }, () => 'a')
    .get('/', { constraints: { host: /^b\d\.example$/ } }, () => 'b')
    .route({ method: 'GET', url: '/', handler: () => 'any' })
  for (const [host, body] of [
    ['a.example', 'a'],
    ['b7.example', 'b'],
    ['c.example', 'any'],
  ]) {
    assert.equal((await app.inject({ url: '/', headers: { host } })).body, body)
  }
})

test('a version may be a range, and a request for one is not met by a route without', async () => {
  const app = espalier()
    .get('/', { constraints: { version: '1.2.0' } }, () => '1.2')
    .get('/', { constraints: { version: '2.0.1' } }, () => '2.0')
    .get('/', () => 'none')
  const asked = (version: string) => ({ url: '/', headers: { 'accept-version': version } })
  assert.equal((await app.inject(asked('1.x'))).body, '1.2')
  assert.equal((await app.inject(asked('2.0.1'))).body, '2.0')
  assert.equal((await app.inject(asked('3.x'))).statusCode, 404)
  assert.equal((await app.inject('/')).body, 'none')
})

test('the route option version is a constraint, with a warning that it is deprecated', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  const app = untyped().get('/', { version: '1.2.0' }, () => 'old')
  assert.equal((await warned).name, 'DeprecationWarning')
  const headers = { 'accept-version': '1.x' }
  assert.equal((await app.inject({ url: '/', headers })).body, 'old')
  assert.equal((await app.inject('/')).statusCode, 404)
})

test('the not-found handler sees the version that was asked for', async () => {
  const app = espalier()
    .get('/', { constraints: { version: '1.2.0' } }, () => 1)
    .setNotFoundHandler((request) => request.headers['accept-version'])
  const headers = { 'accept-version': '2.x' }
  assert.equal((await app.inject({ url: '/', headers })).body, '2.x')
})

test('a strategy of the factory chooses by what it derives, for HEAD too', async () => {
  const app = withSecret()
    .get('/', { constraints: { secret: 'alpha' } }, () => 'from alpha')
    .get('/', { constraints: { secret: 'beta' } }, () => 'from beta')
  const asked = (value: string) => ({ url: '/', headers: { 'x-secret': value } })
  assert.equal((await app.inject(asked('alpha'))).body, 'from alpha')
  assert.equal((await app.inject(asked('beta'))).body, 'from beta')
  assert.equal((await app.inject(asked('gamma'))).statusCode, 404)
  const head = await app.inject({ method: 'HEAD', ...asked('beta') })
  assert.deepEqual([head.statusCode, head.headers['content-length']], [200, '9'])
})

test('a strategy may be added before the routes that name it, and is left as it was', async () => {
  const app = espalier()
  const strategy = Object.freeze(secret())
  app.addConstraintStrategy(strategy)
  app.get('/', { constraints: { secret: 'alpha' } }, () => 'a')
  assert.equal((await app.inject({ url: '/', headers: { 'x-secret': 'alpha' } })).body, 'a')
  assert.throws(() => app.addConstraintStrategy(secret()), {
    code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING',
  })
})

test('an asynchronous strategy calls back', async () => {
  const app = withSecret({
    deriveConstraint(request: any, _context: unknown, done: any) {
      setImmediate(() => done(null, request.headers['x-secret']))
    },
  }).get('/', { constraints: { secret: 'alpha' } }, () => 'a')
  assert.equal((await app.inject({ url: '/', headers: { 'x-secret': 'alpha' } })).body, 'a')
  assert.equal((await app.inject('/')).statusCode, 404)
})

test('an asynchronous strategy that fails is a fault, or a matter of frameworkErrors', async () => {
  const details = {
    deriveConstraint(_request: unknown, _context: unknown, done: (error: Error) => void) {
      done(new Error('no secrets today'))
    },
  }
  const app = withSecret(details).get('/', { constraints: { secret: 'a' } }, () => 'a')
  let cause: unknown
  app.setErrorHandler((error, _request, reply) => {
    cause = (error as Error).cause
    return reply.send(error)
  })
  const response = await app.inject('/')
  assert.equal(response.statusCode, 500)
  assert.ok(!response.body.includes('today'))
  assert.match(String(cause), /no secrets today/)
  const other = withSecret(details, {
    frameworkErrors: (error: any, request: any, reply: any) =>
      reply.code(503).send(`${error.code} ${request.url}`),
  }).get('/', { constraints: { secret: 'a' } }, () => 'a')
  const answered = await other.inject('/')
  assert.deepEqual([answered.statusCode, answered.body], [503, 'ESP_ERR_ASYNC_CONSTRAINT /'])
})

const failures: Readonly<Record<string, (done: (...args: unknown[]) => void) => unknown>> = {
  'calls back with text': (done) => done('no tenant'),
  'calls back with nothing': (done) => done(),
  'calls back with false': (done) => done(false, 'alpha'),
  'calls back later with text': (done) => void setImmediate(done, 'no tenant'),
  'throws text': () => {
    throw 'no tenant'
  },
  'rejects with text': () => Promise.reject('no tenant'),
  'rejects with null': () => Promise.reject(null),
  'fails twice': (done) => {
    done('no tenant')
    done('no tenant')
    throw new Error('no tenant')
  },
}
for (const [what, derive] of Object.entries(failures)) {
  test(`an asynchronous strategy that ${what} is answered with 500, once`, async () => {
    const app = withSecret({
      deriveConstraint: (_request: unknown, _context: unknown, done: () => void) => derive(done),
    }).get('/', { constraints: { secret: 'alpha' } }, () => 'a')
    const codes: unknown[] = []
    app.addHook('onError', async (_request, _reply, error: any) => void codes.push(error.code))
    const [{ statusCode }, text] = await silenced(() => app.inject('/'))
    assert.deepEqual([statusCode, codes], [500, ['ESP_ERR_ASYNC_CONSTRAINT']])
    assert.match(text, /ESP_ERR_ASYNC_CONSTRAINT/)
  })
}

test('what an asynchronous strategy does behind its end changes nothing', async () => {
  const app = withSecret({
    async deriveConstraint(_request: unknown, _context: unknown, done: any) {
      done(null, 'alpha')
      done('no tenant')
      throw new Error('no tenant')
    },
  }).get('/', { constraints: { secret: 'alpha' } }, () => 'a')
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, body], [200, 'a'])
})

test('a constraint without a strategy or with a wrong value is an error that names route and plugin', async () => {
  const app = withSecret({
    validate(value: unknown) {
      if (value === 'no') throw new Error('not that one')
    },
  })
  const wrong: readonly (readonly [constraints: object, told: RegExp])[] = [
    [{ hots: 'a' }, /'hots' of route 'GET \/' in root > inner has no strategy.*host, secret/],
    [{ host: 7 }, /'host'.*must be a string or a RegExp, but is 7/],
    [{ version: 2 }, /'version'.*must be a string, but is 2/],
    [{ secret: undefined }, /'secret'.*is undefined/],
    [{ secret: 'no' }, /'secret'.*not that one/],
  ]
  app.register(async function inner(child) {
    for (const [constraints, message] of wrong) {
      assert.throws(() => child.get('/', { constraints: { ...constraints } }, () => 1), {
        code: 'ESP_ERR_CONSTRAINT',
        message,
      })
    }
  })
  await app.ready()
  assert.throws(() => untyped().get('/', { constraints: [] }, () => 1), {
    code: 'ESP_ERR_ROUTE_OPTION',
  })
})

test('what is no strategy, or one whose name is taken, is refused', () => {
  const wrong = [null, {}, { name: 'a' }, { ...secret(), name: 'a b' }, secret({ storage: 1 })]
  for (const strategy of wrong) {
    const app = espalier()
    assert.throws(() => app.addConstraintStrategy(strategy as never), {
      code: 'ESP_ERR_CONSTRAINT_STRATEGY',
    })
  }
  const twice = withSecret()
  assert.throws(() => twice.addConstraintStrategy(secret()), {
    code: 'ESP_ERR_CONSTRAINT_STRATEGY',
    message: /'secret'/,
  })
  const used = espalier().get('/', { constraints: { version: '1.0.0' } }, () => 1)
  assert.throws(() => used.addConstraintStrategy(secret({ name: 'version' })), {
    code: 'ESP_ERR_CONSTRAINT_STRATEGY',
  })
})

test('hasConstraintStrategy knows those of the application, and built-in ones that are in use', () => {
  const app = withSecret()
  assert.deepEqual(
    ['secret', 'version', 'host', 'toString'].map((name) => app.hasConstraintStrategy(name)),
    [true, false, false, false],
  )
  app.get('/', { constraints: { version: '1.0.0' } }, () => 1)
  assert.equal(app.hasConstraintStrategy('version'), true)
})

test('what `versioning` was is still a strategy for versions', async () => {
  const { storage, deriveConstraint: deriveVersion } = secret()
  const app = untyped({ versioning: { storage, deriveVersion } })
  app.get('/', { constraints: { version: 'alpha' } }, () => 'a')
  assert.throws(() => app.get('/', { constraints: { version: 2 } }, () => 1), {
    code: 'ESP_ERR_CONSTRAINT',
  })
  assert.equal((await app.inject({ url: '/', headers: { 'x-secret': 'alpha' } })).body, 'a')
})

test('routes of one path and equal constraints are a duplicate', () => {
  const app = untyped().get('/:a', { constraints: { host: 'x' } }, () => 1)
  app.get('/:a', { constraints: { host: 'y' } }, () => 1)
  assert.throws(() => app.get('/:b', { constraints: { host: 'x' } }, () => 1), {
    code: 'ESP_ERR_DUPLICATED_ROUTE',
  })
})

test('an explicit HEAD replaces the automatic one of the same constraints only', async () => {
  const app = untyped()
    .get('/', { constraints: { host: 'x' } }, () => 'x')
    .get('/', { constraints: { host: 'y' } }, () => 'y')
    .head('/', { constraints: { host: 'x' } }, (_request, reply) => reply.code(204).send())
  const head = (host: string) => app.inject({ method: 'HEAD', url: '/', headers: { host } })
  assert.equal((await head('x')).statusCode, 204)
  assert.equal((await head('y')).statusCode, 200)
  assert.equal((await head('z')).statusCode, 404)
})

test('hasRoute and findRoute heed constraints', () => {
  const handler = () => 1
  const app = espalier().get('/:id', { constraints: { version: '1.2.0' } }, handler)
  const url = '/:id'
  const ask = (version: string) => ({ method: 'get', url, constraints: { version } })
  assert.equal(app.hasRoute(ask('1.2.0')), true)
  assert.equal(app.hasRoute(ask('1.3.0')), false)
  assert.equal(app.hasRoute({ method: 'GET', url }), false)
  assert.equal(app.hasRoute({}), false)
  const found = app.findRoute(ask('1.2.0'))
  assert.deepEqual([found?.handler, { ...found?.params }], [handler, { id: ':id' }])
  assert.equal(app.findRoute(ask('1.3.0')), null)
  assert.equal(app.findRoute({ method: 'GET', url: '/%E0%A4%A' }), null)
})
