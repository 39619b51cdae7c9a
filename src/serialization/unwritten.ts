import { isDeepStrictEqual } from 'node:util'
import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import { isPlainObject, type JsonObject } from '../schema/values.ts'
import { isWritten, resolve, unionKeywords } from './written-types.ts'

/** Refuses alternatives that never are written, because one before them takes their values and leaves out fields of them:
 *  fast-json-stringify writes a payload as the first that it fits.
 *  @example { anyOf: [{ type: 'object', properties: { id } }, { type: 'object', properties: { id, name } }] }
 *  @throws for the first such pair; what cannot be told of at a glance is let pass */
export function refuseUnwritten(bundle: Bundle): void {
  const { definitions } = bundle.schema
  const subschemas = subschemasOf(bundle)
  const joined = joinedSchemas(
    subschemas.map(({ schema }) => schema),
    definitions,
  )
  for (const subschema of subschemas) {
    const { schema, place } = subschema
    if (joined.has(schema) || !isWritten(subschema)) continue
    for (const keyword of unionKeywords) {
      refuseAmong(schema[keyword], `${keyword} at ${place}`, definitions)
    }
  }
}

/** Those whose fields others add to, so that they cannot be compared by what they say themselves. */
function joinedSchemas(schemas: readonly JsonObject[], definitions: unknown): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  const take = (value: unknown): void => {
    for (const each of [value].flat()) {
      const schema = isPlainObject(each) ? resolve(each, definitions) : undefined
      if (schema === undefined || found.has(schema)) continue
      found.add(schema)
      for (const keyword of [...joining, ...unionKeywords]) take(schema[keyword])
    }
  }
  for (const schema of schemas) {
    for (const keyword of joining) take(schema[keyword])
    if (adding.some((keyword) => keyword in schema)) take(schema)
  }
  return found
}

const joining = ['allOf', 'if', 'then', 'else']
const adding = [...joining, 'properties', 'patternProperties', 'additionalProperties']

function refuseAmong(members: unknown, where: string, definitions: unknown): void {
  if (!Array.isArray(members)) return
  const nameLost = (earlier: unknown, later: unknown) =>
    new Comparison(definitions).fieldsLost(earlier, later)?.[0]
  for (const [index, later] of members.entries()) {
    for (const [before, earlier] of members.slice(0, index).entries()) {
      const name = nameLost(earlier, later)
      if (name === undefined) continue
      const why = `alternative ${before} takes its values and leaves out '${name}'`
      // In the other order the earlier one might be lost as well.
      const moved =
        nameLost(later, earlier) === undefined ? 'Put it before that, or close' : 'Close'
      const remedy = `${moved} alternative ${before} with additionalProperties: false`
      throw new Error(`alternative ${index} of ${where} is never written: ${why}. ${remedy}`)
    }
  }
}

/** Of two alternatives, by the keywords that most schemas have. */
class Comparison {
  readonly #definitions: unknown
  readonly #seen = new Set<unknown>()

  constructor(definitions: unknown) {
    this.#definitions = definitions
  }

  /** The fields that are lost where values of the later one are written as the earlier. Undefined where that may not take
   *  them, or nobody can say. A field that the later one does not name is taken for missing. */
  fieldsLost(earlier: unknown, later: unknown): string[] | undefined {
    if (isDeepStrictEqual(earlier, later)) return []
    const [first, second] = [resolve(earlier, this.#definitions), resolve(later, this.#definitions)]
    if (first['type'] !== second['type'] || this.#seen.has(first)) return undefined
    this.#seen.add(first)
    if (first['type'] === 'object') return this.#fieldsOf(first, second)
    if (first['type'] !== 'array') return isOnly(first, []) ? [] : undefined
    return isOnly(first, ['items']) ? this.fieldsLost(first['items'], second['items']) : undefined
  }

  #fieldsOf(first: JsonObject, second: JsonObject): string[] | undefined {
    if (!isOnly(first, ['properties', 'required'])) return undefined
    const [kept, all] = [mapOf(first['properties']), mapOf(second['properties'])]
    const certain: readonly unknown[] = [second['required']].flat()
    if ([first['required'] ?? []].flat().some((name) => !certain.includes(name))) return undefined
    const lost = Object.keys(all).filter((name) => !(name in kept))
    for (const [name, schema] of Object.entries(kept)) {
      const below = name in all ? this.fieldsLost(schema, all[name]) : []
      if (below === undefined) return undefined
      lost.push(...below)
    }
    return lost
  }
}

const mapOf = (value: unknown): JsonObject => (isPlainObject(value) ? value : {})

/** Whether a schema asks for nothing else but its type. */
function isOnly(schema: JsonObject, keywords: readonly string[]): boolean {
  const known = [...keywords, ...['type', 'title', 'description', 'examples', 'example', 'default']]
  return Object.keys(schema).every((keyword) => known.includes(keyword))
}
