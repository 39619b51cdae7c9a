import type { Returned } from '../../typed/reply.ts'
import type { RawParams, RawRequest, RefusedRequest, RequestParts } from '../../typed/request.ts'
import type { Needing, NeedOf, Needs, needs, NeedsCtx } from '../../plugin/plugin-types.ts'
import type { Part, PartOf } from '../../schema/infer/part.ts'
import type { PathParams } from '../path.ts'
import type { HandlerReply } from './reply.ts'
import type { ServerFor } from './server.ts'

/** The handler of a route that is written apart from it: with the options of the route, or what
 *  `defineRoute` made of them, and what the handler needs of its scope.
 *  @template Needed by default what a defined route says that it needs
 *  @template Result what it returns, where no response schema says it
 *  @example const get: Handler<typeof options, { server: { db: Db } }> = function (request) { … } */
export type Handler<Options, Needed extends Needs = NeedsIn<Options>, Result = unknown> = (
  this: ServerFor<Needed>,
  request: HandlerRequest<Options, Needed>,
  reply: HandlerReply<Needed, PartOf<PartOf<Options, 'schema'>, 'response'>> &
    NeedOf<Needed, 'reply'>,
) => Options extends SchemaAlone
  ? "A Handler is one of a route's options: { schema: … }"
  : [PartOf<PartOf<Options, 'schema'>, 'response'>] extends [never]
    ? Result
    : Returned<PartOf<PartOf<Options, 'schema'>, 'response'>, NeedOf<Needed, 'schemas'>>

type NeedsIn<Options> = Options extends { readonly [needs]: Needing<infer Needed extends Needs> }
  ? Needed
  : {}

/** What was given in the place of options that have a schema: a handler of it would be one of anything. */
type SchemaAlone = { readonly schema?: never } & (
  | { readonly body: unknown }
  | { readonly querystring: unknown }
  | { readonly query: unknown }
  | { readonly params: unknown }
  | { readonly headers: unknown }
  | { readonly response: unknown }
)

type HandlerRequest<Options, Needed extends Needs> =
  true extends PartOf<Options, 'attachValidation'>
    ? | (ValidRequest<Options, Needed> & { readonly validationError?: undefined })
      | (RefusedRequest<
          ServerFor<Needed>,
          NeedOf<Needed, 'request'>,
          SchemaOf<Options>,
          PathParamsOf<Options>
        > &
          NeedOf<Needed, 'request'>)
    : ValidRequest<Options, Needed>

type ValidRequest<Options, Needed extends Needs> = RequestParts<
  NeedsCtx<Needed>,
  SchemaOf<Options>,
  MethodOf<Options>
> &
  RawRequest<ServerFor<Needed>, NeedOf<Needed, 'request'>> &
  NeedOf<Needed, 'request'> & {
    readonly params: ParamsOf<
      Options,
      PartOf<PartOf<Options, 'schema'>, 'params'>,
      NeedOf<Needed, 'schemas'>
    >
  }

type SchemaOf<Options> = Options extends { readonly schema: infer Schema } ? Schema : {}

/** Options without a method are taken for those of one whose body is validated: a route of another
 *  does not take the handler, if there is a schema of it. */
type MethodOf<Options> = Options extends { readonly method: infer Methods }
  ? Methods extends readonly (infer Method extends string)[]
    ? KnownMethod<Method>
    : KnownMethod<Methods & string>
  : 'POST'

type KnownMethod<Method extends string> = string extends Method ? 'POST' : Uppercase<Method>

type ParamsOf<Options, Params, Schemas> = [Params] extends [never]
  ? PathParamsOf<Options>
  : Part<Params, Schemas, 'out'>

type PathParamsOf<Options> = Options extends
  { readonly url: infer Path extends string } | { readonly path: infer Path extends string }
  ? string extends Path
    ? RawParams
    : PathParams<Path>
  : RawParams
