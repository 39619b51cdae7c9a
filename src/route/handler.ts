import type { AnyCtx, JoinedPath } from '../context/ctx.ts'
import type {
  ExactReturned,
  OpenResponses,
  SureReturned,
  UnlessAtFault,
  UnlessNothing,
} from '../typed/returned.ts'
import type { TypedReply } from '../typed/reply.ts'
import type { RawRequest, RefusedRequest, RequestParts } from '../typed/request.ts'
import type { HasParams } from '../types/has-part.ts'
import type { Part, ResponsesOf } from '../schema/infer/part.ts'
import type { CheckResult } from '../types/checks.ts'
import type { LongTail, ParamsRead, ParamsToRead, PathParams, Tail } from './path.ts'

/** The parts of the request of one route, of the types of its schema; the rest is `RawRequest`. What tells the
 *  route comes first, since the compiler shows no more than the beginning. */
export interface RouteRequest<
  in out Method,
  in out Path extends string,
  in out Schema,
  in out Context extends AnyCtx,
> extends RequestParts<Context, Schema, Method> {
  /** The parameters of the path, as `schema.params` makes them; texts without that. */
  readonly params: Schema extends HasParams
    ? ParamsIn<Schema['params'], Path, Context>
    : PathParams<JoinedPath<Context['prefix'], Path>>
}

/** The path parameters as a route's schema has them. */
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

/** The request that a handler sees. With `attachValidation` it may have been refused, which
 *  `validationError` tells. */
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

/** The handler that a route takes.
 *
 *  Its parameters stand in NoInfer: without it the compiler infers to Path and Schema from them too,
 *  at six times the cost. With a `response` schema the whole function stands in it, so that the
 *  returned value is typed by the schema: `flag ? ['admin'] : []` keeps its literals, and a wrong
 *  return is marked at the returned expression. A concrete return type outside NoInfer, or
 *  `Result extends Returned<…>`, refuses correct code.
 *
 *  The return type then asks for Result, which is inferred from the first form in any case: whether it may be
 *  missing and, where an object of the success is closed, for fields too many.
 *  @template Taken the reply, inferred where the handler takes it: one that does not has to return something */
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
  : CheckResult<unknown> extends CheckResult<IsOpen<ResponsesOf<Schema>, Context>>
    ? NoInfer<
        HandlerFunction<
          ExactReturned<Result, ResponsesOf<Schema>, Context['schemas'], Taken>,
          Request,
          TypedReply<Context, Self, ResponsesOf<Schema>> & Context['reply'],
          Self
        >
      >
    : NoInfer<
        HandlerFunction<
          SureReturned<Result, ResponsesOf<Schema>, Context['schemas'], Taken>,
          Request,
          TypedReply<Context, Self, ResponsesOf<Schema>> & Context['reply'],
          Self
        >
      >

/** A handler as a function, with its result first, since messages show no more than the beginning. Every
 *  function has the property. It tells functions from options, so that the compiler types the parameters
 *  also where a server is one of two, or a method one of several. */
interface HandlerFunction<Result, Request, Reply, Self> {
  (this: Self, request: Request, reply: Reply): Result
  readonly [Symbol.hasInstance]: object
}

/** A type in whose place another is inferred, which it never is itself: to the compiler that is open until the other is known. */
type Inferring<Other, Type> = [0, Other] extends [1, unknown] ? Other : Type

/** Whether no object of the success is closed, as a check for `CheckResult`. */
type IsOpen<Responses, Context extends AnyCtx> =
  Responses extends OpenResponses<Context> ? true : unknown

/** The handler among the options of a route. The compiler types one without parameters before it knows the schema
 *  that stands beside it, and would take `{ role: 'admin' }` for any text; it keeps literals where one is expected. */
export type OptionHandler<Context extends AnyCtx, Self, Request, Schema, Result, Taken> = [
  ResponsesOf<Schema>,
] extends [never]
  ? UnlessNothing<Result, Schema, Taken> &
      HandlerFunction<
        (UnlessAtFault<Result, Schema> & Result) | Literals | Promise<Literals>,
        NoInfer<Request>,
        Inferring<Taken, NoInfer<TypedReply<Context, Self> & Context['reply']>>,
        Self
      >
  : HandlerOf<Context, Self, Request, Schema, Result, Taken>

/** Has literals in it, at any depth, and is never given. */
type Literals = `never ${string}` | LiteralObject | LiteralTuple
type Literal = Literals | 0.123 | true
interface LiteralObject {
  readonly [name: string]: Literal
}
type LiteralTuple = readonly [Literal, ...Literal[]]
