import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untyped, untypedFastify, type UntypedServer } from '../support/untyped.ts'

type Failure = Error & { readonly code: string; readonly statusCode?: number }

/** What a boot fails of, and how far its first line is from the call of this function. */
async function failure(boot: () => unknown): Promise<Failure> {
  try {
    await boot()
  } catch (error) {
    return error as Failure
  }
  return assert.fail('it should fail')
}

const firstLine = ({ stack = '' }: Error): string => stack.split('\n')[1] ?? ''

for (const [name, create, code, status] of [
  ['espalier', untyped, 'ESP_ERR_SCH_VALIDATION_BUILD', undefined],
  ['fastify', untypedFastify, 'FST_ERR_SCH_VALIDATION_BUILD', 500],
] as const) {
  test(`an error of a route begins at the call that declared it (${name})`, async () => {
    const app = create()
    app.get('/', () => '')
    function declare(): UntypedServer {
      return app.post('/', { schema: { body: { type: 'strng' } } }, () => '')
    }
    declare()
    const error = await failure(() => app.ready())
    assert.match(firstLine(error), /at declare .*origin\.test\.ts/)
    assert.deepEqual([error.code, error.statusCode, error instanceof Error], [code, status, true])
    assert.doesNotMatch((error.cause as Error).stack ?? '', /\n/)
    assert.equal(Object.prototype.toString.call(error), '[object Error]')
  })
}

test('an error of a method begins at its call, also in a plugin and in a hook', async () => {
  const app = untyped()
  function again(server: UntypedServer): void {
    server.decorate('db', 1)
    server.decorate('db', 2)
  }
  app.register(async (inner: UntypedServer) => {
    again(inner)
  })
  assert.match(firstLine(await failure(() => app.ready())), /at again .*origin\.test\.ts/)
  const hooked = untyped()
  hooked.addHook('onRoute', function declares(this: UntypedServer) {
    again(this)
  })
  assert.match(firstLine(await failure(() => hooked.get('/', () => ''))), /origin\.test\.ts/)
})

test('an error that a plugin has thrown keeps its stack, as the cause', async () => {
  const app = untyped()
  function connect(): never {
    throw new TypeError('no database')
  }
  function register(): void {
    app.register(async () => {
      connect()
    })
  }
  register()
  const error = await failure(() => app.ready())
  assert.match(firstLine(error), /at register .*origin\.test\.ts/)
  assert.match(firstLine(error.cause as Error), /at connect .*origin\.test\.ts/)
})

test('an error during a request has its status, and its stack', async () => {
  const app = untyped()
  let caught: Failure | undefined
  app.setErrorHandler((error, _request, reply) => {
    caught = error as Failure
    return reply.send('')
  })
  app.get('/', (_request, reply) => reply.code(200).send(Symbol('a')))
  await app.inject('/')
  assert.equal(caught?.statusCode, 500)
})
