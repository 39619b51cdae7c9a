import { subschemasOf, type Bundle, type Subschema } from '../schema/bundle.ts'

const choices = ['anyOf', 'oneOf', 'if']

/** Refuses `nullable` without a type in the schemas of responses where a serializer has to choose: the ajv by which it chooses does not
 *  compile them, which only replies would meet. Elsewhere the serializer takes it as it is meant.
 *  @throws Error */
export function checkNullable(bundle: Bundle): void {
  const schemas = subschemasOf(bundle)
  if (!schemas.some(isChoice)) return
  const wrong = schemas.find(
    ({ schema }) => schema['nullable'] !== undefined && [schema['type'] ?? []].flat().length === 0,
  )
  if (wrong === undefined) return
  const remedy = "Give it a type, or make null an alternative: anyOf: [{ … }, { type: 'null' }]"
  throw new Error(`"nullable" cannot be used without "type", as at ${wrong.place}. ${remedy}`)
}

/** Those inside of `not` and the like are nothing to a serializer. */
export function isChoice({ schema, asker }: Subschema): boolean {
  return asker === undefined && choices.some((keyword) => keyword in schema)
}
