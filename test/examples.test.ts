import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { app as hello } from '../examples/01-hello.ts'
import { app as encapsulation } from '../examples/02-encapsulation.ts'
import { app as sharing } from '../examples/03-sharing.ts'
import { app as sharedSchemas } from '../examples/04-shared-schemas.ts'
import { app as validation } from '../examples/05-validation.ts'
import { app as customValidator } from '../examples/06-custom-validator.ts'

interface Startable {
  listen(options: { port: number; host: string }): Promise<string>
  close(): Promise<void>
}

interface Asked {
  readonly path: string
  readonly post?: unknown
  readonly headers?: Record<string, string>
}

const started: Startable[] = []

/** Starts an example on a free port, and answers by asking it over HTTP. */
async function start(
  app: Startable,
): Promise<(request: Asked) => Promise<{ status: number; headers: Headers; body: unknown }>> {
  started.push(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return async ({ path, post, headers = {} }) => {
    const body = post === undefined ? {} : { method: 'POST', body: JSON.stringify(post) }
    const type = post === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(url + path, { ...body, headers: { ...type, ...headers } })
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(await response.text()),
    }
  }
}

after(() => Promise.all(started.map((app) => app.close())))

test('01-hello greets, with a default, and refuses a name that is too long', async () => {
  const ask = await start(hello)
  assert.deepEqual((await ask({ path: '/hello' })).body, { greeting: 'Hello, world!' })
  assert.deepEqual((await ask({ path: '/hello?name=Ada' })).body, { greeting: 'Hello, Ada!' })
  assert.equal((await ask({ path: `/hello?name=${'x'.repeat(41)}` })).status, 400)
  assert.equal((await ask({ path: '/nowhere' })).status, 404)
})

test('02-encapsulation shows each context what it sees, and asks for a token in one only', async () => {
  const ask = await start(encapsulation)
  assert.deepEqual((await ask({ path: '/two' })).body, { answer: 42, foo: 'foo' })
  assert.deepEqual((await ask({ path: '/three' })).body, { answer: 42, foo: 'foo', bar: 'bar' })
  const refused = await ask({ path: '/one' })
  assert.equal(refused.status, 401)
  assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
  const wrong = await ask({ path: '/one', headers: { authorization: 'Bearer wrong' } })
  assert.equal(wrong.status, 401)
  const right = await ask({ path: '/one', headers: { authorization: 'Bearer a-secret-key' } })
  assert.equal(right.status, 200)
  assert.equal(right.headers.get('www-authenticate'), null)
  assert.deepEqual(right.body, { answer: 42 })
})

test('03-sharing makes what a shared plugin registers visible in the parent', async () => {
  const ask = await start(sharing)
  assert.deepEqual((await ask({ path: '/two' })).body, { answer: 42, foo: 'foo', bar: 'bar' })
  assert.deepEqual((await ask({ path: '/three' })).body, { answer: 42, foo: 'foo', bar: 'bar' })
  assert.deepEqual((await ask({ path: '/audit' })).body, { text: 'the answer was 42' })
})

test('04-shared-schemas resolves every form of a reference, in validator and serializer', async () => {
  const ask = await start(sharedSchemas)
  const home = { street: 'Rue A', zip: '75001', country: 'FR' }
  const ada = { name: 'Ada', home, friends: [{ name: 'Bo', home, friends: [] }] }
  const posted = await ask({ path: '/people', post: { ...ada, secret: 1 } })
  assert.equal(posted.status, 201)
  assert.deepEqual(posted.body, ada)
  const nobody = { name: '', home, friends: [] }
  const refused = await ask({ path: '/people', post: { ...ada, friends: [nobody] } })
  assert.match(JSON.stringify(refused.body), /body\/friends\/0\/name/)
  const found = await ask({ path: '/lookup?country=DE&zip=10115&street=x' })
  assert.deepEqual(found.body, { country: 'DE', zip: '10115', street: 'x' })
  for (const wrong of ['country=UK&zip=10115', 'country=DE&zip=1', 'country=DE&zip=10115&code=x']) {
    assert.equal((await ask({ path: `/lookup?${wrong}` })).status, 400, wrong)
  }
  assert.deepEqual((await ask({ path: '/sub' })).body, ['address', 'person', 'note'])
  assert.deepEqual((await ask({ path: '/deep' })).body, ['address', 'person'])
})

test('05-validation coerces, fills in, removes, and lets a handler decide', async () => {
  const ask = await start(validation)
  assert.deepEqual((await ask({ path: '/' })).body, { params: { ids: [] } })
  assert.deepEqual((await ask({ path: '/?ids=1' })).body, { params: { ids: [1] } })
  const order = await ask({ path: '/orders/7', post: { item: 'tea', x: 1 } })
  assert.deepEqual(order.body, { shop: 7, priority: 3, item: 'tea', count: 1 })
  assert.equal((await ask({ path: '/orders/7', post: { count: 0 } })).status, 400)
  const lenient = await ask({ path: '/lenient', post: {} })
  assert.equal(lenient.status, 400)
  assert.deepEqual(lenient.body, { part: 'body', text: "body must have required property 'item'" })
  assert.deepEqual((await ask({ path: '/lenient', post: { item: 'tea' } })).body, { ok: true })
})

test('06-custom-validator validates with another library in one context, and with ajv beside it', async () => {
  const ask = await start(customValidator)
  const good = await ask({ path: '/signup', post: { email: 'ada@example.org', age: '36' } })
  assert.deepEqual(good.body, { got: { email: 'ada@example.org', age: 36 } })
  const bad = await ask({ path: '/signup', post: { email: 'nobody', age: 7 } })
  assert.equal(bad.status, 422)
  assert.equal((bad.body as { problems: string[] }).problems.length, 2)
  assert.equal((await ask({ path: '/ajv?n=x' })).status, 400)
  assert.deepEqual((await ask({ path: '/ajv?n=4' })).body, { n: 4 })
})
