// Properties whose names every object inherits: `constructor`, `toString` and their like.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier, fastify, t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']
const parts = { querystring: 'query', headers: 'headers', body: 'body', params: 'params' }

/** An object with a property of a name, which `{ [name]: value }` would not make of `__proto__`. */
const holding = (name: string, value: unknown): object => Object.fromEntries([[name, value]])

const schemaOf = (name: string, required: readonly string[] = []) => ({
  type: 'object',
  properties: Object.fromEntries([
    [name, { type: 'string' }],
    ['ok', { type: 'string' }],
  ]),
  required,
})

const requests = {
  querystring: { url: '/querystring/x?ok=1' },
  headers: { url: '/headers/x', headers: { ok: '1' } },
  body: { url: '/body/x', payload: { ok: '1' } },
  params: { url: '/params/x' },
}

for (const name of names) {
  for (const [part, member] of Object.entries(parts)) {
    test(`${name} is absent in ${part} where it was not sent`, async () => {
      const app = untyped()
      // Node gives header names in lower case.
      const key = part === 'headers' ? name.toLowerCase() : name
      const read = (request: any) => ({ has: key in request[member], is: request[member][key] })
      app.post(`/${part}/:ok`, { schema: { [part]: schemaOf(name) } }, read)
      const request = requests[part as keyof typeof requests]
      const answer = await app.inject({ method: 'POST', ...request })
      assert.deepEqual([answer.statusCode, answer.json()], [200, { has: false }])
    })
  }

  test(`${name} that is required and was not sent is refused, also further inside`, async () => {
    const app = untyped()
    const required = schemaOf(name, [name])
    const list = { type: 'object', properties: { list: { type: 'array', items: required } } }
    app.post('/query', { schema: { querystring: required } }, () => 'taken')
    app.post('/body', { schema: { body: required } }, () => 'taken')
    app.post('/list', { schema: { body: list } }, () => 'taken')
    const statuses = []
    for (const request of [
      { url: '/query?ok=1' },
      { url: '/body', payload: { ok: '1' } },
      { url: '/list', payload: { list: [{ ok: '1' }] } },
    ]) {
      statuses.push((await app.inject({ method: 'POST', ...request })).statusCode)
    }
    assert.deepEqual(statuses, [400, 400, 400])
  })

  test(`${name} leaves with a reply that has it, and with no other`, async () => {
    const app = untyped()
    const inside = { type: 'object', properties: { in: { anyOf: [schemaOf(name)] } } }
    app.get('/own', { schema: { response: { 200: schemaOf(name) } } }, () => holding(name, 'x'))
    app.get('/none', { schema: { response: { 200: schemaOf(name) } } }, () => ({ ok: '1' }))
    app.get('/inside', { schema: { response: { 200: inside } } }, () => ({ in: { ok: '1' } }))
    assert.equal((await app.inject('/own')).payload, JSON.stringify(holding(name, 'x')))
    assert.equal((await app.inject('/none')).payload, '{"ok":"1"}')
    assert.equal((await app.inject('/inside')).payload, '{"in":{"ok":"1"}}')
  })

  test(`a reply without ${name} is a 500 where that is required`, async () => {
    const app = untyped()
    app.get('/', { schema: { response: { 200: schemaOf(name, [name]) } } }, () => ({ ok: '1' }))
    const [answer] = await silenced(async () => app.inject('/'))
    assert.equal(answer.statusCode, 500)
  })
}

test('constructor that was sent is read, and the object of a handler is not changed', async () => {
  const app = untyped()
  const user = { ok: '1' }
  const schema = { body: schemaOf('constructor'), response: { 200: schemaOf('constructor') } }
  app.post('/', { schema }, ({ body }) => (body.constructor === 'x' ? user : body))
  const answer = await app.inject({ method: 'POST', url: '/', payload: { constructor: 'x' } })
  assert.equal(answer.payload, '{"ok":"1"}')
  assert.equal(Object.getPrototypeOf(user), Object.prototype)
})

/** A schema that names a property, and says its type, in several places. */
const named = (name: string): Readonly<Record<string, object>> => {
  const properties = Object.fromEntries([[name, { type: 'integer' }]])
  const own = { type: 'object', properties, required: [name] }
  const other = { type: 'object', properties: { z: { type: 'string' } }, required: ['z'] }
  return {
    'an object': own,
    'an object with no others': { ...own, additionalProperties: false },
    anyOf: { anyOf: [own, other] },
    allOf: { allOf: [own, { type: 'object', required: [name] }] },
  }
}

for (const make of [espalier, fastify] as any[]) {
  for (const name of ['__proto__', 'constructor', 'valueOf']) {
    for (const [place, schema] of Object.entries(named(name))) {
      test(`${name} in ${place} is read and sent as its schema says (${make === fastify ? 'fastify' : 'espalier'})`, async () => {
        const text = `{"${name}":5}`
        const app: any = make({ onProtoPoisoning: 'ignore', onConstructorPoisoning: 'ignore' })
        app.get('/query', { schema: { querystring: schema } }, ({ query }: any) => query[name])
        app.post('/body', { schema: { body: schema } }, ({ body }: any) => body[name])
        app.get('/reply', { schema: { response: { 200: schema } } }, () => JSON.parse(text))
        app.get('/lacking', { schema: { response: { 200: schema } } }, () => ({}))
        const headers = { 'content-type': 'application/json' }
        const post = (payload: string) =>
          app.inject({ method: 'POST', url: '/body', headers, payload })
        assert.equal((await app.inject(`/query?${name}=5`)).body, '5')
        assert.equal((await app.inject(`/query?${name}=x`)).statusCode, 400)
        assert.equal((await post(text)).body, '5')
        assert.equal((await post(`{"${name}":{}}`)).statusCode, 400)
        assert.equal((await app.inject('/reply')).body, text)
        assert.equal((await app.inject('/lacking')).statusCode, 500)
      })
    }
  }
}

test('a body that is compared with an object is read by its fields alone', async () => {
  for (const strict of [false, true]) {
    const app = espalier({ strict })
    const value = t.Unsafe<unknown>({ const: { a: 1 } })
    const list = t.Unsafe<unknown>({ enum: [{ a: [1, null] }, 7] })
    const named = t.Unsafe<unknown>({ const: { constructor: 1 } })
    app.post('/const', { schema: { body: value } }, ({ body }) => ({ body }))
    app.post('/enum', { schema: { body: list } }, ({ body }) => ({ body }))
    app.post('/named', { schema: { body: named } }, ({ body }) => ({ body }))
    const statusOf = async (url: string, text: string) => {
      const headers = { 'content-type': 'application/json' }
      return (await app.inject({ method: 'POST', url, headers, payload: text })).statusCode
    }
    assert.equal(await statusOf('/const', '{"a":1}'), 200)
    assert.equal(await statusOf('/enum', '{"a":[1,null]}'), 200)
    assert.equal(await statusOf('/enum', '7'), 200)
    assert.equal(await statusOf('/named', '{"constructor":1}'), 200)
    for (const name of ['toString', 'valueOf', 'constructor', 'hasOwnProperty']) {
      for (const url of ['/const', '/enum', '/named']) {
        const text = url === '/named' ? `{"constructor":2,"x":0}` : `{"${name}":1}`
        assert.equal(await statusOf(url, text), 400, `${url} ${text}`)
      }
    }
    for (const text of ['{"a":1,"b":2}', '{"a":2}', '[1]', 'null', '{"a":[1]}', '{}'])
      assert.equal(await statusOf('/const', text), 400, text)
  }
})
