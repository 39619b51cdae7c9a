import { expandShortForm, isRequiredOfClients } from '../../schema/short-form.ts'
import { isStandardSchema } from '../../schema/standard-schema.ts'
import { isObject, isPlainObject, type JsonObject } from '../../schema/values.ts'
import { isBareHeaders, isContentMap } from '../../serialization/response-serializers.ts'

const requestParts = ['params', 'querystring', 'headers', 'body']

/** A route's schema without short forms, and with the query under one name, as those expect it who write
 *  documents of routes. It is the same object where it is so already; what is no schema is left for others to refuse. */
export function inFullForm(schema: JsonObject): JsonObject {
  return mapped(nameQuerystring(schema), (value, key) => {
    if (key === 'response')
      return isPlainObject(value) ? mapped(value, (entry) => entryInFullForm(entry)) : value
    return requestParts.includes(key) ? requestPartInFullForm(value) : value
  })
}

/** It is an error to have both names, which is told of elsewhere. */
function nameQuerystring(schema: JsonObject): JsonObject {
  if (!isPlainObject(schema) || schema['query'] === undefined) return schema
  const { query: querystring, ...others } = schema
  return { ...others, querystring }
}

function requestPartInFullForm(part: unknown): unknown {
  const isWrong = isObject(part) && isContentMap(part['content'])
  return isWrong ? part : partInFullForm(part, isRequiredOfClients)
}

function entryInFullForm(entry: unknown): unknown {
  if (isBareHeaders(entry)) return entry
  if (!isPlainObject(entry) || !isContentMap(entry['content'])) return partInFullForm(entry)
  const content = mapped(entry['content'], (media) =>
    isPlainObject(media)
      ? mapped(media, (value, key) => (key === 'schema' ? partInFullForm(value) : value))
      : media,
  )
  return content === entry['content'] ? entry : { ...entry, content }
}

function partInFullForm(part: unknown, isListed?: (schema: unknown) => boolean): unknown {
  return isObject(part) && !isStandardSchema(part) ? expandShortForm(part, isListed) : part
}

/** A copy with other values, or the same object where none is another. */
function mapped(given: JsonObject, change: (value: unknown, key: string) => unknown): JsonObject {
  if (!isPlainObject(given)) return given
  const changes = Object.entries(given)
    .map(([key, value]) => [key, change(value, key)] as const)
    .filter(([key, value]) => value !== given[key])
  return changes.length === 0 ? given : { ...given, ...Object.fromEntries(changes) }
}
