import type { Kind } from '@sinclair/typebox'
import type { ScopeResponses } from '../context/ctx.ts'
import type { HeaderValue } from '../http/headers.ts'
import type { StreamEvent } from '../http/stream-event.ts'
import type { ErrorBodies } from '../schema/http-error.ts'
import type { Env, Mode } from '../schema/infer/modes.ts'
import type { InferNode } from '../schema/infer/infer.ts'
import type { FullSchema, HasMediaTypes, MediaPart, Part } from '../schema/infer/part.ts'
import type { PlainNode } from '../schema/infer/references.ts'

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type NumberIn<Text extends string> = Text extends `${infer Value extends number}` ? Value : never

/** All codes of each class, since proxies and services use codes that no standard lists (499,
 *  520). */
interface CodesOfClass {
  '1xx': NumberIn<`1${Digit}${Digit}`>
  '2xx': NumberIn<`2${Digit}${Digit}`>
  '3xx': NumberIn<`3${Digit}${Digit}`>
  '4xx': NumberIn<`4${Digit}${Digit}`>
  '5xx': NumberIn<`5${Digit}${Digit}`>
}

/** The codes of one key of `response`. The check for `string` comes first: otherwise the compiler
 *  would compute all classes.
 *  @example type Codes = CodesOfKey<'1XX'> // 100 | 101 | … | 199 */
export type CodesOfKey<Key> = Key extends number
  ? Key
  : Key extends string
    ? string extends Key
      ? never
      : Lowercase<Key> extends keyof CodesOfClass
        ? CodesOfClass[Lowercase<Key>]
        : NumberIn<Key>
    : never

/** The codes of a key beside the other keys: a class leaves out the declared codes, and `default`
 *  leaves out the declared codes and classes. */
export type OwnCodes<Key, Keys> = Key extends number | `${number}`
  ? CodesOfKey<Key>
  : Exclude<
      Key extends 'default' ? CodesOfClass[keyof CodesOfClass] : CodesOfKey<Key>,
      CodesOfKey<Exclude<Keys, Key>>
    >

/** The codes that a route may reply with: those it declares, or any code if it has `default` or
 *  declares nothing. */
export type CodesOf<Responses> = 'default' extends keyof Responses
  ? number
  : keyof Responses extends never
    ? number
    : CodesOfKey<keyof Responses>

/** The response entry of a code: the entry of the code, or of its class, or `default`; otherwise
 *  `never`. For the same key, the entry of the route precedes that of its scope.
 *  @template Schemas the shared schemas of the scope, with its responses */
export type EntryFor<Responses, Code, Schemas> = Code extends keyof Responses
  ? Responses[Code]
  : `${Code & number}` extends keyof Responses
    ? Responses[`${Code & number}` & keyof Responses]
    : Schemas extends ScopeResponses<infer Scope>
      ? Code extends keyof Scope
        ? Scope[Code]
        : LessExact<Scope & Responses, ClassOf<Code>, Responses>
      : LessExact<Responses, ClassOf<Code>, Responses>

/** The entry of the class of a code, or `default`. */
type LessExact<Responses, Class extends string, Own> = Class extends keyof Own
  ? Own[Class]
  : Uppercase<Class> extends keyof Own
    ? Own[Uppercase<Class>]
    : Class extends keyof Responses
      ? Responses[Class]
      : 'default' extends keyof Responses
        ? Responses['default']
        : never

type ClassOf<Code> = `${Code & number}` extends `${infer First}${string}` ? `${First}xx` : never

/** The type of one response entry. TypeBox schemas come first, since most entries are. An entry
 *  with `content` is the union of its payloads, unless the media type is known. An entry that has
 *  only headers or a description has no payload. */
export type EntryPayload<Entry, Schemas, Side extends Mode, Media = unknown> =
  Entry extends PlainNode<Schemas>
    ? InferNode<Entry, Env<Schemas, never, unknown, Side>>
    : Entry extends { readonly content: infer Content }
      ? HasMediaTypes<Content> extends true
        ? MediaPayload<Content, Schemas, Side, MediaIn<Content, Media>, Media>
        : Part<Entry, Schemas, Side>
      : Entry extends ErrorBodies<infer ByCode>
        ? ErrorPayload<ByCode, keyof ByCode, Schemas, Side>
        : IsBare<Entry> extends true
          ? null
          : Part<Entry, Schemas, Side>

/** The body of one of several errors, which its code tells. */
type ErrorPayload<ByCode, Code extends keyof ByCode, Schemas, Side extends Mode> = Code extends Code
  ? Part<ByCode[Code], Schemas, Side>
  : never

type MediaPayload<Content, Schemas, Side extends Mode, Keys extends keyof Content, Media> = [
  Keys,
] extends [never]
  ? NoPayload<`The response schema has no content type '${Media & string}'`>
  : ContentPayload<Content, Schemas, Side, Keys>

type ContentPayload<Content, Schemas, Side extends Mode, Media extends keyof Content> = {
  [Key in Media]: Content[Key] extends { readonly itemSchema: infer Item }
    ? Side extends 'json'
      ? never
      : Items<Part<Item, Schemas, Side>, EssenceOf<Key>>
    : Side extends 'json'
      ? AsRead<MediaPart<Content[Key], Schemas, Side>, EssenceOf<Key>>
      : MediaPart<Content[Key], Schemas, Side>
}[Media]

/** The payload of a media type with an `itemSchema`. An item of an event stream may have the fields
 *  of its event. */
type Items<Item, Type> = Type extends 'text/event-stream'
  ? ItemsOf<Item | StreamEvent<Item>>
  : ItemsOf<Item>

/** Values that are sent one by one: of an async iterable, or of a generator. A list is no such
 *  payload, and a stream is sent as it is. */
type ItemsOf<Item> = (AsyncIterable<Item> & NoStream & GeneratorKeys) | IterableIterator<Item>

interface NoStream {
  readonly pipe?: never
  readonly getReader?: never
}

/** The compiler explains an error by the member of a union that has most keys of the given type.
 *  So it compares the items of an async generator, and does not ask for `Symbol.iterator`. */
interface GeneratorKeys {
  readonly next?: unknown
  readonly return?: unknown
  readonly throw?: unknown
}

/** The type that a client reads (`parseBody`): the value of JSON, and the text of text types. Other
 *  types are read as JSON if they are, since schemas write JSON, and otherwise as text, which a
 *  custom serializer may write. */
type AsRead<Value, Type> = Type extends 'application/json' | `${string}+json`
  ? Value
  : Type extends `text/${string}`
    ? AsText<Value>
    : Value | AsText<Value>

/** Text, made from any value. A string is sent unchanged. */
type AsText<Value> = Value extends string ? Value : string

/** The keys of a media type: the same type without parameters, in any case, otherwise the key for
 *  any type. All keys if the type is unknown, that is, if it need not be a key. */
type MediaIn<Content, Media> =
  {} extends Record<Media & string, unknown>
    ? keyof Content
    : [KeyOfType<Content, EssenceOf<Media>>] extends [never]
      ? keyof Content & '*/*'
      : KeyOfType<Content, EssenceOf<Media>>

type KeyOfType<Content, Essence> = {
  [Key in keyof Content]: EssenceOf<Key> extends Essence ? Key : never
}[keyof Content]

/** A media type without its parameters, in lower case.
 *  @example type Text = EssenceOf<'Text/Plain; charset=utf-8'> // 'text/plain' */
export type EssenceOf<Media> = Media extends `${infer Essence} ` | `${infer Essence};${string}`
  ? EssenceOf<Essence>
  : Lowercase<Media & string>

/** The payload that may be sent with a code. */
export type CodePayload<Responses, Code, Schemas, Side extends Mode, Media = unknown> =
  EntryFor<Responses, Code, Schemas> extends never
    ? Undeclared<Responses, Code>
    : EntryPayload<EntryFor<Responses, Code, Schemas>, Schemas, Side, Media>

/** The payload for a code that was passed to `code`. It is unknown for an undeclared code, which
 *  was reported there. */
export type GivenPayload<Responses, Code, Schemas, Media> =
  EntryFor<Responses, Code, Schemas> extends never
    ? unknown
    : EntryPayload<EntryFor<Responses, Code, Schemas>, Schemas, 'reply', Media>

/** The payload that a handler may return: that of status 200, or none if 200 is not declared.
 *  @example type User = Success<{ 200: TRef<'user#'>; 404: TNull }, { user: … }, 'reply'> */
export type Success<Responses, Schemas, Side extends Mode> = CodePayload<
  Responses,
  200,
  Schemas,
  Side
>

/** Whether an entry has only headers or a description. In a short form `headers` and `description`
 *  would be properties, and so schemas; here they are an object of schemas, and a string. */
export type IsBare<Entry> = [keyof Entry] extends ['headers' | 'description']
  ? Entry extends { readonly headers: infer Headers; readonly description?: string }
    ? Headers extends FullSchema | { readonly [Kind]: unknown }
      ? false
      : Headers extends { readonly [name: string]: object }
        ? true
        : false
    : Entry extends { readonly description: string }
      ? true
      : false
  : false

/** The schemas of the headers of an entry: beside `content`, beside the keywords of a full schema,
 *  or alone. */
export type EntryHeaders<Entry> = Entry extends { readonly headers: infer Headers }
  ? Entry extends { readonly content: unknown } | { readonly [Kind]: unknown } | FullSchema
    ? Headers
    : IsBare<Entry> extends true
      ? Headers
      : never
  : never

/** The schema of a header by its lowercase name; distributes over the headers of entries. */
type HeaderSchema<Headers, Name extends string> = Headers extends unknown
  ? { [Key in keyof Headers as Lowercase<Key & string>]: Headers[Key] } extends {
      readonly [Key in Name]: infer Schema
    }
    ? Schema
    : never
  : never

/** The value of a header: a string or number, as its schema says in the entry of the status; before
 *  a status is set, in any entry. Without a schema, or with a reference, any value is allowed: a
 *  reply must have the same type in scopes with different shared schemas.
 *  @example type Count = HeaderFor<{ 200: { headers: { 'X-Count': TInteger } } }, 200, 'x-count'>
 *  // number */
export type HeaderFor<Responses, Code, Name extends string> =
  HeaderSchema<
    EntryHeaders<Code extends string ? Responses[keyof Responses] : EntryFor<Responses, Code, {}>>,
    Lowercase<Name>
  > extends infer Schema
    ? [Schema] extends [never]
      ? HeaderValue
      : HeaderText<Schema extends { readonly $ref: unknown } ? unknown : Part<Schema, {}, 'json'>>
    : never

/** A schema without a type allows any value. */
type HeaderText<Value> = [HeaderValue] extends [Value]
  ? HeaderValue
  : Value extends boolean
    ? `${Value}`
    : Extract<Value, HeaderValue>

/** The payload of an undeclared code: none if other codes are declared; anything if `response` is
 *  absent, empty, or `any`. */
type Undeclared<Responses, Code> = [Responses] extends [never]
  ? unknown
  : [keyof Responses] extends [never]
    ? unknown
    : NoPayload<`The response schema has no status ${Code & number}`>

declare const reason: unique symbol

/** A type that no value has, for the given reason. */
export interface NoPayload<Reason extends string> {
  readonly [reason]: Reason
}
