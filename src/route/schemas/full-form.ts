import { readErrorClass } from '../../schema/http-error.ts'
import { expandShortForm, isRequiredOfClients } from '../../schema/short-form.ts'
import { isStandardSchema } from '../../schema/standard-schema.ts'
import { isObject, isPlainObject, type JsonObject } from '../../types/objects.ts'
import { readFluent } from '../../schema/fluent-schema.ts'
import { isBareEntry, isContentMap } from '../../serialization/entry-form.ts'

type Expand = (part: unknown) => unknown

const requestParts = ['params', 'querystring', 'headers']

/** The schema of a route without short forms and classes of errors, and with the query under one
 *  name, for tools that read the schemas of routes, like generators of documents. Returns the same
 *  object if nothing changes. Values that are not schemas are left unchanged, and refused later.
 *  @param expands whether short forms are expanded */
export function inFullForm(schema: JsonObject, expands: boolean): JsonObject {
  const named = nameQuerystring(schema)
  return mapped(named, (value, key) => {
    if (key === 'response') {
      return mapped(value, (entry) => {
        const read = readErrorClass(entry)
        return expands ? entryInFullForm(read) : read
      })
    }
    if (!expands) return value
    if (key === 'body') return contentInFullForm(value, expandRequest)
    return requestParts.includes(key) ? expandRequest(value) : value
  })
}

/** Whether a route's schema has both `querystring` and `query`. */
export function hasTwoQueries(schema: JsonObject): boolean {
  return schema['querystring'] !== undefined && schema['query'] !== undefined
}

function nameQuerystring(schema: JsonObject): JsonObject {
  if (!isPlainObject(schema) || schema['query'] === undefined || hasTwoQueries(schema))
    return schema
  const { query: querystring, ...others } = schema
  return { ...others, querystring }
}

function entryInFullForm(entry: unknown): unknown {
  return isBareEntry(entry) ? entry : contentInFullForm(entry, expandReply)
}

function contentInFullForm(part: unknown, expand: Expand): unknown {
  if (!isPlainObject(part) || !isContentMap(part['content'])) return expand(part)
  const content = mapped(part['content'], (media) =>
    mapped(media, (value, key) => (/^(schema|itemSchema)$/.test(key) ? expand(value) : value)),
  )
  return content === part['content'] ? part : { ...part, content }
}

function expandRequest(given: unknown): unknown {
  const part = readFluent(given)
  return isExpandable(part) ? expandShortForm(part, isRequiredOfClients) : part
}

function expandReply(given: unknown): unknown {
  const part = readFluent(given)
  return isExpandable(part) ? expandShortForm(part) : part
}

/** A part with a misplaced `content` is refused later. */
function isExpandable(part: unknown): part is JsonObject {
  return isObject(part) && !isStandardSchema(part) && !isContentMap(part['content'])
}

/** A copy with the changed values, or the same object if no value changes. */
function mapped<Given>(
  given: Given,
  change: (value: unknown, key: string) => unknown,
): Given | JsonObject {
  if (!isPlainObject(given)) return given
  const changes = Object.entries(given)
    .map(([key, value]) => [key, change(value, key)] as const)
    .filter(([key, value]) => value !== given[key])
  return changes.length === 0 ? given : { ...given, ...Object.fromEntries(changes) }
}
