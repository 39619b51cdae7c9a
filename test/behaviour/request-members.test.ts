// Members of requests, replies and servers: decorators by name, plugins by name, time, and hijacking.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fp from 'fastify-plugin'
import espalier, { shared, type HookReply } from '../../src/index.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

type Kind = 'server' | 'request' | 'reply'

const declaring = {
  server: 'decorate',
  request: 'decorateRequest',
  reply: 'decorateReply',
} as const
const kinds = ['server', 'request', 'reply'] as const

/** A route that gives what an act makes of the server, the request or the reply. */
function probe(server: UntypedServer, kind: Kind, url: string, act: (carrier: any) => unknown) {
  server.get(url, function (this: unknown, request, reply) {
    return { value: act({ server: this, request, reply }[kind]) }
  })
}

const read = async (app: UntypedServer, url = '/') => (await app.inject(url)).json().value

const codeOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return (error as { code: string }).code
  }
}

for (const kind of kinds) {
  test(`getDecorator of a ${kind} gives the value, of its context and of those above`, async () => {
    const app = untyped()
    const symbol = Symbol('s')
    app[declaring[kind]]('above', 'above')[declaring[kind]](symbol as never, 'by a symbol')
    app.register(async (child) => {
      child[declaring[kind]]('own', 7)[declaring[kind]]('empty', null)
      child[declaring[kind]]('computed', { getter: () => 'computed' })
      probe(child, kind, '/', (carrier) =>
        ['above', symbol, 'own', 'empty', 'computed'].map((name) => carrier.getDecorator(name)),
      )
    })
    assert.deepEqual(await read(app), ['above', 'by a symbol', 7, null, 'computed'])
    await app.close()
  })

  test(`a function that getDecorator of a ${kind} gives is bound to it`, async () => {
    const app = untyped()
    app[declaring[kind]]('word', 'word')
    app[declaring[kind]]('say', function (this: any, ...more: string[]) {
      return [this.word, ...more].join(' ')
    })
    probe(app, kind, '/', (carrier) => {
      const say = carrier.getDecorator('say')
      return say('and', 'more')
    })
    assert.equal(await read(app), 'word and more')
    await app.close()
  })

  test(`getDecorator of a ${kind} refuses what is not declared in its context or above`, async () => {
    const app = untyped()
    const names = ['own', 'below', 'beside', 'none']
    const codes = (carrier: any) => names.map((name) => codeOf(() => carrier.getDecorator(name)))
    app.register(async (child) => {
      child[declaring[kind]]('own', 'own')
      child.register(async (nested) => void nested[declaring[kind]]('below', 'below'))
      probe(child, kind, '/child', codes)
    })
    app.register(async (beside) => void beside[declaring[kind]]('beside', 'beside'))
    probe(app, kind, '/', codes)
    const no = 'ESP_ERR_DEC_UNDECLARED'
    assert.deepEqual(await read(app, '/child'), ['own', no, no, no])
    assert.deepEqual(await read(app), [no, no, no, no])
    await app.close()
  })

  test(`the error for a ${kind} says what was asked for, and how it is declared`, async () => {
    const app = untyped()
    probe(app, kind, '/', (carrier) => {
      const message = `No ${kind} decorator is named 'none'. Declare it at boot, with ${declaring[kind]}`
      assert.throws(() => carrier.getDecorator('none'), { code: 'ESP_ERR_DEC_UNDECLARED', message })
      return 'thrown'
    })
    assert.equal(await read(app), 'thrown')
    await app.close()
  })
}

test('getDecorator gives what was declared as undefined, and what a hook has put there', async () => {
  const app = untyped().decorateRequest('later', undefined).decorateRequest('user', null)
  app.addHook('onRequest', async (request) => void (request.user = { name: 'ada' }))
  app.get('/', (request) => [request.getDecorator('later') ?? 'none', request.getDecorator('user')])
  assert.deepEqual((await app.inject('/')).json(), ['none', { name: 'ada' }])
  await app.close()
})

test('getDecorator and setDecorator take what was derived', async () => {
  const app = espalier().derive('preHandler', () => ({ user: { name: 'ada' } }))
  app.get('/', (request) => {
    const { name } = request.getDecorator('user')
    request.setDecorator('user', { name: 'bob' })
    return [name, request.user.name]
  })
  assert.deepEqual((await app.inject('/')).json(), ['ada', 'bob'])
  await app.close()
})

test('setDecorator sets the value for one request, and for no other', async () => {
  let open: () => void = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const app = untyped().decorateRequest('user', null)
  app.get('/:user', async (request) => {
    const before = request.getDecorator('user')
    request.setDecorator('user', request.params.user)
    if (request.params.user === 'ada') await gate
    else open()
    return [before, request.getDecorator('user'), request.user]
  })
  const [ada, bob] = await Promise.all([app.inject('/ada'), app.inject('/bob')])
  assert.deepEqual(ada.json(), [null, 'ada', 'ada'])
  assert.deepEqual(bob.json(), [null, 'bob', 'bob'])
  await app.close()
})

test('setDecorator takes references, and calls the setter of a decorator that has one', async () => {
  const app = untyped().decorateRequest('user', null)
  app.decorateRequest('name', {
    getter(this: any) {
      return this.user.name
    },
    setter(this: any, name: string) {
      this.user = { ...this.user, name: name.toUpperCase() }
    },
  })
  app.get('/', (request) => {
    const user = { id: 1 }
    request.setDecorator('user', user)
    assert.equal(request.getDecorator('user'), user)
    request.setDecorator('name', 'ada')
    return request.user
  })
  assert.deepEqual((await app.inject('/')).json(), { id: 1, name: 'ADA' })
  await app.close()
})

test('setDecorator refuses what is not declared, and what cannot be set', async () => {
  const app = untyped().decorateRequest('computed', { getter: () => 'computed' })
  app.register(async (beside) => void beside.decorateRequest('beside', 1))
  app.get('/', (request) => {
    for (const name of ['none', 'beside']) {
      const message = `No request decorator is named '${name}'. Declare it at boot, with decorateRequest`
      const expected = { code: 'ESP_ERR_DEC_UNDECLARED', message }
      assert.throws(() => request.setDecorator(name, 1), expected)
      assert.equal(name in request, false)
    }
    assert.throws(() => request.setDecorator('computed', 1), TypeError)
    return request.computed
  })
  assert.equal((await app.inject('/')).body, 'computed')
  await app.close()
})

test('hasPlugin knows plugins by the name of their function and by that of fastify-plugin', async () => {
  const app = untyped()
  const ofFunction = fp(async function ofFunction() {})
  const sharedOne = shared(async function sharedOne(_server: object) {})
  app.register(async function users() {})
  app.register(function callback(_server: unknown, _options: unknown, ...[done]: any[]) {
    done?.()
  })
  app.register(fp(async () => {}, { name: 'named-by-fp' }) as never)
  app.register(ofFunction as never)
  app.register(fp(async () => {}, { name: 'closed', encapsulate: true }) as never)
  app.register(sharedOne as never)
  app.register(Promise.resolve({ default: fp(async () => {}, { name: 'imported-one' }) }) as never)
  assert.equal(app.hasPlugin('users'), false)
  await app.ready()
  const named = ['named-by-fp', 'closed', 'imported-one']
  for (const name of ['users', 'callback', 'sharedOne', ...named]) {
    assert.equal(app.hasPlugin(name), true, name)
  }
  for (const name of ['user', 'Users', '', 'root', 'toString', 'none']) {
    assert.equal(app.hasPlugin(name), false, name)
  }
  await app.close()
})

test('a plugin is seen where it was registered and below, not above and not beside', async () => {
  const seen: Record<string, readonly string[]> = {}
  const names = ['top', 'inner', 'same', 'inSame', 'deep']
  const look = (server: UntypedServer, place: string) => {
    seen[place] = names.filter((name) => server.hasPlugin(name))
  }
  const same = async function same(server: UntypedServer) {
    server.register(async function inSame() {})
  }
  const app = untyped().register(async function top(child) {
    child.register(async function inner(nested) {
      nested.register(async function deep() {})
      nested.addHook('onReady', async () => look(nested, 'inner'))
    })
    child.register(shared(same as never) as never)
    child.addHook('onReady', async () => look(child, 'top'))
  })
  app.register(async function beside(child) {
    child.addHook('onReady', async () => look(child, 'beside'))
  })
  await app.ready()
  look(app, 'root')
  assert.deepEqual(seen, {
    root: ['top'],
    top: ['top', 'inner', 'same', 'inSame'],
    inner: ['top', 'inner', 'same', 'inSame', 'deep'],
    beside: ['top'],
  })
  await app.close()
})

test('printPlugins shows all plugins of the server as a tree, with the time that each took', async () => {
  const app = untyped().register(async function users(child) {
    child.register(async function admin() {})
    child.register(fp(async () => {}, { name: 'named-by-fp' }) as never)
  })
  let child: UntypedServer | undefined
  app.register(async function posts(server) {
    child = server
  })
  await app.ready()
  const lines = app.printPlugins().trimEnd().split('\n')
  const shapes = [
    /^root \d+ ms$/,
    /^├─┬ users \d+ ms$/,
    /^│ ├── admin \d+ ms$/,
    /^│ └── named-by-fp \d+ ms$/,
    /^└── posts \d+ ms$/,
  ]
  assert.equal(lines.length, shapes.length)
  for (const [index, shape] of shapes.entries()) assert.match(String(lines[index]), shape)
  assert.equal(child?.printPlugins(), app.printPlugins())
  await app.close()
})

test('elapsedTime grows from the beginning of the request to the end of the response', async () => {
  const times: number[] = []
  const note: AnyHandler = async (_request, reply) => void times.push(reply.elapsedTime)
  let ended: () => void = () => {}
  const responded = new Promise<void>((resolve) => (ended = resolve))
  const app = untyped().addHook('onRequest', note).addHook('onSend', note)
  app.addHook('onResponse', note).addHook('onResponse', async () => ended())
  app.get('/', (_request, reply) => {
    const before = performance.now()
    while (performance.now() - before < 2);
    times.push(reply.elapsedTime)
    return 'done'
  })
  const started = performance.now()
  await app.inject('/')
  await responded
  const total = performance.now() - started
  assert.equal(times.length, 4)
  assert.deepEqual(
    times,
    [...times].sort((left, right) => left - right),
  )
  const [first = -1, inHandler = 0] = times
  assert.ok(first >= 0 && inHandler - first >= 2 && (times[3] ?? Infinity) <= total, times.join())
  await app.close()
})

test('routeOptions of a reply are those of its request', async () => {
  const app = untyped().register(
    async (child) => {
      child.get('/:id', { config: { tag: 'a' } }, (request, reply) => {
        assert.equal(reply.routeOptions, request.routeOptions)
        const { url, method, config } = reply.routeOptions
        return { url, method, config }
      })
    },
    { prefix: '/v1' },
  )
  const [url, method] = ['/v1/:id', 'GET']
  const expected = { url, method, config: { tag: 'a', url, method } }
  assert.deepEqual((await app.inject('/v1/7')).json(), expected)
  await app.close()
})

test('what Fastify 4 calls otherwise is there, and its names are free for decorators', async () => {
  const app = untyped()
    .get('/old/:id', { config: { tag: 'a' }, schema: {} }, (request, reply) => {
      const { routeConfig, routeSchema, routerPath, routerMethod, context } = request
      assert.equal(context.config, routeConfig)
      assert.equal(reply.context.config, routeConfig)
      assert.ok(reply.getResponseTime() >= 0)
      return { tag: routeConfig.tag, routeSchema, routerPath, routerMethod }
    })
    .register(async (child) => {
      child.decorateRequest('context', null).decorateReply('context', null)
      child.addHook('onRequest', async (request) => void (request.context = 'mine'))
      child.get('/new', ({ context }) => ({ context, has: child.hasRequestDecorator('context') }))
    })
    .register(async (child) => {
      child.derive('onRequest', async () => ({ context: 'derived' }))
      child.get('/derived', ({ context }) => ({ context }))
    })
  const old = { tag: 'a', routeSchema: {}, routerPath: '/old/:id', routerMethod: 'GET' }
  assert.deepEqual((await app.inject('/old/7')).json(), old)
  assert.deepEqual((await app.inject('/new')).json(), { context: 'mine', has: true })
  assert.deepEqual((await app.inject('/derived')).json(), { context: 'derived' })
  assert.equal(app.hasRequestDecorator('context'), false)
  await app.close()
})

test('routeOptions tell what the route was given', async () => {
  const handler: AnyHandler = (request) => {
    const { handler: own, ...facts } = request.routeOptions
    return { ...facts, isOwn: own === handler }
  }
  const options = { attachValidation: true, bodyLimit: 7, exposeHeadRoute: false, config: { a: 1 } }
  const app = untyped().get('/x', { ...options, handler })
  assert.deepEqual((await app.inject('/x')).json(), {
    url: '/x',
    method: 'GET',
    schema: {},
    ...options,
    handlerTimeout: 0,
    config: { a: 1, url: '/x', method: 'GET' },
    isOwn: true,
  })
  await app.close()
})

test('redirect takes the status first or last', async () => {
  const app = untyped()
    .get('/first', (_request, reply) => reply.redirect(301, '/to'))
    .get('/last', (_request, reply) => reply.redirect('/to', 308))
    .get('/none', (_request, reply) => reply.redirect('/to'))
  for (const [url, status] of [
    ['/first', 301],
    ['/last', 308],
    ['/none', 302],
  ] as const) {
    const { statusCode, headers } = await app.inject(url)
    assert.deepEqual([statusCode, headers.location], [status, '/to'])
  }
  await app.close()
})

test('errorHandler is that of the scope, of the nearest around, or one that sends the error', async () => {
  const app = untyped({ allowErrorHandlerOverride: false })
  const own = function (error: Error, _request: unknown, reply: HookReply) {
    return reply.code(422).send({ own: error.message })
  }
  assert.equal(typeof app.errorHandler, 'function')
  app.get('/default', (request, reply) => {
    const error = Object.assign(new Error('no'), { statusCode: 418 })
    return app.errorHandler(error, request, reply)
  })
  app.register(async (child) => {
    child.setErrorHandler(own)
    assert.equal(child.errorHandler, own)
    assert.throws(() => child.setErrorHandler(own), { code: 'ESP_ERR_ERROR_HANDLER_ALREADY_SET' })
    child.register(async (grandchild) => assert.equal(grandchild.errorHandler, own))
    child.get('/own', () => {
      throw new Error('no')
    })
  })
  const standard = await app.inject('/default')
  assert.deepEqual([standard.statusCode, standard.json().message], [418, 'no'])
  assert.deepEqual((await app.inject('/own')).json(), { own: 'no' })
  await app.close()
})
