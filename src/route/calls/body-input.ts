// What a call sends as the body: of one schema, or of one for each media type.
import type { Kind } from '@sinclair/typebox'
import type { StandardMark } from '../../schema/infer/marks.ts'
import type { HasMediaTypes, MediaPart, Part } from '../../schema/infer/part.ts'
import type { AnyFormData, FetchBody } from '../../types/fetch-body.ts'

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
