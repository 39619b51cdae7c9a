import type { Bundle } from './bundle.ts'
import { definitionOf } from './transform/transforms.ts'
import { isPlainObject, type JsonObject } from './values.ts'

/** Whether ajv and fast-json-stringify are sure to compile a bundle: without an error, and without
 *  a warning of ajv's strict mode. So its compilation can wait until it is needed.
 *
 *  It knows the usual keywords, in forms that strict mode always accepts. Any other schema is not
 *  sure, though it may compile. */
export function isSure({ schema, text, merges }: Bundle): boolean {
  if (text === undefined || merges) return false
  // Strict mode refuses defaults inside of unions.
  if (hasUnion(text) && text.includes('"default":')) return false
  const { definitions, ...root } = schema
  const known = isPlainObject(definitions) ? definitions : {}
  return isSurePart(root, known) && Object.values(known).every((each) => isTyped(each, known))
}

/** Whether the text of a bundle has a union, or a property of such a name. */
export function hasUnion(text: string): boolean {
  return text.includes('"anyOf":') || text.includes('"oneOf":')
}

/** Whether a definition is sure to compile, and has a type. A definition that is a reference or a
 *  union may lead back to itself for the same value, and never end. */
function isTyped(schema: unknown, definitions: JsonObject): boolean {
  const hasType = isPlainObject(schema) && schema['type'] !== undefined
  return hasType && isSurePart(schema, definitions)
}

/** Whether a schema is sure to compile where ajv fills in no default: it does so for properties
 *  alone. */
function isSurePart(schema: unknown, definitions: JsonObject): boolean {
  return isPlainObject(schema) && !('default' in schema) && isSureSchema(schema, definitions)
}

function isSureSchema(schema: unknown, definitions: JsonObject): boolean {
  if (!isPlainObject(schema)) return false
  const names = Object.keys(schema).filter((keyword) => schema[keyword] !== undefined)
  const type = typeOf(schema)
  if (type === undefined && !isAlone(names)) return false
  return names.every((keyword) => {
    const rule = rules.get(keyword)
    if (rule === undefined || (rule.type !== undefined && rule.type !== type)) return false
    return rule.is(schema[keyword], schema, definitions)
  })
}

/** The type that the keywords beside it are for: one type, with or without null. */
function typeOf({ type }: JsonObject): string | undefined {
  const pair: readonly unknown[] = Array.isArray(type) && type.length === 2 ? type : [type, 'null']
  const [first, second] = pair
  if (second !== 'null' || typeof first !== 'string') return undefined
  return first === 'integer' ? 'number' : first
}

/** Whether at most one keyword says something of the value. */
function isAlone(names: readonly string[]): boolean {
  const meaning = names.filter((name) => !annotations.includes(name))
  return meaning.length < 2 && meaning.every((name) => alone.includes(name))
}

const annotations = ['title', 'description', 'examples', 'readOnly', 'writeOnly', 'deprecated']
const alone = ['enum', 'const', 'anyOf', 'oneOf', '$ref']
const types: readonly unknown[] = [
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]

interface Rule {
  /** The type of the schemas that may have the keyword. */
  readonly type?: string
  readonly is: (value: unknown, schema: JsonObject, definitions: JsonObject) => boolean
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isNumber = (value: unknown): boolean => Number.isFinite(value)
const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const isScalar = (value: unknown): boolean =>
  value === null || isText(value) || isBoolean(value) || isNumber(value)
const isSet = (value: unknown, is: (item: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.every(is) && new Set(value).size === value.length

/** Whether a value is the name of a property, and not one that every object inherits, such as
 *  `constructor`. */
const isName = (name: unknown): boolean => isText(name) && !(String(name) in Object.prototype)

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && Boolean(new RegExp(value, 'u'))
  } catch {
    return false
  }
}

/** The formats of ajv-formats for text. */
const formats: readonly unknown[] = [
  ...['date', 'date-time', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri'],
  ...['uri-reference', 'url', 'uuid'],
]

const areSure: Rule['is'] = (value, _schema, definitions) =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isSurePart(item, definitions))

const isMapOfSure: Rule['is'] = (value, _schema, definitions) =>
  isPlainObject(value) &&
  Object.entries(value).every(([name, each]) => isName(name) && isSureSchema(each, definitions))

/** A schema for all items, or those of a tuple. Strict mode warns if the length of a tuple is not
 *  fixed. */
const areItems: Rule['is'] = (value, schema, definitions) => {
  if (!Array.isArray(value)) return isSurePart(value, definitions)
  const { minItems, maxItems, additionalItems } = schema
  const isFixed = maxItems === value.length || additionalItems === false
  return isFixed && minItems === value.length && areSure(value, schema, definitions)
}

const isTupleEnd: Rule['is'] = (value, { items }) => isBoolean(value) && Array.isArray(items)

/** Strict mode refuses a pattern that matches a named property, so there may be no names. */
const arePatterns: Rule['is'] = (value, { properties }, definitions) =>
  isPlainObject(value) &&
  properties === undefined &&
  Object.entries(value).every(([name, each]) => isPattern(name) && isSurePart(each, definitions))

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>(
  Object.entries<Rule>({
    title: { is: isText },
    description: { is: isText },
    examples: { is: Array.isArray },
    readOnly: { is: isBoolean },
    writeOnly: { is: isBoolean },
    deprecated: { is: isBoolean },
    default: { is: fits },
    nullable: {
      is: (value, { type, enum: values, const: constant }) =>
        isBoolean(value) && isText(type) && values === undefined && constant === undefined,
    },
    type: { is: (value) => isSet([value].flat(), (type) => types.includes(type)) },
    enum: { is: (value) => isSet(value, isScalar) && value.length > 0 },
    const: { is: isScalar },
    anyOf: { is: areSure },
    oneOf: { is: areSure },
    $ref: { is: (value, _schema, all) => Object.hasOwn(all, definitionOf(value) ?? '') },
    minLength: { type: 'string', is: isSize },
    maxLength: { type: 'string', is: isSize },
    pattern: { type: 'string', is: isPattern },
    format: { type: 'string', is: (value) => formats.includes(value) },
    minimum: { type: 'number', is: isNumber },
    maximum: { type: 'number', is: isNumber },
    exclusiveMinimum: { type: 'number', is: isNumber },
    exclusiveMaximum: { type: 'number', is: isNumber },
    multipleOf: { type: 'number', is: (value) => isNumber(value) && Number(value) > 0 },
    minItems: { type: 'array', is: isSize },
    maxItems: { type: 'array', is: isSize },
    uniqueItems: { type: 'array', is: isBoolean },
    items: { type: 'array', is: areItems },
    additionalItems: { type: 'array', is: isTupleEnd },
    minProperties: { type: 'object', is: isSize },
    maxProperties: { type: 'object', is: isSize },
    required: { type: 'object', is: (value) => isSet(value, isName) },
    properties: { type: 'object', is: isMapOfSure },
    patternProperties: { type: 'object', is: arePatterns },
    additionalProperties: {
      type: 'object',
      is: (value, _schema, all) => isBoolean(value) || isSurePart(value, all),
    },
  }),
)

/** Whether a default is valid without coercion. False for a schema with keywords that need more
 *  than a comparison. */
function fits(value: unknown, schema: JsonObject): boolean {
  const { type, minimum, maximum, ...others } = schema
  const isOther = Object.keys(others).some((key) => !simple.includes(key))
  if (isOther) return false
  if (Array.isArray(others['enum'])) return others['enum'].includes(value) && isOf(value, type)
  if (typeof minimum === 'number' && Number(value) < minimum) return false
  if (typeof maximum === 'number' && Number(value) > maximum) return false
  return isOf(value, type)
}

const simple = [...annotations, 'default', 'enum', 'items', 'properties']

function isOf(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'number') return isNumber(value)
  if (type === 'array') return Array.isArray(value) && value.length === 0
  if (type === 'object') return isPlainObject(value) && Object.keys(value).length === 0
  return typeof value === type
}
