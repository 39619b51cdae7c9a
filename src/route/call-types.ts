// What a call of a route takes, by the parts of its request.
import type { RouteInput } from '../http/route-call.ts'
import type { SeenRoute } from '../plugin/seen-route.ts'
import type {
  HeaderPart,
  PathPart,
  ScalarParams,
  TextHeaders,
  TextPart,
} from '../schema/infer/in-url.ts'
import type { HasBody, HasResponse } from '../types/has-part.ts'
import type { StandardMark } from '../schema/infer/marks.ts'
import type { HasMediaTypes, MediaPart, Part, QueryOf } from '../schema/infer/part.ts'
import type { Sealed, CheckResult } from '../types/checks.ts'
import type { NameIn, OtherParam, ParamName, PathParams } from './path.ts'
import type { Routed, RouteKey, RouteOf } from './route-entry.ts'
import type { BodilessMethod } from './route-schema.ts'
import type { Kind } from '@sinclair/typebox'
import type { AnyFormData, FetchBody, SentAsIs } from '../types/fetch-body.ts'
import type { EntryPayload, OwnCodes } from '../typed/payload.ts'
import type { Sender } from '../typed/sent.ts'
import type { Json } from '../types/json.ts'

/** What a client sends to a route; parts that may be empty may be left out.
 *  @example type In = InputOf<App, 'GET /users/:id'> // { params: { id: number } } */
export type InputOf<App extends Routed, Key extends RouteKey<App>> = EntryInput<
  RouteOf<App, Key>,
  Key
>

/** The same of one route, by its entry. */
export type EntryInput<Entry, Key> =
  Entry extends SeenRoute<infer Schema, infer Schemas, infer _Result>
    ? SchemaInput<Schema, Schemas, Key & string>
    : never

/** Schemas are arguments here and below: what is inferred in place is instantiated anew by each step of the walk. */
type SchemaInput<Schema, Schemas, Key extends string> = Simplify<Parts<Schema, Schemas, Key>>

/** A condition around the whole, with one for the body in it: an intersection of conditions the compiler would ask for its
 *  properties while nothing is known of the schema. */
type Parts<Schema, Schemas, Key extends string> = Schema extends HasBody
  ? ParamsInput<Schema, Schemas, Key> &
      Query<QueryOf<Schema>, Schemas> &
      HeadersInput<Schema, Schemas> &
      BodyInput<Schema['body'], Schemas>
  : ParamsInput<Schema, Schemas, Key> &
      Query<QueryOf<Schema>, Schemas> &
      HeadersInput<Schema, Schemas> &
      FreeBody<Key>

/** What no schema describes may be anything, where there is a body at all. */
type FreeBody<Key> = Key extends `${BodilessMethod} ${string}` ? {} : Pick<RouteInput, 'body'>

/** A Standard Schema gets the text as it comes: nothing makes numbers or lists of it. */
type AsQuery<Schema, Input> = Schema extends StandardMark ? Input : TextPart<Input>

type AsParams<Schema, Input> = Schema extends StandardMark ? ScalarParams<Input> : PathPart<Input>

type HeadersInput<Schema, Schemas> = Schema extends { readonly headers: infer Headers }
  ? MayBeEmpty<'headers', HeaderPart<AsHeaders<Headers, Part<Headers, Schemas, 'in'>>>>
  : FreeHeaders

type AsHeaders<Schema, Input> = Schema extends StandardMark ? Input : TextHeaders<Input>

/** Any request may have headers that no schema names. */
type FreeHeaders = Pick<RouteInput, 'headers'>

type Query<Schema, Schemas> = [Schema] extends [never]
  ? {}
  : MayBeEmpty<'query', AsQuery<Schema, Part<Schema, Schemas, 'in'>>>

/** A part that may be left out, or be undefined, which calls leave out. */
type MayBeEmpty<Name extends string, Input> = {} extends Input
  ? { [Key in Name]?: Input | undefined }
  : undefined extends Input
    ? { [Key in Name]?: Input | undefined }
    : { [Key in Name]: Input }

/** Of a key it is asked as of a path: a method has no colon. */
type ParamsInput<Schema, Schemas, Key extends string> = Schema extends {
  readonly params: infer Params
}
  ? GivenParams<AsParams<Params, Part<Params, Schemas, 'in'>>, Key, Params, Schemas>
  : [ParamName<Key>] extends [never]
    ? {}
    : MayBeEmpty<'params', TextParams<Key>>

/** Most schemas require all parameters of their path by name. */
type GivenParams<Input, Path extends string, Params, Schemas, Name = NameIn<Path>> = [
  Name,
] extends [never]
  ? {}
  : CheckResult<Input> extends CheckResult<{ [Each in Name & string]: unknown }>
    ? MayBeEmpty<'params', Input>
    : MayBeEmpty<
        'params',
        NeededParams<Input, TextParams<Path, OtherParam<Params, Schemas, 'in'>>, Name>
      >

/** No URL can be made without a parameter that the path does not mark as optional, whatever a schema requires. Those that the
 *  schema does not name are text, or of the type that it says. */
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

// What a call sends as the body: of one schema, or of one for each media type.
export type BodyInput<Schema, Schemas> = Schema extends MediaTypes
  ? HasMediaTypes<Schema['content']> extends true
    ? ContentInput<Schema['content'], Schemas>
    : SentBody<Schema, Part<Schema, Schemas, 'call'>>
  : SentBody<Schema, Part<Schema, Schemas, 'call'>>

/** What may be a body of several types. A schema of TypeBox is none, though it says that it has any key. */
interface MediaTypes {
  readonly [Kind]?: never
  readonly content: unknown
}

/** One member for each media type, told apart by the header that says which it is; and one for no body where its schema is
 *  that of any type, or the only one. Of several others it is that of the first, which is not to be known in types. */
type ContentInput<Content, Schemas, Type = keyof Content> = Type extends keyof Content & string
  ? TypeInput<
      Essence<Type>,
      Essence<keyof Content>,
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

/** A media type without its parameters.
 *  @example type Text = Essence<'Text/Plain; charset=utf-8'> // 'text/plain' */
type Essence<Type> = Type extends `${infer Name};${string}`
  ? Lowercase<Name>
  : Lowercase<Type & string>

/** A call that names no type sends JSON, which another type takes only where it takes any. */
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

/** JSON is made of a value; a body of another type goes as it is given, and what its parser makes of that is not for types. */
type Wire<Name, Input> = Name extends JsonName
  ? Input
  : unknown extends Input
    ? Input
    : (Name extends '*/*' ? Input : never) | (Input extends Scalar ? Input : Raw<Name>)

type Raw<Name> =
  FetchBody | string | (Name extends 'multipart/form-data' | '*/*' ? AnyFormData : never)

type JsonName = 'application/json' | `${string}+json`

type Scalar = string | number | boolean | null | undefined

/** No body is null to ajv, and undefined to a Standard Schema; it never is an empty object. */
type SentBody<Schema, Input> = undefined extends Input
  ? { body?: Input | undefined }
  : null extends Input
    ? Schema extends StandardMark
      ? { body: Input }
      : { body?: Input | undefined }
    : { body: Input }

// What stands behind the key in a call.
/** The input as the rest of an argument list; of several keys at once, one that fits each of them.
 *  An unknown route gives an optional one, so that the mistake is reported at its key and not as a
 *  missing argument. */
export type InputArguments<Entry, Key, AnyKey, Unknown = [input?: unknown]> =
  true extends IsOne<Key>
    ? OneArgument<EntryInput<Entry, Key>, Entry>
    : SeveralArguments<Entry, Key, AnyKey, Unknown>

/** Decided here alone: would the arguments themselves be distributed over the keys, the compiler would look, at each
 *  argument of each call, through those of all routes for a `const` type parameter. No key, where there are no routes, is
 *  not one: `never` is asked for `true`, which is not in it. */
type IsOne<Key, All = Key> = Key extends unknown ? ([All] extends [Key] ? true : false) : never

type OneArgument<Input, Entry> = {} extends Input
  ? [input?: FreeIfNone<Input, Entry>]
  : [input: Input]

/** An unknown key stands for all keys at once. */
type SeveralArguments<Entry, Key, AnyKey, Unknown> = [AnyKey] extends [Key]
  ? Unknown
  : SharedArguments<InputOfEach<Entry, Key>>

type SharedArguments<Input> = {} extends Input ? [input?: Input] : [input: Input]

/** The intersection of the inputs of several routes. Each is asked with the paths of all, which adds
 *  nothing: to look it up by its own key takes all routes along, which every call would pay for. */
type InputOfEach<Entry, Key> = (
  Entry extends unknown
    ? Key extends unknown
      ? (input: EntryInput<Entry, Key>) => void
      : never
    : never
) extends (input: infer Inputs) => void
  ? Inputs
  : never

/** What is said of a call without the input that its route takes, by its key: a sentence for each part that may not be left out. */
export type MissingInput<
  Entry,
  Key extends string,
> = `Route '${Key}' takes an input with '${RequiredKey<EntryInput<Entry, Key>>}', which is missing`

type RequiredKey<Input> = {
  [Key in keyof Input & string]-?: {} extends Pick<Input, Key> ? never : Key
}[keyof Input & string]

/** Where no schema says what a route takes, its handler reads what was sent as it is. */
type FreeIfNone<Input, Entry> = [keyof Input] extends ['headers' | 'body']
  ? Entry extends { readonly schema: { readonly headers: unknown } | { readonly body: unknown } }
    ? Input
    : Omit<RouteInput, 'body'> & Input
  : Input

// What a call gives.
/** The response of a route with one status. */
export interface RouteResponse<Status, Payload> {
  readonly statusCode: Status
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
  /** The text of the body. */
  readonly body: string
  /** The parsed body; of a `text/…` type it is the text, and of another that does not say JSON, where it is none. */
  json(): Payload
}

/** What a client receives from a route: one member for each declared status.
 *  @example type Out = ResponseOf<App, 'GET /users/:id'> // RouteResponse<200, User> | … */
export type ResponseOf<App extends Routed, Key extends RouteKey<App>> = Key extends `HEAD ${string}`
  ? HeadResponse<EntryResponse<RouteOf<App, Key>>>
  : EntryResponse<RouteOf<App, Key>>

/** The same of one route, by its entry. Not what the former stands for: of an alias of another, declaration files forget the
 *  name. */
export type KeyResponse<Entry, Key> = Key extends `HEAD ${string}`
  ? HeadResponse<EntryResponse<Entry>>
  : EntryResponse<Entry>

/** To HEAD nothing is sent but a head (RFC 9110, 9.3.2): JSON is null then, and text empty. */
type HeadResponse<Each> =
  Each extends RouteResponse<infer Status, unknown> ? RouteResponse<Status, null | ''> : never

/** What a route gives, whatever its method. It is inferred of itself (`Each`), so that nothing is inferred into it: where a call is
 *  expected to give what has `json()`, the compiler would look for the call's key in every branch of the walk over schemas. */
export type EntryResponse<Entry> =
  Entry extends SeenRoute<infer Schema, infer Schemas, infer Result>
    ? Schema extends HasResponse
      ? {
          [Code in keyof Schema['response']]: RouteResponse<
            OwnCodes<Code, keyof Schema['response']>,
            EntryPayload<Schema['response'][Code], Schemas, 'json'>
          >
        } extends infer Each
        ? Each[keyof Each]
        : never
      : RouteResponse<number, Sealed<Entry, SentPayload<Result>>>
    : never

/** A handler that sends by hand, be it now and then, says nothing of what it sends. Bytes and streams are no JSON. */
type SentPayload<Result> = [Awaited<Result>] extends [never]
  ? unknown
  : [Extract<Awaited<Result>, Sender | void | SentAsIs>] extends [never]
    ? Json<Awaited<Result>>
    : unknown
