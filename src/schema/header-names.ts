import { isPlainObject, type JsonObject } from './values.ts'

/** A schema of headers with all property names in lower case, at any depth: Node gives header names
 *  so, whatever case the client wrote (specification 2.3). */
export function lowerCaseHeaderNames(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isPlainObject(value)) return [keyword, lowerCaseKeys(value)]
      if (keyword === 'required' && Array.isArray(value)) return [keyword, value.map(lowerCase)]
      return [keyword, lowerCaseBelow(value)]
    }),
  )
}

function lowerCaseKeys(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties)
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), lowerCaseBelow(value)]),
  )
}

function lowerCaseBelow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCaseBelow)
  return isPlainObject(value) ? lowerCaseHeaderNames(value) : value
}

function lowerCase(name: unknown): unknown {
  return typeof name === 'string' ? name.toLowerCase() : name
}
