import type { SchemaErrorFormatter, ValidatorFunction } from '../schema/compiler-types.ts'
import type { HttpPart } from '../schema/compiler-types.ts'
import type { ResponseSerializers } from '../serialization/response-serializers.ts'
import type { RequestHook } from '../context/hooks.ts'
import type { Request } from '../exchange/request.ts'
import type { Reply } from '../exchange/reply.ts'
import type { RouteFacts } from '../exchange/route-facts.ts'

/** The validator of one request part. */
export interface PartValidator {
  readonly part: HttpPart
  readonly validate: ValidatorFunction
}

/** A hook in one form: it throws, or returns a promise when it is not done yet. */
export type RequestStep = (request: Request, reply: Reply) => unknown

/** Answers an error; `this` is the server of the context that set it. */
export type ErrorStep = (error: unknown, request: Request, reply: Reply) => unknown

/** All that a request to one route needs, decided at boot. A request reads this and nothing else. */
export interface CompiledRoute extends Omit<RouteFacts<Reply>, 'deliver'> {
  /** What messages call the route: `GET /users/:id in root > users`. */
  readonly name: string
  readonly place: string
  readonly Request: typeof Request
  readonly Reply: typeof Reply
  readonly hooks: Readonly<Record<RequestHook, readonly RequestStep[]>>
  readonly readsBody: boolean
  readonly validators: readonly PartValidator[]
  readonly handler: RequestStep
  readonly serializers: ResponseSerializers | undefined
  /** The nearest first. */
  readonly errorHandlers: readonly ErrorStep[]
  readonly schemaErrorFormatter: SchemaErrorFormatter | undefined
  readonly exposeErrors: boolean
}
