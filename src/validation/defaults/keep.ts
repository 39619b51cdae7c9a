import { isDeepStrictEqual } from 'node:util'
import type { Ajv } from 'ajv'
import { subschemasOf, type Bundle } from '../../schema/bundle.ts'
import { definitionOf } from '../../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../../schema/values.ts'
import { extendKeywords } from '../extend-keywords.ts'
import { askFirst, compileFit, type Fit } from '../standing/fit.ts'
import { isMixed } from '../standing/keeper.ts'

/** The values that a schema is asked of, by schema. */
type Reached = Map<JsonObject, Set<unknown>>

const unions = ['anyOf', 'oneOf'] as const

/** By the alternatives of a union: whether a value is a default of it that fits. */
const kept = new WeakMap<object, Fit>()

/** Has an ajv leave the defaults of unions as they are, in bundles whose values come as text and whose defaults are kept. */
export function leaveKeptDefaults(ajv: Ajv): void {
  extendKeywords(ajv, unions, (context) => {
    const alternatives: unknown = context.parentSchema[context.keyword]
    const fit = Array.isArray(alternatives) ? kept.get(alternatives) : undefined
    if (fit !== undefined) askFirst(context, fit)
  })
}

/** Keeps the defaults of a bundle that is about to be compiled, where these come to a union. A client sends text, which has to be
 *  coerced by the union; a default is a value, and null became the 0 of an integer. One that is text itself cannot be told from
 *  what a client sends.
 *  @param exact gives an ajv that coerces nothing */
export function keepDefaults(bundle: Bundle, exact: () => Ajv): void {
  // ajv-merge-patch edits what it is given, each time that it is compiled.
  if (bundle.merges) return
  const { definitions } = bundle.schema
  for (const [schema, values] of reachedByDefaults(bundle)) {
    for (const keyword of unions) {
      const { [keyword]: alternatives } = schema
      const defaults = [...values].filter(isMoreThanText)
      if (!isMixed(alternatives) || defaults.length === 0) continue
      const whole = definitions === undefined ? {} : { definitions }
      const fit = compileFit(exact(), { [keyword]: alternatives, ...whole })
      if (fit !== undefined) kept.set(alternatives, onlyOf(defaults, fit))
    }
  }
}

function onlyOf(defaults: readonly unknown[], fit: Fit): Fit {
  return (data, place) =>
    typeof data !== 'string' &&
    defaults.some((each) => isDeepStrictEqual(each, data)) &&
    fit(data, place)
}

/** What no client can send where all is text at its leaves. */
function isMoreThanText(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).some(isMoreThanText)
    : typeof value !== 'string'
}

/** The schemas that defaults come to, inside of others too; not those of alternatives. */
function reachedByDefaults(bundle: Bundle): Reached {
  const reached: Reached = new Map()
  const { definitions } = bundle.schema
  const visit = (schema: unknown, value: unknown): void => {
    if (!isPlainObject(schema)) return
    const values = reached.get(schema) ?? new Set()
    if (values.has(value)) return
    reached.set(schema, values.add(value))
    const name = definitionOf(schema['$ref'])
    if (name !== undefined && isPlainObject(definitions)) visit(definitions[name], value)
    for (const each of sameValue.flatMap((keyword) => schema[keyword])) visit(each, value)
    for (const [inner, member] of membersOf(schema, value)) visit(inner, member)
  }
  for (const { schema, isMember, asker } of subschemasOf(bundle)) {
    const { default: value } = schema
    if (isMember && asker === undefined && value !== undefined) visit(schema, value)
  }
  return reached
}

/** The keywords whose schemas hold for the same value. */
const sameValue = ['allOf', 'then', 'else']

/** The fields or the items of a value, each with the schemas that may hold for it. One that does not hold is never given it. */
function membersOf(
  schema: JsonObject,
  value: unknown,
): readonly (readonly [schema: unknown, member: unknown])[] {
  if (Array.isArray(value)) {
    const { items, additionalItems } = schema
    return value.flatMap((item: unknown, index) => {
      const own: unknown = Array.isArray(items) ? items[index] : items
      return [own, additionalItems].map((each) => [each, item] as const)
    })
  }
  if (!isPlainObject(value)) return []
  const { properties, patternProperties, additionalProperties } = schema
  const named = isPlainObject(properties) ? properties : {}
  const others = isPlainObject(patternProperties) ? Object.values(patternProperties) : []
  return Object.entries(value).flatMap(([key, member]) => {
    const own = Object.hasOwn(named, key) ? [named[key]] : []
    return [...own, ...others, additionalProperties].map((each) => [each, member] as const)
  })
}
