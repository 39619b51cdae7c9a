import { errorCodes } from '../../errors/codes.ts'
import type { Serializer } from '../../schema/compiler-types.ts'
import { describe } from '../../schema/values.ts'
import { findSerializer, type SerializerSource } from '../schema-functions.ts'
import { ReplyHead } from './head.ts'
import { stateOf, type ReplySerializer } from './state.ts'

/** The serializers of a reply: that of its own, and those of its route's schema. */
export class ReplySerialization<Self> extends ReplyHead<Self> {
  /** Sets the serializer of this reply only, whatever the route's schema says. Bytes and streams are
   *  not serialized. @throws ESP_ERR_FUNCTION_EXPECTED */
  serializer(serializer: ReplySerializer): this {
    const given: unknown = serializer
    if (typeof given !== 'function') {
      const { schemas } = stateOf(this).route
      throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED('serializer', schemas.route, describe(given))
    }
    stateOf(this).serializer = serializer
    return this
  }

  /** The serializer of a status of the route's schema, or of a schema that was compiled before.
   *  Undefined where there is none. */
  getSerializationFunction(source: SerializerSource, contentType?: string): Serializer | undefined {
    return stateOf(this).route.schemas.serializer(source, contentType)
  }

  /** Compiles a schema with the route's own compiler, once for each schema object.
   *  @throws ESP_ERR_SCH_SERIALIZATION_BUILD, ESP_ERR_SCH_MISSING_REF */
  compileSerializationSchema(
    schema: object,
    httpStatus?: number | string,
    contentType?: string,
  ): Serializer {
    return stateOf(this).route.schemas.compileSerializer(schema, httpStatus, contentType)
  }

  /** The text of a value by a schema: `(input, schema)`; or by the route's own schema of a status:
   *  `(input, status, contentType?)`.
   *  @throws ESP_ERR_MISSING_SERIALIZATION_FN, ESP_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN, and what
   *  compiling throws */
  serializeInput(
    input: unknown,
    source: SerializerSource,
    ...details: readonly (number | string | undefined)[]
  ): string {
    return findSerializer(stateOf(this).route.schemas, source, details)(input)
  }
}
