// Random values for a schema: those that are meant to be valid, those with one mutation, and hostile ones.
import { isObject, set, type Schema } from './oracle.ts'
import type { Random } from './random.ts'
import { names } from './schemas.ts'

type Resolve = (reference: string) => any

const hostile: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 7, 1e21, 2 ** 53, -(2 ** 53), 2 ** 53 - 1, 1e308],
  ...['', '7', '1.0', 'true', 'null', 'x', 'y', '2020-01-02', '1', ' ', '\u{1f600}'],
  ...[[], {}, [1], ['x'], [null], { a: 1 }, { kind: 'x' }, { c: { a: 'secret' } }],
]

const strings: readonly string[] = [
  ...['x', 'y', '', 'abc', 'abcdef', '2020-01-02', '2020-01-02T03:04:05Z', 'a@b.example'],
  '123e4567-e89b-12d3-a456-426614174000',
]

/** A value that is meant to be valid. */
export function valueOf(random: Random, schema: Schema, resolve: Resolve, depth = 6): unknown {
  if (typeof schema !== 'object') return random.pick(hostile)
  const keywords: any = schema
  const { type, nullable, $ref, allOf, anyOf, oneOf } = keywords
  const inner = (each: Schema): unknown => valueOf(random, each, resolve, depth - 1)
  if (depth <= 0) return random.pick<unknown>([null, 1, 'x', {}])
  if ('const' in keywords) return keywords.const
  if ('enum' in keywords) return random.pick(keywords.enum)
  if (nullable === true && random.once(5)) return null
  const union = anyOf ?? oneOf
  const parts = [
    ...($ref === undefined ? [] : [inner(resolve($ref))]),
    ...(allOf ?? []).map(inner),
    ...(union === undefined ? [] : [inner(random.pick(union))]),
    ...(keywords.then === undefined || random.once(3) ? [] : [{ kind: 'x' }, inner(keywords.then)]),
    ...(keywords.else === undefined || random.once(3) ? [] : [inner(keywords.else)]),
    ...(isObject(keywords.dependencies?.a) ? [inner(keywords.dependencies.a)] : []),
  ]
  const own =
    type !== undefined || 'properties' in keywords ? [plainValue(random, keywords, inner)] : []
  const all = [...own, ...parts]
  if (all.length === 0) return random.pick(hostile)
  if (!all.every(isObject)) return all.find((each) => !isObject(each))
  const merged = {}
  for (const each of all) for (const [name, value] of Object.entries(each)) set(merged, name, value)
  return merged
}

function plainValue(random: Random, keywords: any, inner: (schema: Schema) => unknown): unknown {
  const type = random.pick([keywords.type ?? 'object'].flat())
  switch (type) {
    case 'integer':
      return random.pick([0, 1, 2, 4, 5, 7, -3])
    case 'number':
      return random.pick([0, 1, 0.5, 2.25, -1.5])
    case 'boolean':
      return random.once(2)
    case 'null':
      return null
    case 'string':
      return random.pick(strings)
    case 'array': {
      const { items = {}, additionalItems = {}, minItems = 0, maxItems = 3 } = keywords
      if (!Array.isArray(items)) return random.list(minItems, maxItems, () => inner(items))
      const more = additionalItems === false || random.once(2) ? [] : [inner(additionalItems)]
      return [...items.map(inner), ...more]
    }
    default:
      return objectValue(random, keywords, inner)
  }
}

function objectValue(random: Random, keywords: any, inner: (schema: Schema) => unknown): object {
  const {
    properties = {},
    required = [],
    additionalProperties = false,
    patternProperties = {},
  } = keywords
  const value = {}
  for (const name of Object.keys(properties)) {
    if (required.includes(name) || random.once(2)) set(value, name, inner(properties[name]))
  }
  for (const name of required)
    if (!Object.hasOwn(value, name)) set(value, name, random.pick(hostile))
  for (const [pattern, schema] of Object.entries<any>(patternProperties)) {
    if (random.once(2))
      set(value, pattern.startsWith('^y') ? 'y-1' : random.pick(names), inner(schema))
  }
  if (additionalProperties !== false && random.once(2))
    set(value, random.pick(['d', 'e', 'constructor']), inner(additionalProperties))
  return value
}

/** A copy with one change, at a random place. */
export function mutate(random: Random, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && !random.once(3)) {
    const at = random.below(value.length)
    return value.map((each, index) => (index === at ? mutate(random, each) : each))
  }
  if (Array.isArray(value) && random.once(2)) return [...value, random.pick([...value, ...hostile])]
  if (!isObject(value))
    return random.once(3) && typeof value !== 'object' ? String(value) : random.pick(hostile)
  const entries = Object.entries(value)
  const copy = {}
  const at = random.below(Math.max(entries.length, 1))
  const kind = random.below(4)
  for (const [index, [name, each]] of entries.entries()) {
    if (index !== at || kind > 2) set(copy, name, each)
    else if (kind < 2) set(copy, name, mutate(random, each))
  }
  if (kind > 2) {
    const name = random.pick(['extra', ...names, 'hasOwnProperty', 'd'])
    if (!Object.hasOwn(copy, name)) set(copy, name, random.pick(hostile))
  }
  return copy
}

export const hostileValue = (random: Random): unknown => {
  const [first, second] = [random.pick(hostile), random.pick(hostile)]
  return random.pick([first, { a: first, b: second }, [first], deep(20)])
}

function deep(levels: number): unknown {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) value = { kids: [value], a: value }
  return levels > 12 ? deep(8) : value
}

const edges: readonly string[] = [
  ...[
    '',
    '0',
    '1',
    '7',
    '-7',
    '-0',
    '07',
    '2',
    '5',
    '1.5',
    '-2.5',
    '7.0',
    '1e3',
    '1E+2',
    ' 1',
    '1 ',
    '+1',
    '.5',
    '5.',
  ],
  ...[
    '0x10',
    'Infinity',
    '-Infinity',
    'NaN',
    '1e999',
    '9007199254740991',
    '9007199254740993',
    '1_000',
    '٣',
  ],
  ...[
    'true',
    'false',
    'TRUE',
    'null',
    'undefined',
    'x',
    'y',
    'x,y',
    '[1]',
    '{}',
    '2020-01-02',
    'a@b.example',
  ],
]

/** A text, or several of one name. */
export const textValue = (random: Random): string | string[] =>
  random.once(4) ? random.list(2, 3, () => random.pick(edges)) : random.pick(edges)

/** What a payload may have in the place of a value of JSON, with what it is written as. Undefined for what JSON does not have. */
export const exotic: readonly (readonly [make: () => unknown, json: unknown])[] = [
  [() => NaN, undefined],
  [() => Infinity, undefined],
  [() => 7n, undefined],
  [() => () => 1, undefined],
  [() => Symbol('x'), undefined],
  [() => new Map([['a', 1]]), undefined],
  [() => new Set([1]), undefined],
  [() => Promise.resolve(1), undefined],
  [() => new Date(NaN), undefined],
  [() => ({ toJSON: () => 'x' }), 'x'],
  [() => ({ toJSON: () => ({ a: 1, b: 'secret' }) }), { a: 1, b: 'secret' }],
  [
    () =>
      new (class {
        a = 1
        get q() {
          return 2
        }
      })(),
    { a: 1 },
  ],
  [() => Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
]
