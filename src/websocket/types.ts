import type { AnyCtx, HasCtx, JoinedPath } from '../context/ctx.ts'
import type { PrefixTrailingSlash } from '../route/declaration.ts'
import type { HandledRequest } from '../route/handler.ts'
import type { RouteEntry, SocketSchema } from '../route/route-entry.ts'
import type { CheckedSchema, RouteSchema } from '../route/route-schema.ts'
import type { ValidationError } from '../schema/compiler-types.ts'
import type { Part } from '../schema/infer/part.ts'
import type { CheckedOptions, CommonRouteOptions } from '../server/types/route-options.ts'
import type { Server } from '../server/types/server.ts'
import type { TypedSocket } from './typed-socket.ts'

/** The method `websocket` of servers. */
export interface DeclareWebsocket {
  /** Declares a route for WebSockets. Hooks run, and params, query and headers are validated,
   *  before the connection is upgraded: what refuses is answered by HTTP. A request that is no
   *  upgrade is answered with 426.
   *  @example
   *  app.websocket('/chat/:room', { receive: Said, send: Told }, async (socket, request) => {
   *    for await (const said of socket) socket.send({ room: request.params.room, ...said })
   *  })
   *  @throws ESP_ERR_ROUTE_… or ESP_ERR_SCH_… at once or at boot, with the plugin and the route */
  <const Path extends string, Context extends AnyCtx = AnyCtx, Routes = {}>(
    this: HasCtx<Context, Routes>,
    path: Path,
    handler: NoInfer<SocketHandler<Context, Path, {}, undefined, undefined>>,
  ): Server<Context, Routes & SocketEntry<Context, Path, {}, undefined, undefined>>
  <
    const Path extends string,
    const Schema extends RouteSchema = {},
    const Receive = undefined,
    const Send = undefined,
    Context extends AnyCtx = AnyCtx,
    Routes = {},
  >(
    this: HasCtx<Context, Routes>,
    path: Path,
    options: WebsocketOptions<Context, Path, Schema, Receive, Send>,
    handler: NoInfer<SocketHandler<Context, Path, Schema, Receive, Send>>,
  ): Server<Context, Routes & SocketEntry<Context, Path, Schema, Receive, Send>>
}

/** The route that a declaration adds to the type of its server. */
type SocketEntry<Context extends AnyCtx, Path extends string, Schema, Receive, Send> = RouteEntry<
  `GET ${JoinedPath<Context['prefix'], Path>}`,
  Schema & SocketSchema<Receive, Send>,
  unknown
>

/** The options of a route for WebSockets: those of a route, and the schemas of messages. Messages
 *  with a schema are JSON texts. */
export type WebsocketOptions<
  Context extends AnyCtx,
  Path extends string,
  Schema,
  Receive,
  Send,
> = CommonRouteOptions<Context, Server<Context>> &
  CheckedOptions<Context, Server<Context>, Path, Schema, 'GET', false, PrefixTrailingSlash> & {
    /** What clients send. A message that does not fit closes the socket: with 1007, or with 1003 if
     *  it is binary. */
    readonly receive?: CheckedMessage<Receive, Context>
    /** What the server sends. Fields that the schema does not have are left out. */
    readonly send?: CheckedMessage<Send, Context>
    /** Is called with a message that does not fit `receive`, instead of closing the socket. The
     *  message is skipped, and the next is read when its promise has resolved. The error is
     *  ESP_ERR_VALIDATION, with the errors of the validator. An error that this throws is one of
     *  the handler. */
    readonly onInvalidMessage?: NoInfer<
      (
        this: Server<Context>,
        error: ValidationError,
        socket: SocketOf<Receive, Send, Context>,
        request: HandledRequest<Context, Server<Context>, Path, Schema, 'GET', false>,
      ) => unknown
    >
  }

/** The handler of a route for WebSockets. An error that it throws, or the rejection of its promise,
 *  is logged, and closes the socket with 1011. When it has ended, the socket stays open. */
export type SocketHandler<Context extends AnyCtx, Path extends string, Schema, Receive, Send> = (
  this: Server<Context>,
  socket: SocketOf<Receive, Send, Context>,
  request: HandledRequest<Context, Server<Context>, Path, Schema, 'GET', false>,
) => unknown

/** The socket of a route, for the schemas of its messages. It is an interface, whose members are
 *  computed when they are read: see `RequestParts`. */
export interface SocketOf<
  in out Receive,
  in out Send,
  in out Context extends AnyCtx,
> extends TypedSocket<ReceivedBy<Receive, Context>, SentBy<Send, Context>> {}

type ReceivedBy<Schema, Context extends AnyCtx> = Schema extends object
  ? Part<Schema, Context['schemas'], 'out'>
  : string | Buffer

type SentBy<Schema, Context extends AnyCtx> = Schema extends object
  ? Part<Schema, Context['schemas'], 'reply'>
  : string | Uint8Array

/** A schema for messages, or a sentence. It is checked as the body of a POST is. */
type CheckedMessage<Schema, Context extends AnyCtx> = [Mistake<Schema, Context>] extends [never]
  ? Schema
  : Mistake<Schema, Context>

type Mistake<Schema, Context extends AnyCtx> =
  CheckedSchema<AsBody<Schema>, Context, string, 'POST'> extends { readonly body: infer Checked }
    ? Schema extends Checked
      ? never
      : Checked
    : never

/** It is a conditional type, so that nothing is decided before the schema is known. */
type AsBody<Schema> = Schema extends undefined ? {} : { readonly body: Schema }
