// Whole numbers beyond those that a number holds exactly: the schemas of `t.BigInt`.
import { isPlainObject, type JsonObject } from '../types/objects.ts'

/** The keyword of `t.BigInt`. In a schema of the user its value has those bounds, as text, that no
 *  number holds exactly. In a bundle it has all rules, and stands in the place of the type. */
export const bigIntKeyword = 'espalier-bigint'

const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** The range of a format int64 (OpenAPI format registry). */
const int64 = { minimum: '-9223372036854775808', maximum: '9223372036854775807' }

/** Whether a schema is one of `t.BigInt`, or what a bundle has for it. */
export const isBigInt = (schema: JsonObject): boolean => isPlainObject(schema[bigIntKeyword])

/** The schema of `t.BigInt`.
 *  @throws TypeError for an option that is no whole number, and for a bigint that no number holds
 *  exactly, unless it is a bound */
export function bigIntSchema(options: JsonObject): JsonObject {
  const exact: Record<string, string> = {}
  const plain: Record<string, unknown> = { ...options }
  for (const keyword of [...bounds, 'const', 'enum', 'default', 'examples']) {
    const value = options[keyword]
    if (value === undefined) continue
    const isBound = bounds.includes(keyword)
    const isExact = isBound && typeof value === 'bigint' && !Number.isSafeInteger(Number(value))
    if (isExact) exact[keyword] = String(value)
    if (isExact) Reflect.deleteProperty(plain, keyword)
    else plain[keyword] = Array.isArray(value) ? value.map(toNumber) : toNumber(value)
  }
  return { type: 'integer', format: 'int64', ...plain, [bigIntKeyword]: exact }

  function toNumber(value: unknown): unknown {
    const number = typeof value === 'bigint' ? Number(value) : value
    if (Number.isSafeInteger(number) || number === null) return number
    const rule = 'takes whole numbers within ±(2^53 - 1), and as bounds any bigint'
    throw new TypeError(`t.BigInt was given ${String(value)}: it ${rule}`)
  }
}

/** What is compiled for a schema of `t.BigInt`. JSON Schema has no bigint, so the keyword tests
 *  values in the place of the type. Null is an alternative of its own.
 *  @throws Error for a rule that is no whole number */
export function compiledBigInt(schema: JsonObject): JsonObject {
  const others: Record<string, unknown> = { ...schema }
  const { nullable, const: only, enum: list = only === undefined ? undefined : [only] } = schema
  // cast: `isBigInt` has asked
  const rules: Record<string, unknown> = { ...int64, ...(schema[bigIntKeyword] as JsonObject) }
  for (const keyword of bounds) if (keyword in schema) rules[keyword] = toText(schema[keyword])
  if (Array.isArray(list)) rules['enum'] = list.filter((each) => each !== null).map(toText)
  const replaced = ['type', 'format', 'nullable', 'const', 'enum', bigIntKeyword, ...bounds]
  for (const keyword of replaced) Reflect.deleteProperty(others, keyword)
  const compiled = { [bigIntKeyword]: rules }
  return nullable === true
    ? { ...others, anyOf: [compiled, { type: 'null' }] }
    : { ...others, ...compiled }
}

function toText(value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value)
  throw new Error(`a rule of t.BigInt is ${String(value)}, which is no whole number within 2^53`)
}

const tests = new WeakMap<object, (value: number | bigint) => boolean>()

/** Whether a value is a whole number that keeps the rules of a bundle. A number has to be one that
 *  JavaScript holds exactly: another may have been rounded. */
export function fitsBigInt(value: unknown, rules: unknown): boolean {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return false
  // cast: the keyword is compiled for such rules alone
  const test = tests.get(rules as object) ?? compileTest(rules as Readonly<Record<string, string>>)
  tests.set(rules as object, test)
  return test(value as number | bigint)
}

function compileTest(rules: Readonly<Record<string, string | readonly string[]>>) {
  const rule = (name: string): bigint | undefined =>
    typeof rules[name] === 'string' ? BigInt(rules[name]) : undefined
  const [minimum, maximum, above, below, factor] = bounds.map(rule)
  const values = Array.isArray(rules['enum']) ? new Set(rules['enum']) : undefined
  return (value: number | bigint): boolean =>
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below) &&
    (factor === undefined || BigInt(value) % factor === 0n) &&
    (values === undefined || values.has(String(value)))
}

/** What a value has to be, for messages. */
export function describeBigInt(rules: JsonObject): string {
  const all = Object.entries(rules).map(([name, value]) => `${name} ${String(value)}`)
  return `must be a whole number, written in digits: ${all.join(', ')}`
}

/** The most digits of a whole number. To read more of them takes time that grows faster than the
 *  text. */
const digits = /^-?(?:0|[1-9]\d{0,98})$/

/** The whole number that a text stands for, written in digits as in JSON. Anything else stays. */
export const readBigInt = (value: unknown): unknown =>
  typeof value === 'string' && digits.test(value) ? BigInt(value) : value

/** What a handler is given for a value that is valid. */
export const toBigInt = (value: unknown): unknown =>
  typeof value === 'number' ? BigInt(value) : value
