import { definitionOf } from '../../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../../schema/values.ts'

/** Whether ajv may make another value of null, the 0 of an integer or the `[0]` of a list of these, before it is asked whether it
 *  fits: not where there can be objects and null alone, which it leaves. */
export function mayCoerceNull(schema: JsonObject): boolean {
  const { definitions } = schema
  const asked = new Set<unknown>([schema])
  // The set grows on the way. A union may lead back to itself.
  for (const each of asked) {
    if (!isPlainObject(each)) return true
    const { type, anyOf, oneOf, $ref } = each
    if (type !== undefined && [type].flat().every(isLeft)) continue
    const name = definitionOf($ref)
    const alternatives = anyOf ?? oneOf
    if (Array.isArray(alternatives)) for (const next of alternatives) asked.add(next)
    else if (name !== undefined && isPlainObject(definitions)) asked.add(definitions[name])
    else return true
  }
  return false
}

/** What is asked of null in the place of a schema. One of a list has nothing to say to null besides its type, so all share one.
 *  Keywords that are not of JSON Schema may look at what is wrong. */
export function schemaOfNull(schema: JsonObject): JsonObject {
  return schema['type'] === 'array' && Object.keys(schema).every(isOfList) ? aList : schema
}

const aList = { type: 'array' }

const isOfList = (keyword: string): boolean => ofLists.has(keyword)

const ofLists: ReadonlySet<string> = new Set([
  'additionalItems',
  'contains',
  'default',
  'definitions',
  'description',
  'items',
  'maxItems',
  'minItems',
  'title',
  'type',
  'uniqueItems',
])

/** Whether null is left as it is where a value of a type is asked for. */
function isLeft(type: unknown): boolean {
  return type === 'object' || type === 'null'
}
