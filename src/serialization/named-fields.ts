import { bundleSchema } from '../schema/bundle.ts'
import { definitionOf } from '../schema/transform/transforms.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'

/** The fields that a schema names for the object itself, in any of its alternatives.
 *  @returns undefined where they are not known: for a Standard Schema, and for a schema with
 *  references that only a custom compiler can resolve */
export function namedFields(
  schema: unknown,
  shared: Readonly<Record<string, JsonObject>>,
): readonly string[] | undefined {
  if (!isPlainObject(schema) || isStandardSchema(schema)) return undefined
  try {
    const bundle = bundleSchema(schema, shared).schema
    return [...collect(bundle, bundle['definitions'])]
  } catch {
    return undefined
  }
}

/** The keywords that list fields. The second is of JSON Type Definition (RFC 8927). */
const lists = ['properties', 'optionalProperties']

/** The keywords whose schemas describe the same object. */
const applicators = ['allOf', 'anyOf', 'oneOf', 'then', 'else']

function collect(
  schema: unknown,
  definitions: unknown,
  names = new Set<string>(),
  seen = new Set<unknown>(),
): ReadonlySet<string> {
  if (!isPlainObject(schema) || seen.has(schema)) return names
  seen.add(schema)
  for (const name of lists.flatMap((list) => Object.keys(schema[list] ?? {}))) names.add(name)
  const reference = definitionOf(schema['$ref'])
  const target = isPlainObject(definitions) && reference ? definitions[reference] : undefined
  for (const each of [target, ...applicators.flatMap((keyword) => schema[keyword])]) {
    collect(each, definitions, names, seen)
  }
  return names
}
