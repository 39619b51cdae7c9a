import { t } from './schema/builder.ts'
import { httpError } from './schema/http-error.ts'
import { errorCodePrefix, errorCodes } from './errors/codes.ts'
import { LogController } from './lifecycle/log/log-controller.ts'
import { EspalierError } from './errors/espalier-error.ts'
import { commonJs } from './common-js.ts'
import { fastify } from './fastify/index.ts'
import { adopt, defineRoute, espalier, plugin, shared } from './server/factory.ts'
import { event } from './http/stream-event.ts'
import { version } from './version.ts'

// The server.
export default espalier
export { espalier, fastify, version }
export type { EspalierModule } from './common-js.ts'
export { commonJs as 'module.exports' }

// Schemas, plugins and routes.
export { t, shared, plugin, defineRoute, adopt }

// The class that writes the log lines of requests.
export { LogController }
export type {
  DisableRequestLogging,
  LogControllerOptions,
  LoggedReply,
  LoggedRequest,
  LogMetadata,
} from './lifecycle/log/log-controller.ts'

// Streams.
export { event }
export type { EventFields, StreamEvent } from './http/stream-event.ts'

// Errors.
export { errorCodes, errorCodePrefix, EspalierError, httpError }

// The types of servers and contexts.
export type { Ctx, RootCtx, ScopeResponses } from './context/ctx.ts'
export type { EspalierOptions } from './server/options.ts'
export type { LoggerOptions, LoggerSerializers, LoggingOptions } from './server/options/logging.ts'
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
export type { FoundRoute, ListenOptions, RouteQuery } from './server/types/tools.ts'
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
} from './server/types/content-type-parser.ts'
export type { PoisoningAction, TextParser } from './context/default-parsers.ts'
export type { Derived, DerivedNames } from './server/types/hook.ts'
export type { DefineRoute } from './server/types/factories.ts'
export type { Verb } from './server/types/server.ts'
export type {
  Inject,
  InjectArguments,
  Injected,
  InjectedResponse,
  InjectOptions,
  ResponseCookie,
  ResponseDetails,
} from './server/transport/inject.ts'
export type { FetchFunction, FetchPlatform } from './server/types/fetch.ts'
export type { InjectCallOptions } from './server/transport/inject.ts'

// The types of plugins.
export type {
  Done,
  Needs,
  NeedsCtx,
  NeedsOf,
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

export type { Additions, Adopted, WithHooks } from './plugin/plugin-types.ts'
export type { PluginFacts } from './plugin/plugin.ts'

// Interfaces that programs add members to. `declare module` reaches them only through a star.
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
  ValidationIssue,
  ValidationRecord,
  ValidatorCompiler,
} from './schema/compiler-types.ts'
export type { AjvOptions } from './validation/ajv.ts'
export type { CompiledSchemas } from './schema/compilation.ts'

// The types of routes, requests and replies.
export type { Contract } from './route/defined-route.ts'
export type { DeclaredRoute, RouteConstraints } from './server/types/route-options.ts'
export type { AnyRoute, DefinedRoute } from './route/defined-route.ts'
export type { Handler } from './route/standalone.ts'
export type { HookFor } from './route/standalone.ts'
export type { ErrorHandlerFor, NotFoundHandlerFor } from './route/standalone.ts'
export type { HandlerReply } from './route/standalone.ts'
export type { RouteRequest } from './route/handler.ts'
export type { RouteSchema } from './route/route-schema.ts'
export type {
  BodyStream,
  CodedError,
  DeriveHook,
  ErrorHandler,
  HandledError,
  Hook,
  NotFoundHandler,
  NotFoundOptions,
  OnErrorHook,
  OnRequestAbortHook,
  OnSendHook,
  PreParsingHook,
  PreSerializationHook,
  ScopeRequests,
  SentPayload,
  ThrownValue,
} from './route/hook-types.ts'
export type { HookTypes } from './server/types/hook.ts'
export type { InputOf } from './route/call-types.ts'
export type { EntryResponse, KeyResponse, ResponseOf } from './route/call-types.ts'
export type {
  BadRequest,
  BytesResponse,
  EmptyResponse,
  EventsBody,
  Fetched,
  FormBody,
  LinesBody,
  RouteResponse,
  SuccessStatus,
} from './route/response-types.ts'
export type { EventMessage, EventsOptions } from './http/events.ts'
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
export type { RouteOptionsFacts } from './typed/request.ts'
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
export type { DerivePhase } from './context/ctx.ts'
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
export type { ErrorClass, ErrorCode } from './errors/codes.ts'

// Types that the declaration files of an application name, if it exports a handler, a function of a
// server, or their arguments. The compiler finds no other names. Types that Fastify or its plugins
// have too have another name here.
export type { AnyCtx, ChildCtx, HasCtx, Scope } from './context/ctx.ts'
export type { JoinedPath, KnownPrefix, PathBelow, RoutesAt } from './context/ctx.ts'
export type { Route, RouteBeside, RouteFacts, Seen, SeenRoute } from './plugin/seen-route.ts'
export type { DecoratorContext, FreshName, UnlessShared } from './context/decorator-types.ts'
export type { HeaderFor, NoPayload } from './typed/payload.ts'
export type { PreparedHookReply, RawReply, Send, WithCode } from './typed/reply.ts'
export type { Chained } from './typed/sent.ts'
export type { RequestParts } from './typed/request.ts'
export type { LogFunction, LogLevel as LevelOfLog } from './http/logger.ts'
export type { RouteInput } from './http/route-call.ts'
export type { OptionsOf } from './plugin/plugin-types.ts'
export type { Fit, Met } from './plugin/fit.ts'
export type { AfterAny, EqualIn, OfEach, RoutesOfEach, ScopeOfEach } from './plugin/plugin-types.ts'
export type { Added, After, AfterPlugin, MayNeed, Needing, Settled } from './plugin/plugin-types.ts'
export type { CodedReply, HeadedReply, MediaReply } from './route/standalone.ts'
export type { HandlerServer, ServerFor } from './route/standalone.ts'
export type { LateRequest, OneOrMore, ReplyIn } from './route/hook-types.ts'
export type { Decoding, Encoding, Marked } from './schema/builder.ts'
export type { Part } from './schema/infer/part.ts'
export type { HookArities } from './context/hooks.ts'
export type { UnlessNothing } from './typed/returned.ts'
export type { HookSentences } from './server/types/hook.ts'
export type { IsPromise } from './types/checks.ts'
export type { RecurringJson } from './types/json.ts'
export type { Saying } from './types/checks.ts'
export type { Sealed } from './types/checks.ts'
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
export type { HasDefault, IfClosed, IsOptional, StandardMark } from './schema/infer/marks.ts'
export type { AnyObject, Serialized } from './schema/infer/modes.ts'
export type { FastJsonOptions } from './serialization/fast-json-compiler.ts'
export type { RawAnswer } from './server/options/routing.ts'
export type { PrintRoutesOptions as PrintedRoutes } from './server/routing/print.ts'
export type { AddContentTypeParser as AddParser } from './server/types/content-type-parser.ts'
export type { Clash, KeyIn } from './server/types/hook.ts'
export type { OnNode } from './server/types/tools.ts'
export type {
  DeclaredOptions,
  GivenOptions,
  HostOf,
  NoFunction,
  OptionsIn,
  OptionsTaken,
  OptionsTo,
  PluginLogging,
} from './server/types/register.ts'
export type {
  FreshId,
  NamedSchema,
  OwnId,
  SchemaTaken,
  SharedSchema,
  Sharing,
} from './server/types/add-schema.ts'
export type { ServerTools } from './server/types/tools.ts'
export type { ListedIn, ListedRoutes, MadeByDefineRoute } from './server/types/route-options.ts'
export type {
  AddedVerb,
  AddedVerbs,
  AddRoutes,
  FullRoute,
  Inferred,
  RouteDefinition,
} from './server/types/server.ts'
export type { OptionsOrHandler, VerbOptions } from './server/types/route-options.ts'

// Fastify's types, for plugins and applications that ask for them by the name `fastify`. By a star,
// which is how `declare module` reaches them.
export type * from './fastify/types.ts'
export type { FastifyErrorCodes } from './fastify/error-codes.ts'
