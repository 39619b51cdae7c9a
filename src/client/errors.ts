import { EspalierError } from '../errors/espalier-error.ts'
import { memberOf, messageOf } from '../http/route-call.ts'
import type { UndeclaredMembers } from '../route/response-types.ts'

/** What a call has asked for. */
export interface CalledRequest {
  /** The key of the route, as in `'GET /users/:id'`. */
  readonly key: string
  readonly method: string
  /** The URL with its parameters and query. */
  readonly url: string
}

/** An error of a call. Its `code` says which:
 *  - `ESP_ERR_CLIENT_ROUTE`: no request can be made of the input
 *  - `ESP_ERR_CLIENT_NETWORK`: there is no answer, or it was cut; `cause` is the error of `fetch`
 *  - `ESP_ERR_CLIENT_ABORTED`: the signal of the call was aborted; `cause` is its reason, and
 *    `name` is `AbortError`, or `TimeoutError` if the reason has that name
 *  - `ESP_ERR_CLIENT_JSON`: the body, or an item of it, is no JSON
 *  - `ESP_ERR_CLIENT_SIZE`: the body, or an item of it, is larger than `maxResponseSize`
 *  - `ESP_ERR_CLIENT_SOCKET`: a WebSocket was not opened, or was closed with an error
 *  - `ESP_ERR_CLIENT_UNDECLARED`: see `UndeclaredResponse`
 *
 *  A server that throws it answers with status 500. */
export class ClientError extends EspalierError {
  override readonly name: string
  declare statusCode: number
  readonly request: CalledRequest

  // eslint-disable-next-line max-params -- the parts of an error
  constructor(
    code: `ESP_ERR_CLIENT_${string}`,
    problem: string,
    request: CalledRequest,
    cause?: unknown,
    name = 'ClientError',
  ) {
    super(code, `The call of '${request.key}' ${problem}`, 500, cause)
    this.request = request
    this.name = name
  }
}

/** An answer that its route does not declare. Its `statusCode` and `headers` are those of the
 *  answer. */
export class UndeclaredResponse extends ClientError {
  readonly headers: UndeclaredMembers['headers']
  readonly response: UndeclaredMembers

  constructor(request: CalledRequest, response: Omit<UndeclaredMembers, 'declared'>) {
    const { statusCode, headers, raw } = response
    const lack = headers['declared'] ? '' : ", without the header 'declared'"
    const why = raw.redirected ? ` by ${raw.url}` : lack
    const problem = `was answered with the undeclared status ${statusCode}${why}`
    super('ESP_ERR_CLIENT_UNDECLARED', problem, request, undefined, 'UndeclaredResponse')
    this.statusCode = statusCode
    this.headers = headers
    // Not a copy, which would read `raw`.
    this.response = Object.assign(response, { declared: false as const })
  }
}

/** The error of a call without a whole answer. One of this client stays as it is. */
export function failure(
  request: CalledRequest,
  signal: AbortSignal | undefined,
  error: unknown,
): ClientError {
  if (memberOf(error, 'request') === request) return error as ClientError // cast: of this call
  const reason: unknown = signal?.aborted ? signal.reason : error
  const name = memberOf(reason, 'name')
  const shown = name === 'TimeoutError' ? name : 'AbortError'
  if (signal?.aborted || name === shown)
    return new ClientError('ESP_ERR_CLIENT_ABORTED', 'was aborted', request, reason, shown)
  // Node says the reason there: 'fetch failed' alone tells nothing.
  const cause = memberOf(error, 'cause')
  const why = cause ? ` (${messageOf(memberOf(cause, 'code') ?? cause)})` : ''
  const problem = `failed: ${messageOf(error)}${why}`
  return new ClientError('ESP_ERR_CLIENT_NETWORK', problem, request, error)
}
