// request.getValidationFunction, compileValidationSchema and validateInput.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { deepFreeze, untyped, type AnyHandler } from '../support/untyped.ts'

type Act = (request: any, reply: any) => unknown

const number = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const needsB = { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] }

/** Runs an act in a handler, with what it throws, and gives its result. */
async function within(act: Act, options: object = {}, app = untyped()) {
  let result: unknown
  let thrown: { readonly error: unknown } | undefined
  const handler: AnyHandler = (request, reply) => {
    try {
      result = act(request, reply)
    } catch (error) {
      thrown = { error }
    }
    return 'done'
  }
  app.post('/:id', options, handler)
  const headers = { b: 'b' }
  const response = await app.inject({ method: 'POST', url: '/1?b=b', headers, payload: { b: 'b' } })
  await app.close()
  assert.equal(response.body, 'done')
  if (thrown !== undefined) throw thrown.error
  return result
}

for (const part of ['body', 'querystring', 'headers'] as const) {
  test(`getValidationFunction gives the validator of the ${part} of the route's schema`, async () => {
    await within(
      (request) => {
        const validate = request.getValidationFunction(part)
        assert.equal(request.getValidationFunction(part), validate)
        assert.equal(validate({ b: 'x' }), true)
        assert.equal(validate.errors, null)
        assert.equal(validate({}), false)
        assert.equal(validate.errors[0].message, "must have required property 'b'")
        assert.equal(validate({ b: 'x' }), true)
        assert.equal(validate.errors, null)
      },
      { schema: { [part]: needsB } },
    )
  })
}

test('getValidationFunction knows params, the alias query as querystring, and short forms', async () => {
  const schema = { params: { id: { type: 'integer' } }, query: { b: t.String() } }
  await within(
    (request) => {
      assert.equal(request.getValidationFunction('params')({ id: 'x' }), false)
      assert.equal(request.getValidationFunction('querystring')({}), false)
      assert.equal(request.getValidationFunction('querystring')({ b: 'b' }), true)
    },
    { schema },
  )
})

test('getValidationFunction gives undefined where there is none', async () => {
  await within(
    (request) => {
      for (const source of ['params', 'headers', 'nonsense', needsB, number, undefined, 5]) {
        assert.equal(request.getValidationFunction(source), undefined)
      }
    },
    { schema: { body: needsB } },
  )
})

test('a body that is not validated on its method has no validator either', async () => {
  const seen: unknown[] = []
  const app = untyped().delete('/', { schema: { body: needsB } }, (request) => {
    seen.push(request.getValidationFunction('body'))
    return 'done'
  })
  await app.inject({ method: 'DELETE', url: '/' })
  assert.deepEqual(seen, [undefined])
  await app.close()
})

test('a schema that was compiled is found by its object, and by none that is equal', async () => {
  await within((request) => {
    const validate = request.compileValidationSchema(number)
    assert.equal(request.getValidationFunction(number), validate)
    assert.equal(request.compileValidationSchema(number), validate)
    assert.equal(request.getValidationFunction({ ...number }), undefined)
  })
})

test('what is coerced and filled in is the object that was given; the schema is not changed', async () => {
  const list = { type: 'array', items: { type: 'integer' }, default: [7] }
  const properties = { n: { type: 'integer' }, list }
  const schema = deepFreeze({ type: 'object', properties, additionalProperties: false })
  await within((request) => {
    const given = { n: '5', more: 1 }
    assert.equal(request.validateInput(given, schema), true)
    assert.deepEqual(given, { n: 5, list: [7] })
    assert.equal(request.validateInput({ n: 'x' }, schema), false)
  })
})

test('validateInput takes a part, a schema, or both: then the own schema of the part comes first', async () => {
  await within(
    (request) => {
      assert.equal(request.validateInput({ b: 'b' }, 'body'), true)
      assert.equal(request.validateInput({}, 'body'), false)
      assert.equal(request.validateInput({ n: 1 }, number), true)
      assert.equal(request.validateInput({ n: 'x' }, number), false)
      assert.equal(request.validateInput({ b: 'b' }, number, 'body'), true)
      assert.equal(request.validateInput({ n: 1 }, number, 'body'), false)
      assert.equal(request.validateInput({ n: 1 }, number, 'params'), true)
    },
    { schema: { body: needsB } },
  )
})

test('validateInput compiles a schema once, and leaves what is wrong on its function', async () => {
  await within((request) => {
    assert.equal(request.validateInput({}, number), false)
    const validate = request.getValidationFunction(number)
    assert.equal(validate.errors[0].keyword, 'required')
    assert.equal(request.validateInput({ n: 1 }, number), true)
    assert.equal(validate.errors, null)
  })
})

test('a value need not be an object', async () => {
  await within((request) => {
    assert.equal(request.validateInput(5, { type: 'integer' }), true)
    assert.equal(request.validateInput('x', { type: 'integer' }), false)
    assert.equal(request.validateInput(null, { type: 'null' }), true)
    assert.equal(request.validateInput(undefined, { type: 'object', properties: {} }), false)
    assert.equal(request.validateInput([1, 2], t.Array(t.Integer())), true)
  })
})

test('schemas may be short forms, made with t, and refer to the shared schemas of the scope', async () => {
  const app = untyped().addSchema({ $id: 'number', ...number })
  await within(
    (request) => {
      assert.equal(request.validateInput({}, { n: t.Integer() }), false)
      assert.equal(request.validateInput({}, { n: { type: 'integer' } }), true)
      assert.equal(request.validateInput({ n: '5' }, { $ref: 'number#' }), true)
      assert.equal(request.validateInput({}, { $ref: 'number#' }), false)
      assert.equal(request.validateInput({ a: {} }, { a: { $ref: 'number#' } }), false)
      const headers = { type: 'object', required: ['X-A'], properties: { 'X-A': {} } }
      assert.equal(request.validateInput({ 'x-a': '1' }, headers, 'headers'), true)
    },
    {},
    app,
  )
})

test('a reference that the scope does not see is an error that names the route', async () => {
  const app = untyped()
  app.register(async (beside) => void beside.addSchema({ $id: 'beside', type: 'string' }))
  const compile: Act = (request) => request.compileValidationSchema({ $ref: 'beside#' })
  await assert.rejects(within(compile, {}, app), {
    code: 'ESP_ERR_SCH_MISSING_REF',
    message: /'beside#'.*POST \/:id in root/,
  })
})

test('a schema that the compiler refuses is an error that names the route, each time', async () => {
  const schema = { type: 'nonsense' }
  for (const act of [
    (request: any) => request.compileValidationSchema(schema),
    (request: any) => request.validateInput({}, schema),
  ]) {
    await assert.rejects(within(act), {
      code: 'ESP_ERR_SCH_VALIDATION_BUILD',
      message: /POST \/:id in root/,
    })
  }
})

test('a Standard Schema may be given too, also one that is a function', async () => {
  const validate = (value: unknown) =>
    value === 'ok' ? { value } : { issues: [{ message: 'is not ok', path: ['a'] }] }
  const marks = { '~standard': { version: 1, vendor: 'x', validate } }
  for (const schema of [marks, Object.assign(() => {}, marks)]) {
    await within((request) => {
      assert.equal(request.validateInput('ok', schema), true)
      assert.equal(request.validateInput('no', schema), false)
      const { errors } = request.getValidationFunction(schema)
      assert.deepEqual([errors[0].instancePath, errors[0].message], ['/a', 'is not ok'])
    })
  }
})

for (const source of [undefined, null, 'params', 'nonsense', 5, true, [number]]) {
  test(`validateInput refuses ${JSON.stringify(source)}, which names no schema of the route`, async () => {
    await assert.rejects(
      within((request) => request.validateInput({}, source), { schema: { body: needsB } }),
      { code: 'ESP_ERR_REQ_INVALID_VALIDATION_INVOCATION', message: /POST \/:id in root/ },
    )
  })
}

test('the compiler of the route, else of the scope, is called once for each schema object', async () => {
  const calls: any[][] = []
  const compiler =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args])
      return (data: unknown) => (data === name ? { value: data } : { error: `not ${name}` })
    }
  const act: Act = (request) => {
    const validate = request.compileValidationSchema(number, 'querystring')
    assert.equal(validate('x'), false)
    assert.match(validate.errors, /^not (scope|route)$/)
    assert.equal(request.validateInput(validate.errors.slice(4), number), true)
    assert.equal(validate.errors, null)
  }
  await within(act, {}, untyped().setValidatorCompiler(compiler('scope')))
  const options = { validatorCompiler: compiler('route') }
  await within(act, options, untyped().setValidatorCompiler(compiler('scope')))
  const request = { schema: number, method: 'POST', url: '/:id', httpPart: 'querystring' }
  assert.deepEqual(calls, [
    ['scope', request],
    ['route', request],
  ])
  for (const [, { schema }] of calls as any) assert.equal(schema, number)
})

test('a schema object is compiled once for all requests of a route, and again for another', async () => {
  const urls: string[] = []
  const app = untyped().setValidatorCompiler(({ url }: any) => {
    urls.push(url)
    return () => true
  })
  for (const url of ['/a', '/b']) app.get(url, (request) => request.validateInput({}, number))
  for (const url of ['/a', '/a', '/b', '/a', '/b']) {
    assert.equal((await app.inject(url)).body, 'true')
  }
  assert.deepEqual(urls, ['/a', '/b'])
  await app.close()
})

test('every way in which a validator answers becomes true or false; a promise is an error', async () => {
  const answers: readonly (readonly [unknown, boolean])[] = [
    [true, true],
    [false, false],
    [{ value: 1 }, true],
    [{ error: 'no' }, false],
    [new Error('no'), false],
    [undefined, true],
  ]
  for (const [answer, expected] of answers) {
    const options = { validatorCompiler: () => () => answer }
    assert.equal(await within((request) => request.validateInput({}, {}), options), expected)
  }
  for (const late of [async () => true, async () => Promise.reject(new Error('late'))]) {
    const options = { validatorCompiler: () => late }
    const act: Act = (request) => request.validateInput({}, number)
    const failed = { code: 'ESP_ERR_VALIDATOR_FAILED', message: /promise/ }
    await silenced(async () => assert.rejects(within(act, options), failed))
    await new Promise((resolve) => setImmediate(resolve))
  }
})

test('hooks, error handlers and not-found handlers have these functions too', async () => {
  const seen: unknown[] = []
  const look: Act = (request) => void seen.push(request.validateInput({ n: '1' }, number))
  const app = untyped().addHook('onRequest', async (request, reply) => look(request, reply))
  app.setErrorHandler((_error, request, reply) => {
    look(request, reply)
    return 'handled'
  })
  app.setNotFoundHandler((request) => {
    look(request, undefined)
    throw new Error('on')
  })
  assert.equal((await app.inject('/none')).body, 'handled')
  assert.deepEqual(seen, [true, true, true])
  await app.close()
})
