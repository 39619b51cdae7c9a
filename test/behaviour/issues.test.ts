// Beside the raw result of a validator (specification 2.7), a failed validation has issues, in one shape for all schemas.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from 'arktype'
import fastify from '../../src/fastify/index.ts'
import * as v from 'valibot'
import { z } from 'zod'
import { t, type ValidationIssue } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

/** The issues of a request that a schema refuses, as an error handler reads them. */
async function issuesOf(
  schema: object,
  request: { url?: string; headers?: object; payload?: unknown },
  options: object = {},
): Promise<ValidationIssue[]> {
  const app: any = untyped(options)
  app.setErrorHandler((error: any, _request: unknown, reply: any) => {
    assert.ok(error.validation !== undefined, String(error))
    return reply.code(400).send({ issues: error.issues })
  })
  app.addSchema({
    $id: 'toy',
    type: 'object',
    properties: { size: { type: 'integer' }, inner: { $ref: 'toy#' } },
    required: ['size'],
  })
  app.addSchema({
    $id: 'ball',
    type: 'object',
    properties: { size: { type: 'string' }, inner: { $ref: 'toy#' } },
  })
  const pet = (kind: string, toy: string) => ({
    $id: kind,
    type: 'object',
    properties: {
      toy: { $ref: toy },
      kind: { const: kind },
      young: { type: 'array', items: { $ref: 'pet#' } },
    },
    required: ['kind', 'toy'],
  })
  app.addSchema(pet('cat', 'toy#')).addSchema(pet('dog', 'ball#'))
  app.addSchema({ $id: 'pet', anyOf: [{ $ref: 'cat#' }, { $ref: 'dog#' }] })
  app.post('/:id', { schema }, () => ({ issues: 'none' }))
  const response = await app.inject({ method: 'POST', url: '/1', ...request })
  return response.json().issues
}

const bodyIssues = (body: unknown, payload: unknown, options?: object) =>
  issuesOf({ body }, { payload }, options)

const allErrors = { ajv: { customOptions: { allErrors: true } } }
const keeping = { ajv: { customOptions: { allErrors: true, removeAdditional: false } } }

test('an issue has the part, a pointer, a code, what is expected, what came, and a message', async () => {
  const n = { n: t.Integer({ minimum: 3 }) }
  for (const [part, schema, request] of [
    ['params', { params: { id: n.n } }, {}],
    ['querystring', { querystring: n }, { url: '/1?n=1' }],
    ['headers', { headers: n }, { headers: { n: '1' } }],
    ['body', { body: n }, { payload: { n: 1 } }],
  ] as const) {
    const name = part === 'params' ? 'id' : 'n'
    assert.deepEqual(await issuesOf(schema, request), [
      {
        part,
        pointer: `/${name}`,
        code: 'minimum',
        expected: 3,
        received: 'number',
        message: 'must be >= 3',
      },
    ])
  }
})

test('a field that is missing or superfluous is pointed at itself', async () => {
  const body = t.Object(
    { 'a/b~c': t.Integer(), one: t.Object({ two: t.String() }), list: t.Array(t.Null()) },
    { additionalProperties: false },
  )
  const issues = await bodyIssues(body, { one: {}, list: ['x'], more: true }, keeping)
  assert.deepEqual(
    issues.map(({ pointer, code, expected, received }) => [pointer, code, expected, received]),
    [
      ['/a~1b~0c', 'required', 'integer', 'missing'],
      ['/more', 'additionalProperties', undefined, 'boolean'],
      ['/one/two', 'required', 'string', 'missing'],
      ['/list/0', 'type', 'null', 'string'],
    ],
  )
})

test('the whole part may be wrong, or not there', async () => {
  const facts = ({ pointer, code, expected, received }: ValidationIssue) => [
    pointer,
    code,
    expected,
    received,
  ]
  const body = t.Object({ n: t.Integer() })
  assert.deepEqual((await bodyIssues(body, undefined)).map(facts), [
    ['', 'required', 'object', 'missing'],
  ])
  assert.deepEqual((await bodyIssues(body, [])).map(facts), [['', 'type', 'object', 'array']])
})

test('what is expected is what the keyword has', async () => {
  const body = t.Object({
    kind: t.Unsafe({ enum: ['a', 2] }),
    one: t.Literal('one'),
    day: t.String({ format: 'date' }),
    code: t.String({ pattern: '^x' }),
    step: t.Number({ multipleOf: 5 }),
    list: t.Array(t.Integer(), { maxItems: 1 }),
    both: t.Unsafe({ type: ['string', 'null'] }),
    names: t.Unsafe({ type: 'object', propertyNames: { pattern: '^n' } }),
    vat: t.Unsafe({ if: { type: 'object' }, then: { required: ['id'] } }),
  })
  const payload = {
    kind: 'b',
    one: 'two',
    day: 'today',
    code: 'y',
    step: 3,
    list: [1, 2],
    both: {},
    names: { other: 1 },
    vat: {},
  }
  const issues = await bodyIssues(body, payload, allErrors)
  const expected = new Map(issues.map((issue) => [issue.pointer, [issue.code, issue.expected]]))
  assert.deepEqual(Object.fromEntries(expected), {
    '/kind': ['enum', ['a', 2]],
    '/one': ['const', 'one'],
    '/day': ['format', 'date'],
    '/code': ['pattern', '^x'],
    '/step': ['multipleOf', 5],
    '/list': ['maxItems', 1],
    '/both': ['type', ['string', 'null']],
    '/names/other': ['pattern', '^n'],
    '/vat/id': ['required', undefined],
  })
  assert.equal(issues.length, expected.size)
})

const Shape = t.Union([
  t.Object({ kind: t.Literal('circle'), radius: t.Number() }),
  t.Object({ kind: t.Literal('square'), side: t.Number(), color: t.Optional(t.String()) }),
])

for (const [how, options] of [
  ['the first error', {}],
  ['all errors', allErrors],
] as const) {
  const told = async (body: unknown, payload: unknown) =>
    (await bodyIssues(body, payload, options)).map(({ pointer, code, expected, received }) => [
      pointer,
      code,
      expected,
      received,
    ])

  test(`of a union that a literal tells apart, the issues are those of the chosen branch, of ${how}`, async () => {
    const body = { shape: Shape }
    assert.deepEqual(await told(body, { shape: { kind: 'circle', radius: 'r' } }), [
      ['/shape/radius', 'type', 'number', 'string'],
    ])
    assert.deepEqual(await told(body, { shape: { kind: 'square' } }), [
      ['/shape/side', 'required', 'number', 'missing'],
    ])
    const literals = ['circle', 'square']
    assert.deepEqual(await told(body, { shape: { kind: 'line' } }), [
      ['/shape/kind', 'enum', literals, 'string'],
    ])
    assert.deepEqual(await told(body, { shape: { radius: 1 } }), [
      ['/shape/kind', 'required', literals, 'missing'],
    ])
  })

  test(`alternatives may be references, and contain the union, with ${how}`, async () => {
    const pet = { $ref: 'pet#' }
    assert.deepEqual(await told(pet, { kind: 'cat', toy: { size: 'x' } }), [
      ['/toy/size', 'type', 'integer', 'string'],
    ])
    assert.deepEqual(await told(pet, { kind: 'dog', toy: { size: {} } }), [
      ['/toy/size', 'type', 'string', 'object'],
    ])
    const cat = { kind: 'cat', toy: { size: 1, inner: { size: [] } } }
    const dog = { kind: 'dog', toy: {}, young: [cat] }
    assert.deepEqual(await told(pet, dog), [
      ['/young/0/toy/inner/size', 'type', 'integer', 'array'],
    ])
  })

  test(`of a union whose alternatives take other kinds of values, the kind chooses, with ${how}`, async () => {
    const body = { shape: t.Union([t.Object({ n: t.Integer() }), t.Null(), t.Array(t.Null())]) }
    assert.deepEqual(await told(body, { shape: { n: 'x' } }), [
      ['/shape/n', 'type', 'integer', 'string'],
    ])
    assert.deepEqual(await told(body, { shape: [null, 'x'] }), [
      ['/shape/1', 'type', 'null', 'string'],
    ])
    // A single value counts as a list of it.
    assert.deepEqual(await told(body, { shape: 'x' }), [['/shape/0', 'type', 'null', 'string']])
    const other = { shape: t.Union([t.Object({}), t.Null()]) }
    assert.deepEqual(await told(other, { shape: 'x' }), [
      ['/shape', 'anyOf', ['object', 'null'], 'string'],
    ])
  })

  test(`of another union there is one issue, with ${how}`, async () => {
    const names = t.Union([t.Literal('a'), t.Literal('b')])
    assert.deepEqual(await told({ name: names }, { name: 'c' }), [
      ['/name', 'anyOf', ['a', 'b'], 'string'],
    ])
    const free = t.Union([t.Object({ a: t.Integer() }), t.Object({ b: t.Integer() })])
    assert.deepEqual(await told({ free }, { free: {} }), [['/free', 'anyOf', undefined, 'object']])
    const several = { oneOf: [{ type: 'integer' }, { minimum: 1 }, { type: 'null' }] }
    assert.deepEqual(await told({ several: t.Unsafe(several) }, { several: 3 }), [
      ['/several', 'oneOf', undefined, 'number'],
    ])
  })
}

test('what stands beside a union keeps its issues', async () => {
  const body = t.Unsafe({
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  })
  const issues = await bodyIssues(body, {}, allErrors)
  assert.deepEqual(issues.map(({ pointer, code }) => `${pointer} ${code}`).sort(), [
    ' anyOf',
    '/name required',
  ])
})

const libraries = {
  zod: z.strictObject({
    name: z.string().min(2),
    age: z.number().min(18),
    list: z.array(z.number()),
    few: z.array(z.number()).max(1),
    day: z.iso.date(),
    kind: z.enum(['a', 'b']),
    step: z.number().multipleOf(5),
    code: z.string().regex(/^x/),
    gone: z.string(),
    shape: z.union([z.string(), z.number()]),
  }),
  valibot: v.strictObject({
    name: v.pipe(v.string(), v.minLength(2)),
    age: v.pipe(v.number(), v.minValue(18)),
    list: v.array(v.number()),
    few: v.pipe(v.array(v.number()), v.maxLength(1)),
    day: v.pipe(v.string(), v.isoDate()),
    kind: v.picklist(['a', 'b']),
    step: v.pipe(v.number(), v.multipleOf(5)),
    code: v.pipe(v.string(), v.regex(/^x/)),
    gone: v.string(),
    shape: v.union([v.string(), v.number()]),
  }),
}

const wrong = {
  name: 'a',
  age: 3,
  list: [1, 'secret'],
  few: [1, 2],
  day: 'secret',
  kind: 'secret',
  step: 3,
  code: 'secret',
  shape: true,
  more: 'secret',
}

for (const [library, schema] of Object.entries(libraries)) {
  test(`the issues of ${library} have the codes of JSON Schema`, async () => {
    const issues = await bodyIssues(schema, wrong)
    const codes = Object.fromEntries(
      issues.map(({ pointer, code, received }) => [pointer.slice(1), `${code} ${received}`]),
    )
    assert.deepEqual(codes, {
      name: 'minLength string',
      age: 'minimum number',
      'list/1': 'type string',
      few: 'maxItems array',
      day: 'format string',
      kind: 'enum string',
      step: 'multipleOf number',
      code: 'pattern string',
      gone: 'required missing',
      shape: 'anyOf boolean',
      more: 'additionalProperties string',
    })
    const byPlace = new Map(issues.map((issue) => [issue.pointer, issue.expected]))
    assert.equal(byPlace.get('/name'), 2)
    assert.equal(byPlace.get('/age'), 18)
    assert.equal(byPlace.get('/list/1'), 'number')
    assert.ok(issues.every(({ part, message }) => part === 'body' && message !== ''))
  })
}

test('the issues of arktype have the codes of JSON Schema', async () => {
  const schema = type({
    '+': 'reject',
    name: 'string>=2',
    age: '18<=number.integer<=99',
    kind: "'a'|'b'",
    gone: 'string',
    shape: { n: 'number' },
  })
  const payload = { name: 'a', age: 3.5, kind: 'secret', shape: { n: 'secret' }, more: 'secret' }
  const issues = await bodyIssues(schema, payload)
  const codes = issues.map(({ pointer, code, received }) => `${pointer} ${code} ${received}`)
  for (const line of [
    '/name minLength string',
    '/age minimum number',
    '/gone required missing',
    '/shape/n type string',
    '/more additionalProperties string',
  ]) {
    assert.ok(codes.includes(line), `${line} is not in ${codes.join(', ')}`)
  }
  assert.equal(issues.find(({ pointer }) => pointer === '/shape/n')?.expected, 'number')
})

test('an issue has no value of the request, whatever the message of a library quotes', async () => {
  const schemas = {
    ...libraries,
    arktype: type({ kind: "'a'|'b'", code: /^x/, day: 'string.date' }),
  }
  for (const schema of Object.values(schemas)) {
    assert.doesNotMatch(JSON.stringify(await bodyIssues(schema, wrong)), /secret/)
  }
})

test('a sentence of the author stays', async () => {
  const schema = v.object({ name: v.pipe(v.string(), v.minLength(2, 'say your name')) })
  const [issue] = await bodyIssues(schema, { name: 'a' })
  assert.equal(issue?.message, 'say your name')
})

test('a refinement and a transform have issues', async () => {
  const day = t
    .Transform(t.String())
    .Decode((text) => {
      if (text === 'never') throw new Error('must be a day')
      return text
    })
    .Encode(String)
  assert.deepEqual(await bodyIssues({ day }, { day: 'never' }), [
    {
      part: 'body',
      pointer: '/day',
      code: 'transform',
      received: 'string',
      message: 'must be a day',
    },
  ])
})

test('the error of another library is one issue, or has those of its list', async () => {
  const told = (error: unknown) =>
    issuesOf({ body: {} }, { payload: { list: ['secret'] } }, {}).then(async () => {
      const app: any = untyped().setErrorHandler((failure, _request, reply) =>
        reply.code(400).send(failure.issues),
      )
      app.post('/', { schema: { body: {} }, validatorCompiler: () => () => ({ error }) }, () => 1)
      const payload = { list: ['secret'] }
      return (await app.inject({ method: 'POST', url: '/', payload })).json()
    })
  const whole = { part: 'body', pointer: '', received: 'object' }
  assert.deepEqual(await told(new Error('not this')), [
    { ...whole, code: 'invalid', message: 'not this' },
  ])
  assert.deepEqual(await told('not this'), [{ ...whole, code: 'invalid', message: 'not this' }])
  assert.deepEqual(await told({}), [{ ...whole, code: 'invalid', message: 'is not valid' }])
  const item = { part: 'body', pointer: '/list/0', received: 'string' }
  assert.deepEqual(
    await told(z.object({ list: z.array(z.number()) }).safeParse({ list: ['x'] }).error),
    [
      {
        ...item,
        code: 'type',
        expected: 'number',
        message: 'Invalid input: expected number, received string',
      },
    ],
  )
  // The error of joi.
  const details = [
    { message: '"list[0]" must be a number', path: ['list', 0], type: 'number.base' },
  ]
  assert.deepEqual(await told(Object.assign(new Error('joi'), { details })), [
    { ...item, code: 'number.base', message: '"list[0]" must be a number' },
  ])
})

test('an empty list of errors is one issue', async () => {
  const app: any = untyped().setErrorHandler((error, _request, reply) =>
    reply.code(400).send(error.issues),
  )
  app.post('/', { schema: { body: {} }, validatorCompiler: () => () => false }, () => 1)
  assert.deepEqual((await app.inject({ method: 'POST', url: '/', payload: {} })).json(), [
    { part: 'body', pointer: '', code: 'invalid', received: 'object', message: 'is not valid' },
  ])
})

test('a validationError that is attached has issues', async () => {
  const options = { schema: { body: { n: t.Integer() } }, attachValidation: true }
  const app = untyped().post('/', options, ({ validationError }) => validationError.issues)
  const response = await app.inject({ method: 'POST', url: '/', payload: {} })
  assert.equal(response.json()[0].pointer, '/n')
})

test('the error of a formatter has issues, unless it has its own', async () => {
  const schema = { body: { n: t.Integer() } }
  const told = async (schemaErrorFormatter: () => Error) => {
    const app: any = untyped({ schemaErrorFormatter }).setErrorHandler((error, _request, reply) =>
      reply.code(400).send([error.message, Object.keys(error).includes('issues'), error.issues]),
    )
    app.post('/', { schema }, () => 1)
    return (await app.inject({ method: 'POST', url: '/', payload: {} })).json()
  }
  const [message, isListed, [issue]] = await told(() => new Error('mine'))
  assert.deepEqual([message, isListed, issue.pointer], ['mine', false, '/n'])
  const own = await told(() => Object.assign(new Error('mine'), { issues: ['my own'] }))
  assert.deepEqual(own, ['mine', true, ['my own']])
})

test('a response schema that names the issues sends them', async () => {
  const schema = {
    body: { n: t.Integer() },
    response: {
      400: t.Object({ message: t.String(), issues: t.Array(t.Object({ pointer: t.String() })) }),
    },
  }
  for (const options of [{}, { schemaErrorFormatter: () => new Error('body must have n') }]) {
    const app = untyped(options).post('/', { schema }, () => 1)
    const response = await app.inject({ method: 'POST', url: '/', payload: {} })
    assert.deepEqual(response.json().issues, [{ pointer: '/n' }])
  }
})

test('issues are computed when they are first read, once', async () => {
  let reads = 0
  const issue = {
    message: 'wrong',
    path: ['n'],
    get code() {
      reads += 1
      return 'custom'
    },
  }
  const body = {
    '~standard': { version: 1, vendor: 'mine', validate: () => ({ issues: [issue] }) },
  }
  const told: unknown[] = []
  const app: any = untyped().setErrorHandler((error, _request, reply) => {
    told.push(reads)
    const { issues } = error
    const count = reads
    told.push(count > 0, error.issues === issues, reads === count)
    return reply.code(400).send({})
  })
  app.post('/', { schema: { body } }, () => 1)
  const plain = untyped().post('/', { schema: { body } }, () => 1)
  await plain.inject({ method: 'POST', url: '/', payload: {} })
  await app.inject({ method: 'POST', url: '/', payload: {} })
  assert.deepEqual(told, [0, true, true, true])
})

test('the issues of a body by its content type are those of its schema', async () => {
  const body = { content: { 'application/json': { schema: { shape: Shape } } } }
  const [issue, ...others] = await bodyIssues(body, { shape: { kind: 'circle', radius: 'r' } })
  assert.deepEqual([issue?.pointer, others], ['/shape/radius', []])
})

test('servers of fastify have no issues', async () => {
  const app: any = fastify()
  app.setErrorHandler((error: object, _request: unknown, reply: any) =>
    reply.code(400).send(['issues' in error]),
  )
  const schema = { body: { type: 'object', required: ['n'] } }
  app.post('/', { schema }, () => 1)
  const schemaErrorFormatter = () => new Error('mine')
  app.post('/formatter', { schema, schemaErrorFormatter }, () => 1)
  for (const url of ['/', '/formatter']) {
    const response = await app.inject({ method: 'POST', url, payload: {} })
    assert.deepEqual(response.json(), [false])
  }
})

test('a client does not decide how many errors there are', async () => {
  const many = Array.from({ length: 3_000 }, () => 'x')
  const object = Object.fromEntries(many.map((text, index) => [`k${index}`, text]))
  const n = t.Integer()
  for (const [schema, payload] of [
    [t.Array(n), many],
    [t.Array(t.Array(n)), [many, many, many]],
    [t.Record(t.String(), n), object],
    [t.Unsafe({ type: 'object', patternProperties: { '^k': { type: 'integer' } } }), object],
    [t.Unsafe({ type: 'object', propertyNames: { maxLength: 1 } }), object],
    [t.Object({}, { additionalProperties: false }), object],
    [z.array(z.number()), many],
    [v.array(v.number()), many],
  ] as const) {
    const app: any = untyped(keeping).setErrorHandler((error, _request, reply) =>
      reply.code(400).send({
        records: error.validation.length,
        issues: error.issues.length,
        message: error.message.length,
      }),
    )
    app.post('/', { schema: { body: schema } }, () => 1)
    const { records, issues, message } = (
      await app.inject({ method: 'POST', url: '/', payload })
    ).json()
    assert.ok(records >= 100 && records <= 300, `${records} records`)
    assert.ok(message < 10_000, `a message of ${message}`)
    assert.ok(issues >= 50 && issues <= 100, `${issues} issues`)
  }
})

test('a list after an alternative with many errors is validated to its end', async () => {
  const texts = Array.from({ length: 300 }, () => 'x')
  const body = { list: t.Union([t.Array(t.Integer()), t.Array(t.Literal('x'))]) }
  const app = untyped(keeping).post('/', { schema: { body } }, ({ body }) => body.list.length)
  const send = async (list: unknown[]) =>
    (await app.inject({ method: 'POST', url: '/', payload: { list } })).statusCode
  assert.equal(await send(texts), 200)
  assert.equal(await send([...texts, 'y']), 400)
})

test('values that are nested deeply cost no time', async () => {
  let value: object = { kind: 'cat', toy: { size: 'x' } }
  for (let depth = 0; depth < 400; depth++)
    value = { kind: 'cat', toy: { size: 1 }, young: [value] }
  const start = performance.now()
  const issues = await bodyIssues({ $ref: 'pet#' }, value)
  assert.ok(issues.length >= 1)
  assert.ok(performance.now() - start < 5_000)
})
