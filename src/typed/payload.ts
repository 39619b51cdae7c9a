import type { Kind } from '@sinclair/typebox'
import type { HeaderValue } from '../http/headers.ts'
import type { Env, Mode } from '../schema/infer/modes.ts'
import type { InferNode } from '../schema/infer/infer.ts'
import type { FullSchema, HasMediaTypes, MediaPart, Part } from '../schema/infer/part.ts'
import type { PlainNode } from '../schema/infer/references.ts'

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type NumberIn<Text extends string> = Text extends `${infer Value extends number}` ? Value : never

/** The codes of a status class: all, since proxies and services have some that no standard lists (499, 520). */
interface CodesOfClass {
  '1xx': NumberIn<`1${Digit}${Digit}`>
  '2xx': NumberIn<`2${Digit}${Digit}`>
  '3xx': NumberIn<`3${Digit}${Digit}`>
  '4xx': NumberIn<`4${Digit}${Digit}`>
  '5xx': NumberIn<`5${Digit}${Digit}`>
}

/** The codes that one key of a `response` stands for.
 *  Any text is none of them, and says so first: else the compiler would compute all classes to know what a key may be.
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

/** The codes that a key stands for beside the others: a class leaves out those that are declared, `default` those and
 *  all of the classes. */
export type OwnCodes<Key, Keys> = Key extends number | `${number}`
  ? CodesOfKey<Key>
  : Exclude<
      Key extends 'default' ? CodesOfClass[keyof CodesOfClass] : CodesOfKey<Key>,
      CodesOfKey<Exclude<Keys, Key>>
    >

/** The codes that a route may reply with: those it declares, or any where it has a `default`, or
 *  declares nothing. */
export type CodesOf<Responses> = 'default' extends keyof Responses
  ? number
  : keyof Responses extends never
    ? number
    : CodesOfKey<keyof Responses>

/** The response entry of a code: the exact one, else its class, else `default`; else `never`. */
type EntryFor<Responses, Code> = Code extends keyof Responses
  ? Responses[Code]
  : `${Code & number}` extends keyof Responses
    ? Responses[`${Code & number}` & keyof Responses]
    : ClassOf<Code> extends keyof Responses
      ? Responses[ClassOf<Code>]
      : Uppercase<ClassOf<Code>> extends keyof Responses
        ? Responses[Uppercase<ClassOf<Code>>]
        : 'default' extends keyof Responses
          ? Responses['default']
          : never

type ClassOf<Code> = `${Code & number}` extends `${infer First}${string}` ? `${First}xx` : never

/** The type of one response entry. Most are schemas of `t`, which is asked first. One with `content` is the union of
 *  its payloads, until the media type is known, of which a client parses what is JSON; one of headers or a
 *  description alone has none. */
export type EntryPayload<Entry, Schemas, Side extends Mode, Media = unknown> =
  Entry extends PlainNode<Schemas>
    ? InferNode<Entry, Env<Schemas, never, unknown, Side>>
    : Entry extends { readonly content: infer Content }
      ? HasMediaTypes<Content> extends true
        ? MediaPayload<Content, Schemas, Side, MediaIn<Content, Media>, Media>
        : Part<Entry, Schemas, Side>
      : IsBare<Entry> extends true
        ? null
        : Part<Entry, Schemas, Side>

type MediaPayload<Content, Schemas, Side extends Mode, Keys extends keyof Content, Media> = [
  Keys,
] extends [never]
  ? NoPayload<`The response schema has no content type '${Media & string}'`>
  : ContentPayload<Content, Schemas, Side, Keys>

type ContentPayload<Content, Schemas, Side extends Mode, Media extends keyof Content> = {
  [Key in Media]: Side extends 'json'
    ? AsRead<MediaPart<Content[Key], Schemas, Side>, EssenceOf<Key>>
    : MediaPart<Content[Key], Schemas, Side>
}[Media]

/** What a client reads of a media type (`parseBody`): of JSON its value, of a text type the text. Any other it reads as JSON if it is,
 *  as what a schema writes is, and else as text, as what a serializer of one's own makes. */
type AsRead<Value, Type> = Type extends 'application/json' | `${string}+json`
  ? Value
  : Type extends `text/${string}`
    ? AsText<Value>
    : Value | AsText<Value>

/** Text, whatever it was made of. A string is sent as it is. */
type AsText<Value> = Value extends string ? Value : string

/** The keys of a media type: the one that is the same without parameters, in any case, else that of all types. All
 *  keys where the type is not known, which is asked as whether it need not be a key. */
type MediaIn<Content, Media> =
  {} extends Record<Media & string, unknown>
    ? keyof Content
    : [KeyOfType<Content, EssenceOf<Media>>] extends [never]
      ? keyof Content & '*/*'
      : KeyOfType<Content, EssenceOf<Media>>

type KeyOfType<Content, Essence> = {
  [Key in keyof Content]: EssenceOf<Key> extends Essence ? Key : never
}[keyof Content]

type EssenceOf<Media> = Media extends `${infer Essence} ` | `${infer Essence};${string}`
  ? EssenceOf<Essence>
  : Lowercase<Media & string>

/** What may be sent with a code. */
export type CodePayload<Responses, Code, Schemas, Side extends Mode, Media = unknown> =
  EntryFor<Responses, Code> extends never
    ? Undeclared<Responses, Code>
    : EntryPayload<EntryFor<Responses, Code>, Schemas, Side, Media>

/** What may be sent with a code that `code` was given: anything where that has been told to be undeclared. */
export type GivenPayload<Responses, Code, Schemas, Media> =
  EntryFor<Responses, Code> extends never
    ? unknown
    : EntryPayload<EntryFor<Responses, Code>, Schemas, 'reply', Media>

/** What a handler may return: the payload of status 200, and nothing where 200 is not declared.
 *  @example type User = Success<{ 200: TRef<'user#'>; 404: TNull }, { user: … }, 'reply'> */
export type Success<Responses, Schemas, Side extends Mode> = CodePayload<
  Responses,
  200,
  Schemas,
  Side
>

/** Whether an entry is one of headers or a description alone. In a short form these are properties, and so
 *  schemas; here they are a list of schemas, and text. */
type IsBare<Entry> = [keyof Entry] extends ['headers' | 'description']
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

/** The schemas of the headers that an entry declares: beside `content`, beside the keywords of a full
 *  schema, or alone. */
export type EntryHeaders<Entry> = Entry extends { readonly headers: infer Headers }
  ? Entry extends { readonly content: unknown } | { readonly [Kind]: unknown } | FullSchema
    ? Headers
    : IsBare<Entry> extends true
      ? Headers
      : never
  : never

/** The schema of a header by its name in lower case; distributes over the headers of entries. */
type HeaderSchema<Headers, Name extends string> = Headers extends unknown
  ? { [Key in keyof Headers as Lowercase<Key & string>]: Headers[Key] } extends {
      readonly [Key in Name]: infer Schema
    }
    ? Schema
    : never
  : never

/** What a reply may give for a header: the text or number of its schema in the entry of the status, or
 *  until a status is set, in any entry. What no schema describes may be anything, and so may what is
 *  described by a reference: replies must be the same in this for scopes with different schemas.
 *  @example type Count = HeaderFor<{ 200: { headers: { 'X-Count': TInteger } } }, 200, 'x-count'> // number */
export type HeaderFor<Responses, Code, Name extends string> =
  HeaderSchema<
    EntryHeaders<Code extends string ? Responses[keyof Responses] : EntryFor<Responses, Code>>,
    Lowercase<Name>
  > extends infer Schema
    ? [Schema] extends [never]
      ? HeaderValue
      : HeaderText<Schema extends { readonly $ref: unknown } ? unknown : Part<Schema, {}, 'json'>>
    : never

/** A schema of any value, and those that do not say a type, describe nothing. */
type HeaderText<Value> = [HeaderValue] extends [Value]
  ? HeaderValue
  : Value extends boolean
    ? `${Value}`
    : Extract<Value, HeaderValue>

/** Nothing may be sent where others are declared; anything where there is no `response`, an empty
 *  one, or one of type `any`. */
type Undeclared<Responses, Code> = [Responses] extends [never]
  ? unknown
  : [keyof Responses] extends [never]
    ? unknown
    : NoPayload<`The response schema has no status ${Code & number}`>

declare const reason: unique symbol

/** What no value is, for the reason given. */
export interface NoPayload<Reason extends string> {
  readonly [reason]: Reason
}
