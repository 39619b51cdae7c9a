import { t } from './schema/builder.ts'
import { errorCodePrefix, errorCodes } from './errors/codes.ts'
import { LogController } from './lifecycle/log/log-controller.ts'
import { EspalierError } from './errors/espalier-error.ts'
import { commonJs } from './common-js.ts'
import { fastify } from './fastify/index.ts'
import { adopt, defineRoute, espalier, plugin, shared } from './server/factory.ts'
import { version } from './version.ts'

// The server.
export default espalier
export { espalier, fastify, version }
export type { EspalierExports, EspalierModule } from './common-js.ts'
export { commonJs as 'module.exports' }

// Schemas, plugins and routes.
export { t, shared, plugin, defineRoute, adopt }

// What writes the lines of requests.
export { LogController }
export type {
  DisableRequestLogging,
  LogControllerOptions,
  LoggedReply,
  LoggedRequest,
  LogMetadata,
} from './lifecycle/log/log-controller.ts'

// Errors.
export { errorCodes, errorCodePrefix, EspalierError }

// The types of servers and contexts.
export type { Ctx, RootCtx } from './context/ctx.ts'
export type { ListenOptions } from './server/transport/listen.ts'
export type { EspalierOptions } from './server/options.ts'
export type { LoggerOptions, LoggerSerializers, LoggingOptions } from './server/logging/options.ts'
export type { Dispatch, TransportOptions } from './server/options/transport.ts'
export type { InitialConfig } from './server/options/initial-config.ts'
export type { RoutingOptions } from './server/options/routing.ts'
export type { TrustProxy } from './lifecycle/proxied-request.ts'
export type { GenerateId } from './lifecycle/request-id.ts'
export type { FrameworkErrors, RouterOptions } from './server/options/routing.ts'
export type {
  ConstraintDone,
  ConstraintStore,
  ConstraintStrategy,
} from './server/routing/constraints.ts'
export type { FoundRoute, RouteQuery } from './server/routing/found-route.ts'
export type {
  AdoptFactory,
  EspalierFactory,
  HttpsFlag,
  OptionsOn,
  OwnOptions,
  PluginFactory,
  RouteFactory,
  SharedFactory,
} from './server/types/factories.ts'
export type { Registered, Server, ServerBase } from './server/types/server.ts'
export type {
  ContentTypeParser,
  ParsedTypes,
  ParserDone,
  ParserOptions,
  ParserPayload,
} from './server/types/content.ts'
export type { PoisoningAction, TextParser } from './context/content/default-parsers.ts'
export type { Derived, DerivedNames } from './server/types/deriving.ts'
export type { DefineRoute } from './server/types/declaring/define-route.ts'
export type { Verb } from './server/types/server.ts'
export type {
  Inject,
  InjectArguments,
  InjectedResponse,
  InjectOptions,
  ResponseCookie,
  ResponseDetails,
} from './server/transport/inject.ts'
export type { InjectCallOptions } from './server/transport/inject-call-options.ts'

// The types of plugins.
export type {
  Done,
  Needs,
  NeedsCtx,
  OnlyNeeds,
  AnyPlugin,
  Plugin,
  PluginOptions,
  PluginRoutes,
  RoutesBelow,
  RoutesBeside,
  Portable,
  Promoted,
  PromotedPlugin,
  Shared,
} from './plugin/plugin-types.ts'

export type { Additions, Adopted } from './plugin/adopted.ts'
export type { PluginFacts } from './plugin/plugin.ts'

// What programs add members to, which reaches what is exported by a star only.
export type * from './route/added-options.ts'

// The types of schemas.
export type * from './schema/index.ts'
export type {
  BucketFactory,
  BuildSerializer,
  BuildValidator,
  ForeignFailure,
  HttpPart,
  SchemaBucket,
  SchemaController,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidationError,
  ValidationRecord,
  ValidatorCompiler,
} from './schema/compiler-types.ts'
export type { AjvOptions } from './validation/ajv.ts'

// The types of routes, requests and replies.
export type { Contract } from './route/apart/contract.ts'
export type { DeclaredRoute } from './route/hook-types.ts'
export type { AnyRoute, DefinedRoute } from './route/apart/defined-route.ts'
export type { Handler } from './route/apart/handler.ts'
export type { HookFor } from './route/apart/hook.ts'
export type { ErrorHandlerFor, NotFoundHandlerFor } from './route/apart/hook.ts'
export type { HandlerReply } from './route/apart/reply.ts'
export type { RouteRequest } from './route/handler.ts'
export type { RouteSchema } from './route/route-schema.ts'
export type {
  BodyStream,
  CodedError,
  DeriveHook,
  ErrorHandler,
  HandledError,
  Hook,
  HookTypes,
  NotFoundHandler,
  NotFoundOptions,
  OnErrorHook,
  OnRequestAbortHook,
  OnSendHook,
  PreParsingHook,
  PreSerializationHook,
  RouteConstraints,
  ScopeRequests,
  SentPayload,
  ThrownValue,
} from './route/hook-types.ts'
export type { InputOf } from './route/calls/input.ts'
export type {
  EntryResponse,
  KeyResponse,
  ResponseOf,
  RouteResponse,
} from './route/calls/response.ts'
export type { KeptResult, RouteEntry, RouteKey } from './route/route-entry.ts'
export type { MethodName } from './http/methods.ts'
export type { HeaderValue } from './http/headers.ts'
export type {
  ReplySerializer,
  SerializerSource,
  TrailedPayload,
  TrailerFunction,
} from './typed/reply.ts'
export type { Sendable } from './http/payload-kind.ts'
export type { ValidationFunction } from './typed/request.ts'
export type { RouteOptionsFacts } from './typed/route-options.ts'
export type {
  CoercedRequest,
  EarlyRequest,
  HookRequest,
  ParsedRequest,
  RawParams,
  RawQuery,
  RawRequest,
  RefusedRequest,
} from './typed/request.ts'
export type { Decorated, DecoratorEntry } from './context/decorator-types.ts'
export type { DerivePhase } from './context/phases.ts'
export type { Sending, Sent, Unfinished } from './typed/sent.ts'
export type { HookReply, TypedReply } from './typed/reply.ts'
export type {
  ChildLoggerFactory,
  ChildLoggerOptions,
  Logger,
  LogSerializer,
  LogSerializers,
} from './http/logger.ts'
export type { HandlerMessage, RequestMessage } from './lifecycle/channels.ts'

// The types of errors.
export type { ErrorCode } from './errors/codes.ts'
export type { ErrorClass } from './errors/create-error.ts'

// What declaration files of an application name besides, where it exports a handler, a function of a server's, or
// what these take: its compiler finds no other names. Those that Fastify or its plugins
// have too have another here.
export type { AnyCtx, ChildCtx, HasCtx, Scope } from './context/ctx.ts'
export type { Joined as PathBelow, JoinedPath, KnownPrefix, RoutesAt } from './context/ctx.ts'
export type { Route, RouteBeside, RouteFacts, Seen, SeenRoute } from './plugin/seen-route.ts'
export type { DecoratorContext, FreshName, UnlessShared } from './context/decorator-types.ts'
export type { HeaderFor, NoPayload } from './typed/payload.ts'
export type { PreparedHookReply, RawReply, Send, WithCode } from './typed/reply.ts'
export type { Chained } from './typed/chained.ts'
export type { RequestParts } from './typed/request.ts'
export type { LogFunction, LogLevel as LevelOfLog } from './http/logger.ts'
export type { RouteInput } from './http/route-call.ts'
export type { OptionsOf } from './plugin/adopted.ts'
export type { Fit, Met } from './plugin/fit.ts'
export type { AfterAny, EqualIn, OfEach, RoutesOfEach, ScopeOfEach } from './plugin/of-each.ts'
export type { Added, After, AfterPlugin, MayNeed, Needing, Settled } from './plugin/plugin-types.ts'
export type { CodedReply, HeadedReply, MediaReply } from './route/apart/reply.ts'
export type { HandlerServer, ServerFor } from './route/apart/server.ts'
export type { LateRequest, OneOrMore, ReplyIn } from './route/hook-types.ts'
export type { Decoding, Encoding, Marked } from './schema/builder.ts'
export type { Part } from './schema/infer/part.ts'
export type { HookArities } from './context/hooks.ts'
export type { UnlessNothing } from './typed/at-fault.ts'
export type { HookSentences } from './server/types/ending.ts'
export type { IsPromise } from './types/is-promise.ts'
export type { RecurringJson } from './types/json.ts'
export type { Saying } from './types/saying.ts'
export type { Sealed } from './types/sealed.ts'
export type {
  ArrayOptions,
  Assert as AssertedSchema,
  Ensure as EnsuredSchema,
  Evaluate as EvaluatedSchema,
  IntegerOptions,
  NumberOptions,
  ObjectOptions,
  SchemaOptions,
  StringOptions,
  TExclude,
  TIntersectEvaluated,
  TKeyOfPropertyKeysToRest,
  TProperties,
  TSetDistinct,
  TUnionEvaluated,
  UnionLast,
  UnionToTuple,
} from '@sinclair/typebox'
export type {
  Serializer,
  SerializerRequest,
  ValidatorFunction,
  ValidatorRequest,
} from './schema/compiler-types.ts'
export type { StandardMark } from './schema/infer/marks.ts'
export type {
  AnyObject,
  HasDefault,
  IfClosed,
  IsOptional,
  Serialized,
} from './schema/infer/shape.ts'
export type { FastJsonOptions } from './serialization/fast-json-compiler.ts'
export type { RawAnswer } from './server/options/routing.ts'
export type { PrintRoutesOptions as PrintedRoutes } from './server/routing/print.ts'
export type { AddContentTypeParser as AddParser } from './server/types/content.ts'
export type { Clash, KeyIn } from './server/types/deriving.ts'
export type { OnNode } from './server/types/node-server.ts'
export type {
  DeclaredOptions,
  GivenOptions,
  HostOf,
  NoFunction,
  OptionsIn,
  OptionsTaken,
  OptionsTo,
  PluginLogging,
} from './server/types/registering.ts'
export type {
  FreshId,
  NamedSchema,
  OwnId,
  SchemaTaken,
  SharedSchema,
  Sharing,
} from './server/types/sharing.ts'
export type { ServerTools } from './server/types/tools.ts'
export type {
  ListedIn,
  ListedRoutes,
  MadeByDefineRoute,
} from './server/types/declaring/listed-routes.ts'
export type {
  AddedVerb,
  AddedVerbs,
  AddRoutes,
  FullRoute,
  Inferred,
  RouteDefinition,
} from './server/types/server.ts'
export type { OptionsOrHandler, VerbOptions } from './server/types/declaring/verb-options.ts'

// Fastify's types, for plugins and applications that ask for them by the name `fastify`. By a star, which
// is how `declare module` reaches them.
export type * from './fastify/types/index.ts'
export type { FastifyErrorCodes } from './fastify/error-codes.ts'
