import { isObject, type JsonObject } from '../../types/objects.ts'
import type { Target } from '../../schema/reference.ts'
import { textFor } from './pattern.ts'
import { facetsOf, itemIn, listOf, matches, namesIn, propertyIn, requiredIn } from './ways.ts'
import { typesIn, type Way, type Ways } from './ways.ts'

/** Thrown where no value is found for a schema. */
export class NoSample extends Error {}

/** How much of an object there is: the fields that have to be there, or all that schemas name. */
export type Size = 'least' | 'all'

/** Nested deeper than this, a schema is taken for one that never ends. */
const deepest = 12
/** No longer list is made for `minItems`. */
const mostItems = 100

/** Makes small values that should fit schemas. Only the validator knows whether they do. */
export class Samples {
  readonly #ways: Ways
  readonly #isText: boolean
  readonly #takesGiven: boolean

  /** @param isText whether scalars come as text
   *  @param takesGiven whether examples and defaults of schemas are taken */
  constructor(ways: Ways, isText: boolean, takesGiven: boolean) {
    this.#ways = ways
    this.#isText = isText
    this.#takesGiven = takesGiven
  }

  /** @throws NoSample */
  of(way: Way, size: Size): unknown {
    return this.#of(way, size, 0)
  }

  /** A value of some schemas, by the first way that has one. @throws NoSample */
  first(roots: readonly Target[], size: Size): unknown {
    return this.#first(roots, size, 0)
  }

  #first(roots: readonly Target[], size: Size, depth: number): unknown {
    let failure: NoSample | undefined
    if (depth > deepest) throw new NoSample('it is nested too deep')
    for (const way of this.#ways.of(roots)) {
      try {
        return this.#of(way, size, depth)
      } catch (error) {
        if (!(error instanceof NoSample)) throw error
        failure = error
      }
    }
    throw failure ?? new NoSample('no value can fit')
  }

  #of(way: Way, size: Size, depth: number): unknown {
    const facets = facetsOf(way)
    const known = facets.find((facet) => 'const' in facet)
    if (known !== undefined) return this.scalar(known['const'])
    const given = this.#takesGiven ? facets.flatMap(givenIn) : []
    if (given.length > 0) return given[0]
    const [listed] = facets.filter((facet) => Array.isArray(facet['enum']))
    if (listed !== undefined) return this.scalar(listOf(listed['enum'])[0])
    if (facets.some((facet) => 'isFile' in facet || 'file' in facet))
      throw new NoSample('it is a file')
    const type = typeOf(facets)
    if (type === 'object') return this.#object(way, size, depth)
    if (type === 'array') return this.#list(way, size, depth)
    if (type === 'string') return textOf(facets)
    if (type === 'boolean') return this.scalar(true)
    return this.scalar(type === 'null' ? null : numberOf(facets, type === 'integer'))
  }

  /** A scalar as it comes: where all is text, as text. */
  scalar(value: unknown): unknown {
    if (!this.#isText) return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    return value ?? ''
  }

  #object(way: Way, size: Size, depth: number): JsonObject {
    const facets = facetsOf(way)
    const names = new Set(requiredIn(facets))
    if (size === 'all' && depth < 3) for (const name of namesIn(facets)) names.add(name)
    const least = Math.max(0, ...numbersIn(facets, 'minProperties'))
    for (const name of namesIn(facets)) if (names.size < least) names.add(name)
    if (names.size < least) names.add(otherName(facets))
    const optional = (name: string): boolean => !requiredIn(facets).includes(name)
    const entries = [...names].flatMap((name) => {
      try {
        return [[name, this.#first(propertyIn(way, name), size, depth + 1)] as const]
      } catch (error) {
        if (error instanceof NoSample && optional(name)) return []
        throw error
      }
    })
    return Object.fromEntries(entries)
  }

  #list(way: Way, size: Size, depth: number): unknown[] {
    const facets = facetsOf(way)
    const least = Math.max(0, ...numbersIn(facets, 'minItems'))
    if (least > mostItems) throw new NoSample(`it has ${least} items at least`)
    const isUnique = facets.some((facet) => facet['uniqueItems'] === true)
    const listed = facets.flatMap(({ contains }, index) =>
      contains === undefined ? [] : [{ node: contains, document: way[index]?.document }],
    )
    const wanted = listed.map(({ node, document }) =>
      document === undefined ? undefined : this.#first([{ node, document }], size, depth + 1),
    )
    const count = Math.max(least, size === 'all' && depth < 3 ? 1 : 0)
    const items = Array.from({ length: count }, (_, index) => {
      const item = wanted[index] ?? this.#first(itemIn(way, index), size, depth + 1)
      return isUnique ? vary(item, index) : item
    })
    return [...items, ...wanted.slice(count)]
  }
}

/** Another value of the same kind. */
export function vary(value: unknown, index: number): unknown {
  if (index === 0) return value
  if (typeof value === 'number') return value + index
  if (typeof value === 'string') {
    const number = /\d+$/.exec(value)?.[0]
    return number === undefined
      ? value + index.toString(36)
      : value.slice(0, -number.length) + String(Number(number) + index)
  }
  if (!isObject(value)) return value
  const [field] = Object.entries(value).filter(([, each]) => vary(each, 1) !== each)
  return field === undefined ? value : { ...value, [field[0]]: vary(field[1], index) }
}

/** A name that no schema has: one that patterns ask for, if they do. */
export function otherName(facets: readonly JsonObject[]): string {
  const patterns = facets.flatMap(({ patternProperties, propertyNames }) => [
    ...Object.keys(Object(patternProperties) as object),
    ...(isObject(propertyNames) ? textsOf(propertyNames['pattern']) : []),
  ])
  const fitting = ['other', 'key', ...patterns.map((pattern) => textFor(pattern) ?? '')]
  const named = namesIn(facets)
  const fits = (name: string): boolean =>
    !named.includes(name) && patterns.every((pattern) => matches(pattern, name))
  return fitting.find(fits) ?? 'other'
}

const textsOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : [])

/** The examples and the default of a schema. */
const givenIn = ({ examples, example, default: filled }: JsonObject): readonly unknown[] =>
  [...listOf(examples), example, filled].filter((value) => value !== undefined)

const shapes: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ['object', 'properties', 'required', 'patternProperties', 'minProperties', 'propertyNames'],
  ['array', 'items', 'prefixItems', 'minItems', 'uniqueItems', 'contains'],
  ['number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]

/** The type of the value to make: what the schemas say, else what their keywords are for. */
function typeOf(facets: readonly JsonObject[]): string {
  const types = typesIn(facets)
  if (types?.length === 0) throw new NoSample('its types contradict each other')
  const [type = types?.[0]] = types?.filter((each) => each !== 'null') ?? []
  if (type !== undefined) return type
  const isUsed = ([, ...keywords]: readonly string[]): boolean =>
    facets.some((facet) => keywords.some((keyword) => keyword in facet))
  return shapes.find(isUsed)?.[0] ?? 'string'
}

const numbersIn = (facets: readonly JsonObject[], keyword: string): number[] =>
  facets.flatMap((facet) => (typeof facet[keyword] === 'number' ? [facet[keyword]] : []))

function numberOf(facets: readonly JsonObject[], isInteger: boolean): number {
  const [step = isInteger ? 1 : 0.5] = numbersIn(facets, 'multipleOf')
  const low = Math.max(...numbersIn(facets, 'minimum'), -Infinity)
  const high = Math.min(...numbersIn(facets, 'maximum'), Infinity)
  const above = Math.max(...numbersIn(facets, 'exclusiveMinimum'), -Infinity)
  const below = Math.min(...numbersIn(facets, 'exclusiveMaximum'), Infinity)
  const first = Math.max(low, above)
  const last = Math.min(high, below)
  const candidates = [
    1,
    step,
    0,
    Math.ceil(first / step) * step,
    Math.floor(first / step + 1) * step,
  ]
    .concat(Math.floor(last / step) * step, Math.ceil(last / step - 1) * step, (first + last) / 2)
    .concat(first, last)
  const fits = (value: number): boolean =>
    Number.isFinite(value) &&
    value >= low &&
    value <= high &&
    value > above &&
    value < below &&
    (!isInteger || Number.isInteger(value)) &&
    numbersIn(facets, 'multipleOf').every((each) => Number.isInteger(value / each))
  const found = candidates.find(fits)
  if (found === undefined) throw new NoSample('no number is found between its limits')
  return found
}

/** Texts of formats (JSON Schema draft 2020-12, validation, 7.3; ajv-formats). */
const formats: Readonly<Record<string, string>> = {
  'date-time': '2000-01-01T00:00:00Z',
  'iso-date-time': '2000-01-01T00:00:00Z',
  date: '2000-01-01',
  time: '00:00:00Z',
  'iso-time': '00:00:00Z',
  duration: 'P1D',
  email: 'a@b.co',
  'idn-email': 'a@b.co',
  hostname: 'a.co',
  'idn-hostname': 'a.co',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uri: 'http://a.co',
  url: 'http://a.co',
  iri: 'http://a.co',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/a',
  'relative-json-pointer': '0',
  'json-pointer-uri-fragment': '#/a',
  byte: 'YQ==',
}

function textOf(facets: readonly JsonObject[]): string {
  const least = Math.max(0, ...numbersIn(facets, 'minLength'))
  if (least > 100_000) throw new NoSample(`it has ${least} characters at least`)
  const [pattern] = facets.flatMap((facet) => textsOf(facet['pattern']))
  const [format] = facets.flatMap((facet) => textsOf(facet['format']))
  const known = format === undefined ? undefined : formats[format]
  if (known !== undefined && (pattern === undefined || matches(pattern, known))) return known
  if (pattern === undefined) return 'a'.repeat(Math.max(least, 1))
  const text = textFor(pattern)
  const longer = text && [text, text.padEnd(least, text.at(-1)), text.padStart(least, text[0])]
  const found = (longer || [text ?? '']).find(
    (each) => each.length >= least && matches(pattern, each),
  )
  if (found === undefined) throw new NoSample(`no text is found for the pattern ${pattern}`)
  return found
}
