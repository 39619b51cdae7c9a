import type { StandardSchema } from '../schema/standard-schema.ts'
import { refusePromise } from '../errors/refuse-promise.ts'
import { ignoreRejection, isThenable } from '../types/promises.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import type { Direction } from './link.ts'

/** Turns a schema of a validation library into a JSON Schema of draft 2020-12. */
export type SchemaToJson = {
  /** A method, so that the parameter may have the type of the library's schemas. */
  convert(schema: StandardSchema, direction: Direction): object
}['convert']

/** The JSON Schema of a Standard Schema: by the user's converter for its library, else by the
 *  library itself (Standard JSON Schema, https://standardschema.dev/json-schema).
 *  @throws Error where there is neither, and for what the library cannot express */
export function toJsonSchema(
  schema: StandardSchema,
  direction: Direction,
  converters: Readonly<Record<string, SchemaToJson>>,
): JsonObject {
  const { vendor, jsonSchema }: JsonObject = schema['~standard']
  const name = String(vendor)
  const given = Object.hasOwn(converters, name) ? converters[name] : undefined
  const own = isObject(jsonSchema) ? jsonSchema[direction] : undefined
  const remedy = `Give the option jsonSchema: { ${name}: (schema, direction) => a JSON Schema }`
  if (given === undefined && typeof own !== 'function') {
    throw new Error(`a schema of '${name}' does not tell its JSON Schema. ${remedy}`)
  }
  try {
    const made: unknown =
      typeof own === 'function' && given === undefined
        ? Reflect.apply(own, jsonSchema, [{ target: 'draft-2020-12' }])
        : given?.(schema, direction)
    refusePromise(`The jsonSchema of '${name}'`, made)
    if (isObject(made)) return made
    throw new Error('no JSON Schema came of it')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}. ${remedy}`, { cause: error })
  }
}

/** Whether a Standard Schema takes undefined, as one of an optional body does. */
export function takesNothing(schema: StandardSchema): boolean {
  try {
    const result = schema['~standard'].validate(undefined)
    if (!isThenable(result)) return result.issues === undefined
    ignoreRejection(result)
    return false
  } catch {
    return false
  }
}
