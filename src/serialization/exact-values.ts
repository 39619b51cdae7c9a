import type { FuncKeywordDefinition } from 'ajv'
import { isDeepStrictEqual } from 'node:util'
import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import type { JsonObject } from '../schema/values.ts'
import { isChoice } from './written-types.ts'

/** Has payloads compared where a schema leaves one value only: by `const` or by `type: 'null'`.
 *  fast-json-stringify writes that value whatever the payload is. But it asks ajv whether an
 *  alternative fits, so the value becomes the only alternative: another payload throws.
 *  What stands inside of alternatives is asked already.
 *  @returns schemas of their own for the alternatives, by the names that references have for them
 *  @example { const: 'a' } // becomes { const: 'a', anyOf: [{ enum: ['a'] }] } */
export function compareExactValues(bundle: Bundle): Record<string, JsonObject> {
  const schemas: Record<string, JsonObject> = {}
  const subschemas = subschemasOf(bundle)
  const refer = (only: JsonObject): JsonObject => {
    const name = `only-${Buffer.from(JSON.stringify(only)).toString('hex')}`
    schemas[name] = only
    return { $ref: `${name}#` }
  }
  // For an alternative that is no reference ajv compiles the whole schema. Where something else
  // chooses, it does so anyway, and two references to join would cancel each other.
  const wrap = subschemas.some(isChoice) ? (only: JsonObject) => only : refer
  for (const { schema, asker } of subschemas) {
    const only = asker === undefined ? onlyAlternative(schema) : undefined
    if (only === undefined) continue
    const anyOf = [wrap(only)]
    if (!('anyOf' in schema)) Object.assign(schema, { anyOf })
    else Object.assign(schema, { allOf: [schema['allOf'] ?? [], { anyOf }].flat() })
  }
  return schemas
}

/** The `const` stays beside it: two that hold together and differ are found by that at boot. */
function onlyAlternative({ const: value, type, nullable }: JsonObject): JsonObject | undefined {
  if (value === undefined) return type === 'null' ? { enum: [null] } : undefined
  const isNullable = nullable === true || [type].flat().includes('null')
  const same = isScalar(value) ? { enum: [value] } : { [sameJson.keyword]: JSON.stringify(value) }
  return isNullable && value !== null ? { anyOf: [same, { enum: [null] }] } : same
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Takes what is the same JSON as a text, whatever order its keys have and whatever makes it.
 *  It is text, since fast-json-stringify would edit an object that looks like a schema. */
export const sameJson: FuncKeywordDefinition & { readonly keyword: string } = {
  keyword: 'espalier-same-json',
  schemaType: 'string',
  errors: false,
  compile(text: string) {
    const expected: unknown = JSON.parse(`[${text}]`)
    return (payload) => isDeepStrictEqual(jsonOf(payload), expected)
  },
}

const jsonOf = (payload: unknown): unknown => JSON.parse(JSON.stringify([payload]))
