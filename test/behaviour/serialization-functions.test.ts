// reply.serialize, getSerializationFunction, compileSerializationSchema and serializeInput.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { deepFreeze, untyped, type AnyHandler } from '../support/untyped.ts'

type Act = (reply: any) => unknown

const only = (name: string) => ({ type: 'object', properties: { [name]: { type: 'integer' } } })
const all = { a: 1, b: 2, c: 3, d: 4, e: 5 }

/** Runs an act in a handler, with what it throws, and gives its result. */
async function within(act: Act, options: object = {}, app = untyped()) {
  let result: unknown
  let thrown: { readonly error: unknown } | undefined
  const handler: AnyHandler = (_request, reply) => {
    try {
      result = act(reply)
    } catch (error) {
      thrown = { error }
    }
    return reply.code(204).send()
  }
  app.get('/', options, handler)
  assert.equal((await app.inject('/')).statusCode, 204)
  await app.close()
  if (thrown !== undefined) throw thrown.error
  return result
}

const content = {
  'application/json': { schema: only('c') },
  'application/vnd.d+json': { schema: only('d') },
}
const schema = {
  response: {
    200: only('a'),
    '2xx': { b: { type: 'integer' } },
    203: { content },
    default: { description: 'else', content: { '*/*': { schema: only('e') } } },
  },
}

const found: readonly (readonly [
  source: number | string,
  type: string | undefined,
  text: string,
])[] = [
  [200, undefined, '{"a":1}'],
  ['200', undefined, '{"a":1}'],
  [200, 'text/html', '{"a":1}'],
  [201, undefined, '{"b":2}'],
  ['2xx', undefined, '{"b":2}'],
  ['2XX', undefined, '{"b":2}'],
  [203, undefined, '{"c":3}'],
  [203, 'application/json; charset=utf-8', '{"c":3}'],
  [203, 'Application/VND.d+json', '{"d":4}'],
  [404, undefined, '{"e":5}'],
  [500, 'text/html', '{"e":5}'],
  ['default', undefined, '{"e":5}'],
]
for (const [source, type, text] of found) {
  test(`the serializer of ${source}${type === undefined ? '' : ` as ${type}`} is found by its status`, async () => {
    await within(
      (reply) => {
        const serialize = reply.getSerializationFunction(source, type)
        assert.equal(serialize(all), text)
        assert.equal(reply.getSerializationFunction(source, type), serialize)
        assert.equal(reply.serializeInput(all, source, type), text)
      },
      { schema },
    )
  })
}

test('getSerializationFunction gives undefined where there is none', async () => {
  const response = { 200: only('a'), 203: { content } }
  await within(
    (reply) => {
      for (const source of [201, '2xx', 404, 'default', 'nonsense', only('a'), schema]) {
        assert.equal(reply.getSerializationFunction(source), undefined)
      }
      assert.equal(reply.getSerializationFunction(203, 'text/html'), undefined)
    },
    { schema: { response } },
  )
  await within((reply) => assert.equal(reply.getSerializationFunction(200), undefined))
})

test('serializeInput refuses a status, and a type of a status, that the route does not declare', async () => {
  const options = { schema: { response: { 200: only('a'), 203: { content } } } }
  const serialize =
    (...args: unknown[]): Act =>
    (reply) =>
      reply.serializeInput(all, ...args)
  for (const source of [404, '4xx', 'default', 'nonsense']) {
    await assert.rejects(within(serialize(source), options), {
      code: 'ESP_ERR_MISSING_SERIALIZATION_FN',
      message: new RegExp(`^GET / in root has no response schema for '${source}'`),
    })
  }
  for (const [status, type] of [
    [203, 'text/html'],
    [404, 'application/json'],
  ]) {
    await assert.rejects(within(serialize(status, type), options), {
      code: 'ESP_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN',
      message: new RegExp(`^GET / in root has .*'${status}' and content type '${type}'`),
    })
  }
  const missing = { code: 'ESP_ERR_MISSING_SERIALIZATION_FN' }
  await assert.rejects(within(serialize(200)), missing)
})

test('a schema that was compiled is found by its object, and by none that is equal', async () => {
  await within((reply) => {
    const own = deepFreeze(only('b'))
    const serialize = reply.compileSerializationSchema(own)
    assert.equal(serialize(all), '{"b":2}')
    assert.equal(reply.compileSerializationSchema(own), serialize)
    assert.equal(reply.compileSerializationSchema(own, 201, 'a/b'), serialize)
    assert.equal(reply.getSerializationFunction(own), serialize)
    assert.equal(reply.getSerializationFunction(only('b')), undefined)
    assert.equal(reply.serializeInput(all, own), '{"b":2}')
  })
})

test('serializeInput compiles a schema at its first use, and the schema of the route is left alone', async () => {
  await within(
    (reply) => {
      const own = only('b')
      assert.equal(reply.serializeInput(all, own, 200), '{"b":2}')
      assert.equal(typeof reply.getSerializationFunction(own), 'function')
      assert.equal(reply.serializeInput(all, 200), '{"a":1}')
    },
    { schema },
  )
})

test('schemas may be short forms, made with t, and refer to the shared schemas of the scope', async () => {
  const app = untyped().addSchema({ $id: 'one', ...only('a') })
  await within(
    (reply) => {
      assert.equal(reply.serializeInput(all, { b: { type: 'integer' } }), '{"b":2}')
      assert.equal(reply.serializeInput(all, { c: t.Integer() }), '{"c":3}')
      assert.equal(reply.serializeInput(all, { $ref: 'one#' }), '{"a":1}')
      assert.equal(reply.serializeInput({ x: all }, { x: { $ref: 'one#' } }), '{"x":{"a":1}}')
      assert.equal(reply.serializeInput([all], t.Array(t.Ref('one#'))), '[{"a":1}]')
    },
    {},
    app,
  )
})

test('a value that its schema cannot serialize is an error', async () => {
  const act: Act = (reply) => reply.serializeInput({}, t.Object({ name: t.String() }))
  await assert.rejects(within(act), { message: '"name" is required! Place in the value: /name' })
})

test('a schema that the compiler refuses, and a reference to what is not seen, name the route', async () => {
  await assert.rejects(
    within((reply) => reply.compileSerializationSchema({ $ref: 'none#' }, 201)),
    { code: 'ESP_ERR_SCH_MISSING_REF', message: /'none#'.*response 201 of GET \/ in root/ },
  )
  const serializerCompiler = () => {
    throw new Error('no idea')
  }
  await assert.rejects(
    within((reply) => reply.serializeInput({}, only('a')), { serializerCompiler }),
    { code: 'ESP_ERR_SCH_SERIALIZATION_BUILD', message: /GET \/ in root.*no idea/ },
  )
})

test('what is no schema is refused', async () => {
  for (const wrong of [null, [only('a')]]) {
    await assert.rejects(
      within((reply) => reply.compileSerializationSchema(wrong)),
      { code: 'ESP_ERR_SCH_NOT_OBJECT', message: /GET \/ in root/ },
    )
  }
})

test('a Standard Schema may be given too, also one that is a function', async () => {
  const marks = { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 'made' }) } }
  for (const given of [marks, Object.assign(() => {}, marks)]) {
    await within((reply) => {
      assert.equal(reply.serializeInput(all, given), '"made"')
      assert.equal(reply.getSerializationFunction(given)(all), '"made"')
    })
  }
})

test('the compiler of the route, else of the scope, is called once for each schema object', async () => {
  const calls: any[][] = []
  const compiler =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args])
      return () => name
    }
  const [first, second] = [only('a'), only('a')]
  const act: Act = (reply) => {
    const name = reply.compileSerializationSchema(first, 201, 'application/json')({})
    assert.equal(reply.serializeInput({}, first), name)
    assert.equal(reply.serializeInput({}, second, '4xx'), name)
  }
  await within(act, {}, untyped().setSerializerCompiler(compiler('scope')))
  const scope = untyped().setSerializerCompiler(compiler('scope'))
  await within(act, { serializerCompiler: compiler('route') }, scope)
  const where = { method: 'GET', url: '/' }
  const requests = [
    { schema: first, ...where, httpStatus: '201', contentType: 'application/json' },
    { schema: second, ...where, httpStatus: '4xx' },
  ]
  assert.deepEqual(
    calls,
    ['scope', 'route'].flatMap((name) => requests.map((request) => [name, request])),
  )
  const [[, one], [, two]] = calls as [any[], any[]]
  assert.equal(one.schema, first)
  assert.equal(two.schema, second)
})

test('a schema object is compiled once for all requests of a route', async () => {
  let count = 0
  const serializerCompiler = () => {
    count++
    return () => 'text'
  }
  const given = only('a')
  const app = untyped().get('/', { serializerCompiler }, (_request, reply) =>
    reply.serializeInput({}, given),
  )
  for (let round = 0; round < 3; round++) assert.equal((await app.inject('/')).body, 'text')
  assert.equal(count, 1)
  await app.close()
})

test('serialize gives the text that send would write with the present status and type', async () => {
  await within(
    (reply) => {
      assert.equal(reply.serialize(all), '{"a":1}')
      assert.equal(reply.code(202).serialize(all), '{"b":2}')
      assert.equal(reply.code(404).serialize(all), '{"e":5}')
      assert.equal(reply.code(203).serialize(all), '{"c":3}')
      assert.equal(reply.type('application/vnd.d+json').serialize(all), '{"d":4}')
      assert.equal(reply.sent, false)
      assert.throws(() => reply.type('text/html').serialize(all), {
        code: 'ESP_ERR_REP_INVALID_PAYLOAD_TYPE',
      })
      reply.removeHeader('content-type')
    },
    { schema },
  )
  await within((reply) => {
    assert.equal(reply.serialize(all), JSON.stringify(all))
    assert.equal(reply.serialize('text'), '"text"')
    assert.equal(reply.serialize(null), 'null')
    assert.equal(reply.getHeader('content-type'), undefined)
  })
})

test('serialize throws what the serializer throws, and the reply can still be sent', async () => {
  const act: Act = (reply) => {
    assert.throws(() => reply.serialize({}), {
      message: '"name" is required! Place in the value: /name',
    })
    assert.throws(() => reply.code(500).serialize({ n: 1n }), { message: /BigInt/ })
  }
  await within(act, { schema: { response: { 200: { name: t.String() } } } })
})
