import type { ValidationRecord } from './compiler-types.ts'
import { isObject, isThenable, toPointer } from './values.ts'

/** What is read of a Standard Schema (version 1): its validate function. */
export interface StandardSchema {
  readonly '~standard': {
    readonly validate: (value: unknown) => Awaitable<StandardResult>
  }
}

type Awaitable<Value> = Value | Promise<Value>

/** The value that a Standard Schema made of its input, or what is wrong with the input. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Whether a schema is one of a library that implements Standard Schema, such as zod or valibot. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  const carries = isObject(schema) || typeof schema === 'function'
  return carries && '~standard' in schema && isObject(schema['~standard'])
}

/** The issues of a Standard Schema in the shape of ajv's error list. Both lists may be of a class of
 *  the library, whose own `map` would make another of it: arktype's does. */
export function toRecords(issues: readonly StandardIssue[]): ValidationRecord[] {
  return Array.from(issues, ({ message, path = [] }) => {
    return { keyword: 'standard', instancePath: toPointer(keysOf(path)), message }
  })
}

function keysOf(path: NonNullable<StandardIssue['path']>): string[] {
  return Array.from(path, (step) => String(typeof step === 'object' ? step.key : step))
}

/** Validates a query or headers, where one value may stand for itself or for a list of one: no URL can say which. What is
 *  refused as text is asked for once more as a list, and stays text where it is refused as that, too. */
export function validateText(
  schema: StandardSchema['~standard'],
  data: unknown,
): Awaitable<StandardResult> {
  return whenDone(schema.validate(data), (asText) => {
    const texts = [...refusedKeys(asText)].filter((key) => isText(data, key))
    if (texts.length === 0) return asText
    return whenDone(schema.validate(withLists(data, texts)), (asLists) => {
      const refused = refusedKeys(asLists)
      const lists = texts.filter((key) => !refused.has(key))
      if (lists.length === texts.length) return asLists
      return lists.length === 0 ? asText : schema.validate(withLists(data, lists))
    })
  })
}

function whenDone<Value>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Value>,
): Awaitable<Value> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value)
}

/** The fields that are refused as a whole. */
function refusedKeys({ issues = [] }: StandardResult): Set<string> {
  const paths = Array.from(issues, ({ path = [] }) => keysOf(path))
  return new Set(paths.filter(({ length }) => length === 1).flat())
}

function isText(data: unknown, key: string): boolean {
  return isObject(data) && Object.hasOwn(data, key) && typeof data[key] === 'string'
}

function withLists(data: unknown, keys: readonly string[]): unknown {
  const given: Readonly<Record<string, unknown>> = isObject(data) ? data : {}
  return { ...given, ...Object.fromEntries(keys.map((key) => [key, [given[key]]])) }
}
