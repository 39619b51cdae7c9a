import { definitionOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'

/** A property that tells the objects of a union apart, with its value in each alternative. */
export interface Literals {
  readonly property: string
  readonly values: readonly (string | number)[]
}

const notes = ['title', 'description', 'examples', 'deprecated', 'readOnly', 'writeOnly']

/** Keywords of an alternative beside which no other one can coerce the property. */
const ofObjects = ['type', 'properties', 'required', 'additionalProperties', ...notes]
const ofLiterals = ['type', 'const', 'enum', ...notes]

/** The property that each alternative requires to have one value, and each another one of the same
 *  type. An object with one of these values can be valid by that alternative alone, even if it is
 *  coerced. */
export function literalsOf(
  alternatives: readonly unknown[],
  { definitions }: JsonObject,
): Literals | undefined {
  const all = alternatives.map((each) => objectOf(each, definitions))
  const [first] = all
  if (first === undefined || all.length < 2) return undefined
  for (const property of Object.keys(first)) {
    const values = all
      .map((each) => literalIn(each?.[property]))
      .filter((each) => each !== undefined)
    const isAlike = new Set(values.map((each) => typeof each)).size === 1
    if (isAlike && new Set(values).size === all.length) return { property, values }
  }
  return undefined
}

/** The required properties of an alternative that is an object. */
function objectOf(given: unknown, definitions: unknown): JsonObject | undefined {
  if (!isPlainObject(given)) return undefined
  const name = definitionOf(given['$ref'])
  if (name !== undefined) {
    const isAlone = hasOnly(given, ['$ref', ...notes]) && isPlainObject(definitions)
    return isAlone ? objectOf(definitions[name], definitions) : undefined
  }
  const { type, properties, required } = given
  if (type !== 'object' || !hasOnly(given, ofObjects)) return undefined
  if (!isPlainObject(properties) || !Array.isArray(required)) return undefined
  const named = Object.entries(properties).filter(([each]) => required.includes(each))
  return Object.fromEntries(named)
}

function literalIn(schema: unknown): string | number | undefined {
  if (!isPlainObject(schema) || !hasOnly(schema, ofLiterals)) return undefined
  const { type, const: constant, enum: list = [constant] } = schema
  if (!Array.isArray(list) || list.length !== 1) return undefined
  const value: unknown = list[0]
  if ('const' in schema && constant !== value) return undefined
  if (typeof value === 'string') return (type ?? 'string') === 'string' ? value : undefined
  const isNumber = type === undefined || type === 'number' || type === 'integer'
  return typeof value === 'number' && isNumber ? value : undefined
}

function hasOnly(schema: JsonObject, keywords: readonly string[]): boolean {
  return Object.keys(schema).every((keyword) => keywords.includes(keyword))
}
