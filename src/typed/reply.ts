import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { AnyCtx, DecoratorsOnReply, ScopeResponses } from '../context/ctx.ts'
import type { Logger } from '../http/logger.ts'
import type { Serializer } from '../schema/compiler-types.ts'
import type {
  CodePayload,
  CodesOf,
  CodesOfKey,
  EntryFor,
  GivenPayload,
  HeaderFor,
} from './payload.ts'
import type { HeaderValue } from '../http/headers.ts'
import type { UnlessAtFault } from './returned.ts'
import type {
  Declared,
  responses,
  Sender,
  Sending,
  Sent,
  status,
  Unfinished,
  Unsent,
  unsent,
} from './sent.ts'
import type { HookRequest, RouteOptionsFacts } from './request.ts'

/** Turns a payload into the written text or bytes. */
export type ReplySerializer = (payload: unknown) => string | Uint8Array

/** The source of a serializer: a status of the route's schema, or another schema. */
export type SerializerSource = number | string | object

/** The written body; null for a stream, which is not kept. */
export type TrailedPayload = string | Uint8Array | null

/** Makes the value of a trailer. It returns the value, or a promise of it, or calls back. */
export type TrailerFunction<Self> = (
  reply: Self,
  payload: TrailedPayload,
  done: (error?: Error | null, value?: string) => void,
) => string | Promise<string | undefined> | void

/** The members that replies of all routes have. They do not use `this`, for which the compiler
 *  would instantiate them for each route. */
interface PlainReply extends Sender {
  /** The response of Node. */
  readonly raw: ServerResponse
  /** The logger of the request. */
  log: Logger
  readonly statusCode: number
  /** Whether a payload was sent. */
  readonly sent: boolean
  /** The value of a header that was set, here or on `raw`. */
  getHeader(name: string): HeaderValue | undefined
  /** A copy of the headers that were set, here or on `raw`. */
  getHeaders(): OutgoingHttpHeaders
  hasHeader(name: string): boolean
  /** Redirects the client to another URL. @param code @default 302 */
  redirect(url: string, code?: number): Sending<never>
  /** @deprecated The order of arguments in Fastify 4. */
  redirect(code: number, url: string): Sending<never>
  readonly routeOptions: RouteOptionsFacts
  /** The time since the request arrived, in milliseconds. */
  readonly elapsedTime: number
  /** @deprecated The name of `elapsedTime` in Fastify 4. */
  getResponseTime(): number
  hasTrailer(name: string): boolean
  /** Runs the not-found handler of this context instead. */
  callNotFound(): Sending<never>
  /** Tells the framework to send no reply: the caller answers with `raw`. */
  hijack(): Sent & void
  /** The text or bytes that `send` would write now. */
  serialize(payload: unknown): string | Uint8Array
  /** The serializer of a status of the route's schema, or of a schema that was compiled before. */
  getSerializationFunction(source: SerializerSource, contentType?: string): Serializer | undefined
  /** Compiles a schema with the route's own compiler, once for each schema object.
   *  @throws ESP_ERR_SCH_SERIALIZATION_BUILD, ESP_ERR_SCH_MISSING_REF */
  compileSerializationSchema(
    schema: object,
    httpStatus?: number | string,
    contentType?: string,
  ): Serializer
  /** Serializes a value by a schema. */
  serializeInput(
    input: unknown,
    schema: object,
    httpStatus?: number | string,
    contentType?: string,
  ): string
  /** Serializes a value by the route's schema of a status.
   *  @throws ESP_ERR_MISSING_SERIALIZATION_FN, ESP_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN */
  serializeInput(input: unknown, httpStatus: number | string, contentType?: string): string
}

/** The members of a reply that depend on no schema, for replies whose setters return `this`.
 *  `TypedReply` has its own: as a base, this interface would be instantiated for each route. */
export interface RawReply extends PlainReply {
  /** Adds a trailer field, which is sent after the body. The body is then sent in chunks.
   *  @throws ESP_ERR_BAD_TRAILER_NAME, ESP_ERR_BAD_TRAILER_VALUE */
  trailer(name: string, value: TrailerFunction<this>): this & Unfinished
  removeTrailer(name: string): this & Unfinished
  /** Sends headers to the client before the reply (RFC 8297). */
  writeEarlyHints(
    hints: Readonly<Record<string, string | string[]>>,
    callback?: () => void,
  ): this & Unfinished
}

/** The reply of one route, as its handler sees it. `Code` is the status that was set with `code`.
 *  Before that it is `'initial'`, or `'prepared'` after another setter, and a payload is one of
 *  status 200. `Media` is the content type that was set with `type`. `RequestParts` gives the
 *  reason for `in out`. */
export interface TypedReply<
  in out Context extends AnyCtx,
  in out Self,
  in out Responses = never,
  in out Code = 'initial',
  in out Media = unknown,
> extends PlainReply {
  readonly server: Self
  readonly [status]: Code
  readonly [unsent]: Code extends 'initial' ? false : Unsent
  readonly [responses]?: [Responses] extends [never] ? 'the route declares no responses' : Declared
  readonly request: HookRequest<Self, DecoratorsOnReply<Context>> & DecoratorsOnReply<Context>
  /** Sets the status, which must be declared. `send` then takes the payload of that status. */
  code<const Status extends number>(
    status: OneOf<Status, CodesOf<Responses>, Context>,
  ): WithCode<Context, Self, Responses, Status, Media>
  /** The same as `code`. */
  status<const Status extends number>(
    status: OneOf<Status, CodesOf<Responses>, Context>,
  ): WithCode<Context, Self, Responses, Status, Media>
  /** Sets a header. The schema of a declared header gives its type. It checks nothing at run
   *  time. */
  header<const Name extends string>(
    name: Name,
    value?: NoInfer<HeaderFor<Responses, Code, Name>>,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Media> & Context['reply']
  /** Sets several headers, as `header` does. */
  headers<const Name extends string>(values: {
    readonly [Key in Name]: NoInfer<HeaderFor<Responses, Code, Key>> | undefined
  }): TypedReply<Context, Self, Responses, Prepared<Code>, Media> & Context['reply']
  removeHeader(
    name: string,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Media> & Context['reply']
  /** Sets the content type. For an entry with `content`, `send` then takes the payload of that
   *  type. */
  type<const Type extends string>(
    contentType: Type,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Type> & Context['reply']
  /** Sets the serializer of this reply, instead of the schema. If no response is declared, `send`
   *  then takes anything. */
  serializer(
    serializer: ReplySerializer,
  ): TypedReply<
    Context,
    Self,
    [Responses] extends [never] ? {} : Responses,
    Prepared<Code>,
    Media
  > &
    Context['reply']
  /** Adds a trailer field, which is sent after the body. The body is then sent in chunks.
   *  @throws ESP_ERR_BAD_TRAILER_NAME, ESP_ERR_BAD_TRAILER_VALUE */
  trailer(
    name: string,
    value: TrailerFunction<TypedReply<Context, Self, Responses, Code, Media> & Context['reply']>,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Media> & Context['reply']
  removeTrailer(
    name: string,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Media> & Context['reply']
  /** Sends headers to the client before the reply (RFC 8297). */
  writeEarlyHints(
    hints: Readonly<Record<string, string | string[]>>,
    callback?: () => void,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Media> & Context['reply']
  /** The value of a decorator. A function is bound to this reply.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator<Name extends keyof Context['reply']>(name: Name): Context['reply'][Name]
  /** Sends a payload. If responses are declared, it has the type of the status that `code` has set,
   *  or of 200. If only the scope declares some, other statuses take any payload. */
  readonly send: [Responses] extends [never]
    ? SendOf<Context['schemas'], Code, Media>
    : Send<PayloadNow<Context, Responses, Code, Media>>
}

/** Sends the payload of a status that the scope declares, and anything with other statuses. */
type SendOf<Schemas, Code, Media> =
  Schemas extends ScopeResponses<infer Responses>
    ? [Code extends number ? EntryFor<Responses, Code, {}> : never] extends [never]
      ? SendAny<Code, Media>
      : Code extends number
        ? EntryFor<Responses, Code, {}> extends never
          ? SendAny<Code, Media>
          : Send<GivenPayload<Responses, Code, Schemas, Media>, never>
        : never
    : SendAny<Code, Media>

/** A status, or the declared ones if neither the route nor its scope declares it. As a constraint,
 *  the declared ones would become the inferred status, and `send` would expect their payloads. */
type OneOf<Status, Codes, Context extends AnyCtx> = Status extends Codes
  ? Status
  : Context['schemas'] extends ScopeResponses<infer Responses>
    ? Status extends CodesOf<Responses>
      ? Status
      : Codes | CodesOf<Responses>
    : Codes

/** A status that is a union gives a union of replies, whose `send` takes what fits all of them.
 *  Without declared responses it gives one reply: a union of generic functions cannot be called. */
export type WithCode<Context extends AnyCtx, Self, Responses, Status, Media> = [Status] extends [
  never,
]
  ? never
  : [Responses] extends [never]
    ? TypedReply<Context, Self, Responses, Status, Media> & Context['reply']
    : Status extends unknown
      ? TypedReply<Context, Self, Responses, Status, Media> & Context['reply']
      : never

/** The reply of a standalone hook, for any scope. Its members are properties, so that the reply of
 *  a route with declared responses is not assignable to a reply that sends anything.
 *  @example const auth = async (request: HookRequest<unknown>, reply: HookReply) => … */
export interface HookReply extends RawReply {
  readonly server: unknown
  readonly request: HookRequest<unknown>
  readonly code: (status: number) => PreparedHookReply
  readonly status: (status: number) => PreparedHookReply
  readonly header: (name: string, value?: HeaderValue) => PreparedHookReply
  readonly headers: (values: Readonly<Record<string, HeaderValue | undefined>>) => PreparedHookReply
  readonly removeHeader: (name: string) => PreparedHookReply
  readonly type: (contentType: string) => PreparedHookReply
  readonly serializer: (serializer: ReplySerializer) => PreparedHookReply
  readonly send: (payload?: unknown) => Sending
}

/** A reply whose status or headers were set. It can be passed on, but is no result of a handler. */
export interface PreparedHookReply extends HookReply, Unfinished {}

/** The status of a reply after a setter other than `code`. */
type Prepared<Code> = Code extends 'initial' ? 'prepared' : Code

type PayloadNow<Context extends AnyCtx, Responses, Code, Media> = Code extends string
  ? CodePayload<Responses, 200, Context['schemas'], 'reply', Media>
  : GivenPayload<Responses, Code, Context['schemas'], Media>

/** Sends a payload, which is optional if it may be null or anything. Two functions, since the
 *  compiler would make an array type of a rest parameter for each route. */
export type Send<Type, Kept = unknown> = null extends Type
  ? (payload?: Offered<Type>) => Sending<Kept>
  : (payload: Offered<Type>) => Sending<Kept>

/** Sends a payload if no response is declared. Two signatures, since the compiler would infer only
 *  one member of a union from an optional parameter. */
interface SendAny<Code, Media> {
  (): Sending<Kept<null, Code>>
  /** Sends a payload. Text, bytes, streams and a `Response` are sent unchanged, other values as
   *  JSON. */
  <Payload, Known = {}>(
    payload: UnlessAtFault<Payload, Known> & Payload,
  ): Sending<Kept<Payload, Code, Media>>
}

/** What types know of a sent payload: nothing of the text of a type that may be parsed, and never
 *  that of a status that is no success. */
type Kept<Payload, Code, Media = unknown> = Code extends Success | string
  ? unknown extends Media
    ? Payload
    : Media extends `text/${string}`
      ? Payload
      : [Extract<Payload, string>] extends [never]
        ? Payload
        : unknown
  : number extends Code
    ? unknown
    : never

type Success = 200 | CodesOfKey<'2xx'>

/** Prevents inference from the expected payload. `NoInfer` is applied to each member: for a union
 *  inside of one `NoInfer`, editors offer no fields. */
type Offered<Type> = Type extends unknown ? NoInfer<Type> : never
