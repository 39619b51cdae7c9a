import { isDeepStrictEqual } from 'node:util'
import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { isWritten, mapOf, resolve, unionKeywords } from './written-types.ts'

/** Refuses alternatives that are never written, because an earlier one takes their values and
 *  leaves out some of their fields: fast-json-stringify writes a payload by the first alternative
 *  that it is valid for. Alternatives with keywords other than the usual ones are not compared.
 *  @example t.Union([t.Object({ id }), t.Object({ id, name })])
 *  @throws Error for the first such pair */
export function refuseShadowedAlternatives(bundle: Bundle): void {
  const { definitions } = bundle.schema
  const subschemas = subschemasOf(bundle)
  const extended = extendedSchemas(
    subschemas.map(({ schema }) => schema),
    definitions,
  )
  for (const subschema of subschemas) {
    const { schema, place } = subschema
    if (extended.has(schema) || !isWritten(subschema)) continue
    for (const keyword of unionKeywords) {
      refuseAmong(schema[keyword], `${keyword} at ${place}`, definitions)
    }
  }
}

/** The schemas to whose fields other schemas add. Their own fields alone cannot be compared. */
function extendedSchemas(
  schemas: readonly JsonObject[],
  definitions: unknown,
): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  const add = (value: unknown): void => {
    for (const each of [value].flat()) {
      const schema = isPlainObject(each) ? resolve(each, definitions) : undefined
      if (schema === undefined || found.has(schema)) continue
      found.add(schema)
      for (const keyword of [...joining, ...unionKeywords]) add(schema[keyword])
    }
  }
  for (const schema of schemas) {
    for (const keyword of joining) add(schema[keyword])
    if ([...joining, ...fieldKeywords].some((keyword) => keyword in schema)) add(schema)
  }
  return found
}

const joining = ['allOf', 'if', 'then', 'else']
const fieldKeywords = ['properties', 'patternProperties', 'additionalProperties']

function refuseAmong(members: unknown, where: string, definitions: unknown): void {
  if (!Array.isArray(members)) return
  const lostField = (earlier: unknown, later: unknown) =>
    fieldsLost(earlier, later, definitions)?.[0]
  for (const [index, later] of members.entries()) {
    for (const [before, earlier] of members.slice(0, index).entries()) {
      const name = lostField(earlier, later)
      if (name === undefined) continue
      const why = `alternative ${before} takes its values and leaves out '${name}'`
      // In the other order the earlier one might be shadowed.
      const isMovable = lostField(later, earlier) === undefined
      const moved = isMovable ? 'Put it before that, or close' : 'Close'
      const remedy = `${moved} alternative ${before} with additionalProperties: false`
      throw new Error(`alternative ${index} of ${where} is never written: ${why}. ${remedy}`)
    }
  }
}

/** The fields that are lost when values of the later schema are written by the earlier one.
 *  Undefined where the earlier one may not take these values, or where that is not certain. A field
 *  that the later one does not name counts as missing. */
function fieldsLost(earlier: unknown, later: unknown, definitions: unknown): string[] | undefined {
  const seen = new Set<unknown>()
  const compare = (earlier: unknown, later: unknown): string[] | undefined => {
    if (isDeepStrictEqual(earlier, later)) return []
    const [first, second] = [resolve(earlier, definitions), resolve(later, definitions)]
    if (first['type'] !== second['type'] || seen.has(first)) return undefined
    seen.add(first)
    if (first['type'] === 'object') return compareFields(first, second)
    if (first['type'] !== 'array') return hasOnly(first, []) ? [] : undefined
    return hasOnly(first, ['items']) ? compare(first['items'], second['items']) : undefined
  }
  const compareFields = (first: JsonObject, second: JsonObject): string[] | undefined => {
    if (!hasOnly(first, ['properties', 'required'])) return undefined
    const [kept, all] = [mapOf(first['properties']), mapOf(second['properties'])]
    const certain: readonly unknown[] = [second['required']].flat()
    if ([first['required'] ?? []].flat().some((name) => !certain.includes(name))) return undefined
    const lost = Object.keys(all).filter((name) => !(name in kept))
    for (const [name, schema] of Object.entries(kept)) {
      const inner = name in all ? compare(schema, all[name]) : []
      if (inner === undefined) return undefined
      lost.push(...inner)
    }
    return lost
  }
  return compare(earlier, later)
}

const silentKeywords = ['type', 'title', 'description', 'examples', 'example', 'default']

/** Whether a schema restricts values by no other keywords, besides its type. */
function hasOnly(schema: JsonObject, keywords: readonly string[]): boolean {
  return Object.keys(schema).every(
    (each) => keywords.includes(each) || silentKeywords.includes(each),
  )
}
