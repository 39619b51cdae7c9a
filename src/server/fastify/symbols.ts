// The symbols of Fastify that programs read, as NestJS does: of its file `lib/symbols.js`.

/** On a server: its error handler, as `{ func }`. */
export const kErrorHandler: unique symbol = Symbol('fastify.errorHandler')
/** On a reply: what `serializer` has set, or null. */
export const kReplySerializer: unique symbol = Symbol('fastify.reply.serializer')
/** On a request or a reply: the options of its route, with its server and error handler. */
export const kRouteContext: unique symbol = Symbol('fastify.context')
