import { toRecords, type StandardSchema } from '../schema/standard-schema.ts'
import { ignoreRejection, isThenable } from '../schema/values.ts'
import type { Serializer } from '../schema/compiler-types.ts'

/** Returns the output of a Standard Schema for a payload.
 *  @throws Error for a payload that the schema refuses, and for a schema that is async */
type Output = (payload: unknown) => unknown

const outputs = new WeakMap<Serializer, Output>()

/** Makes the serializer of a Standard Schema, which sends its output as JSON. Fields that the
 *  schema does not have are not sent. It throws what `Output` throws. */
export function toStandardSerializer(schema: StandardSchema): Serializer {
  const output: Output = (payload) => validate(schema, payload)
  const serializer: Serializer = (payload) => JSON.stringify(output(payload))
  outputs.set(serializer, output)
  return serializer
}

/** The output function of a serializer, for text that is sent without being JSON. Undefined where
 *  the serializer is not of a Standard Schema: text is sent as it is then. */
export const outputOf = (serializer: Serializer): Output | undefined => outputs.get(serializer)

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
