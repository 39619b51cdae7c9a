import { isPlainObject, type JsonObject } from './values.ts'
import { definitionOf } from './transform/transforms.ts'

/** What an alternative is, closed, where the fields of a value tell which of several objects it is. Such copies are asked before
 *  the alternatives, since the first that fits counts: of `{ id }` and `{ id, name }` the first takes any value of the
 *  second, whose name is lost. None where each value fits one of them only, be it by a constant.
 *  @param members what `anyOf` or `oneOf` has, in a bundle
 *  @returns for each of them a copy, or undefined */
export function closedCopies(
  members: readonly unknown[],
  definitions: unknown,
): (JsonObject | undefined)[] {
  const schemas = members.map((member) => resolveMember(member, definitions))
  const objects = schemas.filter(isOpenObject)
  const mayLose = objects.some((one, index) =>
    objects.slice(index + 1).some((other) => takes(one, other)),
  )
  if (!mayLose) return members.map(() => undefined)
  return schemas.map((schema) =>
    isOpenObject(schema) ? { ...schema, additionalProperties: false } : undefined,
  )
}

/** The schema of an alternative: that which references lead to. */
export function resolveMember(member: unknown, definitions: unknown): JsonObject {
  const seen = new Set<unknown>()
  let found = member
  while (isPlainObject(found) && !seen.has(found)) {
    seen.add(found)
    const name = definitionOf(found['$ref'])
    if (name === undefined) return found
    found = isPlainObject(definitions) ? definitions[name] : undefined
  }
  return {}
}

interface ObjectSchema extends JsonObject {
  readonly properties: JsonObject
}

/** An object whose fields are listed, and which may have others. */
function isOpenObject(schema: JsonObject): schema is ObjectSchema {
  const { type, properties } = schema
  if (!isPlainObject(properties) || (type !== undefined && type !== 'object')) return false
  return !besides.some((keyword) => keyword in schema)
}

const besides = [
  'additionalProperties',
  'patternProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'not',
  'const',
  'enum',
]

/** Whether an object takes values of another one, which may have fields that it does not list. */
function takes(one: ObjectSchema, other: ObjectSchema): boolean {
  const names = Object.keys(other.properties)
  if (names.every((name) => Object.hasOwn(one.properties, name))) return false
  return !names.some((name) => {
    const isSure = [one, other].every(
      ({ required }) => Array.isArray(required) && required.includes(name),
    )
    return isSure && areApart(one.properties[name], other.properties[name])
  })
}

/** Whether no value fits both, as far as constants and types tell. */
function areApart(one: unknown, other: unknown): boolean {
  if (!isPlainObject(one) || !isPlainObject(other)) return false
  const [mine, theirs] = [valuesOf(one), valuesOf(other)]
  if (mine !== undefined && theirs !== undefined) return !mine.some((each) => theirs.includes(each))
  const types = [one['type'], other['type']]
  return (
    types.every((type) => typeof type === 'string' && type !== 'number') && types[0] !== types[1]
  )
}

/** The values that a schema lists. */
function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  const { const: value, enum: values, anyOf } = schema
  if ('const' in schema) return [value]
  if (isList(values)) return values
  if (!isList(anyOf)) return undefined
  const lists = anyOf.map((each) => (isPlainObject(each) ? valuesOf(each) : undefined))
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
