import type { Bundle } from './bundle.ts'
import { bigIntKeyword } from './big-int.ts'
import { definitionOf } from './transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'

/** Whether the compilation of a bundle may wait until it is needed: its schema has only keywords of
 *  the list below, with values that they accept. ajv and fast-json-stringify compile all such
 *  schemas, without a warning of strict mode. A schema of any other form is compiled at boot, so
 *  nothing here has to know what may be wrong with it. */
export function isSure({ schema, text, merges }: Bundle): boolean {
  if (text === undefined || merges || text.length > longest) return false
  // ajv refuses a default inside of a union.
  if (hasUnion(text) && text.includes('"default":')) return false
  const { definitions = {}, ...root } = schema
  // A definition without a type may lead back to itself for the same value, and never end.
  const isTyped: Is = (each) => isPart(each) && isPlainObject(each) && 'type' in each
  const known = isPlainObject(definitions) ? Object.values(definitions) : []
  return known.length <= deepest && isPart(root) && known.every(isTyped)
}

/** Whether the text of a bundle has a union, or a property of such a name. */
export function hasUnion(text: string): boolean {
  return text.includes('"anyOf":') || text.includes('"oneOf":')
}

/** The most characters of a text: ajv overflows the stack for some thousand alternatives. */
const longest = 8_000

/** The most schemas around one, and the most definitions. fast-json-stringify follows references,
 *  and refuses a depth of more than 100. */
const deepest = 9

/** A schema that is no property. ajv fills in the defaults of properties alone. */
const isPart = (value: unknown, depth = 0): boolean =>
  isPlainObject(value) && !('default' in value) && isSureAt(value, depth)

function isSureAt(value: unknown, depth: number): boolean {
  if (!isPlainObject(value) || depth > deepest) return false
  const type = typeOf(value)
  const meaning = Object.keys(value).filter((keyword) => rules.get(keyword)?.[0] !== 'note')
  if (type === 'none' && meaning.length > 1) return false
  return Object.entries(value).every(([keyword, each]) => {
    const [owner, is] = rules.get(keyword) ?? []
    const isOwn = owner === type || owner === 'any' || owner === 'note'
    return isOwn && is?.(each, value, depth + 1) === true
  })
}

/** The type that the keywords of a schema are for: one, with or without null, or `none`. */
function typeOf({ type = 'none' }: JsonObject): unknown {
  const isPair = Array.isArray(type) && type.length === 2 && type[1] === 'null'
  const only: unknown = isPair && type[0] !== 'null' ? type[0] : type
  return only === 'integer' ? 'number' : only
}

type Is = (value: unknown) => boolean
/** Whether a keyword may have a value in a schema. Schemas in the value stand at `depth`. */
type Rule = (value: unknown, schema: JsonObject, depth: number) => boolean

const isText: Is = (value) => typeof value === 'string'
const isFlag: Is = (value) => typeof value === 'boolean'
const isNumber: Is = (value) => typeof value === 'number'
const isSize: Is = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isLiteral: Is = (value) => value === null || isText(value) || isFlag(value) || isNumber(value)
const areAll = (value: unknown, is: Is): value is unknown[] =>
  Array.isArray(value) && value.every(is) && new Set(value).size === value.length

/** A name that code can hold as it is, and that not all objects inherit, as `constructor`. */
const isName: Is = (name) =>
  typeof name === 'string' && /^[\w$. -]+$/.test(name) && !(name in Object.prototype)

const isPattern: Is = (value) => {
  try {
    return typeof value === 'string' && Boolean(new RegExp(value, 'u'))
  } catch {
    return false
  }
}

/** A default that is valid as it is, beside keywords that comparing is enough for. */
const isDefault: Rule = (value, { type, enum: list = [value], minimum, maximum, ...others }) =>
  (type === 'integer' ? Number.isSafeInteger(value) : typeof value === type && isLiteral(value)) &&
  areAll(list, isLiteral) &&
  list.includes(value) &&
  !(Number(value) < Number(minimum) || Number(value) > Number(maximum)) &&
  Object.keys(others).every((name) => name === 'default' || rules.get(name)?.[0] === 'note')

const hasValues = (schema: JsonObject): boolean => 'enum' in schema || 'const' in schema
const areParts: Rule = (value, _schema, depth) =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isPart(each, depth))

const formats: readonly unknown[] = [
  ...['date', 'date-time', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri'],
  ...['uri-reference', 'url', 'uuid'],
]
const types: readonly unknown[] = [
  ...['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'],
]

/** keyword → the type of the schemas that may have it, and its values. A schema of the type `none`
 *  has one keyword besides those that are notes. */
const rules: ReadonlyMap<string, readonly [owner: string, is: Rule]> = new Map(
  Object.entries<readonly [string, Rule]>({
    title: ['note', isText],
    description: ['note', isText],
    examples: ['note', (value) => areAll(value, isLiteral)],
    readOnly: ['note', isFlag],
    writeOnly: ['note', isFlag],
    deprecated: ['note', isFlag],
    type: ['any', (_value, schema) => types.includes(typeOf(schema))],
    const: ['any', isLiteral],
    enum: ['any', (value) => areAll(value, isLiteral) && value.length > 0],
    default: ['any', isDefault],
    nullable: [
      'any',
      (value, schema) => value === true && isText(schema['type']) && !hasValues(schema),
    ],
    [bigIntKeyword]: ['none', isPlainObject],
    anyOf: ['none', areParts],
    oneOf: ['none', areParts],
    $ref: ['none', (value) => definitionOf(value) !== undefined],
    minLength: ['string', isSize],
    maxLength: ['string', isSize],
    pattern: ['string', isPattern],
    format: ['string', (value) => formats.includes(value)],
    minimum: ['number', isNumber],
    maximum: ['number', isNumber],
    exclusiveMinimum: ['number', isNumber],
    exclusiveMaximum: ['number', isNumber],
    multipleOf: ['number', (value) => isNumber(value) && Number(value) > 0],
    items: ['array', (value, _schema, depth) => isPart(value, depth)],
    minItems: ['array', isSize],
    maxItems: ['array', isSize],
    uniqueItems: ['array', isFlag],
    properties: [
      'object',
      (value, _schema, depth) =>
        isPlainObject(value) &&
        Object.entries(value).every(([name, each]) => isName(name) && isSureAt(each, depth)),
    ],
    required: ['object', (value) => areAll(value, isName)],
    additionalProperties: [
      'object',
      (value, _schema, depth) => isFlag(value) || isPart(value, depth),
    ],
    minProperties: ['object', isSize],
    maxProperties: ['object', isSize],
  }),
)
