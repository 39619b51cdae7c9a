import { isPlainObject, type JsonObject } from '../values.ts'
import { definitionOf } from './transforms.ts'

/** A schema, with definitions, of those values alone of which another says all: that have no field
 *  and no item which it does not describe, and no part that may be anything. Objects are open, and
 *  would else take those of every other with a field more. What has a default may be missing, as in
 *  payloads. It is for an ajv that knows `unevaluatedProperties` and `plain`. */
export function wholeSchema(schema: object | boolean): JsonObject {
  if (!isPlainObject(schema)) return nothing
  const { definitions } = schema
  // Beside the others, which conditions still refer to.
  return { ...place(schema), definitions, whole: mapValues(definitions, member) }
}

/** The keyword for objects whose fields are all that they are. A date has none, and would be an
 *  object without fields. */
export const plain = {
  keyword: 'espalier-plain',
  type: 'object',
  schema: false,
  validate: (value: object): boolean => isPlainObject(value) || Object.keys(value).length > 0,
} as const

const scalars: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null']

const nothing = { not: {} } as const

/** What stands alone for a value: it is closed here, not where others add to it. */
function place(schema: unknown): JsonObject {
  if (!saysWhat(schema)) return nothing
  if ([schema['type']].flat().every((type) => scalars.includes(type))) return schema
  const closed = { unevaluatedProperties: nothing, unevaluatedItems: nothing }
  return { ...part(schema), ...closed, [plain.keyword]: true }
}

function member(schema: unknown): JsonObject {
  return saysWhat(schema) ? part(schema) : nothing
}

function part(schema: JsonObject): JsonObject {
  const copy: Record<string, unknown> = { ...schema, required: requiredOf(schema) }
  const name = definitionOf(schema['$ref'])
  if (name !== undefined) copy['$ref'] = `#/whole/${name}`
  for (const keyword of ['properties', 'patternProperties']) {
    copy[keyword] = mapValues(schema[keyword], place)
  }
  for (const keyword of ['items', 'additionalItems', 'additionalProperties']) {
    const { [keyword]: given } = schema
    if (given !== undefined) copy[keyword] = Array.isArray(given) ? given.map(place) : place(given)
  }
  for (const keyword of ['anyOf', 'oneOf']) copy[keyword] = mapList(schema[keyword], member)
  copy['allOf'] = mapList(schema['allOf'], (each) => (isPlainObject(each) ? part(each) : each))
  // JSON has no undefined, which ajv would ask for a schema.
  return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined))
}

/** Whether a schema says what its values are, by which others are told from them. */
function saysWhat(schema: unknown): schema is JsonObject {
  if (!isPlainObject(schema)) return false
  const { allOf } = schema
  const says = ['type', 'const', 'enum', '$ref', 'anyOf', 'oneOf'].some((key) => key in schema)
  return says || (Array.isArray(allOf) && allOf.some(saysWhat))
}

function requiredOf({ required, properties }: JsonObject): unknown {
  if (!Array.isArray(required) || !isPlainObject(properties)) return required
  return required.filter((name: string) => {
    const property = properties[name]
    return !isPlainObject(property) || property['default'] === undefined
  })
}

function mapValues(map: unknown, change: (value: unknown) => unknown): unknown {
  if (!isPlainObject(map)) return map
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}

function mapList(list: unknown, change: (value: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map(change) : list
}
