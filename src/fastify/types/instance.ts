import type { ConstraintStrategy, FindResult, HTTPVersion } from 'find-my-way'
import type { Chain, CallbackFunc, InjectOptions, Response } from 'light-my-request'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  AddContentTypeParser,
  FastifyBodyParser,
  getDefaultJsonParser,
  hasContentTypeParser,
  removeAllContentTypeParsers,
  removeContentTypeParser,
} from '../routes/content-parser.ts'
import type { DecorationMethod } from '../routes/decorate.ts'
import type { FastifyListenOptions, PrintRoutesOptions } from '../routes/listen.ts'
import type { RouteOptions } from '../routes/options.ts'
import type { FastifyHooking } from '../hooks/hooking.ts'
import type { InitialConfig } from '../server-options.ts'
import type { FastifyBaseLogger, FastifyChildLoggerFactory } from './logger.ts'
import type { FastifyRegister } from './plugin.ts'
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './raw.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest } from './request.ts'
import type { RouteGenericInterface, RouteShorthandMethod } from './route.ts'
import type {
  FastifySchema,
  FastifySchemaCompiler,
  FastifySchemaControllerOptions,
  FastifySerializerCompiler,
  SchemaErrorFormatter,
} from './schema.ts'
import type {
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  SafePromiseLike,
} from './type-provider.ts'

type Version<RawServer extends RawServerBase> = RawServer extends Server
  ? HTTPVersion.V1
  : HTTPVersion.V2

/** A server. Plugins add to it by declaring more members. */
export interface FastifyInstance<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> extends FastifyHooking<RawServer, RawRequest, RawReply, Logger, TypeProvider> {
  server: RawServer
  pluginName: string
  prefix: string
  version: string
  log: Logger
  listeningOrigin: string
  initialConfig: InitialConfig<RawServer>
  supportedMethods: string[]

  addresses(): (AddressInfo | string)[]
  /** Has schemas typed by a provider. */
  withTypeProvider<Provider extends FastifyTypeProvider>(): FastifyInstance<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    Provider
  >

  listen(
    options: FastifyListenOptions,
    callback: (error: Error | null, address: string) => void,
  ): void
  listen(options?: FastifyListenOptions): Promise<string>
  listen(callback: (error: Error | null, address: string) => void): void
  ready(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    SafePromiseLike<undefined>
  ready(
    listener: (error: Error | null) => void | Promise<void>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  after(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    SafePromiseLike<undefined>
  after(
    listener: (error: Error | null) => void,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  close(): Promise<undefined>
  close(listener: () => void): undefined
  [Symbol.asyncDispose](): Promise<undefined>
  inject(options: InjectOptions | string, callback: CallbackFunc): void
  inject(options: InjectOptions | string): Promise<Response>
  inject(): Chain
  routing(request: RawRequest, response: RawReply): void

  register: FastifyRegister<
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
      SafePromiseLike<undefined>
  >
  hasPlugin(name: string): boolean
  printPlugins(): string

  decorate: DecorationMethod<FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>>
  decorateRequest: DecorationMethod<
    FastifyRequest,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >
  decorateReply: DecorationMethod<
    FastifyReply,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >
  getDecorator<T>(name: string | symbol): T
  hasDecorator(decorator: string | symbol): boolean
  hasRequestDecorator(decorator: string | symbol): boolean
  hasReplyDecorator(decorator: string | symbol): boolean

  route<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    const SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    options: RouteOptions<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  delete: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  get: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  head: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  patch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  post: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  put: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  options: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  propfind: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  proppatch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  mkcalendar: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  mkcol: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  copy: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  move: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  lock: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  unlock: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  trace: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  report: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  search: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  query: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  all: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  hasRoute(options: RouteFinder): boolean
  findRoute(options: RouteFinder): Omit<FindResult<Version<RawServer>>, 'store'>
  printRoutes(options?: PrintRoutesOptions): string
  addHttpMethod(
    method: string,
    options?: { hasBody?: boolean; overrideExisting?: boolean },
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addConstraintStrategy(strategy: ConstraintStrategy<Version<RawServer>, unknown>): void
  hasConstraintStrategy(name: string): boolean

  setGenReqId(
    generate: (request: RawRequestDefaultExpression<RawServer>) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  childLoggerFactory: FastifyChildLoggerFactory<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    TypeProvider
  >
  setChildLoggerFactory(
    factory: FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  addSchema(schema: unknown): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  getSchema(schemaId: string): unknown
  getSchemas(): Record<string, unknown>
  validatorCompiler: FastifySchemaCompiler<FastifySchema> | undefined
  setValidatorCompiler<T = FastifySchema>(
    compiler: FastifySchemaCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  serializerCompiler: FastifySerializerCompiler<FastifySchema> | undefined
  setSerializerCompiler<T = FastifySchema>(
    compiler: FastifySerializerCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setSchemaController(
    options: FastifySchemaControllerOptions,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setReplySerializer(
    serialize: (payload: unknown, statusCode: number) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setSchemaErrorFormatter(
    formatter: SchemaErrorFormatter,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  addContentTypeParser: AddContentTypeParser<
    RawServer,
    RawRequest,
    RouteGenericInterface,
    FastifySchema,
    TypeProvider
  >
  hasContentTypeParser: hasContentTypeParser
  removeContentTypeParser: removeContentTypeParser
  removeAllContentTypeParsers: removeAllContentTypeParsers
  getDefaultJsonParser: getDefaultJsonParser
  defaultTextParser: FastifyBodyParser<string>
}

/** What names a route. */
type RouteFinder = Pick<RouteOptions, 'url' | 'constraints'> & { method: HTTPMethods }
