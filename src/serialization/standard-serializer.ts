import { toRecords, type StandardSchema } from '../schema/standard-schema.ts'
import { ignoreRejection, isThenable } from '../schema/values.ts'
import type { Serializer } from '../schema/compiler-types.ts'

/** What a Standard Schema makes of a payload. */
type Output = (payload: unknown) => unknown

const outputs = new WeakMap<Serializer, Output>()

/** A Standard Schema makes what is sent: its output, without what the schema does not have.
 *  The serializer throws for a payload that the schema refuses, and for a schema that is async. */
export function toStandardSerializer(schema: StandardSchema): Serializer {
  const output: Output = (payload) => validate(schema, payload)
  const serializer: Serializer = (payload) => JSON.stringify(output(payload))
  outputs.set(serializer, output)
  return serializer
}

/** What the schema of a serializer makes of a payload, before it is JSON: text stays text. Undefined for serializers of
 *  other schemas, which text passes by. */
export const outputOf = (serializer: Serializer): Output | undefined => outputs.get(serializer)

/** @throws for a payload that the schema refuses, and for a schema that is async */
function validate(schema: StandardSchema, payload: unknown): unknown {
  const result = schema['~standard'].validate(payload)
  if (isThenable(result)) {
    ignoreRejection(result)
    throw new Error('an async schema cannot serialize a reply')
  }
  if (result.issues === undefined) return result.value
  const [first] = toRecords(result.issues)
  throw new Error(`response${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`)
}
