// A schema counts as it was when it was given: a later change of the object reaches nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { t } from '../../src/index.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const json = { 'content-type': 'application/json' }
const sizeOf = () => ({
  type: 'object',
  required: ['w'],
  properties: { w: { type: 'integer', minimum: 1 } } as Record<string, object>,
})
type Size = ReturnType<typeof sizeOf>

const changes: Readonly<Record<string, (size: Size) => void>> = {
  'a keyword': (size) => {
    size.required = []
  },
  'a list': (size) => {
    size.required.pop()
  },
  'a subschema': (size) => {
    Object.assign(size.properties['w'] ?? {}, { type: 'boolean', minimum: undefined })
  },
  'a property more': (size) => {
    size.properties['h'] = { type: 'integer' }
    size.required.push('h')
  },
  'all of it': (size) => {
    for (const key of Object.keys(size)) Reflect.deleteProperty(size, key)
  },
}

type Declare = (app: UntypedServer, size: Size) => unknown
const places: Readonly<Record<string, Declare>> = {
  'a shared schema': (app, size) => {
    app.addSchema(Object.assign(size, { $id: 'size' }))
    app.post(
      '/',
      { schema: { body: { $ref: 'size#' }, response: { 200: { $ref: 'size#' } } } },
      echo,
    )
  },
  'a shared schema of another id': (app, size) => {
    app.addSchema('size', size)
    app.post(
      '/',
      { schema: { body: { $ref: 'size#' }, response: { 200: { $ref: 'size#' } } } },
      echo,
    )
  },
  'a route': (app, size) =>
    app.post('/', { schema: { body: size, response: { 200: size } } }, echo),
  'a route, below content': (app, size) => {
    const content = { 'application/json': { schema: size } }
    app.post('/', { schema: { body: { content }, response: { 200: { content } } } }, echo)
  },
  'a route of route()': (app, size) =>
    app.route({
      method: 'POST',
      url: '/',
      schema: { body: size, response: { 200: size } },
      handler: echo,
    }),
}
function echo({ body }: any): unknown {
  return body
}

for (const [place, declare] of Object.entries(places)) {
  for (const [what, change] of Object.entries(changes)) {
    test(`${what} that is changed behind its back does not reach ${place}`, async () => {
      const app = untyped()
      const size = sizeOf()
      declare(app, size)
      change(size)
      const ask = async (body: object) => {
        const payload = JSON.stringify(body)
        const response = await app.inject({ method: 'POST', url: '/', payload, headers: json })
        return [response.statusCode, response.statusCode === 200 && response.json()]
      }
      assert.deepEqual(await ask({ w: 1, h: 2 }), [200, { w: 1 }])
      assert.deepEqual(await ask({}), [400, false])
      assert.deepEqual(await ask({ w: 0 }), [400, false])
      assert.deepEqual(await ask({ w: true }), [200, { w: 1 }])
    })
  }
}

test('getSchemas gives schemas as they were added, and getSchema the object that was added', () => {
  const size = { $id: 'size', ...sizeOf() }
  const app = untyped().addSchema(size)
  size.required = []
  assert.deepEqual(app.getSchemas()['size'], { $id: 'size', ...sizeOf() })
  assert.equal(app.getSchema('size'), size)
})

test('what an onRoute hook changes counts, and what is changed behind it does not', async () => {
  const body = sizeOf()
  const app = untyped().addHook('onRoute', (route: any) => {
    route.schema.body.properties.w.minimum = 5
  })
  app.post('/', { schema: { body } }, echo)
  Object.assign(body.properties['w'] ?? {}, { minimum: 9 })
  const ask = async (w: number) =>
    (await app.inject({ method: 'POST', url: '/', payload: { w } as never })).statusCode
  assert.deepEqual(await Promise.all([4, 5, 9].map(ask)), [400, 200, 200])
})

test('a schema that was copied keeps its transforms, refinements and recursion', async () => {
  const when = t.Transform(t.String()).Decode(Number).Encode(String)
  const Node = t.Recursive((Self) => t.Object({ when, next: t.Optional(Self) }))
  const Even = Type.Refine(Type.Integer(), (value) => value % 2 === 0)
  const app = untyped()
  app.post('/node', { schema: { body: Node, response: { 200: Node } } }, ({ body }) => {
    assert.deepEqual(body, { when: 1, next: { when: 2 } })
    return body
  })
  app.post('/even', { schema: { body: Type.Object({ n: Even }) } }, echo)
  const post = (url: string, payload: object) =>
    app.inject({ method: 'POST', url, payload: payload as never })
  assert.equal((await post('/node', { when: '1', next: { when: '2' } })).statusCode, 200)
  assert.equal((await post('/even', { n: 2 })).statusCode, 200)
  assert.equal((await post('/even', { n: 3 })).statusCode, 400)
})

test('schemas of equal text that differ in a function share no check', async () => {
  const passes = {
    keyword: 'passes',
    type: 'string',
    errors: false,
    validate: (check: (data: string) => boolean, data: string) => check(data),
  }
  const app = untyped({ ajv: { plugins: [(ajv: any) => ajv.addKeyword(passes)] } })
  const marked = (schema: any, tag: string) =>
    t
      .Transform(schema)
      .Decode((text) => tag + String(text))
      .Encode((text) => text.slice(1))
  const bodyOf = (check: (text: string) => boolean) => {
    const checked = marked(t.String({ passes: check }), '+')
    return t.Object({ v: t.Union([checked, marked(t.String(), '-')]) })
  }
  const plainOf = (check: (text: string) => boolean) => ({
    type: 'object',
    properties: { v: { anyOf: [{ type: 'string', passes: check }, { type: 'integer' }] } },
  })
  const checks = {
    long: (text: string) => text.length > 3,
    digit: (text: string) => /^\d/.test(text),
  }
  for (const [name, check] of Object.entries(checks)) {
    app.post(`/${name}`, { schema: { body: bodyOf(check) } }, ({ body }) => body.v)
    app.register(async (child) => {
      child.post(`/plain/${name}`, { schema: { body: plainOf(check) } }, echo)
    })
  }
  const say = async (url: string, v: string) =>
    app.inject({ method: 'POST', url, payload: { v } as never })
  const bodies = await Promise.all(
    ['/long', '/digit'].flatMap((url) => ['abcd', '1'].map((v) => say(url, v))),
  )
  assert.deepEqual(
    bodies.map(({ body }) => body),
    ['+abcd', '-1', '-abcd', '+1'],
  )
  const plain = await Promise.all(
    ['long', 'digit'].flatMap((name) => ['abcd', '1x'].map((v) => say(`/plain/${name}`, v))),
  )
  assert.deepEqual(
    plain.map(({ statusCode }) => statusCode),
    [200, 400, 400, 200],
  )
})
