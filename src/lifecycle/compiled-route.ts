import type { SchemaErrorFormatter } from '../schema/compiler-types.ts'
import type { ResponseSerializers } from '../serialization/response-serializers.ts'
import type { PerHook } from '../context/hooks.ts'
import type { BodyRules } from './read-body.ts'
import type { Request } from './request.ts'
import type { Reply } from './reply.ts'
import type { RouteInfo } from './route-info.ts'
import type { RouteLog } from './log/route-log.ts'
import type { PartValidator } from './part-check.ts'

/** A step of a request: it throws, or returns a promise when it is not done yet; one with `start`
 *  calls back. */
export interface RequestStep {
  (request: Request, reply: Reply): unknown
  readonly start?: HookStart
}

/** A hook in one form. Some are given a value, and may return another in its place. */
export interface HookStep {
  (request: Request, reply: Reply, value?: unknown): unknown
  /** Only where the hook takes `done`: calls it with that. */
  readonly start?: HookStart
}

/** What a hook calls back with: an error, or a value where its phase has one. */
export type HookDone = (error?: unknown, value?: unknown) => void

export type HookStart = (done: HookDone, request: Request, reply: Reply, value?: unknown) => unknown

/** Serializes all replies of a scope: `(payload, statusCode)`. */
export type ScopeSerializer = (payload: unknown, statusCode: number) => string | Uint8Array

/** Answers an error; `this` is the server of the context that set it. */
export type ErrorStep = (error: unknown, request: Request, reply: Reply) => unknown

/** All that a request to one route needs, decided at boot. A request reads this and nothing else. */
export interface CompiledRoute extends RouteInfo {
  readonly place: string
  readonly log: RouteLog
  readonly Request: typeof Request
  readonly Reply: typeof Reply
  readonly hooks: PerHook<readonly HookStep[]>
  /** Those preHandler hooks that belong to the route itself. */
  readonly ownPreHandlers: readonly HookStep[]
  /** Undefined where bodies are not read. */
  readonly body: BodyRules | undefined
  readonly validators: readonly PartValidator[]
  readonly handler: RequestStep
  /** The most milliseconds to the head of a response; 0 for any time. */
  readonly handlerTimeout: number
  readonly serializers: ResponseSerializers | undefined
  /** What `setReplySerializer` has set: it comes before the route's own schemas. */
  readonly replySerializer: ScopeSerializer | undefined
  /** The nearest first. */
  readonly errorHandlers: readonly ErrorStep[]
  readonly schemaErrorFormatter: SchemaErrorFormatter | undefined
  readonly exposeErrors: boolean
}

/** Whether a hook called back with an error. */
export function isFailure(error: unknown): error is NonNullable<unknown> {
  return error !== undefined && error !== null
}
