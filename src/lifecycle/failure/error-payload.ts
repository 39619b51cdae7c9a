import { errorCodes } from '../../errors/codes.ts'
import { isInstalledAsFastify } from '../../errors/dialect.ts'
import { EspalierError } from '../../errors/espalier-error.ts'
import type { Reply } from '../../exchange/reply.ts'
import type { CompiledRoute } from '../../route/compiled-route.ts'
import { isObject, readSafely } from '../../schema/values.ts'
import { tellFailure } from '../observe/tell.ts'
import { assertText } from '../payload.ts'

/** A response schema holds for error payloads too. Where it does not fit, JSON says what happened; programs for
 *  Fastify find what went wrong with the schema. */
export function serializeError(
  route: CompiledRoute,
  reply: Reply,
  payload: { readonly statusCode: number; readonly message: string },
  error: unknown,
): string | Uint8Array {
  const serialize = route.serializers?.choose(payload.statusCode, undefined)
  if (serialize === undefined) return JSON.stringify(payload)
  try {
    return assertText(route, serialize(isObject(error) ? { ...error, ...payload } : payload))
  } catch (failure) {
    tellFailure(route, 'serializerError', failure, reply)
    if (!isInstalledAsFastify || !route.exposeErrors) return JSON.stringify(payload)
    reply.code(500)
    const { statusCode, code, message } = asCoded(failure, payload.message)
    return JSON.stringify({ statusCode, code, message })
  }
}

function asCoded(failure: unknown, message: string): EspalierError {
  if (failure instanceof EspalierError) return failure
  const what = readSafely(failure, 'message') ?? failure
  return new errorCodes.ESP_ERR_FAILED_ERROR_SERIALIZATION(String(what), message)
}
