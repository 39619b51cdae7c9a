// All hooks of a request, along root → child → grandchild → route, and what is no hook.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

/** The hooks that every request can have, with the number of their arguments. */
const arities = {
  onRequest: 2,
  preParsing: 3,
  preValidation: 2,
  preHandler: 2,
  preSerialization: 3,
  onSend: 3,
  onError: 3,
  onResponse: 2,
  onTimeout: 2,
  onRequestAbort: 1,
} as const
type Name = keyof typeof arities
const names = Object.keys(arities) as Name[]
const before = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const
const places = ['root', 'child', 'grandchild', 'route']
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A hook that takes so many parameters. */
function withLength(length: number, run: (this: Loose, ...args: Loose[]) => unknown): AnyHandler {
  return Object.defineProperty(run, 'length', { value: length })
}

/** The forms of a hook that does something and lets the request go on. */
const forms: Readonly<Record<string, (name: Name, act: () => void) => AnyHandler>> = {
  async: (_name, act) => async () => act(),
  late: (_name, act) => async () => {
    await tick()
    act()
  },
  sync: (_name, act) => () => act(),
  callback: (name, act) =>
    withLength(arities[name] + 1, (...args) => {
      act()
      args[arities[name]]()
    }),
  'late callback': (name, act) =>
    withLength(arities[name] + 1, (...args) => {
      setImmediate(() => {
        act()
        args[arities[name]]()
      })
    }),
}

/** A server of three contexts, whose hooks of all kinds leave their names and places in a list. The
 *  last of them, for an answer in `last`, ends the wait. */
function grown(make: (name: Name, act: () => void) => AnyHandler, last = 'route') {
  const trace: string[] = []
  let responded: () => void = () => {}
  const done = new Promise<void>((resolve) => (responded = resolve))
  const traced = (place: string, name: Name) =>
    make(name, () => {
      trace.push(`${name} ${place}`)
      if (name === 'onResponse' && place === last) responded()
    })
  const add = (server: UntypedServer, place: string) => {
    // Added back to front: the order of the kinds is that of the request.
    for (const name of [...names].reverse()) {
      server.addHook(name, traced(place, name))
    }
  }
  const own = Object.fromEntries(names.map((name) => [name, [traced('route', name)]]))
  const app = untyped()
  add(app, 'root')
  app.setErrorHandler(async (error, _request, reply) => {
    trace.push('error handler')
    return reply.send({ message: error.message })
  })
  app.register(
    async (child) => {
      add(child, 'child')
      child.setNotFoundHandler(async (_request, reply) => {
        trace.push('not-found handler')
        return reply.code(404).send({ none: true })
      })
      child.register(async (grandchild) => {
        add(grandchild, 'grandchild')
        const schema = { body: t.Object({ n: t.Integer() }) }
        grandchild.post('/:how', { ...own, schema }, async ({ params }) => {
          trace.push('handler')
          if (params.how === 'fail') throw Object.assign(new Error('x'), { statusCode: 418 })
          return { how: params.how }
        })
      })
    },
    { prefix: '/v1' },
  )
  const run = async (url: string, payload: object) => {
    const { statusCode } = await app.inject({ method: 'POST', url, payload })
    await done
    // None comes behind the last.
    await tick()
    await app.close()
    return { statusCode, trace }
  }
  return run
}

const at = (kinds: readonly string[], where: readonly string[]) =>
  kinds.flatMap((name) => where.map((place) => `${name} ${place}`))
const after = ['preSerialization', 'onSend', 'onResponse']

for (const [form, make] of Object.entries(forms)) {
  test(`all hooks run in order from the root to the route, when they are ${form}`, async () => {
    const { statusCode, trace } = await grown(make)('/v1/succeed', { n: 1 })
    assert.equal(statusCode, 200)
    assert.deepEqual(trace, [...at(before, places), 'handler', ...at(after, places)])
  })

  test(`for a failed validation onError takes the place of preHandler, when they are ${form}`, async () => {
    const { statusCode, trace } = await grown(make)('/v1/succeed', { n: 'x' })
    assert.equal(statusCode, 400)
    const until = ['onRequest', 'preParsing', 'preValidation', 'onError']
    assert.deepEqual(trace, [...at(until, places), 'error handler', ...at(after, places)])
  })

  test(`onError follows a handler that fails, and the answer its error handler, when they are ${form}`, async () => {
    const { statusCode, trace } = await grown(make)('/v1/fail', { n: 1 })
    assert.equal(statusCode, 418)
    assert.deepEqual(trace, [
      ...at(before, places),
      'handler',
      ...at(['onError'], places),
      'error handler',
      ...at(after, places),
    ])
  })

  test(`a 404 below a prefix has the hooks of the context that answers it, when they are ${form}`, async () => {
    const { statusCode, trace } = await grown(make, 'child')('/v1/none/none', { n: 1 })
    assert.equal(statusCode, 404)
    const where = ['root', 'child']
    assert.deepEqual(trace, [...at(before, where), 'not-found handler', ...at(after, where)])
  })

  test(`a 404 outside of it has those of the root, when they are ${form}`, async () => {
    const { statusCode, trace } = await grown(make, 'root')('/none', { n: 1 })
    assert.equal(statusCode, 404)
    assert.deepEqual(trace, at([...before, ...after], ['root']))
  })
}

/** The hooks that an injected request can reach, those for an error among them. */
const reached = names.filter((name) => !['onTimeout', 'onRequestAbort'].includes(name))
for (const name of reached) {
  test(`${name} of a route may be one function or a list, and this is the server of the route`, async () => {
    const selves: unknown[] = []
    const servers: unknown[] = []
    let ended: () => void = () => {}
    const note = (self: unknown, request: Loose) => {
      selves.push(self)
      servers.push(request.server)
    }
    const plain = withLength(arities[name], function (request) {
      note(this, request)
    })
    const callback = withLength(arities[name] + 1, function (...args) {
      note(this, args[0])
      args[arities[name]]()
    })
    const errorHandler = async () => ({ handled: true })
    const handler = () => {
      if (name === 'onError') throw new Error('x')
      return { a: 1 }
    }
    const app = untyped().addHook(name, plain)
    let child: unknown
    app.register(async (server) => {
      child = server
      const onResponse = name === 'onResponse' ? [] : [async () => ended()]
      server.post('/one', { onResponse, errorHandler, [name]: callback }, handler)
      server.post('/list', { onResponse, errorHandler, [name]: [plain, callback] }, handler)
    })
    for (const url of ['/one', '/list']) {
      const end = new Promise<void>((resolve) => (ended = resolve))
      await app.inject({ method: 'POST', url, payload: {} })
      await (name === 'onResponse' ? tick() : end)
    }
    assert.deepEqual([selves.length, new Set([...selves, ...servers]).size], [5, 1])
    assert.equal(selves[0], child)
    await app.close()
  })
}

for (const name of names) {
  const arity = arities[name]
  const route = (hooks: unknown) => ({ method: 'GET', url: '/', handler: () => 1, [name]: hooks })

  test(`${name} may be async with ${arity} parameters, and not with one more`, () => {
    const app = untyped()
    const right = withLength(arity, async () => undefined)
    const wrong = withLength(arity + 1, async () => undefined)
    const error = {
      code: 'ESP_ERR_HOOK_INVALID_ASYNC_HANDLER',
      message: new RegExp(`'${name}'.*root`),
    }
    assert.throws(() => app.addHook(name, wrong), error)
    assert.throws(() => app.route(route(wrong)), error)
    assert.throws(() => app.route(route([right, wrong])), error)
    app.addHook(name, right).route(route([right, right]))
  })

  test(`${name} must be a function, for a context and for a route`, () => {
    const app = untyped()
    const error = { code: 'ESP_ERR_HOOK_INVALID_HANDLER', message: new RegExp(`'${name}'.*root`) }
    for (const wrong of ['text', 7, {}, true, Promise.resolve()]) {
      assert.throws(() => app.addHook(name, wrong as never), error)
      assert.throws(() => app.route(route(wrong)), error)
      assert.throws(() => app.route(route([() => undefined, wrong])), error)
    }
    assert.throws(() => app.addHook(name, undefined as never), error)
    assert.throws(() => app.addHook(name, [() => undefined] as never), error)
  })
}

test('a hook of an unknown name is refused, and the names that there are are told', () => {
  const app = untyped()
  for (const name of ['onRequests', 'onrequest', '', 'toString', '__proto__', 'constructor']) {
    assert.throws(() => app.addHook(name, () => undefined), {
      code: 'ESP_ERR_HOOK_NOT_SUPPORTED',
      message: new RegExp(`'${name}' \\(in root\\).*${names.join('|')}`),
    })
  }
  assert.throws(() => app.addHook(undefined as never, () => undefined), {
    code: 'ESP_ERR_HOOK_NOT_SUPPORTED',
  })
})

test('a hook that is added after the server is ready is refused', async () => {
  const app = untyped().get('/', () => 1)
  await app.ready()
  for (const name of names) {
    const error = { code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING', message: /'addHook'.*root/ }
    assert.throws(() => app.addHook(name, async () => undefined), error)
  }
  await app.close()
})

test('what is no hook is told with the context that it was given to', async () => {
  const app = untyped()
  app.register(async function inner(child) {
    assert.throws(
      () =>
        child.addHook(
          'onSend',
          withLength(4, async () => undefined),
        ),
      {
        code: 'ESP_ERR_HOOK_INVALID_ASYNC_HANDLER',
        message: /'onSend'.*root > inner/,
      },
    )
    assert.throws(() => child.addHook('onSent', () => undefined), {
      code: 'ESP_ERR_HOOK_NOT_SUPPORTED',
      message: /'onSent'.*root > inner/,
    })
  })
  await app.ready()
  await app.close()
})
