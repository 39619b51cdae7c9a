// What is compiled of a response schema, and of errors of `httpError`.
import { errorCodes } from '../errors/codes.ts'
import type { Serializer } from '../schema/compiler-types.ts'
import { type JsonObject, readSafely } from '../types/objects.ts'

/** A response schema, compiled. */
export interface CompiledResponse {
  readonly serialize: Serializer
  /** The fields that the schema names. Undefined where they are not known, and for the statuses of
   *  successes. */
  readonly named: readonly string[] | undefined
  /** The errors of `httpError`, by code, where the entry declares nothing else. */
  readonly errors?: ReadonlyMap<string, CompiledResponse>
}

/** Compiles an entry of errors.
 *  @param errors the schemas of their bodies, by code
 *  @param status the key of the entry
 *  @param where the name of the entry in error messages
 *  @throws ESP_ERR_HTTP_ERROR_STATUS for an error under a status that it does not have */
export function compileErrors(
  errors: ReadonlyMap<string, JsonObject>,
  status: string,
  where: string,
  compile: (schema: JsonObject, where: string) => CompiledResponse,
): CompiledResponse {
  const all = [...errors].map(([code, schema]) => {
    assertStatus(schema, code, status, where)
    return [code, compile(schema, where)] as const
  })
  return entryOfErrors(new Map(all))
}

/** An entry of errors of `httpError`. The code of a payload chooses its schema. */
function entryOfErrors(errors: ReadonlyMap<string, CompiledResponse>): CompiledResponse {
  const serialize: Serializer = (payload) => {
    const code = String(readSafely(payload, 'code'))
    const own = errors.get(code)
    if (own !== undefined) return own.serialize(payload)
    const known = [...errors.keys()].join(', ')
    throw new TypeError(`The errors of this status have the codes ${known}, and not '${code}'`)
  }
  return { serialize, named: undefined, errors }
}

/** The entry of a route, with the errors of its scope beside its own. */
export function withErrors<Entry extends object>(
  own: Entry,
  scope: Entry,
): Entry | CompiledResponse {
  const [errors, others] = [errorsOf(own), errorsOf(scope)]
  if (errors === undefined || others === undefined) return own
  return entryOfErrors(new Map([...others, ...errors]))
}

/** The errors of an entry, by code. Undefined for an entry of anything else. */
export function errorsOf(entry: object | undefined): CompiledResponse['errors'] {
  // cast: only an entry of errors has the property
  return (entry as Partial<CompiledResponse> | undefined)?.errors
}

function assertStatus({ properties }: JsonObject, code: string, key: string, where: string): void {
  const status = readSafely(readSafely(properties, 'statusCode'), 'const')
  if (String(status) === key && /^[45]/.test(key)) return
  throw new errorCodes.ESP_ERR_HTTP_ERROR_STATUS(where, code, String(status))
}
