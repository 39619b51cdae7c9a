import type { ValidateFunction } from 'ajv'
import { definitionOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import type { StrictFirst } from './strict-first.ts'

/** Compiles the validator of a body that is null, as it is where none was sent. Its ajv does not
 *  coerce: otherwise null would become the 0 of an integer, or the `[0]` of a list of integers.
 *  Undefined where ajv leaves null as it is. */
export function compileForNull(
  strictFirst: StrictFirst,
  schema: JsonObject,
): ValidateFunction | undefined {
  if (!mayCoerceNull(schema)) return undefined
  const { ajv } = strictFirst
  // With `verbose`, errors have the schema.
  return ajv.compile(ajv.opts.verbose ? schema : schemaOfNull(schema))
}

/** Whether ajv may coerce null. It does not if only objects and null are valid. */
function mayCoerceNull(schema: JsonObject): boolean {
  const { definitions } = schema
  const seen = new Set<unknown>([schema])
  // The set grows meanwhile. A union may contain itself.
  for (const each of seen) {
    if (!isPlainObject(each)) return true
    const { type, anyOf, oneOf, $ref } = each
    if (type !== undefined && [type].flat().every(isLeft)) continue
    const name = definitionOf($ref)
    const alternatives = anyOf ?? oneOf
    if (Array.isArray(alternatives)) for (const next of alternatives) seen.add(next)
    else if (name !== undefined && isPlainObject(definitions)) seen.add(definitions[name])
    else return true
  }
  return false
}

const isLeft = (type: unknown): boolean => type === 'object' || type === 'null'

/** The schema by which null is validated. Of a list only the type matters, so all lists share one.
 *  A keyword of the application may read the value, whatever its type is. */
function schemaOfNull(schema: JsonObject): JsonObject {
  const isList = schema['type'] === 'array'
  return isList && Object.keys(schema).every((keyword) => ofLists.has(keyword)) ? list : schema
}

const list = { type: 'array' }

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
