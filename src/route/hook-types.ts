import type { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { AnyCtx } from '../context/ctx.ts'
import type { EspalierError } from '../errors/create-error.ts'
import type { Sendable } from '../exchange/sendable.ts'
import type { Sent, TypedReply } from '../exchange/typed-reply.ts'
import type { HookRequest } from '../exchange/typed-request.ts'
import type {
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidationError,
  ValidatorCompiler,
} from '../schema/compiler-types.ts'

type RequestIn<Context extends AnyCtx, Self> = HookRequest<Self, Context['request']> &
  Context['request']

type ReplyIn<Context extends AnyCtx, Self> = TypedReply<Context, Self> & Context['reply']

/** A hook: async, or sync with `done`. One that sends a reply returns it. */
export type Hook<Context extends AnyCtx, Self> = (
  this: Self,
  request: RequestIn<Context, Self>,
  reply: ReplyIn<Context, Self>,
  done: (error?: Error | null) => void,
) => void | Sent | Promise<unknown>

/** The body of a request as a stream. One that reads another says how many bytes it has read of it as
 *  `receivedEncodedLength`: those are what the limit and the content-length are compared with. */
export interface BodyStream extends Readable {
  receivedEncodedLength?: number
}

/** A hook that is given something of its phase besides the request and the reply. */
type PhaseHook<Context extends AnyCtx, Self, Given, Done, Result> = (
  this: Self,
  ...args: [
    request: RequestIn<Context, Self>,
    reply: ReplyIn<Context, Self>,
    given: Given,
    done: Done,
  ]
) => Result | Promise<Awaited<Result>>

type DoneWith<Payload> = (error?: Error | null, payload?: Payload) => void

/** Is given the body as a stream, and may return another to be parsed in its place. */
export type PreParsingHook<Context extends AnyCtx, Self> = PhaseHook<
  Context,
  Self,
  BodyStream,
  DoneWith<BodyStream | WebStream>,
  void | BodyStream | WebStream | Sent
>

/** Is given what is about to be serialized, and may return something else in its place. */
export type PreSerializationHook<Context extends AnyCtx, Self> = PhaseHook<
  Context,
  Self,
  unknown,
  DoneWith<unknown>,
  unknown
>

/** What is written to the socket; undefined and null stand for nothing. */
export type SentPayload = string | Uint8Array | Readable | null | undefined

/** Is given what is about to be written, and may return something else in its place. */
export type OnSendHook<Context extends AnyCtx, Self> = PhaseHook<
  Context,
  Self,
  SentPayload,
  DoneWith<SentPayload | Sendable>,
  void | SentPayload | Sendable
>

/** Learns of an error before the error handlers do. It cannot send a reply. */
export type OnErrorHook<Context extends AnyCtx, Self> = PhaseHook<
  Context,
  Self,
  HandledError,
  () => void,
  void
>

/** Learns that the client left before it had the whole response. */
export type OnRequestAbortHook<Context extends AnyCtx, Self> = (
  this: Self,
  request: RequestIn<Context, Self>,
  done: (error?: Error | null) => void,
) => void | Promise<unknown>

/** The hooks of a request by name, as `addHook` and routes take them. */
export interface RequestHookTypes<Context extends AnyCtx, Self> {
  onRequest: Hook<Context, Self>
  preParsing: PreParsingHook<Context, Self>
  preValidation: Hook<Context, Self>
  preHandler: Hook<Context, Self>
  preSerialization: PreSerializationHook<Context, Self>
  onSend: OnSendHook<Context, Self>
  onResponse: Hook<Context, Self>
  onError: OnErrorHook<Context, Self>
  onTimeout: Hook<Context, Self>
  onRequestAbort: OnRequestAbortHook<Context, Self>
}

/** The hooks that `addHook` takes, by name. */
export interface HookTypes<Context extends AnyCtx, Self> extends RequestHookTypes<Context, Self> {
  onReady: (this: Self, done: (error?: Error | null) => void) => void | Promise<unknown>
  onClose: (
    this: Self,
    server: Self,
    done: (error?: Error | null) => void,
  ) => void | Promise<unknown>
}

/** One of the framework's own errors. */
export interface CodedError extends EspalierError {
  readonly validation?: undefined
  readonly validationContext?: undefined
}

/** Anything else that was thrown: usually an Error, which `instanceof` tells; `typeof` tells text and
 *  numbers. Whatever it is, it can be asked for these. */
export type ThrownValue = Thrown | (ThrownPrimitive & Thrown)

type ThrownPrimitive = string | number | bigint | boolean | symbol

interface Thrown {
  readonly name?: unknown
  readonly message?: unknown
  readonly stack?: unknown
  readonly cause?: unknown
  readonly code?: unknown
  readonly statusCode?: unknown
  readonly validation?: undefined
  readonly validationContext?: undefined
}

/** An error as an error handler gets it, never null or undefined. `error.validation` tells a failed
 *  validation; `instanceof EspalierError`, or one of `errorCodes`, the framework's own errors;
 *  `instanceof Error` all other errors.
 *  @example if (error.validation) reply.code(422).send({ part: error.validationContext }) */
export type HandledError = ValidationError | CodedError | ThrownValue

/** Answers a request that failed; what it returns or sends is the reply. */
export type ErrorHandler<Context extends AnyCtx, Self> = (
  this: Self,
  error: HandledError,
  request: RequestIn<Context, Self>,
  reply: ReplyIn<Context, Self>,
) => unknown

/** Answers a request that no route was found for. */
export type NotFoundHandler<Context extends AnyCtx, Self> = (
  this: Self,
  request: RequestIn<Context, Self>,
  reply: ReplyIn<Context, Self>,
) => unknown

/** One hook, or several in their order. */
type OneOrMore<Value> = Value | readonly Value[]

/** The hooks that `setNotFoundHandler` takes. */
export interface NotFoundOptions<Context extends AnyCtx, Self> {
  readonly preValidation?: OneOrMore<Hook<Context, Self>>
  readonly preHandler?: OneOrMore<Hook<Context, Self>>
}

type RouteHooks<Context extends AnyCtx, Self> = {
  readonly [Name in keyof RequestHookTypes<Context, Self>]?: OneOrMore<
    RequestHookTypes<Context, Self>[Name]
  >
}

/** The options of a route besides its schema and its handler. */
export interface RouteOptions<Context extends AnyCtx, Self> extends RouteHooks<Context, Self> {
  /** Hands a failed validation to the handler, as `request.validationError`. @default false */
  readonly attachValidation?: boolean
  readonly validatorCompiler?: ValidatorCompiler
  readonly serializerCompiler?: SerializerCompiler
  readonly schemaErrorFormatter?: SchemaErrorFormatter<Self>
  readonly errorHandler?: ErrorHandler<Context, Self>
  /** The largest body in bytes. @default that of the server */
  readonly bodyLimit?: number
  /** Anything that hooks and plugins want to know of the route. @default {} */
  readonly config?: Readonly<Record<string, unknown>>
  /** Whether a GET route answers HEAD too. @default that of the server */
  readonly exposeHeadRoute?: boolean
}
