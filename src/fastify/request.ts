/* eslint-disable @typescript-eslint/no-explicit-any -- Fastify's own types have it here */
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

/** The request parts in the generic type of a route. */
export interface RequestGenericInterface {
  Body?: RequestBodyDefault
  Querystring?: RequestQuerystringDefault
  Params?: RequestParamsDefault
  Headers?: RequestHeadersDefault
}

/** A compiled schema, with the errors of its last call. */
export interface ValidationFunction {
  (input: any): boolean
  errors?: null | FastifySchemaValidationError[]
}

/** The options of the route of a request. */
export interface RequestRouteOptions<
  ContextConfig = ContextConfigDefault,
  SchemaCompiler = FastifySchema,
> {
  method: HTTPMethods | HTTPMethods[]
  /** Undefined if no route was found. */
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

/** A request. Plugins declare more members. */
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
  /** The error of validation, on routes with `attachValidation`. */
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
