import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import recheck from 'recheck'
import espalier, { httpError, t } from '../../../src/index.ts'
import { fastify } from '../../../src/fastify/index.ts'
import { examine, type Hazard } from '../../../src/cli/check/examine.ts'
import { UsageError } from '../../../src/errors/usage-error.ts'
import { nodeOf } from '../../../src/server/node.ts'

/** An application whose routes have schemas of any form. */
type App = any

const check = (pattern: string, flags: string, options: object) =>
  recheck.checkSync(pattern, flags, options)

Object.assign(process.env, { RECHECK_SYNC_BACKEND: 'pure' })

/** Examines an application that a function completes. */
async function examined(add: (app: App) => void, options: object = {}, find: App = check) {
  const app: App = espalier(options)
  add(app)
  await app.ready()
  const findings = examine(nodeOf(app).host, find)
  await app.close()
  return findings
}

const show = ({ kind, part, pointer, input, result }: Hazard) =>
  `${kind} ${part} ${pointer}: ${input} ${result}`

/** A route that has one schema, and the hazards of one kind in it. */
const kindsOf = async (schema: object, strict: boolean, method = 'POST', options = {}) => {
  const { hazards } = await examined(
    (app) => app.route({ method, url: '/', schema, handler: () => ({}) }),
    { strict, ...options },
  )
  return hazards
}

interface Case {
  readonly schema: object
  /** The hazard as it is shown; in strict mode, if it is there too. */
  readonly shown: string
  readonly strict?: string
  readonly method?: string
  readonly options?: object
}

const A = { type: 'object', properties: { a: { type: 'integer' } } }
const B = { type: 'object', properties: { b: { type: 'integer' } } }
const One = t.Object({ a: t.Integer() }, { additionalProperties: false })
const Two = t.Object({ a: t.Integer(), b: t.Integer() }, { additionalProperties: false })

const cases: Record<string, Case> = {
  'null-converted': {
    schema: { body: t.Object({ n: t.Integer() }) },
    shown: 'body /n: {"n":null} reaches the handler as {"n":0}',
  },
  'text-converted': {
    schema: { body: t.Object({ on: t.Boolean() }) },
    shown: 'body /on: {"on":"true"} reaches the handler as {"on":true}',
  },
  'number-converted': {
    schema: { body: t.Object({ s: t.String() }) },
    shown: 'body /s: {"s":1} reaches the handler as {"s":"1"}',
  },
  'boolean-converted': {
    schema: { body: t.Object({ n: t.Number() }) },
    shown: 'body /n: {"n":true} reaches the handler as {"n":1}',
  },
  'list-converted': {
    schema: { body: t.Object({ n: t.Number() }) },
    shown: 'body /n: {"n":[1]} reaches the handler as {"n":1}',
  },
  'long-number': {
    schema: { querystring: t.Object({ id: t.Integer() }) },
    shown: 'querystring /id: ?id=9007199254740993 reaches the handler as {"id":9007199254740992}',
  },
  'open-object': {
    schema: { querystring: t.Object({ a: t.Integer() }) },
    shown: 'querystring : ?a=1&other=x reaches the handler as {"a":1,"other":"x"}',
  },
  'field-dropped': {
    schema: { body: One },
    shown: 'body : {"a":1,"other":"x"} reaches the handler as {"a":1}',
  },
  'required-unnamed': {
    schema: { body: { ...A, required: ['b'], additionalProperties: false } },
    shown: "body : {} is refused: must have required property 'b'",
    strict: "body : {} is refused: must have required property 'b'",
  },
  'default-missed': {
    schema: { body: t.Object({ page: t.Optional(t.Object({ size: t.Integer({ default: 5 }) })) }) },
    shown: 'body /page: {} reaches the handler as {}',
    strict: 'body /page: {} reaches the handler as {}',
  },
  'patch-filled': {
    method: 'PATCH',
    schema: { body: t.Object({ n: t.Integer({ default: 5 }) }) },
    shown: 'body : {} reaches the handler as {"n":5}',
    strict: 'body : {} reaches the handler as {"n":5}',
  },
  'alternative-unreachable': {
    schema: { querystring: t.Object({ u: t.Union([t.String(), t.Integer()]) }) },
    shown: 'querystring /u: ?u=1 reaches the handler as {"u":"1"}',
    strict: 'querystring /u: ?u=1 reaches the handler as {"u":"1"}',
  },
  'union-loses-fields': {
    schema: { body: t.Object({ u: t.Union([One, Two]) }) },
    shown: 'body /u: {"u":{"a":"1","b":"1"}} reaches the handler as {"u":{"a":1}}',
  },
  'one-of-ambiguous': {
    schema: { body: { type: 'object', required: ['o'], properties: { o: { oneOf: [A, B] } } } },
    shown: 'body /o: {"o":{}} is refused: it fits the alternatives 1 and 2 of oneOf',
    strict: 'body /o: {"o":{}} is refused: it fits the alternatives 1 and 2 of oneOf',
  },
  'loose-pattern': {
    schema: { body: t.Object({ code: t.String({ pattern: '[A-Z]' }) }) },
    shown: 'body /code: {"code":"<A>"} is accepted',
    strict: 'body /code: {"code":"<A>"} is accepted',
  },
  'format-unchecked': {
    options: { ajv: { customOptions: { formats: { free: true } } } },
    schema: { body: t.Object({ f: t.String({ format: 'free' }) }) },
    shown: String.raw`body /f: {"f":"\u0000 {(%zz~9"} is accepted`,
    strict: String.raw`body /f: {"f":"\u0000 {(%zz~9"} is accepted`,
  },
  'integer-rewritten': {
    schema: { response: { 200: t.Object({ cents: t.Integer() }) } },
    shown: 'response 200 /cents: {"cents":199.9} is sent as {"cents":199}',
  },
  'number-rewritten': {
    schema: { response: { 200: t.Object({ n: t.Number() }) } },
    shown: 'response 200 /n: {"n":"7"} is sent as {"n":7}',
  },
  'boolean-rewritten': {
    schema: { response: { 200: t.Object({ on: t.Boolean() }) } },
    shown: 'response 200 /on: {"on":"false"} is sent as {"on":true}',
  },
  'text-rewritten': {
    schema: { response: { 200: t.Object({ s: t.String() }) } },
    shown: 'response 200 /s: {"s":null} is sent as {"s":""}',
  },
  'object-rewritten': {
    schema: { response: { 200: t.Object({ o: One }) } },
    shown: 'response 200 /o: {"o":null} is sent as {"o":{}}',
  },
  'status-undeclared': {
    schema: { response: { 200: t.Object({}) } },
    shown: 'response : reply.code(201).send({"secret":"x"}) is sent as {"secret":"x"}',
  },
}

describe('a hazard', () => {
  for (const [kind, { schema, shown, strict, method, options }] of Object.entries(cases)) {
    const of = async (isStrict: boolean) => {
      const hazards = await kindsOf(schema, isStrict, method, options)
      return hazards.filter((each) => each.kind === kind).map(show)
    }
    test(`${kind} is shown by what came of an input`, async () => {
      assert.deepEqual(await of(false), [`${kind} ${shown}`])
      assert.deepEqual(await of(true), strict === undefined ? [] : [`${kind} ${strict}`])
    })
  }

  test('slow-pattern is shown by the time of two texts', async () => {
    for (const strict of [false, true]) {
      const hazards = await kindsOf(
        {
          body: t.Object({
            s: t.String({ pattern: '^(a+)+$' }),
            fast: t.String({ pattern: '^a+$' }),
          }),
        },
        strict,
      )
      const found = hazards.filter(({ kind }) => kind === 'slow-pattern')
      assert.deepEqual(
        found.map(({ pointer }) => pointer),
        ['/s'],
      )
      const [, long, , short] =
        /(\d+) ms with (\d+) characters, and (\d+) ms/.exec(found[0]?.result ?? '') ?? []
      assert.ok(Number(long) >= 100 && Number(long) > Number(short), found[0]?.result)
    }
  })

  test('slow-pattern is not there where no text can be long enough', async () => {
    const body = t.Object({ s: t.String({ pattern: '^(a+)+$', maxLength: 8 }) })
    const hazards = await kindsOf({ body }, true)
    assert.deepEqual(hazards, [])
  })

  test('list-unbounded is shown by a long list', async () => {
    const list = (options: object) => t.Array(t.Integer(), { uniqueItems: true, ...options })
    const body = t.Object({ all: list({}), few: list({ maxItems: 9 }) })
    for (const strict of [false, true]) {
      const hazards = await kindsOf({ body }, strict)
      const found = hazards.filter(({ kind }) => kind === 'list-unbounded')
      assert.deepEqual(
        found.map(({ pointer, result }) => `${pointer} ${result}`),
        ['/all is accepted, with 10,000 items'],
      )
    }
  })

  test('const-rewritten is shown where Fastify rewrites', async () => {
    const app: App = fastify()
    const schema = { response: { 200: t.Object({ k: t.Literal('a') }) } }
    app.get('/', { schema }, () => ({}))
    await app.ready()
    const { hazards } = examine(nodeOf(app).host, undefined)
    assert.deepEqual(hazards.filter(({ kind }) => kind === 'const-rewritten').map(show), [
      'const-rewritten response 200 /k: {"k":"other"} is sent as {"k":"a"}',
    ])
  })

  test('of a library is shown by running its schema', async () => {
    const body = z.object({ n: z.number(), d: z.iso.datetime() })
    for (const strict of [false, true]) {
      assert.deepEqual((await kindsOf({ body }, strict)).map(show), [
        'field-dropped body : {"n":1,"d":"2000-01-01T00:00:00Z","other":"x"} reaches the handler as {"n":1,"d":"2000-01-01T00:00:00Z"}',
      ])
    }
  })

  test('of a scope is told once', async () => {
    const { hazards } = await examined((app) => {
      app.addResponses({ 500: t.Object({ n: t.Integer() }) })
      app.get('/a', () => 'a').get('/b', () => 'b')
    })
    assert.deepEqual(
      hazards.map(({ route, kind, pointer }) => `${route} ${kind} ${pointer}`),
      ['root integer-rewritten /n'],
    )
  })

  test('depends on the options in force', async () => {
    const body = t.Object({ n: t.Integer({ maximum: 9 }) }, { additionalProperties: false })
    const ajv = { customOptions: { coerceTypes: false, removeAdditional: false } }
    assert.deepEqual(await kindsOf({ body }, false, 'POST', { ajv }), [])
  })
})

describe('no hazard is', () => {
  const fine: Record<string, object> = {
    'an object that says that it is open': {
      querystring: { ...A, additionalProperties: true, properties: {} },
    },
    'a test of how a text begins': {
      body: t.Object({
        url: t.String({ pattern: '^https://' }),
        seen: t.String({ pattern: '\\S' }),
      }),
    },
    'a pattern for the whole text': {
      body: t.Object({
        a: t.String({ pattern: '^(?:a|b)$' }),
        b: t.String({ pattern: '^(?:x)+$' }),
      }),
    },
    'a union whose alternatives differ by a literal': {
      body: t.Object({
        u: t.Union([
          t.Object({ k: t.Literal('a'), n: t.Integer({ maximum: 9 }) }),
          t.Object({ k: t.Literal('b'), s: t.String() }),
        ]),
      }),
    },
    'what an alternative requires of the properties around': {
      body: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
    },
    'a number that null takes in a query': {
      querystring: t.Object({ v: t.Union([t.Integer({ maximum: 9 }), t.Null()]) }),
    },
    'an object that has its default': {
      body: t.Object({ p: t.Object({ n: t.Boolean({ default: true }) }, { default: {} }) }),
    },
    'a pattern that takes no text too': {
      body: t.Object({ s: t.String({ pattern: '^[^\\u0000]*$', minLength: 3 }) }),
    },
    'a format that ajv knows': { body: t.Object({ at: t.String({ format: 'uri-reference' }) }) },
  }
  for (const [name, schema] of Object.entries(fine)) {
    test(name, async () => {
      const { hazards, unexamined } = await examined(
        (app) => app.post('/', { schema }, () => ({})),
        { strict: true },
      )
      assert.deepEqual([hazards.map(show), unexamined], [[], []])
    })
  }
})

describe('what is meant', () => {
  const body = (options: object) => t.Object({ n: t.Integer({ maximum: 9, ...options }) })
  const converted = (hazards: readonly Hazard[]) =>
    hazards.filter(({ kind }) => kind.endsWith('-converted')).map(({ kind }) => kind)

  test('is silent on its schema, and inside of it', async () => {
    const meant = ['null-converted', 'text-converted', 'boolean-converted']
    const all = ['null-converted', 'text-converted', 'boolean-converted', 'list-converted']
    assert.deepEqual(converted(await kindsOf({ body: body({}) }, false)), all)
    assert.deepEqual(converted(await kindsOf({ body: body({ meant }) }, false)), ['list-converted'])
    const around = t.Object({ n: t.Integer({ maximum: 9 }) }, { meant: all })
    assert.deepEqual(converted(await kindsOf({ body: around }, false)), [])
  })

  test('is counted, and told where it does not happen', async () => {
    const { meant, needless } = await examined((app) => {
      app.post('/', { schema: { body: body({ meant: ['null-converted'] }) } }, () => '')
      app.post('/a', { schema: { body: body({ meant: ['loose-pattern'] }) } }, () => '')
    })
    assert.equal(meant, 1)
    const at = { route: 'POST /a', part: 'body', pointer: '/n' }
    assert.deepEqual(needless, [{ kind: 'loose-pattern', ...at }])
  })

  test('silences a status on a schema of a reply', async () => {
    const response = { 200: t.Object({}, { meant: ['status-undeclared'] }) }
    const hazards = await kindsOf({ response }, false)
    assert.deepEqual(
      hazards.map(({ kind }) => kind),
      ['object-rewritten'],
    )
  })

  test('is refused where there is no such hazard', async () => {
    const schema = { body: body({ meant: ['null-convertd'] }) }
    await assert.rejects(kindsOf(schema, false), (error: unknown) => {
      assert.ok(error instanceof UsageError)
      assert.equal(
        error.message,
        "There is no hazard 'null-convertd': 'meant' names it in body of POST / at /n",
      )
      assert.match(error.remedy, /^Is 'null-converted' meant\? There are: /)
      return true
    })
  })

  test('is no part of what is compiled', async () => {
    const shown = t.Union([t.Object({ a: t.String() }), t.Null()], { meant: ['text-rewritten'] })
    const app: App = espalier()
    app.post('/', { schema: { body: body({ meant: [] }), response: { 200: shown } } }, () => ({
      a: 'b',
    }))
    const { body: sent } = await app.inject({ method: 'POST', url: '/', payload: { n: 1 } })
    assert.equal(sent, '{"a":"b"}')
  })
})

describe('not examined', () => {
  const reasons = async (add: (app: App) => void, options = {}) =>
    (await examined(add, options)).unexamined.map(({ part, reason }) => `${part}: ${reason}`)

  test('is what a compiler of the application decides', async () => {
    const schema = { body: A, response: { 200: A } }
    assert.deepEqual(
      await reasons((app) => {
        const compilers = { validatorCompiler: () => () => true, serializerCompiler: () => String }
        app.post('/', { schema, ...compilers }, () => ({}))
      }),
      [
        'body: a validator compiler of the application decides what it takes',
        'response: a serializer compiler of the application decides what it writes',
      ],
    )
  })

  test('is JSON Type Definition', async () => {
    const schema = { body: { properties: { n: { type: 'int32' } } } }
    const found = await reasons((app) => app.post('/', { schema }, () => ''), {
      ajv: { mode: 'JTD' },
    })
    assert.deepEqual(found, ['body: its schema is JSON Type Definition'])
  })

  test('is a schema for which no value is found, and why', async () => {
    const bodies = {
      '/never': t.Object({ a: t.Never() }),
      '/pattern': t.Object({ p: t.String({ pattern: '^(?=.*\\d)[a-z0-9]{8,}$' }) }),
      '/file': t.Object({ f: t.File() }),
      '/async': z.object({ a: z.string() }).refine(async () => true),
      '/date': z.object({ a: z.date() }),
    }
    const found = await reasons((app) => {
      for (const [url, body] of Object.entries(bodies))
        app.post(url, { schema: { body } }, () => '')
    })
    assert.deepEqual(found, [
      'body: no value is found that fits: /a must NOT be valid',
      'body: no value is found that fits: no text is found for the pattern ^(?=.*\\d)[a-z0-9]{8,}$',
      'body: no value is found that fits: it is a file',
      'body: its validator answers by a promise',
      'body: its library does not tell it as JSON Schema',
    ])
  })

  test('is what a promise of ajv decides', async () => {
    const body = { $async: true, ...A }
    assert.deepEqual(await reasons((app) => app.post('/', { schema: { body } }, () => '')), [
      'body: its validator answers by a promise',
    ])
  })
})

describe('an unusual schema is examined', () => {
  test('in both modes and both dialects', async () => {
    const NotFound = httpError('NotFound', 404, { id: t.Integer() })
    const add = (app: App) => {
      app.addSchema({
        $id: 'user',
        type: 'object',
        properties: { id: { type: 'integer' }, boss: { $ref: 'user#' } },
      })
      app.get('/none', () => '')
      app.post(
        '/ref',
        { schema: { body: t.Ref('user#'), response: { '2xx': t.Ref('user#'), 404: NotFound } } },
        () => ({}),
      )
      app.post(
        '/recursive',
        { schema: { body: t.Recursive((self) => t.Object({ next: t.Array(self) })) } },
        () => '',
      )
      app.post(
        '/any',
        { schema: { body: {}, headers: { 'X-Id': t.Integer() }, response: { 200: t.Any() } } },
        () => '',
      )
      app.post(
        '/map',
        { schema: { body: t.Record(t.String({ pattern: '^[a-z]+$' }), t.Integer()) } },
        () => '',
      )
      app.post('/tuple', { schema: { body: t.Tuple([t.Integer(), t.String()]) } }, () => '')
      app.post(
        '/boolean',
        { schema: { body: { type: 'object', properties: { a: true, b: false } } } },
        () => '',
      )
      app.post(
        '/if',
        {
          schema: { body: { ...A, if: { required: ['a'] }, then: B, else: { minProperties: 1 } } },
        },
        () => '',
      )
      app.post(
        '/enum',
        { schema: { body: { type: 'object', properties: { e: { enum: [null, 1, 'a'] } } } } },
        () => '',
      )
      app.post(
        '/form',
        {
          schema: {
            body: {
              content: {
                'application/json': { schema: A },
                'application/x-www-form-urlencoded': { schema: A },
              },
            },
          },
        },
        () => '',
      )
    }
    const [usual, strict] = [await examined(add), await examined(add, { strict: true })]
    assert.deepEqual([...usual.unexamined, ...strict.unexamined], [])
    assert.ok(usual.hazards.length > 20 && strict.hazards.length < 5)
    const app: App = fastify()
    add(app)
    await app.ready()
    assert.deepEqual(examine(nodeOf(app).host, undefined).unexamined, [])
  })

  test('with a transform, whose input counts', async () => {
    const At = t
      .Transform(t.String({ format: 'date' }))
      .Decode((text) => new Date(text))
      .Encode((date) => date.toISOString())
    const hazards = await kindsOf({ body: t.Object({ at: At }) }, false)
    assert.deepEqual(hazards.filter(({ pointer }) => pointer === '/at').map(show), [
      'list-converted body /at: {"at":["2000-01-01"]} reaches the handler as {"at":"2000-01-01"}',
    ])
  })
})
