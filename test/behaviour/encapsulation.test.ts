import assert from 'node:assert/strict'
import { test } from 'node:test'
import bearerAuth from '@fastify/bearer-auth'
import fp from 'fastify-plugin'
import espalier, { plugin, shared, t } from '../../src/index.ts'

type Loose = any
type Kind = 'server' | 'request' | 'reply'

const kinds: readonly Kind[] = ['server', 'request', 'reply']
const methods = { server: 'decorate', request: 'decorateRequest', reply: 'decorateReply' } as const

/** Adds a decorator of one kind, whose value is its name. */
function decorate(server: Loose, kind: Kind, name: string) {
  server[methods[kind]](name, name)
}

/** A route that answers what its context sees under some names. */
function probe(server: Loose, kind: Kind, url: string, names: readonly string[]) {
  server.get(url, function (this: Loose, request: Loose, reply: Loose) {
    const carrier = { server: this, request, reply }[kind]
    return Object.fromEntries(names.map((name) => [name, String(carrier[name])]))
  })
}

const read = async (app: Loose, url: string) => (await app.inject(url)).json()

/** The application of the specification, 2.1 and 4.1. */
function sample(wrap: (grandchild: Loose) => Loose = (grandchild) => grandchild) {
  const answer = ({ answer, foo, bar }: Loose) => ({ answer, foo, bar })
  return espalier()
    .decorateRequest('answer', 42)
    .register(async function authenticated(child) {
      child.register(bearerAuth, { keys: ['a-key', 'another-key'] })
      child.get('/one', answer)
    })
    .register(async function open(child) {
      child.decorateRequest('foo', 'foo').get('/two', answer)
      const grandchild = async (nested: typeof child) => {
        nested.decorateRequest('bar', 'bar').get('/three', answer)
      }
      child.register(wrap(grandchild))
    })
}

const authorized = (authorization: string) => ({ url: '/one', headers: { authorization } })

test('a root without any plugin serves its routes', async () => {
  const app = espalier().get('/', () => 'root')
  assert.equal((await app.inject('/')).body, 'root')
})

test('every context but that of the root is a plugin, and carries its name', async () => {
  const app = espalier().register(async function outer(child) {
    child.register(async function inner() {})
  })
  await app.ready()
  assert.deepEqual(app.printContexts().match(/\w+/g), ['root', 'outer', 'inner'])
})

test('a plugin may contain decorators, hooks, other plugins and routes', async () => {
  const app = espalier().register(async (child) =>
    child
      .decorate('a', 1)
      .decorateRequest('b', 2)
      .decorateReply('c', 3)
      .addHook('onRequest', async (_request, reply) => void reply.header('hook', 'ran'))
      .get('/own', (request, reply) => [child.hasDecorator('a'), request.b, reply.c])
      .register(async (nested) => nested.get('/nested', () => nested.a)),
  )
  const own = await app.inject('/own')
  assert.deepEqual(own.json(), [true, 2, 3])
  assert.equal(own.headers['hook'], 'ran')
  assert.equal((await app.inject('/nested')).json(), 1)
})

for (const kind of kinds) {
  const names = ['own', 'above', 'below', 'beside']

  test(`a ${kind} decorator is visible in its context and below, and undefined elsewhere`, async () => {
    const app = espalier()
    decorate(app, kind, 'above')
    probe(app, kind, '/root', names)
    app.register(async (child) => {
      decorate(child, kind, 'own')
      probe(child, kind, '/child', names)
      child.register(async (grandchild) => {
        decorate(grandchild, kind, 'below')
        probe(grandchild, kind, '/grandchild', names)
      })
    })
    app.register(async (sibling) => {
      decorate(sibling, kind, 'beside')
      probe(sibling, kind, '/sibling', names)
    })
    const none = { own: 'undefined', above: 'above', below: 'undefined', beside: 'undefined' }
    assert.deepEqual(await read(app, '/root'), none)
    assert.deepEqual(await read(app, '/child'), { ...none, own: 'own' })
    assert.deepEqual(await read(app, '/grandchild'), { ...none, own: 'own', below: 'below' })
    assert.deepEqual(await read(app, '/sibling'), { ...none, beside: 'beside' })
  })

  const wrappers = {
    'shared()': (given: Loose) => shared(given),
    'plugin().shared()': (given: Loose) => plugin().shared(given),
    "fastify-plugin's fp()": (given: Loose) => fp(given),
    "Symbol.for('skip-override')": (given: Loose) =>
      Object.assign(given, { [Symbol.for('skip-override')]: true }),
  }
  for (const [name, wrap] of Object.entries(wrappers)) {
    test(`a ${kind} decorator of a plugin in ${name} is visible in the parent, no further up`, async () => {
      const app = espalier()
      probe(app, kind, '/root', ['bar'])
      app.register(async (child) => {
        probe(child, kind, '/before', ['bar'])
        child.register(wrap(async (same: Loose) => decorate(same, kind, 'bar')) as Loose)
        child.register(async (beside) => probe(beside, kind, '/beside', ['bar']))
      })
      assert.deepEqual(await read(app, '/before'), { bar: 'bar' })
      assert.deepEqual(await read(app, '/beside'), { bar: 'bar' })
      assert.deepEqual(await read(app, '/root'), { bar: 'undefined' })
    })
  }

  test(`a ${kind} decorator that is declared late reaches earlier routes and children`, async () => {
    const app = espalier()
    probe(app, kind, '/root', ['late'])
    app.register(async (child) => {
      child.register(async (grandchild) => probe(grandchild, kind, '/grandchild', ['late']))
    })
    app.after(() => decorate(app, kind, 'late'))
    assert.deepEqual(await read(app, '/root'), { late: 'late' })
    assert.deepEqual(await read(app, '/grandchild'), { late: 'late' })
  })
}

test('a shared plugin in a shared plugin adds to the context around both', async () => {
  const inner = shared(async (same: Loose) => same.decorateRequest('deep', 'deep'))
  const app = espalier()
    .register(shared(async (same: Loose) => same.register(inner)))
    .get('/', (request: Loose) => request.deep)
  assert.equal((await app.inject('/')).body, 'deep')
})

test('a plain plugin in a shared plugin keeps its own context', async () => {
  const app = espalier()
    .register(
      shared(async (same: Loose) =>
        same.register(async (child: Loose) => child.decorateRequest('hidden', 1)),
      ),
    )
    .get('/', (request: Loose) => ({ hidden: request.hidden }))
  assert.deepEqual(await read(app, '/'), {})
})

test('shared() leaves the function that it is given as it was', async () => {
  const add = async (server: Loose) => server.decorateRequest('added', 1)
  shared(add)
  const app = espalier()
    .register(add)
    .get('/', (request: Loose) => ({ added: request.added }))
  assert.deepEqual(await read(app, '/'), {})
})

test('hooks and schemas of a shared plugin apply in the parent', async () => {
  const app = espalier()
    .register(
      shared(async (same) =>
        same
          .addSchema(t.Object({ n: t.Integer() }, { $id: 'number' }))
          .addHook('onRequest', async (_request, reply) => void reply.header('hook', 'ran')),
      ),
    )
    .post('/', { schema: { body: t.Ref('number#') } }, ({ body }) => body.n)
  const response = await app.inject('POST /', { body: { n: 7 } })
  assert.equal(response.body, '7')
  assert.equal(response.headers['hook'], 'ran')
})

test('hooks run for the routes of their context and below, not above or beside', async () => {
  const mark = (server: Loose, name: string) =>
    server.addHook('onRequest', async (_request: Loose, reply: Loose) => {
      reply.header('ran', [reply.getHeader('ran') ?? [], name].flat())
    })
  const app = espalier().get('/root', () => 1)
  mark(app, 'root')
  app.register(async (child) => {
    mark(child, 'child').get('/child', () => 1)
    child.register(async (nested) => mark(nested, 'grandchild').get('/grandchild', () => 1))
  })
  app.register(async (beside) => mark(beside, 'sibling').get('/sibling', () => 1))
  const ran = async (url: `/${string}`) => [(await app.inject(url)).headers['ran']].flat()
  assert.deepEqual(await ran('/root'), ['root'])
  assert.deepEqual(await ran('/child'), ['root', 'child'])
  assert.deepEqual(await ran('/grandchild'), ['root', 'child', 'grandchild'])
  assert.deepEqual(await ran('/sibling'), ['root', 'sibling'])
})

test('shared schemas are visible in their context and below, not above or beside', async () => {
  const ids: Record<string, string[]> = {}
  const note = (server: Loose, place: string) => (ids[place] = Object.keys(server.getSchemas()))
  const app = espalier().addSchema(t.String({ $id: 'above' }))
  app.register(async (child) => {
    const own = child.addSchema(t.String({ $id: 'own' }))
    own.register(async (nested) => note(nested.addSchema(t.String({ $id: 'below' })), 'nested'))
    await own.after()
    note(own, 'child')
  })
  app.register(async (beside) => note(beside, 'beside'))
  await app.ready()
  note(app, 'root')
  assert.deepEqual(ids, {
    root: ['above'],
    child: ['above', 'own'],
    nested: ['above', 'own', 'below'],
    beside: ['above'],
  })
})

test('error handlers and compilers that are set late apply to earlier routes and children', async () => {
  const app = espalier()
  const schema = { querystring: { n: t.Integer() } }
  app.register(async (child) =>
    child
      .get('/fails', () => {
        throw new Error('broken')
      })
      .get('/validates', { schema }, ({ query }) => query),
  )
  app.after(() => {
    app.setErrorHandler((error, _request, reply) => reply.code(418).send(error.message))
    app.setValidatorCompiler(() => () => ({ value: { n: 99 } }))
  })
  const failed = await app.inject('/fails')
  assert.deepEqual([failed.statusCode, failed.body], [418, 'broken'])
  assert.deepEqual(await read(app, '/validates'), { n: 99 })
})

test('a schema that is added late is found by the references of earlier routes and children', async () => {
  const app = espalier()
  const schema: Loose = { body: { $ref: 'late#' } }
  app.post('/root', { schema }, (request: Loose) => request.body.n)
  app.register(async (child) =>
    child.post('/child', { schema }, (request: Loose) => request.body.n),
  )
  app.after(() => app.addSchema(t.Object({ n: t.Integer() }, { $id: 'late' })))
  for (const url of ['/root', '/child']) {
    const response = await app.inject({ method: 'POST', url, payload: { n: '5' } })
    assert.equal(response.body, '5')
  }
})

test('register on the server of an outer context opens a child of that context', async () => {
  const app = espalier()
  app.register(
    async (child: Loose) => {
      child.decorateRequest('foo', 'foo')
      app.register(async (other) => probe(other, 'request', '/other', ['foo']))
    },
    { prefix: '/child' },
  )
  assert.deepEqual(await read(app, '/other'), { foo: 'undefined' })
})

test('GET /one answers with the answer alone, to each of the configured keys', async () => {
  const app = sample()
  for (const key of ['a-key', 'another-key']) {
    const response = await app.inject(authorized(`Bearer ${key}`))
    assert.equal(response.statusCode, 200)
    assert.equal(response.body, '{"answer":42}')
  }
})

test('GET /one refuses a missing token, a wrong one and another scheme with 401', async () => {
  const app = sample()
  for (const authorization of ['', 'Bearer a-wrong-key', 'Bearer', 'Basic a-key', 'a-key']) {
    const target = authorization === '' ? '/one' : authorized(authorization)
    const response = await app.inject(target as '/one')
    assert.equal(response.statusCode, 401, authorization)
    assert.doesNotMatch(response.body, /42/)
  }
})

test('contexts that do not register the authentication plugin ask for no token', async () => {
  const app = sample()
  assert.equal((await app.inject('/two')).body, '{"answer":42,"foo":"foo"}')
  assert.equal((await app.inject('/three')).body, '{"answer":42,"foo":"foo","bar":"bar"}')
  assert.equal((await app.inject('/unknown')).statusCode, 404)
})

test('GET /two sees bar when the grandchild is registered through a sharing wrapper', async () => {
  for (const wrap of [shared, fp, (given: Loose) => plugin().shared(given)] as Loose[]) {
    const app = sample(wrap)
    const all = '{"answer":42,"foo":"foo","bar":"bar"}'
    assert.equal((await app.inject('/two')).body, all)
    assert.equal((await app.inject('/three')).body, all)
    assert.equal((await app.inject(authorized('Bearer a-key'))).body, '{"answer":42}')
  }
})
