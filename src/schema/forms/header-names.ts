import { refinementsOf, transformOf } from '../transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../values.ts'

/** A schema of headers with all property names in lower case, at any depth: Node gives header names
 *  so, whatever case the client wrote (specification 2.3). The marks of TypeBox stay on the copy.
 *  @throws for a transform or a refinement of an object whose names would not be those that its type has */
export function lowerCaseHeaderNames(schema: JsonObject): JsonObject {
  if (transformOf(schema) || refinementsOf(schema).length > 0) refuseUpperCase(schema)
  const copy = copyWithMarks(schema)
  for (const [keyword, value] of Object.entries(schema)) copy[keyword] = lowerCaseIn(keyword, value)
  return copy
}

/** The keywords whose values are lists of names, or maps by names. `required` is a map for ajv-errors. */
const naming = ['dependencies', 'dependentRequired', 'dependentSchemas', 'properties', 'required']

function lowerCaseIn(keyword: string, value: unknown): unknown {
  if (keyword === '$data' && typeof value === 'string') return value.toLowerCase()
  if (!naming.includes(keyword)) return lowerCaseBelow(value)
  return isPlainObject(value) ? lowerCaseKeys(value) : lowerCaseNames(value)
}

/** The marks of TypeBox 0.34 are symbols, which spreading copies; those of 1.x are not enumerable. */
function copyWithMarks(schema: JsonObject): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...schema }
  for (const name of Object.getOwnPropertyNames(schema)) {
    if (Object.hasOwn(copy, name)) continue
    Object.defineProperty(copy, name, { value: schema[name], enumerable: false })
  }
  return copy
}

function lowerCaseKeys(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties)
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), lowerCaseMember(value)]),
  )
}

/** The types of its functions have the names as they are written, which they would be given in lower case. */
function refuseUpperCase(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(refuseUpperCase)
  if (!isPlainObject(schema)) return
  const { properties } = schema
  const names = isPlainObject(properties) ? Object.keys(properties) : []
  const name = names.find((each) => each !== each.toLowerCase())
  if (name !== undefined) {
    const reason = `its functions read '${name}', and headers come in lower case`
    throw new Error(
      `a Transform or a Refine has a header in upper case: ${reason}. Write '${name.toLowerCase()}'`,
    )
  }
  Object.values(schema).forEach(refuseUpperCase)
}

function lowerCaseBelow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCaseBelow)
  return isPlainObject(value) ? lowerCaseHeaderNames(value) : value
}

/** What stands under a name: a schema, or a list of other names. */
function lowerCaseMember(value: unknown): unknown {
  return Array.isArray(value) ? lowerCaseNames(value) : lowerCaseBelow(value)
}

function lowerCaseNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCaseNames)
  return typeof value === 'string' ? value.toLowerCase() : value
}
