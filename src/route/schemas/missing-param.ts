import { bundleSchema } from '../../schema/bundle.ts'
import { kindOfKeyword } from '../../schema/keywords.ts'
import { isPlainObject, type JsonObject } from '../../types/objects.ts'
import { paramNames } from '../path.ts'

/** Keywords that add no property to a value, besides those that hold schemas or data. */
const harmless: ReadonlySet<string> = new Set([
  '$async',
  '$ref',
  'deprecated',
  'description',
  'maxProperties',
  'minProperties',
  'nullable',
  'readOnly',
  'title',
  'writeOnly',
])

/** A parameter that a schema requires and the path lacks, so that every request would be invalid.
 *  This happens in plugins, which do not know their prefix. Undefined if there is none, or if the
 *  parameter may come from a default or from a keyword of an ajv plugin. */
export function missingParam(
  schema: JsonObject,
  path: string,
  shared: Readonly<Record<string, JsonObject>>,
): string | undefined {
  const isWhole = schema['$ref'] === undefined && schema['allOf'] === undefined
  const root = isWhole ? schema : bundleSchema(schema, shared).schema
  const all = [...conjunctsOf(root, root['definitions'])]
  if (!all.every(isOfObjects)) return undefined
  const given = new Set(paramNames(path))
  return all
    .flatMap(requiredOf)
    .find((name) => !given.has(name) && !all.some((each) => hasDefault(each, name)))
}

/** A schema with the schemas that its values have to match too: the one it refers to, and the
 *  members of `allOf`. */
function conjunctsOf(
  schema: unknown,
  definitions: unknown,
  found = new Set<JsonObject>(),
): ReadonlySet<JsonObject> {
  if (!isPlainObject(schema) || found.has(schema)) return found
  found.add(schema)
  const { $ref, allOf } = schema
  if (typeof $ref === 'string' && isPlainObject(definitions)) {
    conjunctsOf(definitions[$ref.replace('#/definitions/', '')], definitions, found)
  }
  if (Array.isArray(allOf)) for (const each of allOf) conjunctsOf(each, definitions, found)
  return found
}

/** A value would first be coerced to another type. */
function isOfObjects(schema: JsonObject): boolean {
  const { type } = schema
  const fits = type === undefined || [type].flat().includes('object')
  return fits && Object.keys(schema).every((key) => harmless.has(key) || kindOfKeyword(key))
}

function requiredOf({ required }: JsonObject): string[] {
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  return names.filter((name) => typeof name === 'string')
}

function hasDefault({ properties }: JsonObject, name: string): boolean {
  const property = isPlainObject(properties) ? properties[name] : undefined
  return isPlainObject(property) && property['default'] !== undefined
}
