import { errorCodes } from '../errors/codes.ts'
import type { Serializer } from '../schema/compiler-types.ts'
import { describe } from '../schema/values.ts'
import { EncodingFailure, type Encoder } from '../validation/codecs.ts'

/** A serializer that is given payloads encoded. The payload itself is not changed.
 *  @param where what messages call the response entry
 *  @throws ESP_ERR_REP_ENCODING */
export function withEncoder(serialize: Serializer, encode: Encoder, where: string): Serializer {
  return (payload) => serialize(encodeFor(where, encode, payload))
}

function encodeFor(where: string, encode: Encoder, payload: unknown): unknown {
  try {
    return encode(payload)
  } catch (error) {
    if (!(error instanceof EncodingFailure)) throw error
    const { cause, path } = error
    const reason = cause instanceof Error ? cause.message : describe(cause)
    const place = path === '' ? '' : ` at ${path}`
    throw new errorCodes.ESP_ERR_REP_ENCODING(place, where, reason, cause)
  }
}
