import { subschemasOf, type Bundle, type Subschema } from '../schema/bundle.ts'
import { definitionOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { testKeyword, type TestKeyword } from '../validation/runtime.ts'

/** Adds a type to each alternative without one, where another alternative has another type.
 *  fast-json-stringify asks ajv which alternative a payload fits. `properties` alone accept any
 *  value that is no object, so null would be written as `{}`, and a text as an empty object.
 *  Where an alternative takes text, those for objects refuse a Date, which is an object to ajv.
 *  @example { anyOf: [{ properties: { a } }, { type: 'null' }] } // the first gets type 'object' */
export function typeAlternatives(bundle: Bundle): void {
  const { definitions } = bundle.schema
  for (const subschema of subschemasOf(bundle)) {
    const { schema } = subschema
    // The type of the schema around holds for its alternatives too.
    if (schema['type'] !== undefined || !isWritten(subschema)) continue
    for (const keyword of unionKeywords) {
      typeMembers(schema[keyword], definitions)
      refuseDates(schema[keyword], definitions)
    }
  }
}

/** Puts 'array' first in lists of types. fast-json-stringify writes a value as the first type that
 *  it may have, and an array may be written as a string.
 *  @example { type: ['string', 'array'] } // becomes ['array', 'string'] */
export function orderTypes(bundle: Bundle): void {
  for (const { schema } of subschemasOf(bundle)) {
    const types: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : []
    if (!types.includes('array')) continue
    Object.assign(schema, { type: ['array', ...types.filter((type) => type !== 'array')] })
  }
}

/** Adds a type to the items of tuples that have none. fast-json-stringify compares each item of a
 *  payload with the `type` of its schema alone, and refuses every value where there is none.
 *  An item that may be anything stays without a type, and is refused.
 *  @example { items: [{ enum: [1, null] }] } // the item gets type ['null', 'number'] */
export function typeTupleItems(bundle: Bundle): void {
  const { definitions } = bundle.schema
  for (const subschema of subschemasOf(bundle)) {
    const { items } = subschema.schema
    if (!Array.isArray(items) || !isWritten(subschema)) continue
    const addType = (item: unknown): unknown => {
      if (!isPlainObject(item) || resolve(item, definitions)['type'] !== undefined) return item
      const found = typesOf(item, { definitions, seen: new Set() })
      const types = typeOrder.filter((type) => found?.includes(type))
      if (types.length === 0) return item
      const unions = unionKeywords.flatMap((keyword) => {
        const members: unknown = item[keyword]
        return Array.isArray(members) ? [[keyword, members.map(addType)]] : []
      })
      const type = types.length === 1 ? types[0] : types
      return { ...item, ...Object.fromEntries(unions), type }
    }
    const typed = items.map(addType)
    Object.assign(subschema.schema, { items: typed })
  }
}

/** Refuses `nullable` without a type in responses with alternatives or conditions. The ajv that
 *  fast-json-stringify uses for them cannot compile it, and every reply would fail.
 *  @throws Error */
export function refuseUntypedNullable(bundle: Bundle): void {
  const schemas = subschemasOf(bundle)
  if (!schemas.some(isChoice)) return
  const wrong = schemas.find(
    ({ schema }) => schema['nullable'] !== undefined && [schema['type'] ?? []].flat().length === 0,
  )
  if (wrong === undefined) return
  const remedy = "Give it a type, or make null an alternative: anyOf: [{ … }, { type: 'null' }]"
  throw new Error(`"nullable" cannot be used without "type", as at ${wrong.place}. ${remedy}`)
}

/** Whether a serializer asks ajv which of several schemas to write by. */
export function isChoice({ schema, testedBy }: Subschema): boolean {
  return testedBy === undefined && ['anyOf', 'oneOf', 'if'].some((keyword) => keyword in schema)
}

export const unionKeywords = ['anyOf', 'oneOf'] as const

/** Whether a serializer writes values by a schema. The schema of `not` or `if` only tests them. */
export function isWritten({ testedBy }: Subschema): boolean {
  return testedBy === undefined || testedBy === 'anyOf' || testedBy === 'oneOf'
}

function typeMembers(members: unknown, definitions: unknown): void {
  if (!Array.isArray(members)) return
  const schemas = members.map((member) => resolve(member, definitions))
  const types = schemas.map((schema) => schema['type'] ?? writtenType(schema))
  if (new Set(types).size < 2) return
  for (const [index, schema] of schemas.entries()) {
    if (types[index] !== undefined) Object.assign(schema, { type: types[index] })
  }
}

/** Makes the objects of a union refuse dates where the union also takes text. */
function refuseDates(members: unknown, definitions: unknown): void {
  const schemas = [...flattenUnion(members, definitions)]
  const hasType = (schema: JsonObject, type: string) => [schema['type']].flat().includes(type)
  if (!schemas.some((schema) => hasType(schema, 'string'))) return
  for (const schema of schemas) {
    if (hasType(schema, 'object') && !hasType(schema, 'string')) {
      Object.assign(schema, { [noDate.keyword]: true })
    }
  }
}

/** The alternatives of a union, and those of the unions among them. */
function flattenUnion(
  members: unknown,
  definitions: unknown,
  found = new Set<JsonObject>(),
): ReadonlySet<JsonObject> {
  for (const member of Array.isArray(members) ? members : []) {
    const schema = resolve(member, definitions)
    if (found.has(schema)) continue
    found.add(schema)
    for (const keyword of unionKeywords) flattenUnion(schema[keyword], definitions, found)
  }
  return found
}

/** The ajv keyword that refuses dates. */
export const noDate: TestKeyword = testKeyword('espalier-no-date', 'isNoDate', {
  type: 'object',
  schemaType: 'boolean',
})

/** The schema that a chain of references ends at; an empty one where it ends nowhere. */
export function resolve(member: unknown, definitions: unknown): JsonObject {
  const seen = new Set<unknown>()
  let found = member
  while (isPlainObject(found) && !seen.has(found)) {
    seen.add(found)
    const name = definitionOf(found['$ref'])
    if (name === undefined) return found
    found = isPlainObject(definitions) ? definitions[name] : undefined
  }
  return {}
}

/** All types, in the order in which fast-json-stringify has to test a value: a Date is written as a
 *  string, not as an object. */
const typeOrder = ['null', 'boolean', 'integer', 'number', 'array', 'string', 'object']

type Types = readonly string[] | undefined

interface TypeSearch {
  readonly definitions: unknown
  readonly seen: ReadonlySet<JsonObject>
  /** The type that the keywords of a schema around are for. They hold beside the schema's own. */
  readonly around?: string | undefined
}

/** The types that a schema allows. Undefined where it may allow anything. */
function typesOf(given: unknown, search: TypeSearch): Types {
  if (given === false) return []
  const schema = resolve(given, search.definitions)
  const { type, nullable, const: value, enum: values } = schema
  if (type !== undefined) return [type, nullable === true ? 'null' : []].flat().filter(isText)
  if (value !== undefined) return [typeOf(value)]
  if (Array.isArray(values)) {
    // A list of values does not say which fields of an object are written.
    return values.map(typeOf).filter((each) => each !== 'object' && each !== 'array')
  }
  const around = keywordType(schema) ?? search.around
  const [choice, ...more] = ['anyOf', 'oneOf', 'allOf', 'if'].filter((name) => name in schema)
  if (choice === undefined) return around === undefined ? undefined : [around]
  if (more.length > 0 || 'not' in schema) return undefined
  // A union that leads back to itself adds no type.
  if (search.seen.has(schema)) return []
  // Only schemas around this one count: an allOf may name one definition twice.
  const seen = new Set([...search.seen, schema])
  const members =
    choice === 'if' ? [schema['then'] ?? true, schema['else'] ?? true] : schema[choice]
  const lists = [members].flat().map((member) => typesOf(member, { ...search, seen, around }))
  const known = lists.filter((types) => types !== undefined)
  if (known.length < lists.length) return undefined
  if (choice !== 'allOf') return known.flat()
  return typeOrder.filter((each) => known.every((types) => types.includes(each)))
}

const isText = (value: unknown): value is string => typeof value === 'string'

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The type by which fast-json-stringify writes a schema that has none. Undefined where it reads
 *  other keywords first, or writes anything. */
export function writtenType(schema: JsonObject): string | undefined {
  const first = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'const', 'enum']
  return first.some((keyword) => keyword in schema) ? undefined : keywordType(schema)
}

/** The type that the keywords of a schema are for. */
function keywordType(schema: JsonObject): string | undefined {
  const isUsed = ([, all]: [string, string[]]) => all.some((keyword) => keyword in schema)
  return Object.entries(keywordsOf).find(isUsed)?.[0]
}

/** The keywords of each type, in the order in which fast-json-stringify looks for them. */
const keywordsOf = {
  object: [
    ...['properties', 'required', 'additionalProperties', 'patternProperties'],
    ...['maxProperties', 'minProperties', 'dependencies'],
  ],
  array: ['items', 'additionalItems', 'maxItems', 'minItems', 'uniqueItems', 'contains'],
  string: ['maxLength', 'minLength', 'pattern'],
  number: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
}

/** A map of schemas, which is empty where a schema has none. */
export const mapOf = (value: unknown): JsonObject => (isPlainObject(value) ? value : {})
