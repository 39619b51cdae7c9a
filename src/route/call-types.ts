// The input and the response of a call of a route.
import type { RouteInput } from '../http/route-call.ts'
import type { EmittedRoute, SeenRoute } from '../plugin/seen-route.ts'
import type {
  HeaderPart,
  PathPart,
  ScalarParams,
  TextHeaders,
  TextPart,
} from '../schema/infer/in-url.ts'
import type {
  HasBody,
  HasHeaders,
  HasParams,
  HasQuery,
  HasQuerystring,
  HasResponse,
} from '../types/has-part.ts'
import type { StandardMark } from '../schema/infer/marks.ts'
import type { HasMediaTypes, MediaPart, Part, QueryOf } from '../schema/infer/part.ts'
import type { ScopeResponses, WithScope } from '../context/ctx.ts'
import type { Sealed, CheckResult } from '../types/checks.ts'
import type { EmittedInput, EmittedResponse } from './emitted-route.ts'
import type { NameIn, OtherParam, ParamName, PathParams } from './path.ts'
import type {
  AnyOrigin,
  BadRequest,
  BytesResponse,
  EmptyResponse,
  EventsBody,
  Fetched,
  FormBody,
  LinesBody,
  RouteResponse,
  SuccessStatus,
} from './response-types.ts'
import type { Routed, RouteKey, RouteOf } from './route-entry.ts'
import type { BodilessMethod } from './route-schema.ts'
import type { Kind } from '@sinclair/typebox'
import type { AnyFormData, FetchBody, SentAsIs } from '../types/fetch-body.ts'
import type { EntryFor, EntryPayload, EssenceOf, IsBare, OwnCodes } from '../typed/payload.ts'
import type { Sender, Sent } from '../typed/sent.ts'
import type { Json } from '../types/json.ts'

/** The input that a client sends to a route. Parts that may be empty are optional.
 *  @example type In = InputOf<App, 'GET /users/:id'> // { params: { id: number } } */
export type InputOf<App extends Routed, Key extends RouteKey<App>> = EntryInput<
  RouteOf<App, Key>,
  Key
>

export type EntryInput<Entry, Key> =
  Entry extends SeenRoute<infer Schema, infer Schemas, infer _Result>
    ? SchemaInput<Schema, Schemas, Key & string>
    : Entry extends { readonly request: infer Request; readonly responses: unknown }
      ? EmittedInput<Request, Key>
      : never

/** The schemas are type arguments here and below: types that are inferred in place are instantiated
 *  again in each step. */
type SchemaInput<Schema, Schemas, Key extends string> = Simplify<Parts<Schema, Schemas, Key>>

/** One condition contains the whole. The compiler would resolve the properties of an intersection
 *  of conditions before it knows the schema. */
type Parts<Schema, Schemas, Key extends string> = Schema extends HasBody
  ? ParamsInput<Schema, Schemas, Key> &
      Query<QueryOf<Schema>, Schemas> &
      HeadersInput<Schema, Schemas> &
      BodyInput<Schema['body'], Schemas>
  : ParamsInput<Schema, Schemas, Key> &
      Query<QueryOf<Schema>, Schemas> &
      HeadersInput<Schema, Schemas> &
      FreeBody<Key>

/** Without a schema, a body may be anything, if the method has a body. */
type FreeBody<Key> = Key extends `${BodilessMethod} ${string}` ? {} : Pick<RouteInput, 'body'>

/** A Standard Schema receives strings unchanged: nothing coerces them to numbers or lists. */
type AsQuery<Schema, Input> = Schema extends StandardMark ? Input : TextPart<Input>

type AsParams<Schema, Input> = Schema extends StandardMark ? ScalarParams<Input> : PathPart<Input>

type HeadersInput<Schema, Schemas> = Schema extends { readonly headers: infer Headers }
  ? MayBeEmpty<'headers', HeaderPart<AsHeaders<Headers, Part<Headers, Schemas, 'in'>>>>
  : FreeHeaders

type AsHeaders<Schema, Input> = Schema extends StandardMark ? Input : TextHeaders<Input>

type FreeHeaders = Pick<RouteInput, 'headers'>

type Query<Schema, Schemas> = [Schema] extends [never]
  ? {}
  : MayBeEmpty<'query', AsQuery<Schema, Part<Schema, Schemas, 'in'>>>

/** A part that is optional if it may be empty or undefined. */
type MayBeEmpty<Name extends string, Input> = {} extends Input
  ? { [Key in Name]?: Input | undefined }
  : undefined extends Input
    ? { [Key in Name]?: Input | undefined }
    : { [Key in Name]: Input }

/** The key is read like a path, since methods contain no colon. */
type ParamsInput<Schema, Schemas, Key extends string> = Schema extends {
  readonly params: infer Params
}
  ? GivenParams<AsParams<Params, Part<Params, Schemas, 'in'>>, Key, Params, Schemas>
  : [ParamName<Key>] extends [never]
    ? {}
    : MayBeEmpty<'params', TextParams<Key>>

/** The first comparison is enough for most schemas: they require all parameters of their path by
 *  name. */
type GivenParams<Input, Path extends string, Params, Schemas, Name = NameIn<Path>> = [
  Name,
] extends [never]
  ? {}
  : CheckResult<Input> extends CheckResult<{ [Each in Name & string]: unknown }>
    ? { params: Input }
    : MayBeEmpty<
        'params',
        NeededParams<Input, TextParams<Path, OtherParam<Params, Schemas, 'in'>>, Name>
      >

/** The parameters that the path does not mark as optional are required, since no URL can be made
 *  without them. A parameter that the schema does not name is a string, or has the type of
 *  `additionalProperties`. */
type NeededParams<Input, Texts, Name> = Input extends unknown
  ? {
      [Each in keyof (Input & { [Name in keyof Texts]: unknown })]: Each extends keyof Input
        ? Each extends Name
          ? Exclude<Input[Each], undefined>
          : Input[Each]
        : Texts[Each & keyof Texts]
    }
  : never

type TextParams<Path extends string, Other = string> = PathPart<{
  [Name in keyof PathParams<Path>]: Other | (string extends Other ? number : never)
}>

/** Shows an intersection of objects as one object.
 *  @example type Point = Simplify<{ x: number } & { y: number }> // { x: number; y: number } */
type Simplify<Type> = { [Key in keyof Type]: Type[Key] }

/** The body of a call: of one schema, or of one schema for each media type. */
type BodyInput<Schema, Schemas> = Schema extends MediaTypes
  ? HasMediaTypes<Schema['content']> extends true
    ? ContentInput<Schema['content'], Schemas>
    : SentBody<Schema, Part<Schema, Schemas, 'call'>>
  : SentBody<Schema, Part<Schema, Schemas, 'call'>>

/** A body that may have several media types. A TypeBox schema has none, though its index signature
 *  allows the key. */
interface MediaTypes {
  readonly [Kind]?: never
  readonly content: unknown
}

/** One member for each media type, distinguished by the content-type header. A further member has
 *  no body if the schema for any type, or the only schema, allows that. Of several others the
 *  first decides at run time, but types do not know which is first. */
type ContentInput<Content, Schemas, Type = keyof Content> = Type extends keyof Content & string
  ? TypeInput<
      EssenceOf<Type>,
      EssenceOf<keyof Content>,
      Type,
      SentBody<SchemaOf<Content[Type]>, MediaPart<Content[Type], Schemas, 'call'>>
    >
  : never

type TypeInput<Name, Known, Type, Sent extends { body?: unknown }> = [Known] extends [
  'application/json',
]
  ? Sent
  : | (TypeHeader<Name, Known, Type> & { body: Wire<Name, Exclude<Sent['body'], undefined>> })
    | ([Known] extends [Name] ? NoBody<Sent> : Name extends '*/*' ? NoBody<Sent> : never)

type NoBody<Sent> = {} extends Sent ? { body?: undefined } : never

type SchemaOf<Media> = Media extends { readonly schema: infer Schema } ? Schema : unknown

/** A call without a content-type sends JSON. Another schema accepts JSON only if it is the
 *  one for any type. */
type TypeHeader<Name, Known, Type> = Name extends 'application/json'
  ? { headers?: MayBeTyped<Spelled<Name, Type>> | undefined }
  : Name extends '*/*'
    ? 'application/json' extends Known
      ? { headers: ContentType<string> }
      : {}
    : { headers: ContentType<Spelled<Name, Type>> }

interface MayBeTyped<Type> {
  readonly 'content-type'?: Type | undefined
  readonly 'Content-Type'?: Type | undefined
}

type ContentType<Type> = { readonly 'content-type': Type } | { readonly 'Content-Type': Type }

type Spelled<Name, Type> = Name | Type | `${Name & string};${string}`

/** JSON is made from a value, and so is a form. A body of another type is sent unchanged, and the
 *  result of its parser has no type. */
type Wire<Name, Input> = Name extends JsonName
  ? Input
  : unknown extends Input
    ? Input
    : | (Name extends 'multipart/form-data' | '*/*' ? Input : never)
      | (Input extends Scalar ? Input : Raw<Name>)

type Raw<Name> =
  FetchBody | string | (Name extends 'multipart/form-data' | '*/*' ? AnyFormData : never)

type JsonName = 'application/json' | `${string}+json`

type Scalar = string | number | boolean | null | undefined

/** An absent body is null for ajv, and undefined for a Standard Schema. It is never an empty
 *  object. */
type SentBody<Schema, Input> = undefined extends Input
  ? { body?: Input | undefined }
  : null extends Input
    ? Schema extends StandardMark
      ? { body: Input }
      : { body?: Input | undefined }
    : { body: Input }

/** The input as the rest of an argument list. Several keys at once need an input that fits all of
 *  them. For an unknown route the input is optional, so that the error is reported at the key and
 *  not as a missing argument. */
export type InputArguments<Entry, Key, AnyKey, Unknown = [input?: unknown]> =
  true extends IsOne<Key>
    ? InputArgument<FreeIfNone<EntryInput<Entry, Key>, Entry>>
    : SeveralArguments<Entry, Key, AnyKey, Unknown>

/** Only this type is distributed over the keys. If the arguments were, the compiler would look
 *  through the arguments of all routes for a `const` type parameter, for each argument of each
 *  call. It is never if there are no routes. */
type IsOne<Key, All = Key> = Key extends unknown ? ([All] extends [Key] ? true : false) : never

/** An unknown key is inferred as the union of all keys. */
type SeveralArguments<Entry, Key, AnyKey, Unknown> = [AnyKey] extends [Key]
  ? Unknown
  : InputArgument<InputOfEach<Entry, Key>>

type InputArgument<Input> = {} extends Input ? [input?: Input] : [input: Input]

/** The intersection of the inputs of several routes. Each entry is combined with all keys, which
 *  adds nothing to the result. To find the own key of each entry would need all routes as a type
 *  argument, in every call. */
type InputOfEach<Entry, Key> = (
  Entry extends unknown
    ? Key extends unknown
      ? (input: EntryInput<Entry, Key>) => void
      : never
    : never
) extends (input: infer Inputs) => void
  ? Inputs
  : never

/** The error message for a call without a required input. It is a union with a member for each
 *  required part. */
export type MissingInput<
  Entry,
  Key extends string,
> = `Route '${Key}' takes an input with '${RequiredKey<EntryInput<Entry, Key>>}', which is missing`

type RequiredKey<Input> = {
  [Key in keyof Input & string]-?: {} extends Pick<Input, Key> ? never : Key
}[keyof Input & string]

/** Without a schema, a handler receives the body as it was sent, so a call may send anything. */
type FreeIfNone<Input, Entry> = [keyof Input] extends ['headers' | 'body']
  ? Entry extends
      { readonly schema: { readonly headers: unknown } | { readonly body: unknown } } | EmittedRoute
    ? Input
    : Omit<RouteInput, 'body'> & Input
  : Input

/** The response of a route, with a member for each declared status. A route that declares none has
 *  a member for its successes, and one for status 400 if it validates a part of the request.
 *  @example type Out = ResponseOf<App, 'GET /users/:id'> // RouteResponse<200, User> | … */
export type ResponseOf<App extends Routed, Key extends RouteKey<App>> = Key extends `HEAD ${string}`
  ? HeadResponse<EntryResponse<RouteOf<App, Key>>, Fetched>
  : EntryResponse<RouteOf<App, Key>>

/** The response of one route, by its entry, as `inject` gives it. `ResponseOf` is no alias of it,
 *  since declaration files do not keep the name of an alias of another alias. */
export type KeyResponse<Entry, Key, Origin extends AnyOrigin> = Key extends `HEAD ${string}`
  ? HeadResponse<EntryResponse<Entry, Origin, number>, Origin>
  : EntryResponse<Entry, Origin, number>

/** A response to HEAD has no body (RFC 9110, 9.3.2): it is null as JSON, and an empty string as
 *  text. */
type HeadResponse<Each, Origin extends AnyOrigin> = Each extends {
  readonly statusCode: infer Status
}
  ? RouteResponse<Status, null | '', Origin>
  : never

/** The response of a route, for any method. It is inferred from itself (`Each`), so that the
 *  compiler does not infer into it. If a result with `json()` is expected of a call, the compiler
 *  would look for the call's key in every branch of the walk over schemas.
 *  @template Free the statuses of a route that declares none */
export type EntryResponse<Entry, Origin extends AnyOrigin = Fetched, Free = SuccessStatus> =
  Entry extends SeenRoute<infer Schema, infer Schemas, infer Result>
    ? Schema extends HasResponse
      ? EachResponse<WithScope<Schema['response'], Schemas>, Schemas, Origin>
      : | RouteResponse<Free, Sealed<Entry, SentPayload<Result>>, Origin>
        | (Schemas extends ScopeResponses<infer Scope>
            ? | EachResponse<Scope, Schemas, Origin>
              | Refused<Schema, EntryFor<Scope, 400, {}>, Origin>
            : Refused<Schema, never, Origin>)
    : Entry extends { readonly request: unknown; readonly responses: infer Responses }
      ? EmittedResponse<Responses, Origin>
      : never

type EachResponse<Responses, Schemas, Origin extends AnyOrigin> = {
  [Code in keyof Responses]: Code extends Bodyless
    ? EmptyResponse<OwnCodes<Code, never>, Origin>
    : Responses[Code] extends MediaTypes | Described
      ? SpecialResponse<OwnCodes<Code, keyof Responses>, Responses[Code], Schemas, Origin>
      : RouteResponse<
          OwnCodes<Code, keyof Responses>,
          EntryPayload<Responses[Code], Schemas, 'json'>,
          Origin
        >
} extends infer Each
  ? Each[keyof Each]
  : never

/** The statuses without content (RFC 9110, 15). */
type Bodyless = Status | `${Status}`
type Status = 204 | 205 | 304

/** An entry that may be one without a payload. */
type Described = { readonly headers: unknown } | { readonly description: unknown }

/** The framework's answer to a request that is not valid, of a route that validates a part. The
 *  calls of `inject` know what they send.
 *  @template Declared the entry of status 400; never if there is none */
type Refused<Schema, Declared, Origin extends AnyOrigin> = Origin extends Fetched
  ? [Declared] extends [never]
    ? Schema extends HasParams | HasQuerystring | HasQuery | HasHeaders | HasBody
      ? RouteResponse<400, BadRequest, Origin>
      : never
    : never
  : never

/** The response of an entry with `content`, or without a payload. */
type SpecialResponse<Codes, Entry, Schemas, Origin extends AnyOrigin> =
  IsBare<Entry> extends true
    ? EmptyResponse<Codes, Origin>
    : Entry extends MediaTypes
      ? HasMediaTypes<Entry['content']> extends true
        ? ContentResponse<Codes, Entry['content'], Schemas, Origin>
        : RouteResponse<Codes, EntryPayload<Entry, Schemas, 'json'>, Origin>
      : RouteResponse<Codes, EntryPayload<Entry, Schemas, 'json'>, Origin>

/** The response of an entry with `content`. Its members are those of all media types, as the type
 *  of the body is known at run time only. */
type ContentResponse<
  Codes,
  Content,
  Schemas,
  Origin extends AnyOrigin,
  Types = EssenceOf<keyof Content>,
> = ([Types] extends [BytesType]
  ? BytesResponse<Codes, Origin>
  : RouteResponse<Codes, EntryPayload<ReadContent<Content>, Schemas, 'json'>, Origin>) &
  ([Extract<Types, FormType>] extends [never] ? unknown : FormBody) &
  ItemsBody<Extract<Content[keyof Content], WithItems>, Schemas, Types>

interface WithItems {
  readonly itemSchema: unknown
}

/** An entry with the payload of those types that are read before a call ends. */
interface ReadContent<Content> {
  readonly content: {
    readonly [
      Type in keyof Content as EssenceOf<Type> extends BytesType ? never : Type
    ]: Content[Type]
  }
}

/** The types of bodies that a call does not read, as `isBytesType` decides at run time. */
type BytesType =
  | `${'image' | 'audio' | 'video' | 'font' | 'multipart'}/${string}`
  | `application/${'octet-stream' | 'pdf' | 'zip' | 'gzip'}`
  | ItemsType
type ItemsType = 'text/event-stream' | `application/${'jsonl' | 'x-ndjson' | 'json-seq'}`
type FormType = 'multipart/form-data' | 'application/x-www-form-urlencoded'

/** The members for the items of a body. */
type ItemsBody<Media, Schemas, Types> = [Media] extends [never]
  ? unknown
  : 'text/event-stream' extends Types
    ? EventsBody<ItemOf<Media, Schemas>>
    : LinesBody<ItemOf<Media, Schemas>>

type ItemOf<Media, Schemas> = Media extends { readonly itemSchema: infer Item }
  ? Part<Item, Schemas, 'json'>
  : never

/** The payload of the successes of a route without response schemas. It is unknown if the handler
 *  may send what types do not know, and for bytes and streams, which are no JSON. */
type SentPayload<Result> = [EachPayload<Awaited<Result>>] extends [never]
  ? unknown
  : EachPayload<Awaited<Result>>

type EachPayload<Value> = Value extends Sender
  ? Value extends Sent<infer Payload>
    ? EachJson<Payload>
    : unknown
  : EachJson<Value>

type EachJson<Value> = Value extends void | SentAsIs ? unknown : Json<Value>
