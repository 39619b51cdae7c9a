import { isObject } from '../types/objects.ts'

/** The JSON Schema of a schema of fluent-json-schema; any other value as it is. */
export function readFluent(given: unknown): unknown {
  if (!isObject(given)) return given
  const isFluent = given['isFluentJSONSchema'] === true || given['isFluentSchema'] === true
  return isFluent ? given.valueOf() : given
}
