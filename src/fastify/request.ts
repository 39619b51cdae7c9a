/* eslint-disable @typescript-eslint/no-explicit-any -- existing code reads these without asking for the type, and so did the types it was written for */
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
  RequestBodyDefault,
  RequestHeadersDefault,
  RequestParamsDefault,
  RequestQuerystringDefault,
} from './raw.ts'
import type {
  FastifyContextConfig,
  FastifyRouteConfig,
  RouteGenericInterface,
  RouteHandlerMethod,
} from './route.ts'
import type { FastifySchema, FastifySchemaValidationError } from './schema.ts'
import type {
  FastifyRequestType,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  ResolveFastifyRequestType,
} from './type-provider.ts'

type HTTPRequestPart = 'body' | 'query' | 'querystring' | 'params' | 'headers'

/** What a route's type may say of its requests. */
export interface RequestGenericInterface {
  Body?: RequestBodyDefault
  Querystring?: RequestQuerystringDefault
  Params?: RequestParamsDefault
  Headers?: RequestHeadersDefault
}

/** A compiled schema, with what it last found wrong. */
export interface ValidationFunction {
  (input: any): boolean
  errors?: null | FastifySchemaValidationError[]
}

/** The route that a request was found for. */
export interface RequestRouteOptions<
  ContextConfig = ContextConfigDefault,
  SchemaCompiler = FastifySchema,
> {
  method: HTTPMethods | HTTPMethods[]
  /** Undefined where no route was found. */
  url: string | undefined
  bodyLimit: number
  handlerTimeout: number
  attachValidation: boolean
  logLevel: string
  exposeHeadRoute: boolean
  prefixTrailingSlash: string
  config: FastifyContextConfig & FastifyRouteConfig & ContextConfig
  schema?: SchemaCompiler
  handler: RouteHandlerMethod
  version?: string
}

/** A request. Plugins add to it by declaring more members. */
export interface FastifyRequest<
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  ContextConfig = ContextConfigDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  RequestType extends FastifyRequestType = ResolveFastifyRequestType<
    TypeProvider,
    SchemaCompiler,
    RouteGeneric
  >,
> {
  id: string
  params: RequestType['params']
  query: RequestType['query']
  headers: RawRequest['headers'] & RequestType['headers']
  body: RequestType['body']
  raw: RawRequest
  log: Logger
  server: FastifyInstance
  /** What validation found, on routes with `attachValidation`. */
  validationError?: Error & { validation: any; validationContext: string }
  readonly req: RawRequest & RouteGeneric['Headers']
  readonly ip: string
  readonly ips?: string[]
  readonly host: string
  readonly hostname: string
  readonly port: number | null
  readonly protocol: 'http' | 'https'
  readonly method: string
  readonly url: string
  /** The URL before `rewriteUrl`. */
  readonly originalUrl: string
  readonly is404: boolean
  readonly mediaType: string | undefined
  readonly socket: RawRequest['socket']
  readonly signal: AbortSignal
  readonly routeOptions: Readonly<RequestRouteOptions<ContextConfig, SchemaCompiler>>

  getValidationFunction(httpPart: HTTPRequestPart): ValidationFunction | undefined
  getValidationFunction(schema: Record<string, any>): ValidationFunction | undefined
  compileValidationSchema(
    schema: Record<string, any>,
    httpPart?: HTTPRequestPart,
  ): ValidationFunction
  validateInput(input: any, schema: Record<string, any>, httpPart?: HTTPRequestPart): boolean
  validateInput(input: any, httpPart?: HTTPRequestPart): boolean
  getDecorator<T>(name: string | symbol): T
  setDecorator<T = unknown>(name: string | symbol, value: T): void
}
