import { errorCodes } from '../../errors/codes.ts'
import { EspalierError } from '../../errors/espalier-error.ts'
import { bundlePart, bundleSchema, subschemasOf } from '../../schema/bundle.ts'
import type { HttpPart, Serializer } from '../../schema/compiler-types.ts'
import { isSensitive, sensitiveKeyword } from '../../schema/sensitive.ts'
import type { SharedSchemas } from '../../schema/shared-schemas.ts'
import { isStandardSchema } from '../../schema/standard-schema.ts'
import { outputOf, setOutput } from '../../schema/text-output.ts'
import { holds } from '../../schema/transform/transforms.ts'
import { writeOrPlace } from '../../serialization/failure-place.ts'
import { UnfitPayload } from '../../serialization/projection.ts'
import { Secrets } from '../../validation/secrets.ts'
import { isObject, isPlainObject, type JsonObject } from '../../types/objects.ts'

/** The bundle of a schema that is sensitive as a whole. */
const whole = { schema: { [sensitiveKeyword]: true }, text: undefined }

/** The sensitive values of one part of a request. Undefined where there are none, and for a schema
 *  that the compiler refuses. */
export function secretsOf(
  schema: unknown,
  schemas: SharedSchemas,
  part: HttpPart,
): Secrets | undefined {
  if (isStandardSchema(schema)) return isSensitive(schema) ? new Secrets(part, whole) : undefined
  if (!mayHold(schema, schemas)) return undefined
  try {
    const bundle = bundlePart(schema, schemas.all(), part)
    const isFound = subschemasOf(bundle).some((each) => isSensitive(each.schema))
    return isFound ? new Secrets(part, bundle) : undefined
  } catch {
    return undefined
  }
}

/** Refuses a response with a sensitive value that it does not reveal.
 *  @param where the name of the response entry
 *  @returns whether it reveals one
 *  @throws ESP_ERR_SCH_SENSITIVE */
export function assertRevealed(schema: unknown, schemas: SharedSchemas, where: string): boolean {
  if (isStandardSchema(schema)) {
    if (isSensitive(schema)) throw new errorCodes.ESP_ERR_SCH_SENSITIVE(where, 'the top')
    return false
  }
  if (!mayHold(schema, schemas)) return false
  const found = sensitiveIn(schema, schemas)
  const wrong = found.find((each) => each.schema[sensitiveKeyword] === true)
  if (wrong !== undefined) throw new errorCodes.ESP_ERR_SCH_SENSITIVE(where, wrong.place)
  return found.length > 0
}

function sensitiveIn(schema: JsonObject, schemas: SharedSchemas) {
  try {
    const all = subschemasOf(bundleSchema(schema, schemas.all()))
    return all.filter((each) => isSensitive(each.schema))
  } catch {
    // The compiler tells what is wrong.
    return []
  }
}

/** Refuses the headers of a response entry that have a sensitive value. */
export function assertHeaders(entry: unknown, schemas: SharedSchemas, where: string): void {
  const headers = isObject(entry) && !isStandardSchema(entry) ? entry['headers'] : undefined
  if (!isPlainObject(headers)) return
  for (const [name, header] of Object.entries(headers)) {
    const schema = isPlainObject(header) ? (header['schema'] ?? header) : header
    assertRevealed(schema, schemas, `header ${name} of the ${where}`)
  }
}

/** Makes the errors of a serializer say where a payload does not fit, and nothing of its values. */
export function hideInErrors(serialize: Serializer): Serializer {
  const hide =
    <Result>(run: (payload: unknown) => Result) =>
    (payload: unknown): Result => {
      try {
        return run(payload)
      } catch (error) {
        throw hidden(error)
      }
    }
  const output = outputOf(serialize)
  const made = hide((payload) => writeOrPlace(serialize, payload))
  return output === undefined ? made : setOutput(made, hide(output))
}

/** Where the errors of serializers have the place. */
const placeText = /^(?:The payload at )?(\/[^\s:]*)|Place in the value: (\/\S*)$/

function hidden(error: unknown): unknown {
  // One that the payload's own code throws may be an answer.
  const isOwn = error instanceof EspalierError || error instanceof UnfitPayload
  if (!(error instanceof Error) || (!isOwn && Object.keys(error).length > 0)) return error
  const [, start, end = start ?? ''] = placeText.exec(error.message) ?? []
  return new UnfitPayload(
    `${end} does not fit. What is there is not told, since the schema has sensitive values`.trim(),
  )
}

/** Whether a schema may have a sensitive value, in itself or by a reference. */
function mayHold(schema: unknown, schemas: SharedSchemas): schema is JsonObject {
  if (!isPlainObject(schema)) return false
  return holds(schema, 'sensitive') || (holds(schema, 'reference') && shared(schemas))
}

const known = new WeakMap<SharedSchemas, { readonly size: number; readonly holds: boolean }>()

/** Whether a visible shared schema has a sensitive value. */
function shared(schemas: SharedSchemas): boolean {
  const source = schemas.source()
  const all = Object.values(source.all())
  const last = known.get(source)
  if (last?.size === all.length) return last.holds
  const found = all.some((each) => holds(each, 'sensitive'))
  known.set(source, { size: all.length, holds: found })
  return found
}
