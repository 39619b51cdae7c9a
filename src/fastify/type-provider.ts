import type { CodeToReplyKey, HttpKeys, RecordKeysToLowercase, ReplyKeysToCodes } from './raw.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'

/** Gives a schema its types: `schema` is filled in, and the others are read. */
export interface FastifyTypeProvider {
  readonly schema: unknown
  readonly validator: unknown
  readonly serializer: unknown
}

/** The provider that knows nothing of schemas. */
export interface FastifyTypeProviderDefault extends FastifyTypeProvider {}

/** The type of what is accepted by a schema. */
export type CallValidatorTypeProvider<Provider extends FastifyTypeProvider, Schema> = (Provider & {
  schema: Schema
})['validator']

/** The type of what a schema lets out. */
export type CallSerializerTypeProvider<Provider extends FastifyTypeProvider, Schema> = (Provider & {
  schema: Schema
})['serializer']

/** A promise that linters need not see awaited. */
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

/** The parts of a route's requests: those that the route's type says, else those that the provider
 *  reads from its schemas. */
export interface ResolveFastifyRequestType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> extends FastifyRequestType {
  params: Said<RouteGeneric['Params'], Validated<TypeProvider, SchemaCompiler['params']>>
  query: Said<RouteGeneric['Querystring'], Validated<TypeProvider, SchemaCompiler['querystring']>>
  headers: RecordKeysToLowercase<
    Said<RouteGeneric['Headers'], Validated<TypeProvider, SchemaCompiler['headers']>>
  >
  body: Said<RouteGeneric['Body'], Validated<TypeProvider, SchemaCompiler['body']>>
}

type Validated<TypeProvider extends FastifyTypeProvider, Schema> = CallValidatorTypeProvider<
  TypeProvider,
  Schema
>

/** A type that was said, or else another. One without any keys says nothing. */
type Said<Type, Else> = Known<[KeysOf<Type>] extends [never] ? Else : Type>

/** The keys of all members of a union. */
type KeysOf<Type> = Type extends unknown ? keyof Type : never

type Known<Type> = [Type] extends [undefined] ? unknown : Type

/** Any payload of a reply. */
export type FastifyReplyType<Reply = unknown> = Reply

/** The payloads of a route: those that its type says, else those of all its response schemas. */
export type ResolveFastifyReplyType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> = Said<RouteGeneric['Reply'], ReplyOf<TypeProvider, SchemaCompiler['response']>>

type ReplyOf<TypeProvider extends FastifyTypeProvider, Responses> = ValueOf<{
  [Status in keyof Responses]: EntryOf<TypeProvider, Responses[Status]>
}>

/** One entry of `response`: a schema, or several by media type. */
type EntryOf<TypeProvider extends FastifyTypeProvider, Entry> = Entry extends {
  content: infer Content
}
  ? ValueOf<{
      [Type in keyof Content]: Content[Type] extends { schema: infer Schema }
        ? CallSerializerTypeProvider<TypeProvider, Schema>
        : unknown
    }>
  : CallSerializerTypeProvider<TypeProvider, Entry>

type ValueOf<Values> = Values[keyof Values]

/** What a handler may return. */
export type ResolveFastifyReplyReturnType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> =
  ResolveFastifyReplyType<TypeProvider, SchemaCompiler, RouteGeneric> extends infer Payload
    ? RouteGeneric['Reply'] extends Payload
      ? Returned<SaidReply<RouteGeneric>>
      : Returned<Payload>
    : unknown

type Returned<Payload> = Payload | void | Promise<Payload | void>

/** The payloads of `Reply`, which may be one, or several by status. */
type SaidReply<RouteGeneric extends RouteGenericInterface> = RouteGeneric extends {
  Reply: infer Reply
}
  ? keyof Reply extends HttpKeys
    ? Reply[keyof Reply] | Reply
    : Reply
  : unknown

/** The arguments of `send`: a payload, which may be left out where nothing says what it is. */
export type SendArgs<ReplyType> = unknown extends ReplyType
  ? [payload?: ReplyType]
  : [ReplyType] extends [undefined | void]
    ? [payload?: ReplyType]
    : [payload: ReplyType]

/** The statuses that a route can choose: those of its schemas, where those are among what its type
 *  says; any where nothing is said. */
export type Statuses<Reply, Responses> = keyof Responses extends never
  ? ReplyKeysToCodes<keyof Reply>
  : keyof Responses extends ReplyKeysToCodes<keyof Reply>
    ? keyof Responses
    : ReplyKeysToCodes<keyof Reply>

/** The payload of one status, where `Reply` names several, else all of it. */
type SaidOf<Reply, Code> = Reply extends Partial<Record<HttpKeys, unknown>> &
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
      { Reply: SaidOf<RouteGenericReply, Code> }
    >
