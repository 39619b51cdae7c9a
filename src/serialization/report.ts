import { STATUS_CODES } from 'node:http'
import type { Serializer } from '../schema/compiler-types.ts'
import { toPointer } from '../schema/json-pointer.ts'
import { outputOf, setOutput } from '../schema/text-output.ts'
import { isObject } from '../types/objects.ts'
import { writeOrPlace } from './failure-place.ts'

/** Is told what became of a value of a payload.
 *  @param place a JSON pointer to the value, with `*` for the numbers of items */
export type Report = (place: string, what: string) => void

/** Makes a serializer tell what it leaves out or converts, and what is sent though it is not valid;
 *  each once. It costs as much as several serializers: it is for development.
 *  @param strict the serializer of strict mode for the same schema. Undefined where it is that one,
 *  or where the schema has none
 *  @param read parses JSON, with the numbers that the schema wants as they are written */
export function reportChanges(
  serialize: Serializer,
  strict: Serializer | undefined,
  report: Report,
  read: (json: string) => unknown,
): Serializer {
  const told = new Set<string>()
  const tellOnce: Report = (place, what) => {
    if (told.has(`${place} ${what}`)) return
    told.add(`${place} ${what}`)
    report(place, what)
  }
  const reporting: Serializer = (payload) => {
    const text = writeOrPlace(serialize, payload)
    const sent = parse(text, read)
    if (sent === undefined) return text
    compare(payload, sent.value, [], tellOnce)
    if (strict !== undefined) findInvalid(sent.value, strict, tellOnce)
    return text
  }
  const output = outputOf(serialize)
  return output === undefined ? reporting : setOutput(reporting, output)
}

/** Undefined for text that is no JSON, which a serializer of the user may write. */
function parse(
  text: string,
  read: (json: string) => unknown,
): { readonly value: unknown } | undefined {
  try {
    return { value: read(text) }
  } catch {
    return undefined
  }
}

function findInvalid(sent: unknown, strict: Serializer, report: Report): void {
  try {
    strict(sent)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const [place = ''] = /^(\/\S*)?/.exec(text) ?? []
    report(withoutNumbers(place), `is not valid: it ${text.slice(place.length).trim()}`)
  }
}

const withoutNumbers = (place: string): string => place.replaceAll(/\/\d+(?=\/|$)/g, '/*')

function compare(given: unknown, sent: unknown, path: string[], report: Report): void {
  if (given instanceof Date && typeof sent === 'string') return
  const value = isObject(given) && typeof given['toJSON'] === 'function' ? toJson(given) : given
  if (Array.isArray(value) && Array.isArray(sent)) {
    for (const [index, item] of sent.entries()) compare(value[index], item, [...path, '*'], report)
  } else if (isObject(value) && isObject(sent)) compareFields(value, sent, path, report)
  else if (!isSame(value, sent))
    report(toPointer(path), `was converted from ${kindOf(value)} to ${kindOf(sent)}`)
}

/** Whether a value was not converted. A bigint that a number holds comes back as one. */
function isSame(value: unknown, sent: unknown): boolean {
  const isRead = typeof value === 'bigint' && typeof sent === 'number'
  return Object.is(isRead ? Number(value) : value, sent) || (value === 0 && sent === 0)
}

function compareFields(
  given: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
  path: string[],
  report: Report,
): void {
  const tag = Object.prototype.toString.call(given)
  if (!['[object Object]', '[object Error]'].includes(tag))
    report(toPointer(path), `is a ${tag.slice(8, -1)}, whose values are no fields: none was sent`)
  for (const name of Object.keys(given)) {
    const value = given[name]
    const here = [...path, name]
    if (value === undefined) continue
    if (Object.hasOwn(sent, name)) compare(value, sent[name], here, report)
    else if (path.length > 0 || !isErrorBody(given))
      report(toPointer(here), 'was left out: the schema does not name it')
  }
}

/** Whether a payload is the framework's own body of an error, of which a schema may name some
 *  fields only. */
function isErrorBody(payload: Readonly<Record<string, unknown>>): boolean {
  const { status, statusCode = status, title, error = title } = payload
  return typeof statusCode === 'number' && error === STATUS_CODES[statusCode]
}

function toJson(value: Readonly<Record<string, unknown>>): unknown {
  return (value['toJSON'] as () => unknown).call(value)
}

/** What a value is, without the value, which may be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return value === '' ? 'empty text' : 'text'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number'
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'object' ? 'an object' : typeof value
}
