import { closedCopies, resolveMember } from '../schema/alternatives.ts'
import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import type { JsonObject } from '../schema/values.ts'

/** Has the serializer choose that alternative of a response which a payload is of. fast-json-stringify takes the first that ajv
 *  finds it to fit, and writes it by that: fields that another one has were lost. */
export function settleAlternatives(bundle: Bundle): void {
  const { definitions } = bundle.schema
  for (const { schema } of subschemasOf(bundle)) {
    for (const keyword of ['anyOf', 'oneOf']) {
      const members = readMembers(schema[keyword])
      // Beside a type, what passes is of that.
      if (schema['type'] === undefined) typeMembers(members, definitions)
      // Fields may be listed beside the alternatives too.
      if (schema['properties'] !== undefined) continue
      const closed = closedCopies(members, definitions).filter((copy) => copy !== undefined)
      if (closed.length > 0) Object.assign(schema, { [keyword]: [...closed, ...members] })
    }
  }
}

function readMembers(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Gives alternatives without a type the one that their keywords are for, where another alternative is of something else: to
 *  `properties` anything passes that is no object, which is written as one then. Null would leave as `{}`.
 *  @example { anyOf: [{ properties: { a: … } }, { type: 'null' }] } // the first becomes one of type 'object' */
function typeMembers(members: readonly unknown[], definitions: unknown): void {
  const schemas = members.map((member) => resolveMember(member, definitions))
  const types = schemas.map((schema) => schema['type'] ?? writtenType(schema))
  if (new Set(types).size < 2) return
  for (const [index, schema] of schemas.entries()) {
    if (types[index] !== undefined) Object.assign(schema, { type: types[index] })
  }
}

/** What fast-json-stringify writes a schema without a type as. Undefined where it looks at other keywords first, or takes
 *  anything. */
function writtenType(schema: JsonObject): string | undefined {
  if (choosing.some((keyword) => keyword in schema)) return undefined
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
