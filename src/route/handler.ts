import type { AnyCtx, JoinedPath } from '../context/ctx.ts'
import type {
  ExactReturned,
  OpenResponses,
  SureReturned,
  UnlessAtFault,
  UnlessNothing,
} from '../typed/returned.ts'
import type { Success } from '../typed/payload.ts'
import type { TypedReply } from '../typed/reply.ts'
import type { RawRequest, RefusedRequest, RequestParts } from '../typed/request.ts'
import type { HasParams } from '../types/has-part.ts'
import type { Part, ResponsesOf } from '../schema/infer/part.ts'
import type { CheckResult } from '../types/checks.ts'
import type { LongTail, ParamsRead, ParamsToRead, PathParams, Tail } from './path.ts'

/** The typed parts of the request of one route. The other members are those of `RawRequest`. The
 *  type parameters that identify the route come first, since the compiler truncates long types. */
export interface RouteRequest<
  in out Method,
  in out Path extends string,
  in out Schema,
  in out Context extends AnyCtx,
> extends RequestParts<Context, Schema, Method> {
  /** The path parameters, as `schema.params` types them; strings without a schema. */
  readonly params: Schema extends HasParams
    ? ParamsIn<Schema['params'], Path, Context>
    : PathParams<JoinedPath<Context['prefix'], Path>>
}

/** The path parameters, as the schema of the route types them. */
type ParamsIn<Params, Path extends string, Context extends AnyCtx> =
  Tail<Path> extends LongTail
    ? ParamsRead<
        Part<Params, Context['schemas'], 'out'>,
        Params,
        JoinedPath<Context['prefix'], Path>,
        Context['schemas']
      >
    : Params extends ParamsToRead<Context>
      ? ParamsRead<
          Part<Params, Context['schemas'], 'out'>,
          Params,
          JoinedPath<Context['prefix'], Path>,
          Context['schemas']
        >
      : Part<Params, Context['schemas'], 'out'>

/** The request that a handler sees. With `attachValidation` it may be invalid; then it has
 *  `validationError`. */
export type HandledRequest<
  Context extends AnyCtx,
  Self,
  Path extends string,
  Schema,
  Method,
  Attach,
> = Attach extends true
  ? | (RouteRequest<Method, Path, Schema, Context> &
        RawRequest<Self, Context['request']> &
        Context['request'] & { readonly validationError?: undefined })
    | (RefusedRequest<
        Self,
        Context['request'],
        Schema,
        PathParams<JoinedPath<Context['prefix'], Path>>
      > &
        Context['request'])
  : RouteRequest<Method, Path, Schema, Context> &
      RawRequest<Self, Context['request']> &
      Context['request']

/** The handler of a route.
 *
 *  The parameters are in NoInfer: otherwise the compiler would infer Path and Schema from them too,
 *  at six times the cost. With a `response` schema the whole function is in it, so that the schema
 *  types the returned value: `flag ? ['admin'] : []` keeps its literals, and an error is reported
 *  at the returned expression. A return type outside of NoInfer, or `Result extends Returned<…>`,
 *  refuses correct code.
 *
 *  The return type then checks Result, which is inferred from the first form in any case: that it
 *  is not missing and, for a closed object, that it has no additional fields.
 *  @template Taken the reply, inferred if the handler has that parameter. A handler without it has
 *  to return a value */
export type HandlerOf<Context extends AnyCtx, Self, Request, Schema, Result, Taken> = [
  ResponsesOf<Schema>,
] extends [never]
  ? UnlessNothing<Result, Schema, Taken> &
      HandlerFunction<
        UnlessAtFault<Result, Schema> & Result,
        NoInfer<Request>,
        Inferring<Taken, NoInfer<TypedReply<Context, Self> & Context['reply']>>,
        Self
      >
  : NoInfer<
      HandlerFunction<
        CheckResult<unknown> extends CheckResult<IsOpen<ResponsesOf<Schema>, Context>>
          ? ExactReturned<Result, ResponsesOf<Schema>, Context['schemas'], Taken>
          : SureReturned<Result, Success<ResponsesOf<Schema>, Context['schemas'], 'reply'>, Taken>,
        Request,
        TypedReply<Context, Self, ResponsesOf<Schema>> & Context['reply'],
        Self
      >
    >

/** A handler as a function. The result comes first, since messages truncate long types. All
 *  functions have the property `Symbol.hasInstance`, and options do not. So the compiler types the
 *  parameters also for a union of servers or methods. */
interface HandlerFunction<Result, Request, Reply, Self> {
  (this: Self, request: Request, reply: Reply): Result
  readonly [Symbol.hasInstance]: object
}

/** `Other` is inferred here, and is never its own type: the compiler cannot decide the condition
 *  before it knows `Other`. */
type Inferring<Other, Type> = [0, Other] extends [1, unknown] ? Other : Type

/** Whether the success has no closed object, for `CheckResult`. */
type IsOpen<Responses, Context extends AnyCtx> =
  Responses extends OpenResponses<Context> ? true : unknown

/** The handler among the options of a route. The compiler types a handler without parameters before
 *  it knows the schema, and would widen `{ role: 'admin' }` to strings. It keeps literals if a
 *  literal is expected. */
export type OptionHandler<Context extends AnyCtx, Self, Request, Schema, Result, Taken> = [
  ResponsesOf<Schema>,
] extends [never]
  ? UnlessNothing<Result, Schema, Taken> &
      HandlerFunction<
        (UnlessAtFault<Result, Schema> & Result) | Literals | Promise<Literals> | LiteralItems,
        NoInfer<Request>,
        Inferring<Taken, NoInfer<TypedReply<Context, Self> & Context['reply']>>,
        Self
      >
  : HandlerOf<Context, Self, Request, Schema, Result, Taken>

/** A type with literals at any depth. No value has this type. */
type Literals = `never ${string}` | LiteralObject | LiteralTuple
type Literal = Literals | 0.123 | true
type LiteralItems = AsyncIterable<Literals> | IterableIterator<Literals>
interface LiteralObject {
  readonly [name: string]: Literal
}
type LiteralTuple = readonly [Literal, ...Literal[]]
