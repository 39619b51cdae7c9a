import { errorCodes } from '../errors/codes.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import type { HttpPart, Serializer } from '../schema/compiler-types.ts'
import type { SerializerSource } from '../typed/reply.ts'
import type { ValidationFunction } from '../typed/request.ts'

/** The validators and serializers of a route's schema, and functions that compile other schemas
 *  with the same compilers. */
export interface SchemaFunctions {
  /** What messages call the route. */
  readonly route: string
  /** The bundle that was compiled for the schema of a part. Undefined for a schema of another
   *  language. */
  bundle(given: unknown, part: HttpPart): JsonObject | undefined
  /** The validator of a part of the route's schema, or of a schema that was compiled before. */
  validator(source: HttpPart | object): ValidationFunction | undefined
  compileValidator(schema: object, part?: HttpPart): ValidationFunction
  /** The serializer of a status of the route's schema, or of a schema that was compiled before. */
  serializer(source: SerializerSource, contentType?: string): Serializer | undefined
  compileSerializer(schema: object, status?: number | string, contentType?: string): Serializer
}

/** Finds a validator: the route's own for the part, if it has one, else that of the schema. A
 *  schema is compiled when it is seen first.
 *  @throws ESP_ERR_REQ_INVALID_VALIDATION_INVOCATION, and what compiling throws */
export function findValidator(
  schemas: SchemaFunctions,
  source: HttpPart | object,
  part: HttpPart | undefined,
): ValidationFunction {
  const own = part === undefined ? undefined : schemas.validator(part)
  const known = own ?? schemas.validator(source)
  if (known !== undefined) return known
  if (isSchema(source)) return schemas.compileValidator(source, part)
  throw new errorCodes.ESP_ERR_REQ_INVALID_VALIDATION_INVOCATION(schemas.route, source)
}

/** Finds a serializer: that of a schema, which is compiled when it is seen first, or the route's
 *  own for a status.
 *  @param details a status and a content type after a schema, a content type after a status
 *  @throws ESP_ERR_MISSING_SERIALIZATION_FN, ESP_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN, and what
 *  compiling throws */
export function findSerializer(
  schemas: SchemaFunctions,
  source: SerializerSource,
  details: readonly (number | string | undefined)[],
): Serializer {
  if (isSchema(source)) {
    const [status, type] = details
    return schemas.serializer(source) ?? schemas.compileSerializer(source, status, text(type))
  }
  const contentType = text(details[0])
  const own = schemas.serializer(source, contentType)
  if (own !== undefined) return own
  const { route } = schemas
  throw contentType === undefined
    ? new errorCodes.ESP_ERR_MISSING_SERIALIZATION_FN(route, source)
    : new errorCodes.ESP_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN(route, source, contentType)
}

/** Whether a source is a schema. A Standard Schema may be a function. */
export function isSchema(source: unknown): source is object {
  return isObject(source) || isStandardSchema(source)
}

function text(value: number | string | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}
