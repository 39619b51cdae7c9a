import type { BodyMembers } from '../http/response-body.ts'
import type { UndeclaredMembers } from '../route/response-types.ts'
import type { CalledRequest } from './errors.ts'

/** A request of a call, as middleware sees it.
 *  @template Key the keys of the routes that the client may call */
export interface CallRequest<Key extends string = string> extends CalledRequest {
  readonly key: Key
  /** The headers of the call, and those of all calls. They may be changed. */
  readonly headers: Headers
  /** JSON as text, or the given body. A stream can be sent once only. */
  readonly body: RequestInit['body']
  readonly signal: AbortSignal | undefined
}

/** Any answer, whether its route declares it or not. Its body was read, unless that is bytes or a
 *  stream of items. */
export interface CallResponse
  extends Omit<UndeclaredMembers, 'declared'>, Pick<BodyMembers, 'events' | 'messages'> {
  /** Whether the route declares it. A client throws one that is not, behind all middleware. */
  readonly declared: boolean
}

/** Stands around each request of a client. It may change the request, ask for it again, or give
 *  another answer.
 *  @param next sends the request, through the middleware behind this one.
 *  @throws ESP_ERR_CLIENT_NETWORK, ESP_ERR_CLIENT_ABORTED, ESP_ERR_CLIENT_SIZE (`next`)
 *  @example
 *  const tell: CallMiddleware = async (request, next) => {
 *    const response = await next(request)
 *    console.log(request.key, response.statusCode)
 *    return response
 *  } */
export type CallMiddleware<Key extends string = string> = (
  request: CallRequest<Key>,
  next: NextCall,
) => CallResponse | Promise<CallResponse>

/** Sends a request of a call. It may be one that was given, or a copy with other members. */
export type NextCall = (request: CallRequest) => Promise<CallResponse>
