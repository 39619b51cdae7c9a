import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { isStandardSchema } from './standard-schema.ts'

/** The keyword of schemas whose values are for the server alone. It is true, or `'revealed'` in the
 *  copy of a schema whose values a response may send. */
export const sensitiveKeyword = 'sensitive'

const revealed = 'revealed'

export const sensitiveValues: readonly unknown[] = [true, false, revealed]

/** Marks a schema as sensitive. A Standard Schema has no keywords: it is sensitive as a whole. */
export function sensitive<Schema extends object>(schema: Schema): Schema {
  if (!isStandardSchema(schema)) return { ...schema, [sensitiveKeyword]: true }
  // The schema of arktype is a function, which an object that inherits from it is not.
  return new Proxy(schema, {
    get: (target, name): unknown =>
      name === sensitiveKeyword ? true : Reflect.get(target, name, target),
  })
}

/** Makes the copy of a sensitive schema, or of an object with sensitive fields, that a response may
 *  have. @throws TypeError for what is not sensitive */
export function reveal(schema: JsonObject, names?: readonly string[]): JsonObject {
  if (names === undefined) return revealOne(schema, 'the schema')
  const { $id: _id, properties, ...copy } = schema
  const fields: Record<string, unknown> = { ...(isPlainObject(properties) ? properties : {}) }
  for (const name of names)
    fields[name] = revealOne(Object.hasOwn(fields, name) ? fields[name] : undefined, `'${name}'`)
  return { ...copy, properties: fields }
}

function revealOne(schema: unknown, what: string): JsonObject {
  if (isPlainObject(schema) && isSensitive(schema))
    return { ...schema, [sensitiveKeyword]: revealed }
  const remedy = 'It takes a schema of t.Sensitive, or an object and the names of such fields'
  throw new TypeError(`t.Reveal: ${what} is not sensitive. ${remedy}`)
}

/** Whether the values of a schema are sensitive, in a response that reveals them too. */
export function isSensitive(schema: object): boolean {
  const mark: unknown = Reflect.get(schema, sensitiveKeyword)
  return mark === true || mark === revealed
}
