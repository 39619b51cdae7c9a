import { errorCodes } from '../../errors/codes.ts'
import { EspalierError } from '../../errors/espalier-error.ts'
import type { Reply } from '../../exchange/reply.ts'
import type { CompiledRoute } from '../../route/compiled-route.ts'
import { isObject, readSafely, type JsonObject } from '../../schema/values.ts'
import { tellFailure } from '../observe/tell.ts'
import { assertText } from '../payload.ts'

/** A response schema holds for error payloads too: it may name more fields of the error. Where it does not fit, JSON
 *  says what happened, or in another dialect what went wrong with the schema. */
export function serializeError(
  route: CompiledRoute,
  reply: Reply,
  payload: { readonly statusCode: number; readonly message: string },
  error: unknown,
): string | Uint8Array {
  const written = route.serializers?.chooseForError(payload.statusCode)
  if (written === undefined) return JSON.stringify(payload)
  try {
    const { serialize, named } = written
    return assertText(
      route,
      serialize(isObject(error) ? withNamed(named, error, payload) : payload),
    )
  } catch (failure) {
    tellFailure(route, 'serializerError', failure, reply)
    const isAnswered = route.dialect.errors.answersFailedSerializer && route.exposeErrors
    if (!isAnswered) return JSON.stringify(payload)
    reply.code(500)
    const coded = asCoded(failure, payload.message)
    const { statusCode, code, message } = route.dialect.errors.show(coded)
    return JSON.stringify({ statusCode, code, message })
  }
}

/** A payload with the fields of an error that a schema names, whatever else that lets pass: an error may carry what is
 *  not for clients, as the answer of another server.
 *  @param named undefined where nobody knows which these are */
function withNamed(
  named: readonly string[] | undefined,
  error: JsonObject,
  payload: object,
): object {
  if (named === undefined) return withHidden(error, payload)
  const fields = named.filter((name) => Object.hasOwn(error, name))
  return { ...Object.fromEntries(fields.map((name) => [name, error[name]])), ...payload }
}

/** A payload that shows a field of an error once it was read by its name. Until then no list of its fields has it, so
 *  that what copies all fields does not copy it. */
function withHidden(error: JsonObject, payload: object): object {
  const hidden: object = {}
  const shown: object = { __proto__: hidden, ...payload }
  for (const [name, value] of Object.entries(error)) {
    if (Object.hasOwn(payload, name) || typeof value === 'function') continue
    const get = (): unknown => {
      Object.defineProperty(shown, name, { value, enumerable: true })
      return value
    }
    Object.defineProperty(hidden, name, { get })
  }
  return shown
}

function asCoded(failure: unknown, message: string): EspalierError {
  if (failure instanceof EspalierError) return failure
  const what = readSafely(failure, 'message') ?? failure
  return new errorCodes.ESP_ERR_FAILED_ERROR_SERIALIZATION(String(what), message)
}
