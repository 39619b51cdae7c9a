/* eslint-disable @typescript-eslint/no-explicit-any -- existing code reads these without asking for the type, and so did the types it was written for */
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

/** What a route's type may say of its replies: one payload, or several by status. */
export interface ReplyGenericInterface {
  Reply?: ReplyDefault
}

type HeaderValue = number | string | string[] | undefined

/** A reply. Plugins add to it by declaring more members. */
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
  getHeader(key: HttpHeader): HeaderValue
  getHeaders(): Record<HttpHeader, HeaderValue>
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
  hasHeader(key: HttpHeader): boolean
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
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void
  /** Leaves the answer to the caller, who writes to `raw`. */
  hijack(): FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  callNotFound(): void

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
  hasTrailer(key: string): boolean
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
  getDecorator<T>(name: string | symbol): T
  /** Waits until the reply has been sent. */
  then(fulfilled: () => void, rejected: (error: Error) => void): void
}

type Serialize = (payload: Record<string, unknown>) => string
