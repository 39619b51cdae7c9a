// Which not-found handler answers for which URL, and what it may be given.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shared } from '../../src/index.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const say = (word: string) => () => word

/** Asks for each URL, and compares the bodies with what is expected there. */
async function assertAnswers(app: UntypedServer, expected: Readonly<Record<string, string>>) {
  const answers: Record<string, string> = {}
  for (const url of Object.keys(expected)) answers[url] = (await app.inject(url)).body
  assert.deepEqual(answers, expected)
  await app.close()
}

const setting = (word: string) => async (child: UntypedServer) => {
  child.setNotFoundHandler(say(word))
}

test('the handler of the longest prefix answers, for the prefix itself and for all below it', async () => {
  const app = untyped().setNotFoundHandler(say('root'))
  app.register(
    async (v1) => {
      v1.setNotFoundHandler(say('v1')).get('/known', say('known'))
      v1.register(setting('admin'), { prefix: '/admin' })
      v1.register(async (plain) => void plain.get('/a', say('a')), { prefix: '/plain' })
    },
    { prefix: '/v1' },
  )
  await assertAnswers(app, {
    ...{ '/': 'root', '/none': 'root', '/v': 'root', '/x/v1/y': 'root' },
    ...{ '/v1': 'v1', '/v1/': 'v1', '/v1?a=1': 'v1', '/v1/x': 'v1', '/v1/x/y/z?a=/v2': 'v1' },
    ...{ '/v12': 'root', '/v12/x': 'root', '/v1x': 'root', '/V1/x': 'root' },
    ...{ '/v1/admin': 'admin', '/v1/admin/': 'admin', '/v1/admin/x': 'admin' },
    ...{ '/v1/administrator': 'v1', '/v1/known': 'known', '/v1/known/x': 'v1' },
    ...{ '/v1/plain': 'v1', '/v1/plain/x': 'v1', '/v1/plain/a': 'a' },
  })
})

test('above the prefixes that have a handler the default answers', async () => {
  const app = untyped().register(setting('v1'), { prefix: '/v1' })
  const { statusCode, body } = await app.inject('/v12')
  assert.deepEqual([statusCode, JSON.parse(body).message], [404, 'Route GET:/v12 not found'])
  await assertAnswers(app, { '/v1/x': 'v1' })
})

test('a prefix may have a parameter, and one without comes before it', async () => {
  const app = untyped().setNotFoundHandler(say('root')).register(setting('v1'), { prefix: '/v1' })
  app.register(
    async (tenant) => {
      tenant.setNotFoundHandler(({ params }) => `tenant ${params.tenant}`).get('/a', say('a'))
    },
    { prefix: '/:tenant' },
  )
  await assertAnswers(app, {
    ...{ '/v1': 'v1', '/v1/x': 'v1', '/acme/a': 'a' },
    ...{ '/acme': 'tenant acme', '/acme/x/y': 'tenant acme', '/%C3%A9/x': 'tenant é' },
  })
})

test('a parameter of a prefix may be of any length', async () => {
  const app = untyped().register(setting('tenant'), { prefix: '/:tenant' })
  await assertAnswers(app, { [`/${'x'.repeat(150)}/y`]: 'tenant' })
})

test('the handler of a plugin without a prefix, and of a shared one, is that of its parent', async () => {
  const app = untyped().register(setting('of a child of the root'))
  app.register(
    async (v1) => {
      v1.register(shared(async (same: UntypedServer) => setting('shared in v1')(same)) as never)
    },
    { prefix: '/v1' },
  )
  app.register(async (v2) => void v2.register(setting('of a child of v2')), { prefix: '/v2' })
  await assertAnswers(app, {
    ...{ '/none': 'of a child of the root', '/v1/none': 'shared in v1' },
    ...{ '/v2/none': 'of a child of v2' },
  })
})

test('the handler that a shared plugin sets for the root answers everywhere', async () => {
  const app = untyped().register(shared(async (same: UntypedServer) => setting('x')(same)) as never)
  app.register(async () => {}, { prefix: '/v1' })
  await assertAnswers(app, { '/none': 'x', '/v1/none': 'x' })
})

test('a handler that is set after the plugins have loaded answers all the same', async () => {
  const app = untyped()
  await app.register(async () => {}, { prefix: '/v1' })
  app.setNotFoundHandler(say('late'))
  await assertAnswers(app, { '/v1/none': 'late', '/none': 'late' })
})

const plugins: readonly (readonly [what: string, one: string, two: string])[] = [
  ['one prefix', '/v1', '/v1'],
  ['one prefix, with a slash and without', '/v1', '/v1/'],
  ['no prefix', '', ''],
  ['prefixes that differ in the name of a parameter only', '/:tenant', '/:customer'],
]
for (const [what, first, second] of plugins) {
  test(`two handlers for ${what} are a boot error that names both plugins`, async () => {
    const app = untyped()
    app.register(async function one(child) {
      child.setNotFoundHandler(say('one'))
    }, prefixed(first))
    app.register(async function two(child) {
      child.setNotFoundHandler(say('two'))
    }, prefixed(second))
    await assert.rejects(async () => app.ready(), {
      code: 'ESP_ERR_NOT_FOUND_HANDLER',
      message: /root > one.*root > two/,
    })
    await app.close()
  })
}

function prefixed(prefix: string): object {
  return prefix === '' ? {} : { prefix }
}

test('a second handler in one context is refused at once, and one in a child without prefix at boot', async () => {
  const app = untyped().setNotFoundHandler(say('one'))
  assert.throws(() => app.setNotFoundHandler(say('two')), {
    code: 'ESP_ERR_NOT_FOUND_HANDLER',
    message: "A not-found handler for '/' was set in root, and again in root. Each prefix has one",
  })
  app.register(async function users(child) {
    child.setNotFoundHandler(say('three'))
  })
  await assert.rejects(async () => app.ready(), {
    code: 'ESP_ERR_NOT_FOUND_HANDLER',
    message: /'\/' was set in root, and again in root > users\b/,
  })
  await app.close()
})

test('what is no handler is refused, and the error names the context', async () => {
  for (const [args, shown] of [
    [[], 'undefined'],
    [[null], 'null'],
    [['x'], "'x'"],
    [[{ preHandler: say('hook') }], 'an object'],
    [[{}, undefined], 'undefined'],
    [[{}, { handler: say('x') }], 'an object'],
  ] as const) {
    const app = untyped()
    app.register(async function users(child) {
      child.setNotFoundHandler(...(args as never))
    })
    await assert.rejects(async () => app.ready(), {
      code: 'ESP_ERR_FUNCTION_EXPECTED',
      message: `setNotFoundHandler in root > users takes a function, but was given ${shown}`,
    })
    await app.close()
  }
})

test('options are an object with the hooks preValidation and preHandler, and nothing else', () => {
  const set = (options: unknown) => () =>
    untyped().setNotFoundHandler(...([options, say('x')] as never))
  for (const name of ['onRequest', 'schema', 'errorHandler', 'prehandler']) {
    assert.throws(set({ [name]: say('x') }), {
      code: 'ESP_ERR_ROUTE_OPTION',
      message: new RegExp(`'${name}'.*setNotFoundHandler.*root.*preValidation and preHandler`),
    })
  }
  for (const wrong of ['x', 5, say('x'), [say('x')]]) {
    assert.throws(set(wrong), { message: /setNotFoundHandler.*root/ })
  }
  for (const none of [undefined, {}, { preHandler: undefined }, { preValidation: [] }]) {
    assert.doesNotThrow(set(none))
  }
})

test('a hook of a not-found handler that is none is refused as any other hook is', () => {
  const set = (options: object) => () => untyped().setNotFoundHandler(options, say('x'))
  for (const name of ['preValidation', 'preHandler']) {
    const noFunction = {
      code: 'ESP_ERR_HOOK_INVALID_HANDLER',
      message: new RegExp(`'${name}'.*root`),
    }
    assert.throws(set({ [name]: 'x' }), noFunction)
    assert.throws(set({ [name]: [async () => {}, {}] }), noFunction)
    const both = async (_request: unknown, _reply: unknown, _done: unknown) => {}
    assert.throws(set({ [name]: both }), { code: 'ESP_ERR_HOOK_INVALID_ASYNC_HANDLER' })
  }
})

test('setNotFoundHandler gives the server back, and is refused after the boot', async () => {
  const app = untyped()
  assert.equal(app.setNotFoundHandler(say('x')), app)
  await app.ready()
  assert.throws(() => app.setNotFoundHandler(say('y')), {
    code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING',
    message: /setNotFoundHandler.*root/,
  })
  await app.close()
})
