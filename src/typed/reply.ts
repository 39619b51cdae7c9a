import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { AnyCtx, DecoratorsOnReply } from '../context/ctx.ts'
import type { Logger } from '../http/logger.ts'
import type { Serializer } from '../schema/compiler-types.ts'
import type { CodePayload, CodesOf, GivenPayload, HeaderFor } from './payload.ts'
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

/** Turns a payload into what is written: text, or bytes. */
export type ReplySerializer = (payload: unknown) => string | Uint8Array

/** Where a serializer is found: a status of the route's schema, or a schema of its own. */
export type SerializerSource = number | string | object

/** The body as it was written; null for a stream, which is not kept. */
export type TrailedPayload = string | Uint8Array | null

/** Makes the value of a trailer: returns it, or a promise of it, or calls back. */
export type TrailerFunction<Self> = (
  reply: Self,
  payload: TrailedPayload,
  done: (error?: Error | null, value?: string) => void,
) => string | Promise<string | undefined> | void

/** The part of a reply that is the same for all routes: without `this`, for which the compiler would make it
 *  anew for each of them. */
interface PlainReply extends Sender {
  /** The response of Node itself. */
  readonly raw: ServerResponse
  /** The logger of the request. */
  log: Logger
  readonly statusCode: number
  /** Whether a payload has been handed over. */
  readonly sent: boolean
  /** A header that was set, here or on `raw`. */
  getHeader(name: string): HeaderValue | undefined
  /** A copy of the headers that were set, here or on `raw`. */
  getHeaders(): OutgoingHttpHeaders
  hasHeader(name: string): boolean
  /** Sends the client to another URL. @param code @default 302 */
  redirect(url: string, code?: number): Sending
  /** @deprecated The order of Fastify 4. */
  redirect(code: number, url: string): Sending
  readonly routeOptions: RouteOptionsFacts
  /** The time since the request arrived, in milliseconds. */
  readonly elapsedTime: number
  /** @deprecated The name of `elapsedTime` in Fastify 4. */
  getResponseTime(): number
  hasTrailer(name: string): boolean
  /** Leaves the answer to the not-found handler of this context. */
  callNotFound(): Sending
  /** Takes the reply out of the framework's hands: whoever calls it answers with `raw`. */
  hijack(): Sent
  /** What `send` would write now, as text or bytes. */
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
  /** The text of a value by a schema. */
  serializeInput(
    input: unknown,
    schema: object,
    httpStatus?: number | string,
    contentType?: string,
  ): string
  /** The text of a value by the route's schema of a status.
   *  @throws ESP_ERR_MISSING_SERIALIZATION_FN, ESP_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN */
  serializeInput(input: unknown, httpStatus: number | string, contentType?: string): string
}

/** The part of a reply that depends on no schema, for one that says itself what it is by `this`. `TypedReply` has these members
 *  of its own: as a base, this would be made anew for each route. */
export interface RawReply extends PlainReply {
  /** Has a field sent behind the body, which is sent in chunks then.
   *  @throws ESP_ERR_BAD_TRAILER_NAME, ESP_ERR_BAD_TRAILER_VALUE */
  trailer(name: string, value: TrailerFunction<this>): this & Unfinished
  removeTrailer(name: string): this & Unfinished
  /** Tells the client of headers before the reply itself. */
  writeEarlyHints(
    hints: Readonly<Record<string, string | string[]>>,
    callback?: () => void,
  ): this & Unfinished
}

/** A reply as the handler of one route sees it. `Code` is the status that was set with `code`;
 *  until then a payload is one of status 200, be it `'initial'`, or `'prepared'` once something else was set. `Media` is
 *  what was set with `type`.
 *  `in out` for the reason that `RequestParts` gives. */
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
  /** Sets the status, which must be declared; `send` then takes the payload of that status. */
  code<const Status extends number>(
    status: OneOf<Status, CodesOf<Responses>>,
  ): WithCode<Context, Self, Responses, Status, Media>
  /** The same as `code`. */
  status<const Status extends number>(
    status: OneOf<Status, CodesOf<Responses>>,
  ): WithCode<Context, Self, Responses, Status, Media>
  /** Sets a header. One that a response entry declares takes what its schema says; the schema is for
   *  the compiler and for documents, and checks nothing at run time. */
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
  /** Sets the content type; of an entry with `content`, `send` then takes that type's payload. */
  type<const Type extends string>(
    contentType: Type,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Type> & Context['reply']
  /** Sets the serializer of this reply, whatever the schema says. Where none is declared, `send` takes anything then. */
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
  /** Has a field sent behind the body, which is sent in chunks then.
   *  @throws ESP_ERR_BAD_TRAILER_NAME, ESP_ERR_BAD_TRAILER_VALUE */
  trailer(
    name: string,
    value: TrailerFunction<TypedReply<Context, Self, Responses, Code, Media> & Context['reply']>,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Media> & Context['reply']
  removeTrailer(
    name: string,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Media> & Context['reply']
  /** Tells the client of headers before the reply itself. */
  writeEarlyHints(
    hints: Readonly<Record<string, string | string[]>>,
    callback?: () => void,
  ): TypedReply<Context, Self, Responses, Prepared<Code>, Media> & Context['reply']
  /** The value of a decorator; a function is bound to this reply.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator<Name extends keyof Context['reply']>(name: Name): Context['reply'][Name]
  /** Sends a payload. Where responses are declared, it is one of the status that `code` has set, else of 200. */
  readonly send: [Responses] extends [never]
    ? SendAny
    : Send<PayloadNow<Context, Responses, Code, Media>>
}

/** A status, or those that it is none of. No constraint: the compiler would take these for it, and judge the payload by them. */
type OneOf<Status, Codes> = Status extends Codes ? Status : Codes

/** One of several statuses gives one of several replies, whose `send` takes what fits each of them. */
export type WithCode<
  Context extends AnyCtx,
  Self,
  Responses,
  Status,
  Media,
> = Status extends unknown
  ? TypedReply<Context, Self, Responses, Status, Media> & Context['reply']
  : never

/** A reply as hooks see it, in whichever scope: for a hook that is written apart from any. Its members
 *  are properties, so that the compiler does not take the reply of a route with declared responses
 *  for one that sends anything.
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

/** One whose status or headers were set: it can be given on, but is no answer. */
export interface PreparedHookReply extends HookReply, Unfinished {}

/** The status of a reply of which something but the status was set. */
type Prepared<Code> = Code extends 'initial' ? 'prepared' : Code

type PayloadNow<Context extends AnyCtx, Responses, Code, Media> = Code extends string
  ? CodePayload<Responses, 200, Context['schemas'], 'reply', Media>
  : GivenPayload<Responses, Code, Context['schemas'], Media>

/** Sends a payload, which may be left out where it may be null or anything. A function for each, since the
 *  compiler would make a list of arguments an array of its own for each route. */
export type Send<Type> = null extends Type
  ? (payload?: Offered<Type>) => Sending
  : (payload: Offered<Type>) => Sending

/** Sends what has JSON, or is sent as it is. Two signatures: of a union that may be left out the compiler would infer
 *  one member alone. */
export interface SendAny {
  (): Sending
  /** Sends a payload: text, bytes, streams and a `Response` as they are, all else as JSON. */
  <Payload, Known = {}>(payload: UnlessAtFault<Payload, Known> & Payload): Sending
}

/** Nothing is inferred from what is expected. Each member stands by itself: of a union behind one `NoInfer`, editors offer
 *  no fields. */
type Offered<Type> = Type extends unknown ? NoInfer<Type> : never
