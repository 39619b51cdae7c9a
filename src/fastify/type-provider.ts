import type { CodeToReplyKey, HttpKeys, RecordKeysToLowercase, ReplyKeysToCodes } from './raw.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'

/** Infers the types of a schema: `schema` is its input, the other members are its results. */
export interface FastifyTypeProvider {
  readonly schema: unknown
  readonly validator: unknown
  readonly serializer: unknown
}

/** The provider that infers nothing. */
export interface FastifyTypeProviderDefault extends FastifyTypeProvider {}

/** The type of a value that a schema has validated. */
export type CallValidatorTypeProvider<Provider extends FastifyTypeProvider, Schema> = (Provider & {
  schema: Schema
})['validator']

/** The type of a value that a schema serializes. */
export type CallSerializerTypeProvider<Provider extends FastifyTypeProvider, Schema> = (Provider & {
  schema: Schema
})['serializer']

/** A promise that linters do not expect to be awaited. */
export type SafePromiseLike<T> = PromiseLike<T> & { __linterBrands: 'SafePromiseLike' }

/** The parts of a request. */
export interface FastifyRequestType<
  Params = unknown,
  Querystring = unknown,
  Headers = unknown,
  Body = unknown,
> {
  params: Params
  query: Querystring
  headers: Headers
  body: Body
}

/** The parts of a route's requests: from the generic type of the route if it has the part, else
 *  from its schemas. */
export interface ResolveFastifyRequestType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> extends FastifyRequestType {
  params: DeclaredOr<RouteGeneric['Params'], Validated<TypeProvider, SchemaCompiler['params']>>
  query: DeclaredOr<
    RouteGeneric['Querystring'],
    Validated<TypeProvider, SchemaCompiler['querystring']>
  >
  headers: RecordKeysToLowercase<
    DeclaredOr<RouteGeneric['Headers'], Validated<TypeProvider, SchemaCompiler['headers']>>
  >
  body: DeclaredOr<RouteGeneric['Body'], Validated<TypeProvider, SchemaCompiler['body']>>
}

type Validated<TypeProvider extends FastifyTypeProvider, Schema> = CallValidatorTypeProvider<
  TypeProvider,
  Schema
>

/** A type, or `Else` if it has no keys. */
type DeclaredOr<Type, Else> = Known<[KeysOf<Type>] extends [never] ? Else : Type>

/** The keys of all members of a union. */
type KeysOf<Type> = Type extends unknown ? keyof Type : never

type Known<Type> = [Type] extends [undefined] ? unknown : Type

/** Any payload of a reply. */
export type FastifyReplyType<Reply = unknown> = Reply

/** The payloads of a route: from its generic type if that has `Reply`, else from its schemas. */
export type ResolveFastifyReplyType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> = DeclaredOr<RouteGeneric['Reply'], ReplyOf<TypeProvider, SchemaCompiler['response']>>

type ReplyOf<TypeProvider extends FastifyTypeProvider, Responses> = ValueOf<{
  [Status in keyof Responses]: EntryOf<TypeProvider, Responses[Status]>
}>

/** The payload of one entry of `response`: a schema, or a schema for each media type. */
type EntryOf<TypeProvider extends FastifyTypeProvider, Entry> = Entry extends {
  content: infer Content
}
  ? ValueOf<{
      [Type in keyof Content]: Content[Type] extends { schema: infer Schema }
        ? CallSerializerTypeProvider<TypeProvider, Schema>
        : unknown
    }>
  : CallSerializerTypeProvider<TypeProvider, Entry>

/** The values of all keys. `infer` defers it for schemas that are not known yet: their values would
 *  be compared, which costs 1.3 million instantiations with the types of TypeBox 1. */
type ValueOf<Values> = Values extends infer Known ? Known[keyof Known] : never

/** The type that a handler returns. */
export type ResolveFastifyReplyReturnType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> =
  ResolveFastifyReplyType<TypeProvider, SchemaCompiler, RouteGeneric> extends infer Payload
    ? RouteGeneric['Reply'] extends Payload
      ? Returned<ReplyOfGeneric<RouteGeneric>>
      : Returned<Payload>
    : unknown

type Returned<Payload> = Payload | void | Promise<Payload | void>

/** The payloads of `Reply`, which is one type or has one for each status. */
type ReplyOfGeneric<RouteGeneric extends RouteGenericInterface> = RouteGeneric extends {
  Reply: infer Reply
}
  ? keyof Reply extends HttpKeys
    ? Reply[keyof Reply] | Reply
    : Reply
  : unknown

/** The arguments of `send`. The payload is optional if its type is unknown or undefined. */
export type SendArgs<ReplyType> = unknown extends ReplyType
  ? [payload?: ReplyType]
  : [ReplyType] extends [undefined | void]
    ? [payload?: ReplyType]
    : [payload: ReplyType]

/** The statuses of a route: those of its schemas if `Reply` has them too, else those of `Reply`.
 *  Any number if there are none. */
export type Statuses<Reply, Responses> = keyof Responses extends never
  ? ReplyKeysToCodes<keyof Reply>
  : keyof Responses extends ReplyKeysToCodes<keyof Reply>
    ? keyof Responses
    : ReplyKeysToCodes<keyof Reply>

/** The payload of one status: its entry in `Reply`, or `Reply` if that has no statuses as keys. */
type ReplyOfStatus<Reply, Code> = Reply extends Partial<Record<HttpKeys, unknown>> &
  Record<Exclude<keyof Reply, HttpKeys>, never>
  ? Code extends keyof Reply
    ? Reply[Code]
    : Code extends number
      ? CodeToReplyKey<Code> extends keyof Reply
        ? Reply[CodeToReplyKey<Code>]
        : unknown
      : unknown
  : Reply

/** The payload of one status. */
export type ResolveReplyTypeWithRouteGeneric<
  RouteGenericReply,
  Code,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = Code extends keyof SchemaCompiler['response']
  ? CallSerializerTypeProvider<TypeProvider, SchemaCompiler['response'][Code]>
  : ResolveFastifyReplyType<
      TypeProvider,
      SchemaCompiler,
      { Reply: ReplyOfStatus<RouteGenericReply, Code> }
    >
