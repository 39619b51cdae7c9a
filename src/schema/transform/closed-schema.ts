import { isPlainObject, type JsonObject, mapItems, mapValues } from '../../types/objects.ts'
import { definitionOf } from './transforms.ts'

/** A closed copy of a schema with definitions: it rejects values with any field or item that the
 *  schema does not describe, or describes without saying what it is. Without it an open object
 *  would accept every object with more fields. Fields with a default may be missing, as in
 *  payloads.
 *
 *  It needs an ajv with the keywords `unevaluatedProperties` and `dataObjectKeyword`. */
export function closeSchema(schema: object | boolean): JsonObject {
  if (!isPlainObject(schema)) return nothing
  const { definitions } = schema
  // The open definitions stay: conditions still refer to them.
  return { ...closeValue(schema), definitions, closed: mapValues(definitions, closeMember) }
}

/** The ajv keyword that rejects instances of classes without fields, such as dates. */
export const dataObjectKeyword = 'espalier-plain'

const scalars: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null']

const nothing = { not: {} } as const

/** Closes the schema of a whole value: of a field, of an item, or of the top. */
function closeValue(schema: unknown): JsonObject {
  if (!isTyped(schema)) return nothing
  if ([schema['type']].flat().every((type) => scalars.includes(type))) return schema
  const closed = { unevaluatedProperties: nothing, unevaluatedItems: nothing }
  return { ...closeInside(schema), ...closed, [dataObjectKeyword]: true }
}

/** Closes a member of a union, or a definition. Schemas beside it may add fields, so it is closed
 *  inside only. */
function closeMember(schema: unknown): JsonObject {
  return isTyped(schema) ? closeInside(schema) : nothing
}

function closeInside(schema: JsonObject): JsonObject {
  const copy: Record<string, unknown> = { ...schema, required: requiredOf(schema) }
  const name = definitionOf(schema['$ref'])
  if (name !== undefined) copy['$ref'] = `#/closed/${name}`
  for (const keyword of ['properties', 'patternProperties']) {
    copy[keyword] = mapValues(schema[keyword], closeValue)
  }
  for (const keyword of ['items', 'additionalItems', 'additionalProperties']) {
    const { [keyword]: given } = schema
    if (given !== undefined)
      copy[keyword] = Array.isArray(given) ? given.map(closeValue) : closeValue(given)
  }
  for (const keyword of ['anyOf', 'oneOf']) copy[keyword] = mapItems(schema[keyword], closeMember)
  copy['allOf'] = mapItems(schema['allOf'], (each) =>
    isPlainObject(each) ? closeInside(each) : each,
  )
  // ajv would take undefined for a schema.
  return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined))
}

/** Whether a schema says what its values are. A schema that does not accepts anything. */
function isTyped(schema: unknown): schema is JsonObject {
  if (!isPlainObject(schema)) return false
  const { allOf } = schema
  const says = ['type', 'const', 'enum', '$ref', 'anyOf', 'oneOf'].some((key) => key in schema)
  return says || (Array.isArray(allOf) && allOf.some(isTyped))
}

function requiredOf({ required, properties }: JsonObject): unknown {
  if (!Array.isArray(required) || !isPlainObject(properties)) return required
  return required.filter((name: string) => {
    const property = properties[name]
    return !isPlainObject(property) || property['default'] === undefined
  })
}
