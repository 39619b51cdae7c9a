import { kindOf } from '../http/payload-kind.ts'
import { send } from './answer.ts'
import { exchangeOf } from './exchange.ts'
import { serializeNow } from './payload.ts'
import { Reply } from './reply.ts'
import { callNotFound } from './run.ts'

/** A reply with what sends it. All replies are of this class: what answers requests needs only the
 *  class above it. */
export class SendingReply extends Reply {
  /** Serializes a payload as `send` would now: with the reply's serializer, the scope's, or the
   *  route's schema for the status and the type. @throws what the serializer throws */
  serialize(payload: unknown): string | Uint8Array {
    return serializeNow(exchangeOf(this), payload)
  }

  /** Sends a payload. An Error is answered as an error. Strings, bytes, streams and a `Response`
   *  are sent as they are. Any other value is serialized with the route's schema for the status,
   *  or as JSON. */
  send(payload?: unknown): this {
    send(exchangeOf(this), payload, kindOf(payload))
    return this
  }

  /** Leaves the answer to the not-found handler of this context, with the preHandler hooks that
   *  `setNotFoundHandler` was given. */
  callNotFound(): this {
    callNotFound(exchangeOf(this))
    return this
  }

  /** Answers with a `location`, and status 302 unless another is given or set. Takes `(url,
   *  status?)`, or `(status, url)` as Fastify 4 does. */
  redirect(...[first, second]: readonly [string, number?] | readonly [number, string]): this {
    if (typeof first === 'number')
      exchangeOf(this).route.dialect.errors.deprecate('ESP_DEP_REDIRECT')
    const [url, status] =
      typeof first === 'number' ? [second as string, first] : [first, second as number | undefined]
    const { statusCode } = this
    const isRedirect = statusCode >= 300 && statusCode <= 399
    return this.header('location', url)
      .code(status ?? (isRedirect ? statusCode : 302))
      .send()
  }
}
