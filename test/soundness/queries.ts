// What is written into a query string: values as they are meant, some of them as text, and any text at all.
import fc from 'fast-check'
import { valid } from './instances.ts'
import { fieldNames, leaf } from './schemas.ts'
import { some, type Json, type JsonMap, type ObjectSketch, type Sketch } from './sketch.ts'

const isFlat = (sketch: Sketch) =>
  sketch.kind !== 'any' &&
  !(sketch.kind === 'const' && typeof sketch.value === 'object' && sketch.value !== null)

/** The schema of a query string: an object of what text can say. */
export function query(): fc.Arbitrary<ObjectSketch> {
  const simple = leaf.filter(isFlat)
  const each = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Sketch> }[]>(
    { weight: 4, arbitrary: simple },
    { weight: 2, arbitrary: simple.map((items) => ({ kind: 'array', items, rules: {} })) },
    {
      weight: 2,
      arbitrary: fc.tuple(simple, simple).map((of) => ({ kind: 'union', keyword: 'anyOf', of })),
    },
  )
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...fieldNames), each, fc.boolean()), {
      minLength: 1,
      selector: ([name]) => name,
    })
    .map((all) => ({
      kind: 'object',
      typed: true,
      fields: all.map(([name, schema, required]) => ({ name, schema, required })),
    }))
}

/** Values for a query: numbers and the like, or their text. */
export function meantQueries(sketch: ObjectSketch): fc.Arbitrary<JsonMap> {
  const making = { root: sketch, reply: false, depth: 0 }
  return fc.tuple(valid(sketch, making), fc.nat(1023)).map(([value, dice]) => {
    const entries = Object.entries(value as JsonMap).filter(([name]) =>
      sketch.fields.some((field) => field.name === name),
    )
    return Object.fromEntries(
      entries.map(([name, item], index) => {
        const field = sketch.fields.find((each) => each.name === name)
        return [name, field && (dice >> index) % 2 === 1 ? toText(field.schema, item) : item]
      }),
    )
  })
}

/** The text of a value, as far as the schema takes text for it; a list of one item may be written as that item. */
function toText(sketch: Sketch, value: Json): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => toText(sketch, item))
    return sketch.kind === 'array' && items.length === 1 ? items[0]! : items
  }
  const names = { number: ['integer', 'number'], boolean: ['boolean'] }
  if (value === null) return ''
  if (typeof value === 'string') return value
  const kinds: string[] = names[typeof value as keyof typeof names]
  const takes = some(
    sketch,
    (each) =>
      kinds.includes(each.kind) ||
      (each.kind === 'types' && each.names.some((name) => kinds.includes(name))) ||
      (each.kind === 'const' && each.value === value) ||
      (each.kind === 'enum' && each.values.includes(value)),
  )
  return takes ? JSON.stringify(value) : value
}

/** Text that may be anything. */
export const rawQueries = (sketch: ObjectSketch): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...sketch.fields.map(({ name }) => name)),
        fc.constantFrom(
          '',
          '0',
          '1',
          '-2.5',
          '1e3',
          ' 1 ',
          '0x10',
          'Infinity',
          'NaN',
          'true',
          'false',
          'null',
          'x',
          'y',
          '2020-01-02',
        ),
      ),
      { maxLength: 5 },
    )
    .map((pairs) => new URLSearchParams(pairs).toString())

/** A query as it is sent: without what is an empty list, and with empty text for null. */
export function queryText(query: JsonMap): string {
  const text = (value: Json) =>
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, text(item)]),
  )
  return new URLSearchParams(pairs).toString()
}
