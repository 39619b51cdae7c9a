// uniqueItems: equal items are found in linear time, with the equality and the errors of ajv.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import espalier, { fastify } from '../../src/index.ts'
import { findTwins } from '../../src/validation/twins.ts'
import type { AnyHandler, UntypedServer } from '../support/untyped.ts'

/** Values of which many are equal, and many are nearly so. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(0, -0, 1, '1', '', 'a', '#1', '[]', true, null, undefined, NaN, 1n),
    fc.constantFrom<unknown>(new Date(0), new Date(0), new Date(1), /a/, /a/g, Symbol.iterator),
    fc.constantFrom<unknown>(Buffer.from('a'), Buffer.from('a'), new Map(), new URL('http://a')),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('value'), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  ),
}))

const fillers = Array.from({ length: 17 }, (_, filler) => ({ filler }))

test('items are twins as they are for ajv', () => {
  const validate = new Ajv({ strict: false }).compile({ uniqueItems: true })
  const ofAjv = (items: unknown[]): unknown =>
    validate(items) ? undefined : validate.errors?.[0]?.params
  fc.assert(
    fc.property(fc.array(value, { maxLength: 6 }), (items) => {
      const long = [...items, ...fillers]
      assert.deepEqual(findTwins(items), ofAjv(items))
      assert.deepEqual(findTwins(long), ofAjv(long))
    }),
    { numRuns: 3000 },
  )
})

const reply: AnyHandler = ({ body }) => ({ count: (body.list ?? body).length })

/** Sends to a server of each dialect with this body schema. */
const senders = (body: object) =>
  [espalier(), fastify()].map((each) => {
    const app = each as unknown as UntypedServer
    app.post('/', { schema: { body } }, reply)
    const headers = { 'content-type': 'application/json' }
    return (payload: object | string) => app.inject({ method: 'POST', url: '/', headers, payload })
  })

test('many objects, and lists of many types, are compared in little time', async () => {
  const many = Array.from({ length: 20_000 }, (_, a) => ({ a }))
  const union = { anyOf: [{ type: 'object' }, { type: 'integer' }] }
  for (const items of [{ type: 'object' }, union, {}])
    for (const send of senders({ type: 'array', items, uniqueItems: true })) {
      await send([])
      const start = performance.now()
      assert.equal((await send(many)).body, '{"count":20000}')
      // Each with each would take 8 seconds.
      assert.ok(performance.now() - start < 3000)
      assert.equal((await send([...many, { a: 1.0 }])).statusCode, 400)
    }
})

test('the error names the items, as that of ajv', async () => {
  const items = { type: 'object' }
  for (const send of senders({ type: 'array', items, uniqueItems: true })) {
    const { statusCode, body } = await send([{ a: 1, b: [2] }, {}, { b: [2.0], a: 1 }, { a: 2 }])
    assert.equal(statusCode, 400)
    assert.match(body, /body must NOT have duplicate items \(items ## 0 and 2 are identical\)/)
  }
})

test('uniqueItems may be data', async () => {
  const properties = {
    isSet: {},
    list: { type: 'array', uniqueItems: { $data: '1/isSet' } },
  }
  const app = espalier({ ajv: { customOptions: { $data: true } } }) as unknown as UntypedServer
  app.post('/', { schema: { body: { type: 'object', properties } } }, reply)
  const send = async (isSet: unknown, list: unknown[]) => {
    const payload = { isSet, list }
    return (await app.inject({ method: 'POST', url: '/', payload })).statusCode
  }
  assert.equal(await send(true, [{ a: 1 }, { a: 1 }]), 400)
  assert.equal(await send(true, [{ a: 1 }, { a: 2 }]), 200)
  assert.equal(await send(false, [{ a: 1 }, { a: 1 }]), 200)
  assert.equal(await send(undefined, [{ a: 1 }, { a: 1 }]), 200)
  assert.equal(await send('yes', [{ a: 1 }]), 400)
})

test('a name of a method, and depth, are no faults of the server', async () => {
  const deep = `${'['.repeat(9000)}${']'.repeat(9000)}`
  for (const send of senders({ type: 'array', uniqueItems: true })) {
    assert.equal((await send([{ valueOf: 1 }, { valueOf: 1 }])).statusCode, 400)
    assert.equal((await send([{ valueOf: 1 }, { valueOf: 2 }])).statusCode, 200)
    assert.equal((await send(`[${deep},[${deep}]]`)).statusCode, 200)
  }
})
