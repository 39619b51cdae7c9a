import type { SchemaErrorFormatter } from '../schema/compiler-types.ts'
import type { RouteResponses } from '../serialization/responses.ts'
import type { ParserChoice } from '../context/content-type-parsers.ts'
import type { PerHook } from '../context/hooks.ts'
import type { ReadNumbers } from '../validation/body-numbers.ts'
import type { Request } from './request.ts'
import type { Reply } from './reply.ts'
import type { RouteInfo } from './route-info.ts'
import type { Redaction } from './log/redaction.ts'
import type { RouteLog } from './log/route-log.ts'
import type { ItemStreams } from './item-stream.ts'
import type { PartValidator } from './part-check.ts'

/** A handler, with the server of its context as `this`. */
export interface RequestStep {
  (request: Request, reply: Reply): unknown
  readonly start?: HookStart
}

/** A hook in one form, whichever the user wrote. Some are given a value, and may return another. */
export interface HookStep {
  (request: Request, reply: Reply, value?: unknown): unknown
  /** Calls the hook with `done`. Only hooks that take `done` have it. */
  readonly start?: HookStart
}

/** Called back by a hook: with an error, or with a value if its phase has one. */
export type HookDone = (error?: unknown, value?: unknown) => void

export type HookStart = (done: HookDone, request: Request, reply: Reply, value?: unknown) => unknown

/** Serializes all replies of a scope: `(payload, statusCode)`. */
type ScopeSerializer = (payload: unknown, statusCode: number) => string | Uint8Array

/** Answers an error; `this` is the server of the context that set it. */
export type ErrorStep = (error: unknown, request: Request, reply: Reply) => unknown

/** How a route reads the bodies of its requests. */
export interface BodyRules {
  readonly parsers: ParserChoice
  /** The route's own limit, in bytes. Undefined: the parser's limit holds, else the server's. */
  readonly ownLimit: number | undefined
  /** The server's limit, in bytes. */
  readonly serverLimit: number
  /** Whether a request may have a content type and no content. Clients send DELETE so. */
  readonly mayBeTyped: boolean
  /** Whether content without a type is refused. Otherwise it is not read. */
  readonly refusesUntyped: boolean
  /** Whether a body that cannot be read counts as no body. So it is where no route was found. */
  readonly isOptional: boolean
  /** Whether text that is no UTF-8 is refused. Otherwise U+FFFD stands for what cannot be read. */
  readonly refusesOtherText: boolean
  /** Reads numbers from the text of JSON, for a schema with a `t.BigInt`. */
  readonly readNumbers: ReadNumbers | undefined
  /** Whether errors of reading a body may have none of its text. */
  readonly isSensitive: boolean
}

/** All that a request to one route needs, decided at boot. A request reads this and nothing
 *  else. */
export interface CompiledRoute extends RouteInfo {
  readonly place: string
  readonly log: RouteLog
  readonly redaction: Redaction | undefined
  readonly Request: typeof Request
  readonly Reply: typeof Reply
  readonly hooks: PerHook<readonly HookStep[]>
  /** The route's own preHandler hooks, without those of its context. */
  readonly ownPreHandlers: readonly HookStep[]
  /** Undefined where bodies are not read. */
  readonly body: BodyRules | undefined
  readonly validators: readonly PartValidator[]
  readonly handler: RequestStep
  /** How many milliseconds may pass before the head of the response is written. 0: no limit. */
  readonly handlerTimeout: number
  readonly responses: RouteResponses
  /** The open streams of the server, which `close` ends. */
  readonly itemStreams: ItemStreams
  /** What `setReplySerializer` has set. It is used in place of the route's schemas. */
  readonly replySerializer: ScopeSerializer | undefined
  /** The nearest first. */
  readonly errorHandlers: readonly ErrorStep[]
  readonly schemaErrorFormatter: SchemaErrorFormatter | undefined
  readonly exposeErrors: boolean
  /** Whether default answers of errors are problem details (RFC 9457). */
  readonly problemDetails: boolean
}
