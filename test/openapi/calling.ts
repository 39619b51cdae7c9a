// Routes that carry a call that succeeds. It stands in their operation as `x-call`.
import type { AnyHandler, UntypedServer } from '../support/untyped.ts'

/** A call that succeeds, and what comes of it. */
export interface Call {
  readonly path?: Readonly<Record<string, string | number>> | undefined
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** The media type of the body. */
  readonly type?: string
  /** @default 200 */
  readonly status?: number
  /** What the client gets. By default the body, if there is one. */
  readonly reply?: unknown
}

/** Adds a route, whose handler answers with the body, or with what the call says. */
export function route(
  app: UntypedServer,
  line: string,
  call: Call,
  more: object = {},
  handler?: AnyHandler,
): void {
  const [method, url] = line.split(' ')
  const { schema = {}, ...options } = more as { schema?: object }
  const { status = 200, reply, body } = call
  const answer: AnyHandler = (request, it) =>
    it.code(status).send('reply' in call ? reply : request.body)
  const shown = { ...(body !== undefined && { reply: body }), status, ...call }
  const all = { ...schema, 'x-call': shown }
  app.route({ method, url, ...options, schema: all, handler: handler ?? answer })
}

/** A route whose body comes back, by one schema for both. */
export function echo(
  app: UntypedServer,
  path: string,
  schema: unknown,
  body: unknown,
  reply: unknown = body,
): void {
  route(
    app,
    `POST ${path}`,
    { body, reply },
    { schema: { body: schema, response: { 200: schema } } },
    (request) =>
      // What a transform decodes is encoded again.
      request.body,
  )
}
