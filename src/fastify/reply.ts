/* eslint-disable @typescript-eslint/no-explicit-any -- Fastify's own types have it here */
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type {
  ContextConfigDefault,
  HttpHeader,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
  ReplyDefault,
} from './raw.ts'
import type { FastifyRequest, RequestRouteOptions } from './request.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'
import type {
  FastifyReplyType,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  ResolveFastifyReplyType,
  ResolveReplyTypeWithRouteGeneric,
  SendArgs,
  Statuses,
} from './type-provider.ts'

/** The payloads in the generic type of a route: one type, or one for each status. */
export interface ReplyGenericInterface {
  Reply?: ReplyDefault
}

type HeaderValue = number | string | string[] | undefined

/** A reply. Plugins declare more members. All methods stand here: `declare module` overloads them,
 *  and would hide those of a base. */
export interface FastifyReply<
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  ReplyType extends FastifyReplyType = ResolveFastifyReplyType<
    TypeProvider,
    SchemaCompiler,
    RouteGeneric
  >,
> {
  header(
    key: HttpHeader,
    value: any,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  headers(
    values: Partial<Record<HttpHeader, HeaderValue>>,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  removeHeader(
    key: HttpHeader,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  type(
    contentType: string,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  redirect(
    url: string,
    statusCode?: number,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  /** Stops the server from sending a response. The caller writes to `raw`. */
  hijack(): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  serializer(
    serialize: (payload: any) => string,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  trailer(
    key: string,
    make:
      | ((
          reply: FastifyReply<
            RouteGeneric,
            RawServer,
            RawRequest,
            RawReply,
            ContextConfig,
            SchemaCompiler,
            TypeProvider
          >,
          payload: string | Buffer | null,
        ) => Promise<string>)
      | ((
          reply: FastifyReply<
            RouteGeneric,
            RawServer,
            RawRequest,
            RawReply,
            ContextConfig,
            SchemaCompiler,
            TypeProvider
          >,
          payload: string | Buffer | null,
          done: (error: Error | null, value?: string) => void,
        ) => void),
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  removeTrailer(
    key: string,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >

  readonly routeOptions: Readonly<RequestRouteOptions<ContextConfig, SchemaCompiler>>
  raw: RawReply
  elapsedTime: number
  log: FastifyBaseLogger
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>
  server: FastifyInstance
  statusCode: number
  sent: boolean

  code<Code extends Statuses<RouteGeneric['Reply'], SchemaCompiler['response']>>(
    statusCode: Code,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    ResolveReplyTypeWithRouteGeneric<RouteGeneric['Reply'], Code, SchemaCompiler, TypeProvider>
  >
  /** The same as `code`. */
  status<Code extends Statuses<RouteGeneric['Reply'], SchemaCompiler['response']>>(
    statusCode: Code,
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    ResolveReplyTypeWithRouteGeneric<RouteGeneric['Reply'], Code, SchemaCompiler, TypeProvider>
  >
  send(
    ...args: SendArgs<ReplyType>
  ): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  /** Resolves when the reply was sent. */
  then(fulfilled: () => void, rejected: (error: Error) => void): void
  callNotFound(): void
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void

  getHeader(key: HttpHeader): HeaderValue
  getHeaders(): Record<HttpHeader, HeaderValue>
  hasHeader(key: HttpHeader): boolean
  hasTrailer(key: string): boolean
  getDecorator<T>(name: string | symbol): T

  serialize(payload: any): string | ArrayBuffer | Buffer
  getSerializationFunction(httpStatus: string, contentType?: string): Serialize | undefined
  getSerializationFunction(schema: Record<string, unknown>): Serialize | undefined
  compileSerializationSchema(
    schema: Record<string, unknown>,
    httpStatus?: string,
    contentType?: string,
  ): Serialize
  serializeInput(
    input: Record<string, unknown>,
    schema: Record<string, unknown>,
    httpStatus?: string,
    contentType?: string,
  ): string
  serializeInput(input: Record<string, unknown>, httpStatus: string, contentType?: string): unknown
}

type Serialize = (payload: Record<string, unknown>) => string
