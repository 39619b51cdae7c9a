import { expandShortForm } from '../../schema/short-form.ts'
import { isStandardSchema } from '../../schema/standard-schema.ts'
import { isObject, isPlainObject, readFluent } from '../../schema/values.ts'
import { isBareHeaders, isContentMap } from '../../serialization/response-serializers.ts'

const requestParts = ['params', 'querystring', 'query', 'headers']

/** A route's schema without short forms, as those expect it who write documents of routes. It is the
 *  same object where there are none; what is no schema is left for others to refuse. */
export function inFullForm(schema: unknown): unknown {
  return mapped(schema, (value, key) => {
    if (key === 'response') return mapped(value, entryInFullForm)
    if (key === 'body') return bodyInFullForm(value)
    return requestParts.includes(key) ? partInFullForm(value) : value
  })
}

function entryInFullForm(entry: unknown): unknown {
  return isBareHeaders(entry) ? entry : bodyInFullForm(entry)
}

function bodyInFullForm(entry: unknown): unknown {
  if (!isPlainObject(entry) || !isContentMap(entry['content'])) return partInFullForm(entry)
  const content = mapped(entry['content'], (media) =>
    mapped(media, (value, key) => (key === 'schema' ? partInFullForm(value) : value)),
  )
  return content === entry['content'] ? entry : { ...entry, content }
}

function partInFullForm(given: unknown): unknown {
  const part = readFluent(given)
  return isObject(part) && !isStandardSchema(part) ? expandShortForm(part) : part
}

/** A copy with other values, or the same object where none is another. */
function mapped(given: unknown, change: (value: unknown, key: string) => unknown): unknown {
  if (!isPlainObject(given)) return given
  const changes = Object.entries(given)
    .map(([key, value]) => [key, change(value, key)] as const)
    .filter(([key, value]) => value !== given[key])
  return changes.length === 0 ? given : { ...given, ...Object.fromEntries(changes) }
}
