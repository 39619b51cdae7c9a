import assert, { AssertionError } from 'node:assert'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'
import { expectRoute } from '../../src/testing/index.ts'

test('a route exists once the server has booted, or it is an error', async () => {
  const app = espalier().register(async (users) => users.get('/:id', () => 'one'), {
    prefix: '/users',
  })
  await expectRoute(app, 'GET /users/:id').exists()
  assert.throws(() => app.get('/late', () => ''), /ESP_ERR/)
  const lost = espalier()
  const typed = lost.register(async (scope): Promise<typeof scope> => scope)
  // What a plugin says that it declares.
  const other: typeof app = Object.assign(typed)
  await assert.rejects(expectRoute(other, 'GET /users/:id').exists(), (error) => {
    assert.ok(error instanceof AssertionError)
    assert.equal(error.message, "The server has no route 'GET /users/:id'")
    return true
  })
})

test('other claims do nothing at run time', () => {
  const app = espalier().post('/', { schema: { body: { name: t.String() } } }, () => 'ok')
  const route = expectRoute(app, 'POST /')
  route.takes('body').toEqualTypeOf<{ name: string }>()
  route.reads('body').toExtend<object>()
  route.replies(200).toEqualTypeOf<string>()
  assert.equal(route.rejects('body', {}), undefined)
})
