// Handlers and hooks that are written outside of any scope.
import type { AnyCtx, WithScope } from '../context/ctx.ts'
import type { Logger } from '../http/logger.ts'
import type {
  NeededSchemas,
  Needing,
  NeedOf,
  Needs,
  needs,
  NeedsCtx,
  OnlyNeeds,
} from '../plugin/plugin-types.ts'
import type { Part, PartOf } from '../schema/infer/part.ts'
import type { CodePayload, CodesOf, CodesOfKey, HeaderFor } from '../typed/payload.ts'
import type { HookReply, RawReply, ReplySerializer, Send } from '../typed/reply.ts'
import type {
  CoercedRequest,
  HookRequest,
  RawParams,
  RawRequest,
  RefusedRequest,
  RequestParts,
} from '../typed/request.ts'
import type { Success } from '../typed/payload.ts'
import type { Returned } from '../typed/returned.ts'
import type { Declared, responses, Unfinished } from '../typed/sent.ts'
import type { HandledError, LateRequest, RequestHookTypes, ScopeRequests } from './hook-types.ts'
import type { PathParams } from './path.ts'
import type { PartName } from './route-schema.ts'

/** The handler of a route, written outside of the route.
 *  @template Options the options of the route, or a route made by `defineRoute`
 *  @template Needed what the handler needs of its scope; by default the needs of a defined route
 *  @template Result the result, if the route has no response schema
 *  @example
 *  const get: Handler<typeof options, { server: { db: Db } }> = function (request) { … } */
export type Handler<Options, Needed extends Needs = NeedsIn<Options>, Result = unknown> = (
  this: ServerFor<Needed>,
  request: HandlerRequest<Options, Needed>,
  reply: HandlerReplyFor<Needed, PartOf<PartOf<Options, 'schema'>, 'response'>> &
    NeedOf<Needed, 'reply'>,
) => Options extends SchemaAlone
  ? "A Handler is one of a route's options: { schema: … }"
  : [PartOf<PartOf<Options, 'schema'>, 'response'>] extends [never]
    ? Result
    : Returned<
        Success<PartOf<PartOf<Options, 'schema'>, 'response'>, NeedOf<Needed, 'schemas'>, 'reply'>
      >

type NeedsIn<Options> = Options extends { readonly [needs]: Needing<infer Needed extends Needs> }
  ? Needed
  : {}

/** A schema, given by mistake for the options. Its parts would have no types. */
type SchemaAlone = { readonly schema?: never } & {
  [Part in PartName]: { readonly [Key in Part]: unknown }
}[PartName]

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

/** Options without a method are taken for those of a POST route. The route of a method without body
 *  refuses a handler that has a body schema. */
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

/** The server of a standalone handler or hook: what it needs, and what all servers have. */
export type ServerFor<Needed> = HandlerServer & NeedOf<Needed, 'server'>

/** The members that the servers of all scopes have in common. */
export interface HandlerServer {
  readonly log: Logger
  readonly prefix: string
  readonly version: string
  readonly pluginName: string
  readonly listeningOrigin: string
  readonly supportedMethods: string[]
  hasDecorator(name: string | symbol): boolean
  hasRequestDecorator(name: string | symbol): boolean
  hasReplyDecorator(name: string | symbol): boolean
  hasPlugin(name: string): boolean
}

/** A hook, written outside of any scope, with what it needs of its scope. After validation, in
 *  `preHandler`, headers that Node does not list by name are `unknown`, since the route may have
 *  coerced them. The hook can declare the headers that it reads as needs.
 *  @example
 *  const auth: HookFor<'onRequest', { request: { user: User | null } }> = async (request) => … */
export type HookFor<
  Name extends keyof RequestHookTypes<ScopeRequests<NeedsCtx<{}>, unknown>, unknown, unknown>,
  Needed extends OnlyNeeds<Needed> = {},
> = RequestHookTypes<
  StandaloneRequests<NeedsCtx<Needed>, ServerFor<Needed>>,
  ServerFor<Needed>,
  HookReplyFor<Needed>
>[Name]

/** The reply of a standalone hook or error handler. */
type HookReplyFor<Needed> = NeededCodes<Needed> & HookReply & NeedOf<Needed, 'reply'>

/** @template Own the responses of the route; never if it declares none */
type HandlerReplyFor<Needed, Own> = [Own] extends [never]
  ? NeededCodes<Needed> & HandlerReply<Needed>
  : HandlerReply<Needed, WithScope<Own, NeededSchemas<Needed>>>

/** The setters of the statuses that are needed, for a reply that takes any status: after them,
 *  `send` takes the needed payload. Of several signatures the compiler uses the first that fits, so
 *  these stand before those of the reply. */
type NeededCodes<Needed> = Needed extends { readonly responses: infer Responses }
  ? Readonly<Record<'code' | 'status', Overloads<CodeSetter<Needed, Responses, keyof Responses>>>>
  : unknown

/** The requests of any route in any scope. */
interface StandaloneRequests<Context extends AnyCtx, Self> extends Omit<
  ScopeRequests<Context, Self>,
  'valid'
> {
  readonly valid: CoercedRequest<Self, Context['request']> & Context['request']
}

/** An error handler, written outside of any scope, with what it needs of its scope.
 *  @example
 *  const failed: ErrorHandlerFor<{ server: { db: Db } }> = (error, request, reply) =>
 *    reply.code(500).send({ … }) */
export type ErrorHandlerFor<Needed extends OnlyNeeds<Needed> = {}> = (
  this: ServerFor<Needed>,
  error: HandledError,
  request: LateRequest<NeedsCtx<Needed>, ServerFor<Needed>>,
  reply: HookReplyFor<Needed>,
) => unknown

/** A not-found handler, written outside of any scope, with what it needs of its scope. */
export type NotFoundHandlerFor<Needed extends OnlyNeeds<Needed> = {}> = (
  this: ServerFor<Needed>,
  request: LateRequest<NeedsCtx<Needed>, ServerFor<Needed>>,
  reply: HookReplyFor<Needed>,
) => unknown

/** The reply of a standalone handler. It has the members of `TypedReply` as properties, so that the
 *  reply of a route with other responses is not assignable to it.
 *
 *  Status and type can be set once. If setters returned a reply that has the same setters,
 *  comparing two replies would take the compiler beyond its limits. */
export interface HandlerReply<Needed, Responses = never> extends HeadedReply<
  Needed,
  Responses,
  'initial',
  unknown
> {
  readonly [responses]?: [Responses] extends [never] ? unknown : Declared
  readonly code: Overloads<CodeSetter<Needed, Responses, keyof Responses>> &
    ((
      status: CodesOfKey<keyof Responses>,
    ) => Also<Needed, CodedReply<Needed, Responses, CodesOfKey<keyof Responses>>>) &
    ((
      status: CodesOf<Responses>,
    ) => Also<Needed, CodedReply<Needed, Responses, CodesOf<Responses>>>)
  /** The same as `code`. */
  readonly status: HandlerReply<Needed, Responses>['code']
  readonly type: Overloads<TypeSetter<Needed, Responses, MediaOf<Responses[keyof Responses]>>> &
    ((contentType: string) => Also<Needed, MediaReply<Needed, Responses, string>>)
}

/** A reply whose headers can be set, and that can be sent. */
export interface HeadedReply<Needed, Responses, Code, Media> extends RawReply {
  readonly server: ServerFor<Needed>
  readonly request: HookRequest<ServerFor<Needed>>
  readonly header: <const Name extends string>(
    name: Name,
    value?: NoInfer<HeaderFor<Responses, Code, Name>>,
  ) => this & Unfinished
  readonly headers: <const Name extends string>(values: {
    readonly [Key in Name]: NoInfer<HeaderFor<Responses, Code, Key>> | undefined
  }) => this & Unfinished
  readonly removeHeader: (name: string) => this & Unfinished
  readonly serializer: (serializer: ReplySerializer) => this & Unfinished
  readonly send: Send<
    PayloadOfEach<Responses, Code extends 'initial' ? 200 : Code, NeedOf<Needed, 'schemas'>, Media>
  >
}

/** The payloads that fit all of several codes. */
type PayloadOfEach<Responses, Code, Schemas, Media> = (
  Code extends unknown
    ? (payload: CodePayload<Responses, Code, Schemas, 'reply', Media>) => void
    : never
) extends (payload: infer All) => void
  ? All
  : never

/** A reply whose status was set. */
export interface CodedReply<Needed, Responses, Code> extends HeadedReply<
  Needed,
  Responses,
  Code,
  unknown
> {
  readonly type: Overloads<
    CodedTypeSetter<Needed, Responses, Code, MediaOf<Responses[keyof Responses]>>
  > &
    ((contentType: string) => Also<Needed, HeadedReply<Needed, Responses, Code, string>>)
}

/** A reply whose type was set. */
export interface MediaReply<Needed, Responses, Media> extends HeadedReply<
  Needed,
  Responses,
  'initial',
  Media
> {
  readonly code: Overloads<MediaCodeSetter<Needed, Responses, Media, keyof Responses>> &
    ((
      status: CodesOfKey<keyof Responses>,
    ) => Also<Needed, HeadedReply<Needed, Responses, CodesOfKey<keyof Responses>, Media>>) &
    ((
      status: CodesOf<Responses>,
    ) => Also<Needed, HeadedReply<Needed, Responses, CodesOf<Responses>, Media>>)
  /** The same as `code`. */
  readonly status: MediaReply<Needed, Responses, Media>['code']
}

/** A reply after a setter, with the decorators that are needed. */
type Also<Needed, Reply> = Reply & NeedOf<Needed, 'reply'> & Unfinished

/** An overload for each key of `response`. One for several codes at once, and one for the codes of
 *  `default`, follow in the reply. */
type CodeSetter<Needed, Responses, Key> = Key extends 'default'
  ? never
  : (
      status: CodesOnly<Key, keyof Responses>,
    ) => Also<Needed, CodedReply<Needed, Responses, CodesOnly<Key, keyof Responses>>>

type MediaCodeSetter<Needed, Responses, Media, Key> = Key extends 'default'
  ? never
  : (
      status: CodesOnly<Key, keyof Responses>,
    ) => Also<Needed, HeadedReply<Needed, Responses, CodesOnly<Key, keyof Responses>, Media>>

/** An overload for each media type of `content`. */
type TypeSetter<Needed, Responses, Media> = Media extends string
  ? (
      contentType: Media | `${Media};${string}`,
    ) => Also<Needed, MediaReply<Needed, Responses, Media>>
  : never

type CodedTypeSetter<Needed, Responses, Code, Media> = Media extends string
  ? (
      contentType: Media | `${Media};${string}`,
    ) => Also<Needed, HeadedReply<Needed, Responses, Code, Media>>
  : never

/** The codes of one key; for a class, without those that have a key of their own. */
type CodesOnly<Key, All> = Key extends `${string}${'xx' | 'XX'}`
  ? Exclude<CodesOfKey<Key>, ExactCode<All>>
  : CodesOfKey<Key>

type ExactCode<Key> = Key extends number
  ? Key
  : Key extends `${infer Code extends number}`
    ? Code
    : never

type MediaOf<Entry> = Entry extends { readonly content: infer Content } ? keyof Content : never

/** A union of functions as one function with overloads. */
type Overloads<Functions> = (
  Functions extends unknown ? (each: Functions) => void : never
) extends (all: infer All) => void
  ? All
  : never
