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

/** The methods that return the reply. */
interface ReplyMethods<Reply> {
  header(key: HttpHeader, value: any): Reply
  headers(values: Partial<Record<HttpHeader, HeaderValue>>): Reply
  removeHeader(key: HttpHeader): Reply
  type(contentType: string): Reply
  redirect(url: string, statusCode?: number): Reply
  /** Stops the server from sending a response. The caller writes to `raw`. */
  hijack(): Reply
  serializer(serialize: (payload: any) => string): Reply
  trailer(
    key: string,
    make:
      | ((reply: Reply, payload: string | Buffer | null) => Promise<string>)
      | ((
          reply: Reply,
          payload: string | Buffer | null,
          done: (error: Error | null, value?: string) => void,
        ) => void),
  ): Reply
  removeTrailer(key: string): Reply
}

/** A reply. Plugins declare more members. */
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
> extends ReplyMethods<
  FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
> {
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
