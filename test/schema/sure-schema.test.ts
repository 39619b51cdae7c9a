import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { bundleSchema } from '../../src/schema/bundle.ts'
import { isSure } from '../../src/schema/sure-schema.ts'
import { silenced } from '../support/silence.ts'
import { untyped, untypedFastify, type UntypedServer } from '../support/untyped.ts'

type Schema = Record<string, unknown>
type Below = (limit: number) => number

const shared = { $id: 'shared', type: 'object', properties: { next: { $ref: 'shared#' } } }

/** Random numbers of a seed (mulberry32). */
function generator(seed: number): Below {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0
    let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) % below
  }
}

const oddTexts = ['', '^a', '(', '[', '\nx', '\r', '\u2028', "'", '"', '\\', '/', '*/', '`${a}`']
const oddNames = ['b', 'c d', ...oddTexts, 'constructor', '__proto__', 'a~1/b', '%', '#']
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
const keywords = [
  ...['title', 'description', 'examples', 'example', 'readOnly', 'deprecated', 'default', 'enum'],
  ...['const', 'nullable', 'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum'],
  ...['multipleOf', 'minItems', 'uniqueItems', 'additionalItems', 'minProperties', 'required'],
  ...['additionalProperties', 'patternProperties', 'properties', 'type', 'items', 'anyOf', 'oneOf'],
  ...['allOf', 'not', 'if', 'then', 'contains', 'propertyNames', '$ref', '$id', '$async'],
  ...['definitions', '$defs', 'discriminator', 'dependencies', 'requird', 'x-any', 'file'],
  ...['constructor', '__proto__', ''],
]

/** Values that keywords have, right and wrong ones. */
const oddValues = (): readonly unknown[] => [
  ...[0, 1, -1, 1.5, Infinity, NaN, 10n, true, false, null, undefined, () => 1, Symbol('a')],
  ...[
    ...oddTexts,
    'date',
    'other',
    'strng',
    'integer',
    '#',
    '#/properties/a',
    'shared#',
    'shared#x',
  ],
  ...[[], ['a'], ['a', 'a'], ['b', 1, null], [[]], [{}], ['string', 'null'], ['string', 'number']],
  ...[{}, { a: 1 }, { type: 'string' }, { type: 'strng' }, [{ type: 'null' }], [true, { type: 1 }]],
  ...[{ a: { type: 'integer' } }, { a: true }, { a: ['b'] }, { constructor: { type: 'string' } }],
  ...oddTexts.map((name) => ({ [name]: { type: 'string' } })),
  ...[
    new Date(0),
    /a/,
    new Map(),
    Object.create({ type: 'string' }),
    { $ref: '#' },
    [{ $ref: '?' }],
  ],
]

/** A schema that is mostly right. */
function randomSchema(below: Below, depth: number): Schema {
  const pick = <Value>(list: readonly Value[]): Value | undefined => list[below(list.length)]
  const maybe = (chance: number, schema: Schema): Schema => (below(chance) === 0 ? schema : {})
  const inner = (): Schema => (depth > 0 ? randomSchema(below, depth - 1) : { type: 'string' })
  const form = below(12)
  if (form === 0) return { const: pick(['a', 1, null, true, "it's"]) }
  if (form === 1) return { enum: pick([['a', 1, null], ['b'], [1.5, 2]]) }
  if (form === 2) return { $ref: 'shared#' }
  if (form === 3) return { [pick(['anyOf', 'oneOf']) ?? '']: [inner(), inner()] }
  const type = pick(types)
  const written = below(8) === 0 ? { type: [type, 'null'] } : { type }
  const own: Record<string, () => Schema> = {
    object: () => ({
      [below(3) === 0 ? 'patternProperties' : 'properties']: {
        a: inner(),
        [pick(oddNames) ?? '']: inner(),
      },
      ...maybe(3, { required: pick([['a'], ['a', 'b'], []]) }),
      ...maybe(4, { additionalProperties: pick([true, false, { type: 'number' }]) }),
    }),
    array: () => ({
      items: below(6) === 0 ? [inner(), inner()] : inner(),
      ...maybe(4, { minItems: 1, uniqueItems: true }),
    }),
    string: () => ({
      ...maybe(4, { pattern: pick(['^a+$', '^\\p{L}$', ...oddTexts]) }),
      ...maybe(4, { format: pick(['date-time', 'email', 'uuid', 'binary', 'emial']) }),
      ...maybe(4, { enum: ['a', 'b'], default: 'a' }),
    }),
    number: () => ({
      ...maybe(4, { minimum: 1, maximum: 10 }),
      ...maybe(4, { default: pick([0, 1, 2, 1.5]) }),
      ...maybe(4, { multipleOf: pick([2, 0.5]) }),
    }),
  }
  return { ...written, ...own[type === 'integer' ? 'number' : (type ?? '')]?.() }
}

/** Gives a keyword of a schema, at any depth, a value that may be wrong. */
function spoil(schema: Schema, below: Below): void {
  const all = [schema]
  for (const each of all) {
    for (const value of Object.values(each)) {
      if (typeof value === 'object' && value !== null) all.push(value as Schema)
    }
  }
  const values = oddValues()
  const value = values[below(values.length)]
  const name = keywords[below(keywords.length)] ?? ''
  const place = all[below(all.length)] ?? schema
  Object.defineProperty(place, name, { value, enumerable: true, configurable: true })
}

interface Case {
  readonly schema: Schema
  readonly part: 'querystring' | 'body' | 'response'
}

/** The case of a seed. Each call makes objects of its own. */
function makeCase(seed: number): Case {
  const below = generator(seed)
  const schema = randomSchema(below, below(4))
  for (let wrong = below(3); wrong > 0; wrong--) spoil(schema, below)
  return { schema, part: (['querystring', 'body', 'response'] as const)[below(3)] ?? 'body' }
}

const payloads = [null, {}, { a: 'a', b: 1 }, [], ['a', 1], 'a', 1]

/** What a server makes of a schema: why it does not boot, or its answers. */
async function outcome(app: UntypedServer, { schema, part }: Case): Promise<readonly string[]> {
  let payload: unknown
  const schemas = { [part]: part === 'response' ? { 200: schema } : schema }
  try {
    app.addSchema(shared)
    app.post('/', { schema: schemas }, () => (part === 'response' ? payload : 'read'))
    await app.ready()
  } catch (error) {
    return [String(error)]
  }
  const answers: string[] = []
  for (payload of payloads) {
    const sent = {
      payload: JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    }
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/?a=1&b=x', ...sent })
    answers.push(`${statusCode} ${body}`)
  }
  return answers
}

for (const [name, create] of [
  ['espalier', untyped],
  ['fastify', untypedFastify],
] as const) {
  test(`what compiles late has the outcome of what compiles at boot (${name})`, async () => {
    const warn = mock.method(console, 'warn', () => undefined)
    const error = mock.method(console, 'error', () => undefined)
    let refused = 0
    let late = 0
    const count = 60
    await silenced(async () => {
      for (let seed = 0; seed < count; seed++) {
        const eager = await outcome(create({ compile: 'eager' }), makeCase(seed))
        const warnings = warn.mock.callCount()
        const lazy = await outcome(create(), makeCase(seed))
        assert.deepEqual(lazy, eager, `seed ${seed}`)
        assert.equal(warn.mock.callCount(), 2 * warnings, `seed ${seed} warns late`)
        warn.mock.resetCalls()
        if (lazy.length === 1) refused++
        else if (isSureCase(makeCase(seed))) late++
      }
    })
    error.mock.restore()
    warn.mock.restore()
    assert.ok(refused > count / 4 && late > count / 4, `${refused} refused, ${late} late`)
  })
}

function isSureCase({ schema }: Case): boolean {
  return isSure(bundleSchema(schema, { shared }))
}

test('a schema that only its size makes wrong is refused at boot', async () => {
  const deep = (depth: number): Schema =>
    depth === 0 ? { type: 'string' } : { type: 'array', items: deep(depth - 1) }
  const chain = Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [
      `d${at}`,
      { type: 'array', items: { $ref: `#/definitions/d${Math.min(at + 1, 119)}` } },
    ]),
  )
  const list: Schema = { type: 'array', items: { $ref: '#/definitions/d0' }, definitions: chain }
  for (const schema of [deep(120), list]) {
    const app = untyped()
    app.get('/', { schema: { response: { 200: schema } } }, () => [])
    await assert.rejects(app.ready(), /maximum depth/)
  }
})
