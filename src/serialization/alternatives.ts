import type { FuncKeywordDefinition } from 'ajv'
import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import { definitionOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../schema/values.ts'

/** Gives alternatives without a type the one that their keywords are for, where another alternative is of something else.
 *  fast-json-stringify asks ajv which of them a payload fits, to which `properties` let anything pass that is no object, and then
 *  writes what passed as an object: null would leave as `{}`, a text without its letters.
 *  Beside text, an object is none that is a date: it is one to ajv, and would leave as an object of its letters.
 *  @example { anyOf: [{ properties: { a: … } }, { type: 'null' }] } // the first becomes one of type 'object' */
export function typeAlternatives(bundle: Bundle): void {
  const { definitions } = bundle.schema
  for (const { schema, asker } of subschemasOf(bundle)) {
    // Beside a type, what passes is of that. What only is a condition is not written.
    if (schema['type'] !== undefined || (asker !== undefined && !writing.includes(asker))) continue
    for (const keyword of writing) {
      typeMembers(schema[keyword], definitions)
      leaveDates(schema[keyword], definitions)
    }
  }
}

/** Puts lists before the other types of a value: fast-json-stringify takes the first that may be written of it, and a list has a
 *  text of its own.
 *  @example { type: ['string', 'array'] } // becomes ['array', 'string'] */
export function orderTypes(bundle: Bundle): void {
  for (const { schema } of subschemasOf(bundle)) {
    const types: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : []
    if (!types.includes('array')) continue
    Object.assign(schema, { type: ['array', ...types.filter((type) => type !== 'array')] })
  }
}

/** The keywords that ask whether a schema holds, to write by it. */
export const writing: readonly string[] = ['anyOf', 'oneOf']

function typeMembers(members: unknown, definitions: unknown): void {
  if (!Array.isArray(members)) return
  const schemas = members.map((member) => resolve(member, definitions))
  const types = schemas.map((schema) => schema['type'] ?? writtenType(schema))
  if (new Set(types).size < 2) return
  for (const [index, schema] of schemas.entries()) {
    if (types[index] !== undefined) Object.assign(schema, { type: types[index] })
  }
}

/** Has objects beside text take no date, also in unions of unions. */
function leaveDates(members: unknown, definitions: unknown): void {
  const schemas = [...leavesOf(members, definitions)]
  const holds = (schema: JsonObject, type: string) => [schema['type']].flat().includes(type)
  if (!schemas.some((schema) => holds(schema, 'string'))) return
  for (const schema of schemas) {
    if (holds(schema, 'object') && !holds(schema, 'string')) {
      Object.assign(schema, { [noDate.keyword]: true })
    }
  }
}

function leavesOf(
  members: unknown,
  definitions: unknown,
  found = new Set<JsonObject>(),
): ReadonlySet<JsonObject> {
  for (const member of Array.isArray(members) ? members : []) {
    const schema = resolve(member, definitions)
    if (found.has(schema)) continue
    found.add(schema)
    for (const keyword of writing) leavesOf(schema[keyword], definitions, found)
  }
  return found
}

/** Refuses dates, where an alternative is asked whether a payload fits it. */
export const noDate: FuncKeywordDefinition & { readonly keyword: string } = {
  keyword: 'espalier-no-date',
  type: 'object',
  schemaType: 'boolean',
  errors: false,
  validate: (_is: boolean, payload: unknown) => !(payload instanceof Date),
}

/** The schema that is written by: that which references lead to. */
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

/** What fast-json-stringify writes a schema without a type as. Undefined where it looks at other keywords first, or takes
 *  anything. */
export function writtenType(schema: JsonObject): string | undefined {
  return choosing.some((keyword) => keyword in schema) ? undefined : keywordType(schema)
}

/** The type that a schema's keywords are for, but for those that look at other schemas or at values. */
export function keywordType(schema: JsonObject): string | undefined {
  const [type] =
    Object.entries(keywordsOf).find(([, all]) => all.some((name) => name in schema)) ?? []
  return type
}

const choosing = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'const', 'enum']

/** The keywords of each type, in the order in which fast-json-stringify looks for them. */
const keywordsOf = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'maxProperties',
    'minProperties',
    'dependencies',
  ],
  array: ['items', 'additionalItems', 'maxItems', 'minItems', 'uniqueItems', 'contains'],
  string: ['maxLength', 'minLength', 'pattern'],
  number: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
}
