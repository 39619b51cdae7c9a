import { isObject } from './values.ts'

/** The JSON Schema that a schema of fluent-json-schema stands for; anything else is returned as it is. */
export function readFluent(given: unknown): unknown {
  if (!isObject(given)) return given
  const isFluent = given['isFluentJSONSchema'] === true || given['isFluentSchema'] === true
  return isFluent ? given.valueOf() : given
}
