import type { ReceivedKind } from '../schema/compiler-types.ts'
import { isObject, type JsonObject } from '../types/objects.ts'

/** What a validator says of one thing that is wrong. */
export interface IssueFacts {
  /** The keys that lead to the value, in the part. */
  readonly keys: readonly string[]
  readonly code: string
  readonly expected: unknown
  readonly message: string
}

/** The keywords for the words of zod (`code`), valibot (`type`) and arktype (`code`). A size may be
 *  one of a text or a list: `minLength` stands for `minItems` too. */
const keywords: Readonly<Record<string, string>> = {
  invalid_type: 'type',
  domain: 'type',
  proto: 'type',
  integer: 'type',
  invalid_value: 'enum',
  picklist: 'enum',
  literal: 'const',
  unit: 'const',
  invalid_union: 'anyOf',
  union: 'anyOf',
  variant: 'anyOf',
  unrecognized_keys: 'additionalProperties',
  invalid_key: 'propertyNames',
  not_multiple_of: 'multipleOf',
  multiple_of: 'multipleOf',
  divisor: 'multipleOf',
  min_value: 'minimum',
  min: 'minimum',
  max_value: 'maximum',
  max: 'maximum',
  gt_value: 'exclusiveMinimum',
  lt_value: 'exclusiveMaximum',
  min_length: 'minLength',
  max_length: 'maxLength',
  invalid_format: 'format',
  regex: 'pattern',
}

/** Reads an entry in the list of a library. One that names several fields stands for each.
 *  @param kindAt the kind of the value at these keys */
export function readLibraryIssue(
  entry: unknown,
  kindAt: (keys: readonly string[]) => ReceivedKind,
): IssueFacts[] {
  if (!isObject(entry)) return [{ ...nothing, message: sentence(entry) }]
  const { path, errors } = entry
  // arktype puts several rules for one value together.
  if (entry['code'] === 'intersection' && Array.isArray(errors))
    return errors.flatMap((each) => readLibraryIssue(each, kindAt))
  const steps: readonly unknown[] = Array.isArray(path) ? Array.from<unknown>(path) : []
  const keys = steps.map((step) => String(isObject(step) ? step['key'] : step))
  const fields: readonly unknown[] = Array.isArray(entry['keys']) ? entry['keys'] : [undefined]
  return fields.map((field) => {
    const place = typeof field === 'string' ? [...keys, field] : keys
    const code = codeOf(entry, kindAt(place))
    if (code === superfluous)
      return { keys: place, code, expected: undefined, message: sentence(entry['message']) }
    const asked = expectedOf(entry, place)
    const message = quotesValue(entry)
      ? ownSentence(entry['expected'] ?? asked)
      : sentence(entry['message'])
    const [, type = asked] = typeof asked === 'string' ? (typeText.exec(asked) ?? []) : []
    return { keys: place, code, expected: type, message }
  })
}

const superfluous = 'additionalProperties'

/** A type as arktype writes it. */
const typeText = /^an? (string|number|boolean|array|object)$/

const nothing: IssueFacts = { keys: [], code: 'invalid', expected: undefined, message: '' }

const sentence = (text: unknown): string =>
  typeof text === 'string' && text !== '' ? text : 'is not valid'

const ownSentence = (expected: unknown): string =>
  typeof expected === 'string' && !quoted.test(expected) ? `must be ${expected}` : 'is not valid'

/** Where arktype quotes a value. */
const quoted = /\(was /

function codeOf(issue: JsonObject, received: ReceivedKind): string {
  const { code, type = 'invalid', kind, expected, requirement } = issue
  // valibot has `never` and arktype `removed` for a field that is superfluous.
  if (expected === 'never' || expected === 'removed') return superfluous
  const word = typeof code === 'string' ? code : String(type)
  if (word === 'too_small') return sizeOf('min', issue, received)
  if (word === 'too_big') return sizeOf('max', issue, received)
  const known = keywords[word]
  if (known === 'enum' && Array.isArray(issue['values']) && issue['values'].length === 1)
    return 'const'
  if (known === 'format' && issue['format'] === 'regex') return 'pattern'
  if (known === undefined && kind === 'schema') return 'type'
  if (known === undefined && requirement instanceof RegExp) return 'format'
  return ofList(known ?? word, received)
}

/** The keyword for a size of zod. */
function sizeOf(bound: 'min' | 'max', { origin, inclusive }: JsonObject, received: ReceivedKind) {
  if (received === 'string' || received === 'array') return ofList(`${bound}Length`, received)
  const number = `${bound}imum`
  const isNumber = origin === 'number' || origin === 'int' || origin === 'bigint'
  return isNumber && inclusive === false ? `exclusive${number.replace('m', 'M')}` : number
}

const ofList = (keyword: string, received: ReceivedKind): string =>
  received === 'array' ? keyword.replace(/Length$/, 'Items') : keyword

/** What the schema asks for: values, a limit, or a text of the library. */
function expectedOf(issue: JsonObject, keys: readonly string[]): unknown {
  const { values, requirement, expected, format, type, pattern } = issue
  if (Array.isArray(values)) return values.length === 1 ? values[0] : values
  if (typeof requirement === 'number' || typeof requirement === 'string') return requirement
  for (const limit of ['minimum', 'maximum', 'divisor'] as const) {
    if (typeof issue[limit] === 'number') return issue[limit]
  }
  // For a key that is missing, valibot expects its name. A text of arktype may quote a value.
  const isName = expected === JSON.stringify(keys.at(-1))
  if (typeof expected === 'string') return isName || quoted.test(expected) ? undefined : expected
  if (requirement instanceof RegExp && typeof type === 'string') return type
  return format === 'regex' ? pattern : format
}

/** Whether the message of a library quotes the value that came. valibot has that under `received`,
 *  arktype under `actual`. */
function quotesValue({ message, received, actual = received }: JsonObject): boolean {
  if (typeof actual !== 'string' || typeof message !== 'string') return false
  if (actual === 'undefined' || actual === 'missing') return false
  return quoted.test(message) || (actual !== '' && message.includes(actual))
}
