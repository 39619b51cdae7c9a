// Values for a schema: such as it asks for, and such with a wrong place.
import fc from 'fast-check'
import {
  childrenOf,
  type Json,
  type JsonMap,
  type ObjectSketch,
  type Rules,
  type Sketch,
} from './sketch.ts'

/** How values are made: for requests as JSON, for replies with what the serializer takes besides. */
export interface Making {
  readonly root: Sketch
  /** Whether dates, `toJSON` and decoded values stand in it. */
  readonly reply: boolean
  readonly depth: number
}

const texts: Readonly<Record<string, string[]>> = {
  'date-time': ['2020-01-02T03:04:05Z', '2021-12-31T23:59:59.5+01:00'],
  date: ['2020-01-02', '1999-12-31'],
  time: ['03:04:05Z', '23:59:59+01:00'],
  email: ['a@b.cd'],
}

/** What may stand in a wrong place: what is coerced, nearly coerced, and never. */
const edges: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 2.5, 1e21, '', '0', '1', '-2', '2.5', '1e3', ' 1 ', '0x10'],
  ...['true', 'false', 'null', 'x', 'a', 'b', '2020-01-02', 'constructor', [], [1], ['1'], ['x']],
  ...[[null], [[]], [['x']], [1, 'x'], ['a', 'b'], [{}], {}, { a: 1 }, { a: 'x', zz: 1 }],
  ...[[{ a: 1 }], { kind: 'k0' }, { kind: 'k1', a: 1 }, { decoded: 1 }, { length: 1 }],
]

export const edge = fc.constantFrom(...edges)

/** A value that the schema asks for, as far as can be said: rules of several schemas are not joined. */
export function valid(sketch: Sketch, making: Making): fc.Arbitrary<unknown> {
  const value = validAny(sketch, making)
  return sketch.nullable ? fc.oneof({ weight: 3, arbitrary: value }, fc.constant(null)) : value
}

function validAny(sketch: Sketch, making: Making): fc.Arbitrary<unknown> {
  switch (sketch.kind) {
    case 'any':
      return edge
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return validNumber(sketch.rules, sketch.kind)
    case 'string':
      return validText(sketch.rules, making)
    case 'const':
      return fc.constant(sketch.value)
    case 'enum':
      return fc.constantFrom(...sketch.values)
    case 'types':
      return fc.oneof(...sketch.names.map((name) => validNamed(name, making)))
    case 'transform': {
      const inner = valid(sketch.inner, making)
      return making.reply ? inner.map((decoded) => ({ decoded })) : inner
    }
    case 'ref':
      return valid(sketch.target, making)
    case 'self':
      // Nothing is deeper: below its third turn the compiler takes a recursion for right.
      return making.depth <= 0
        ? fc.constant(undefined)
        : valid(making.root, { ...making, depth: making.depth - 1 })
    default:
      return validHolder(sketch, making)
  }
}

function validNamed(name: string, making: Making): fc.Arbitrary<unknown> {
  if (name === 'boolean') return fc.boolean()
  if (name === 'null') return fc.constant(null)
  return name === 'string' ? validText({}, making) : validNumber({}, name)
}

function validNumber({ minimum = -9, multipleOf = 1 }: Rules, kind: string): fc.Arbitrary<number> {
  const step = Number(multipleOf)
  const whole = fc.integer({ min: 0, max: 9 }).map((count) => Number(minimum) + count * step)
  return kind === 'number' && multipleOf === 1
    ? fc.oneof(
        whole,
        whole.map((value) => value + 0.5),
      )
    : whole
}

function validText({ format, minLength }: Rules, { reply }: Making): fc.Arbitrary<unknown> {
  if (typeof format !== 'string') {
    const known = fc.constantFrom('ab', 'abc', '1', 'true', 'null')
    return minLength === undefined ? fc.oneof(known, fc.constant('')) : known
  }
  const text = fc.constantFrom(...(texts[format] ?? []))
  if (!reply || format === 'email') return text
  return fc.oneof(text, fc.constant(new Date(2020, 0, 2, 3, 4, 5)))
}

function validHolder(sketch: Sketch, making: Making): fc.Arbitrary<unknown> {
  switch (sketch.kind) {
    case 'array':
      return fc
        .array(valid(sketch.items, making), {
          minLength: Number(sketch.rules['minItems'] ?? 0),
          maxLength: 3,
        })
        .map((items) => items.filter((item) => item !== undefined))
    case 'tuple': {
      const listed = fc.tuple(...sketch.items.map((item) => valid(item, making)))
      const rest = typeof sketch.rest === 'object' ? valid(sketch.rest, making) : edge
      const more = fc.array(rest, { maxLength: sketch.rest === false ? 0 : 2 })
      return fc.tuple(listed, more).map(([head, tail]) => [...head, ...tail])
    }
    case 'object':
      return wrapped(validObject(sketch, making), making)
    case 'record':
      return fc.dictionary(fc.constantFrom('x-1', 'a', 'zz'), valid(sketch.value, making), {
        maxKeys: 2,
      })
    case 'union':
      return fc.oneof(...sketch.of.map((each) => validAll([each, sketch.beside], making)))
    case 'all':
      return validAll([...sketch.of, sketch.beside], making)
    case 'not':
      return valid(sketch.base, making)
    default:
      return validBranch(sketch, making)
  }
}

function validBranch(sketch: Sketch, making: Making): fc.Arbitrary<unknown> {
  if (sketch.kind !== 'branch') return edge
  const { base, condition, then, otherwise } = sketch
  return fc.oneof(validAll([base, condition, then], making), validAll([base, otherwise], making))
}

/** The fields of several objects together; else the last of the values. */
function validAll(
  sketches: readonly (Sketch | undefined)[],
  making: Making,
): fc.Arbitrary<unknown> {
  const plain: Making = { ...making, reply: false }
  const each = sketches.filter((sketch) => sketch !== undefined)
  if (each.length === 1) return valid(each[0]!, making)
  return fc
    .tuple(...each.map((sketch) => valid(sketch, plain)))
    .map((values) =>
      values.reduce<unknown>(
        (all, value) => (isMap(all) && isMap(value) ? { ...all, ...value } : value),
        {},
      ),
    )
}

function validObject(sketch: ObjectSketch, making: Making): fc.Arbitrary<object> {
  const fields = sketch.fields.map(({ name, schema, required }) => {
    const value = valid(schema, making)
    const isCertain = required && schema.default === undefined
    // A reply may have undefined in the place of a field that may be left out.
    const isNamed = making.reply && !isCertain ? fc.boolean() : fc.constant(false)
    return fc.tuple(
      fc.constant(name),
      isCertain ? value : fc.option(value, { freq: 3, nil: undefined }),
      isNamed,
    )
  })
  const others = typeof sketch.others === 'object' ? valid(sketch.others, making) : edge
  const patterns = Object.values(sketch.patterns ?? {}).map((schema) => valid(schema, making))
  const more = fc.tuple(
    fc.option(fc.tuple(fc.constant('zz'), others), { freq: 4 }),
    ...patterns.map((value) => fc.option(fc.tuple(fc.constant('x-1'), value))),
  )
  return fc.tuple(fc.tuple(...fields), more).map(([listed, added]) => {
    const entries = [...listed, ...added].filter((entry) => entry !== null)
    const given = entries.filter(([, value, isNamed]) => value !== undefined || isNamed)
    return Object.fromEntries(given.map(([name, value]) => [name, value]))
  })
}

function wrapped(value: fc.Arbitrary<object>, { reply }: Making): fc.Arbitrary<object> {
  return reply ? fc.oneof({ weight: 5, arbitrary: value }, value.map(withToJson)) : value
}

const withToJson = (value: object) =>
  Object.defineProperty({}, 'toJSON', { value: () => value, enumerable: false })

/** Values of which some are as the schema asks, and some have a wrong place. */
export function instances(sketch: Sketch, making: Making): fc.Arbitrary<unknown> {
  const right = valid(sketch, making)
  const wrong = fc
    .tuple(right, fc.nat(), edge, fc.boolean())
    .map(([value, at, other, drops]) => spoil(value, { at, other, drops }))
  return fc.oneof({ weight: 2, arbitrary: right }, { weight: 2, arbitrary: wrong }, edge)
}

interface Spoiling {
  /** Says which place. */
  readonly at: number
  readonly other: Json
  /** Whether a field is left out, where the place is one. */
  readonly drops: boolean
}

/** The value with another one somewhere. */
export function spoil(value: unknown, { at, other, drops }: Spoiling): unknown {
  const keys =
    typeof value === 'object' && value !== null && !(value instanceof Date)
      ? Object.keys(value)
      : []
  const key = keys[at % (keys.length + 1)]
  if (key === undefined) return other
  const rest = { at: Math.floor(at / (keys.length + 1)), other, drops }
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === key ? spoil(item, rest) : item))
  const map = value as JsonMap
  if (drops) return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key))
  return { ...map, [key]: spoil(map[key], rest) }
}

function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether values of it may have decoded ones inside. */
export const hasTransform = (sketch: Sketch): boolean =>
  sketch.kind === 'transform' ||
  (sketch.kind === 'ref' && hasTransform(sketch.target)) ||
  childrenOf(sketch).some(hasTransform)
