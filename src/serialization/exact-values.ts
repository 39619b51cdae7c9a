import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import type { JsonObject } from '../types/objects.ts'
import { testKeyword, type TestKeyword } from '../validation/runtime.ts'
import { isChoice } from './written-types.ts'

/** Makes fast-json-stringify compare payloads with schemas of one value: `const` or `type: 'null'`.
 *  It writes that value whatever the payload is. But it asks ajv whether a payload is valid by an
 *  alternative, so the value becomes the only alternative, and another payload throws. Schemas
 *  inside of alternatives are compared already.
 *  @returns the schemas of these alternatives, by the names in their references
 *  @example { const: 'a' } // becomes { const: 'a', anyOf: [{ enum: ['a'] }] } */
export function compareExactValues(bundle: Bundle): Record<string, JsonObject> {
  const schemas: Record<string, JsonObject> = {}
  const subschemas = subschemasOf(bundle)
  const refer = (only: JsonObject): JsonObject => {
    const name = `only-${Buffer.from(JSON.stringify(only)).toString('hex')}`
    schemas[name] = only
    return { $ref: `${name}#` }
  }
  // ajv compiles the whole schema for an alternative that is no reference. Where the schema has
  // other alternatives that happens anyway, and two references to join would cancel each other.
  const wrap = subschemas.some(isChoice) ? (only: JsonObject) => only : refer
  for (const { schema, testedBy } of subschemas) {
    const only = testedBy === undefined ? onlyAlternative(schema) : undefined
    if (only === undefined) continue
    const anyOf = [wrap(only)]
    if (!('anyOf' in schema)) Object.assign(schema, { anyOf })
    else Object.assign(schema, { allOf: [schema['allOf'] ?? [], { anyOf }].flat() })
  }
  return schemas
}

/** The `const` stays in the schema: two in one `allOf` that differ are refused at boot for it. */
function onlyAlternative({ const: value, type, nullable }: JsonObject): JsonObject | undefined {
  if (value === undefined) return type === 'null' ? { enum: [null] } : undefined
  const isNullable = nullable === true || [type].flat().includes('null')
  const isScalar = typeof value !== 'object' || value === null
  const same = isScalar ? { enum: [value] } : { [sameJson.keyword]: JSON.stringify(value) }
  return isNullable && value !== null ? { anyOf: [same, { enum: [null] }] } : same
}

/** The ajv keyword for values whose JSON equals a text. The order of keys does not matter. It is a
 *  text because fast-json-stringify would edit an object that looks like a schema. */
export const sameJson: TestKeyword = testKeyword('espalier-same-json', 'isSameJson', {
  schemaType: 'string',
})
