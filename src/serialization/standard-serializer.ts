import { toRecords, type StandardSchema } from '../schema/standard-schema.ts'
import { ignoreRejection, isThenable } from '../types/promises.ts'
import type { Serializer } from '../schema/compiler-types.ts'
import { toExactJson } from '../schema/exact-json.ts'
import { setOutput, type Output } from '../schema/text-output.ts'

/** Makes the serializer of a Standard Schema, which sends its output as JSON. Fields that the
 *  schema does not have are not sent. It throws for a payload that the schema refuses, and for a
 *  schema that is async. */
export function toStandardSerializer(schema: StandardSchema): Serializer {
  const output: Output = (payload) => validate(schema, payload)
  // cast: what has no JSON is refused by what calls serializers
  return setOutput((payload) => toExactJson(output(payload)) as string, output)
}

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
