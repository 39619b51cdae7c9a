import type { Kind } from '@sinclair/typebox'
import type { AnyCtx, HasCtx } from '../context/ctx.ts'
import type { EntryPayload, OwnCodes } from '../exchange/payload.ts'
import type { Sender } from '../exchange/reply/sent.ts'
import type { RouteInput } from '../http/route-call.ts'
import type { Route, RouteFacts, Seen } from '../plugin/seen-route.ts'
import type { StandardMark } from '../schema/infer/marks.ts'
import type { HasMediaTypes, MediaPart, Part, PartOf, QueryOf } from '../schema/infer/part.ts'
import type { Json } from '../types/json.ts'
import type { Simplify } from '../types/simplify.ts'
import type { HeaderPart, InUrl, TextHeaders, TextPart } from '../schema/infer/in-url.ts'
import type { ParamName, PathParams } from './path.ts'

/** What a route adds to the routes of a server, unresolved until `inject` or a client asks for it. Its
 *  path is that of its key, which a prefix changes without the route being instantiated. An alias whose
 *  arguments are all final: a mapped type written in place would keep the method's own parameters as
 *  hidden arguments, and each later step of a chain would instantiate those of every earlier route. */
export type RouteEntry<Key extends string, Schema, Result> = {
  [Name in Key]: Route<Schema, Result>
}

/** The result of a handler, kept only where no response schema says more of it. */
export type KeptResult<Schema, Result, OptionResult = never> = Schema extends {
  readonly response: unknown
}
  ? unknown
  : unknown extends Result
    ? OptionResult
    : Result

/** The keys of the routes of a server. */
export type RouteKey<App extends Routed> = keyof App['~context']['routes'] & string

/** Any server, as far as a client reads its type. */
export type Routed = HasCtx<AnyCtx, unknown>

/** One route of a server. */
export type RouteOf<App extends Routed, Key extends RouteKey<App>> = Seen<
  App['~context']['routes'][Key],
  SchemasOf<App>
>

/** The shared schemas of a server. */
export type SchemasOf<App extends Routed> = App['~context']['context']['schemas']

/** What a client sends to a route; parts that may be empty may be left out.
 *  @example type In = InputOf<App, 'GET /users/:id'> // { params: { id: number } } */
export type InputOf<App extends Routed, Key extends RouteKey<App>> = EntryInput<
  RouteOf<App, Key>,
  Key
>

type EntryInput<Entry, Key> =
  Entry extends RouteFacts<unknown, unknown, unknown>
    ? SchemaInput<Entry['schema'], Entry['schemas'], PathOf<Key>>
    : never

/** Schemas are arguments here and below: what is inferred in place is instantiated anew by each step of the walk. */
type SchemaInput<Schema, Schemas, Path extends string> = Simplify<
  ParamsInput<Schema, Schemas, Path> &
    Query<QueryOf<Schema>, Schemas> &
    HeadersInput<Schema, Schemas> &
    BodyInput<PartOf<Schema, 'body'>, Schemas>
>

type PathOf<Key> = Key extends `${string} ${infer Path}` ? Path : ''

/** A Standard Schema gets the text as it comes: nothing makes numbers or lists of it. */
type AsText<Schema, Input> = Schema extends StandardMark ? Input : TextPart<Input>

type HeadersInput<Schema, Schemas> = Schema extends { readonly headers: infer Headers }
  ? MayBeEmpty<'headers', HeaderPart<AsHeaders<Headers, Part<Headers, Schemas, 'in'>>>>
  : FreeHeaders

type AsHeaders<Schema, Input> = Schema extends StandardMark ? Input : TextHeaders<Input>

/** Any request may have headers that no schema names. */
type FreeHeaders = Pick<RouteInput, 'headers'>

type BodyInput<Schema, Schemas> = [Schema] extends [never]
  ? {}
  : Schema extends MediaTypes
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
    : (Name extends '*/*' ? Input : never) | (Input extends Scalar ? Input : Bytes | string)

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

type Query<Schema, Schemas> = [Schema] extends [never]
  ? {}
  : MayBeEmpty<'query', AsText<Schema, Part<Schema, Schemas, 'in'>>>

/** A part that may be left out, or be undefined, which calls leave out. */
type MayBeEmpty<Name extends string, Input> = {} extends Input
  ? { [Key in Name]?: Input | undefined }
  : undefined extends Input
    ? { [Key in Name]?: Input | undefined }
    : { [Key in Name]: Input }

type ParamsInput<Schema, Schemas, Path extends string> = Schema extends {
  readonly params: infer Params
}
  ? GivenParams<AsText<Params, Part<Params, Schemas, 'in'>>, Path>
  : [ParamName<Path>] extends [never]
    ? {}
    : MayBeEmpty<'params', TextParams<Path>>

/** Most schemas name all parameters of their path; the others are text. */
type GivenParams<Input, Path extends string, Name = ParamName<Path>> = [Name] extends [never]
  ? {}
  : [Name] extends [keyof Input]
    ? MayBeEmpty<'params', Input>
    : MayBeEmpty<'params', Simplify<Input & Omit<TextParams<Path>, keyof Input>>>

type TextParams<Path extends string> = {
  [Name in keyof PathParams<Path>]: InUrl<PathParams<Path>[Name]> | number
}

/** The input as the rest of an argument list; of several keys at once, one that fits each of them.
 *  An unknown route gives an optional one, so that the mistake is reported at its key and not as a
 *  missing argument. */
export type InputArguments<Entry, Key, AnyKey, Unknown = [input?: unknown]> =
  IsOne<Key> extends true
    ? OneArgument<EntryInput<Entry, Key>, Entry>
    : SeveralArguments<Entry, Key, AnyKey, Unknown>

/** Decided here alone: would the arguments themselves be distributed over the keys, the compiler would look, at each
 *  argument of each call, through those of all routes for a `const` type parameter. */
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

/** Where no schema says what a route takes, its handler reads what was sent as it is. */
type FreeIfNone<Input, Entry> = [keyof Input] extends ['headers']
  ? Entry extends { readonly schema: { readonly headers: unknown } }
    ? Input
    : RouteInput
  : Input

/** The response of a route with one status. */
export interface RouteResponse<Status, Payload> {
  readonly statusCode: Status
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
  /** The text of the body. */
  readonly body: string
  /** The parsed body. */
  json(): Payload
}

/** What a client receives from a route: one member for each declared status.
 *  @example type Out = ResponseOf<App, 'GET /users/:id'> // RouteResponse<200, User> | … */
export type ResponseOf<App extends Routed, Key extends RouteKey<App>> = EntryResponse<
  RouteOf<App, Key>
>

/** The same of one route. */
export type EntryResponse<Entry> =
  Entry extends RouteFacts<unknown, unknown, unknown>
    ? Entry['schema'] extends { readonly response: infer Responses }
      ? {
          [Key in keyof Responses]: RouteResponse<
            OwnCodes<Key, keyof Responses>,
            EntryPayload<Responses[Key], Entry['schemas'], 'json'>
          >
        }[keyof Responses]
      : RouteResponse<number, SentPayload<Entry['result'][0]>>
    : never

/** A handler that sends by hand, be it now and then, says nothing of what it sends. Bytes and streams are no JSON. */
type SentPayload<Result> = [Awaited<Result>] extends [never]
  ? unknown
  : [Extract<Awaited<Result>, Sender | void | SentAsIs>] extends [never]
    ? Json<Awaited<Result>>
    : unknown

/** `Sendable` by what it has: streams and a `Response` are others to the compiler in a browser than in Node, and none at
 *  all where their types are not installed. */
type SentAsIs = Bytes | AnyStream | AnyWebStream | AnyResponse

type Bytes = ArrayBuffer | ArrayBufferView

interface AnyStream {
  pipe(...options: never): unknown
}

interface AnyWebStream {
  getReader(...options: never): unknown
}

interface AnyResponse {
  readonly bodyUsed: boolean
}
