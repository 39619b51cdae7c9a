import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { shared } from '../../src/index.ts'

type Loose = any
type Kind = 'server' | 'request' | 'reply'

const kinds: readonly Kind[] = ['server', 'request', 'reply']
const adders = { server: 'decorate', request: 'decorateRequest', reply: 'decorateReply' } as const
const askers = {
  server: 'hasDecorator',
  request: 'hasRequestDecorator',
  reply: 'hasReplyDecorator',
} as const

const add = (server: Loose, kind: Kind, ...args: unknown[]) => server[adders[kind]](...args)
const has = (server: Loose, kind: Kind, name: string) => server[askers[kind]](name)

/** Runs a function in a handler, on what carries the decorators of a kind. */
async function onCarrier(app: Loose, kind: Kind, run: (carrier: Loose) => unknown) {
  let result: unknown
  app.get('/', function (this: Loose, request: Loose, reply: Loose) {
    result = run({ server: this, request, reply }[kind])
    return 'done'
  })
  const response = await app.inject('/')
  assert.equal(response.statusCode, 200, response.body)
  return result
}

/** Matches an error by its code and by words of its message, in any order. */
const error =
  (code: string, ...words: readonly (string | RegExp)[]) =>
  (thrown: Loose) => {
    assert.equal(thrown.code, code, thrown.message)
    for (const word of words) {
      const matches =
        typeof word === 'string' ? thrown.message.includes(word) : word.test(thrown.message)
      assert.ok(matches, `${word} is not in: ${thrown.message}`)
    }
    return true
  }

const duplicate = (...words: readonly string[]) => error('ESP_ERR_DEC_ALREADY_PRESENT', ...words)

for (const kind of kinds) {
  test(`a ${kind} decorator may be any primitive value`, async () => {
    const values = { text: 'x', none: '', zero: 0, big: 1n, no: false, nil: null, gap: undefined }
    const app = espalier()
    for (const name in values) add(app, kind, name, values[name as 'text'])
    const seen = await onCarrier(app, kind, (carrier) =>
      Object.fromEntries(Object.keys(values).map((name) => [name, carrier[name]])),
    )
    assert.deepEqual(seen, values)
  })

  test(`a function on the ${kind} has the ${kind} as this, and gets its arguments`, async () => {
    const app = espalier()
    add(app, kind, 'base', 40)
    add(app, kind, 'plus', function (this: Loose, more: number) {
      return [this, Number(this.base) + more]
    })
    await onCarrier(app, kind, (carrier) => {
      const [self, sum] = carrier.plus(2)
      assert.equal(self, carrier)
      assert.equal(sum, 42)
    })
  })

  test(`a getter on the ${kind} is computed at each read, with the ${kind} as this`, async () => {
    const app = espalier()
    const selves: unknown[] = []
    add(app, kind, 'count', {
      getter(this: Loose) {
        return selves.push(this)
      },
    })
    assert.equal(selves.length, 0)
    await onCarrier(app, kind, (carrier) => {
      assert.deepEqual([carrier.count, carrier.count], [1, 2])
      assert.ok(selves.every((self) => self === carrier))
    })
  })

  test(`a setter on the ${kind} gets what is assigned; without one, assigning fails`, async () => {
    const app = espalier()
    const assigned: unknown[] = []
    const setter = function (this: Loose, value: unknown) {
      assigned.push(this, value)
    }
    add(app, kind, 'open', { getter: () => 'got', setter })
    add(app, kind, 'closed', { getter: () => 'got' })
    await onCarrier(app, kind, (carrier) => {
      carrier.open = 5
      assert.deepEqual(assigned.slice(1), [5])
      assert.equal(assigned[0], carrier)
      assert.equal(carrier.open, 'got')
      assert.throws(() => (carrier.closed = 5), TypeError)
    })
  })

  test(`a ${kind} decorator cannot be added twice in one context`, () => {
    const app = espalier()
    add(app, kind, 'twice', 1)
    assert.throws(() => add(app, kind, 'twice', 1), duplicate(kind, "'twice'", 'root'))
  })

  test(`a ${kind} decorator of an ancestor cannot be added again below`, async () => {
    const app = espalier()
    add(app, kind, 'mine', 1)
    app.register(async function outer(child) {
      child.register(async function inner(nested) {
        add(nested, kind, 'mine', 2)
      })
    })
    await assert.rejects(app.ready(), duplicate(kind, "'mine'", 'root > outer > inner'))
  })

  test(`a ${kind} decorator of a descendant cannot be added later above`, async () => {
    const app = espalier()
    app.register(async function outer(child) {
      child.register(async function inner(nested) {
        add(nested, kind, 'mine', 2)
      })
    })
    app.after(() => add(app, kind, 'mine', 1))
    await assert.rejects(app.ready(), duplicate(kind, "'mine'", 'root > outer > inner'))
  })

  test(`a ${kind} decorator of a shared plugin collides with that of the parent`, async () => {
    const app = espalier()
    add(app, kind, 'mine', 1)
    app.register(shared(async (same: Loose) => add(same, kind, 'mine', 2)))
    await assert.rejects(app.ready(), duplicate(kind, "'mine'"))
  })

  test(`siblings may each have a ${kind} decorator of the same name`, async () => {
    const app = espalier()
    for (const value of ['a', 'b']) {
      app.register(async (child: Loose) => {
        add(child, kind, 'mine', value)
        child.get(`/${value}`, function (this: Loose, request: Loose, reply: Loose) {
          return { server: this, request, reply }[kind].mine
        })
      })
    }
    assert.equal((await app.inject('/a')).body, 'a')
    assert.equal((await app.inject('/b')).body, 'b')
  })

  test(`what a ${kind} has of itself cannot be decorated`, () => {
    const builtIn = {
      server: ['get', 'register', 'prefix', 'inject', 'then'],
      request: ['params', 'query', 'body', 'headers', 'raw', 'id', 'log', 'server', 'routeOptions'],
      reply: ['send', 'code', 'raw', 'request', 'header', 'statusCode', 'sent', 'then'],
    }
    for (const name of builtIn[kind]) {
      const expected = duplicate(kind, `'${name}'`)
      assert.throws(() => add(espalier(), kind, name, 1), expected, name)
    }
  })

  test(`a ${kind} decorator may need others, its own context's or an ancestor's`, async () => {
    const app = espalier()
    add(app, kind, 'first', 1)
    app.register(async (child) => {
      add(child, kind, 'second', 2, ['first'])
      add(child, kind, 'third', 3, ['first', 'second'])
    })
    await app.ready()
  })

  test(`a ${kind} decorator is refused where one that it needs is missing`, async () => {
    const app = espalier()
    app.register(async (child) => add(child, kind, 'below', 1))
    app.register(async function needy(child) {
      add(child, kind, 'mine', 1, ['below'])
    })
    const expected = error('ESP_ERR_DEC_MISSING_DEPENDENCY', kind, "'mine'", "'below'", 'needy')
    await assert.rejects(app.ready(), expected)
  })

  test(`has…Decorator knows the ${kind} decorators of its context and of those above`, async () => {
    const app = espalier()
    add(app, kind, 'above', null)
    app.register(async (child) => {
      add(child, kind, 'own', undefined)
      assert.ok(has(child, kind, 'above') && has(child, kind, 'own'))
    })
    app.register(async (beside) => {
      assert.ok(has(beside, kind, 'above'))
      assert.equal(has(beside, kind, 'own'), false)
    })
    await app.ready()
    assert.equal(has(app, kind, 'own'), false)
    for (const other of kinds.filter((each) => each !== kind)) {
      assert.equal(has(app, other, 'above'), false)
    }
  })
}

class Session {}
const references = {
  object: {},
  'frozen object': Object.freeze({ a: 1 }),
  array: [],
  Date: new Date(),
  Map: new Map(),
  'instance of a class': new Session(),
  Buffer: Buffer.from('x'),
}
for (const kind of ['request', 'reply'] as const) {
  for (const [what, value] of Object.entries(references)) {
    test(`a ${kind} decorator that is a reference (${what}) is refused, and the error says why`, async () => {
      const app = espalier()
      app.register(async function careless(child) {
        assert.throws(
          () => add(child, kind, 'session', value),
          error(
            'ESP_ERR_DEC_REFERENCE_TYPE',
            kind,
            "'session'",
            'root > careless',
            /share/,
            /hook/,
          ),
        )
        assert.equal(has(child, kind, 'session'), false)
      })
      await app.ready()
    })
  }
}

test('a server decorator may be a reference, and is the very same object in all contexts below', async () => {
  const map = new Map()
  const app = espalier().decorate('map', map)
  app.register(async (child) => assert.equal(child.map, map))
  await app.ready()
  assert.equal(app.map, map)
})

test('a function of the parent, called on a child, has the child as this', async () => {
  const app = espalier().decorate('self', function (this: unknown) {
    return this
  })
  app.register(async (child) => assert.equal(child.self(), child))
  await app.ready()
  assert.equal(app.self(), app)
})

test('a placeholder that a hook fills is of one request only', async () => {
  const gates: (() => void)[] = []
  const app = espalier()
    .decorateRequest('user', null as string | null)
    .decorateReply('seenBy', null as string | null)
    .addHook('onRequest', async (request, reply) => {
      if (request.headers['user'] === undefined) return
      request.user = String(request.headers['user'])
      reply.seenBy = request.user
    })
    .get('/wait', async ({ user }, { seenBy }) => {
      await new Promise<void>((resolve) => gates.push(resolve))
      return { user, seenBy }
    })
    .get('/', ({ user }, { seenBy }) => ({ user, seenBy }))
  await app.ready()
  const waiting = ['ada', 'bob'].map((user) => app.inject({ url: '/wait', headers: { user } }))
  while (gates.length < 2) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual((await app.inject('/')).json(), { user: null, seenBy: null })
  for (const open of gates) open()
  const answers = (await Promise.all(waiting)).map((response) => response.json())
  assert.deepEqual(answers, [
    { user: 'ada', seenBy: 'ada' },
    { user: 'bob', seenBy: 'bob' },
  ])
})

test('decorators are there in hooks and in error handlers', async () => {
  const seen: unknown[] = []
  const app = espalier()
    .decorate('a', 1)
    .decorateRequest('b', 2)
    .decorateReply('c', 3)
    .addHook('onRequest', async function (request, reply) {
      seen.push(this.a, request.b, reply.c)
    })
    .setErrorHandler(function (_error, request, reply) {
      seen.push(this.a, request.b, reply.c)
      return 'handled'
    })
    .get('/', () => {
      throw new Error('broken')
    })
  await app.inject('/')
  assert.deepEqual(seen, [1, 2, 3, 1, 2, 3])
})

test("an onRegister hook may give a context a server decorator in place of an ancestor's", async () => {
  const app: Loose = espalier()
  app.decorate('path', 'root')
  app.addHook('onRegister', (child: Loose) => child.decorate('path', `${child.path} > child`))
  let seen: Loose
  app.register(async (child: Loose) => {
    assert.throws(() => child.decorate('path', 'again'), duplicate('server', "'path'"))
    child.register(async (nested: Loose) => (seen = [app.path, child.path, nested.path]))
  })
  await app.ready()
  assert.deepEqual(seen, ['root', 'root > child', 'root > child > child'])
})

test('an onRegister hook cannot replace a decorator of requests, or what is built in', async () => {
  for (const decorate of [
    (child: Loose) => child.decorateRequest('mine', 2),
    (child: Loose) => child.decorate('register', 2),
  ]) {
    const app: Loose = espalier()
    app.decorateRequest('mine', 1).addHook('onRegister', decorate)
    app.register(async () => {})
    await assert.rejects(app.ready(), duplicate())
  }
})
