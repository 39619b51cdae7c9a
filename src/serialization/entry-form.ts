// The forms of a response entry: a schema, `content` by media type, or headers and a description.
import { isFullSchema } from '../schema/short-form.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { isObject, isPlainObject, type JsonObject } from '../types/objects.ts'

/** Whether `content` has media types as its keys. A short form may have a property named
 *  `content`. */
export function isContentMap(content: unknown): content is JsonObject {
  return isObject(content) && Object.keys(content).some((key) => key.includes('/'))
}

/** Whether an entry has only headers or a description. `headers` is a list of schemas there; in a
 *  short form it is one schema. These schemas describe no payload. */
export function isBareEntry(entry: unknown): boolean {
  if (!isPlainObject(entry) || isFullSchema(entry)) return false
  const { headers, description, ...others } = entry
  if (Object.keys(others).length > 0) return false
  if (headers === undefined) return typeof description === 'string'
  if (!isPlainObject(headers) || isFullSchema(headers)) return false
  if (description !== undefined && typeof description !== 'string') return false
  return Object.values(headers).every(isObject)
}

/** The schemas that a response entry declares for headers, by name: beside `content`, beside the
 *  keywords of a full schema, or alone. Undefined if it declares none. */
export function declaredHeaders(entry: unknown): JsonObject | undefined {
  if (!isPlainObject(entry) || isStandardSchema(entry)) return undefined
  const { headers } = entry
  if (!isPlainObject(headers) || isFullSchema(headers)) return undefined
  if (!isFullSchema(entry) && !isBareEntry(entry) && !isContentMap(entry['content']))
    return undefined
  return Object.values(headers).every(isObject) ? headers : undefined
}
