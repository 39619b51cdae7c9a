/* eslint-disable @typescript-eslint/no-explicit-any -- Fastify's own types have it here */
import type { RawRequestDefaultExpression, RawServerBase, RawServerDefault } from './raw.ts'
import type { FastifyRequest } from './request.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/** Ends a parser that takes a callback. */
export type ContentTypeParserDoneFunction = (error: Error | null, body?: any) => void

/** Parses a body that was read before, as a string or a buffer. */
export type FastifyBodyParser<
  RawBody extends string | Buffer,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> =
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      rawBody: RawBody,
      done: ContentTypeParserDoneFunction,
    ) => void)
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      rawBody: RawBody,
    ) => Promise<unknown>)

/** Parses a body that it reads itself. */
export type FastifyContentTypeParser<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> =
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      payload: RawRequest,
    ) => Promise<unknown>)
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      payload: RawRequest,
      done: ContentTypeParserDoneFunction,
    ) => void)

/** Adds a parser for content types. */
export interface AddContentTypeParser<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> {
  (
    contentType: string | string[] | RegExp,
    options: { bodyLimit?: number },
    parser: FastifyContentTypeParser<
      RawServer,
      RawRequest,
      RouteGeneric,
      SchemaCompiler,
      TypeProvider
    >,
  ): void
  (
    contentType: string | string[] | RegExp,
    parser: FastifyContentTypeParser<
      RawServer,
      RawRequest,
      RouteGeneric,
      SchemaCompiler,
      TypeProvider
    >,
  ): void
  <parseAs extends string | Buffer>(
    contentType: string | string[] | RegExp,
    options: { parseAs: parseAs extends Buffer ? 'buffer' : 'string'; bodyLimit?: number },
    parser: FastifyBodyParser<
      parseAs,
      RawServer,
      RawRequest,
      RouteGeneric,
      SchemaCompiler,
      TypeProvider
    >,
  ): void
}

/** The treatment of a JSON key that would change a prototype. */
export type ProtoAction = 'error' | 'remove' | 'ignore'
export type ConstructorAction = 'error' | 'remove' | 'ignore'

export type hasContentTypeParser = (contentType: string | RegExp) => boolean
export type getDefaultJsonParser = (
  onProtoPoisoning: ProtoAction,
  onConstructorPoisoning: ConstructorAction,
) => FastifyBodyParser<string>
export type removeContentTypeParser = (contentType: string | RegExp | (string | RegExp)[]) => void
export type removeAllContentTypeParsers = () => void
