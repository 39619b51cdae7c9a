import type { Kind } from '@sinclair/typebox'
import type { Sealed } from '../../types/checks.ts'
import type { Env } from './env.ts'
import type { HasQuery, HasQuerystring, HasResponse } from '../../types/has-part.ts'
import type { InferJson, InferNode, InferNodes, InferProperties, Node } from './infer.ts'
import type { ObjectSchema } from './json/joined.ts'
import type { StandardMark, TypeBox1 } from './marks.ts'
import type { PlainNode } from './references/check.ts'
import type { Mode } from './shape.ts'

/** The type of one part of a route's schema, or of one response entry: a TypeBox schema, a JSON
 *  Schema, a Standard Schema, or the short form that lists properties.
 *  @example type Query = Part<{ page: TInteger }, {}, 'out'> // { page: number } */
export type Part<Schema, Schemas, Side extends Mode> =
  Schema extends PlainNode<Schemas>
    ? InferNode<Schema, Env<Schemas, never, unknown, Side>>
    : Schema extends PlainList<Schemas>
      ? InferNodes<Schema, Env<Schemas, never, unknown, Side>>
      : Schema extends Node
        ? InferNode<Schema, Env<Schemas, Schema, unknown, Side>>
        : Schema extends FullSchema
          ? InferJson<ObjectSchema<Schema>, Env<Schemas, Schema, unknown, Side>>
          : InferShortForm<Schema, Env<Schemas, { properties: Schema }, unknown, Side>>

/** A short form of TypeBox schemas whose references all name whole shared schemas: most are. It needs
 *  no document, and no look at what its properties are. Other keywords than those of `FullSchema`
 *  are not told apart from properties, whose schemas would be no text. */
interface PlainList<Schemas> extends WithoutKeywords {
  readonly [Kind]?: never
  readonly [name: string]: PlainNode<Schemas> | undefined
}

type WithoutKeywords = {
  readonly [Keyword in Exclude<KeysOfUnion<FullSchema>, 'type'>]?: never
}

type KeysOfUnion<Union> = Union extends unknown ? keyof Union : never

/** What a client may send for a schema: what has a default may be left out.
 *  @example type Page = Input<typeof schema> // { page?: number }, where page has a default */
export type Input<Schema, Schemas = {}> = Sealed<Schema, Part<Schema, Schemas, 'in'>>

/** What a handler reads of a schema: defaults are filled in, values are coerced and decoded.
 *  @example type Page = Output<typeof schema> // { page: number }, where page has a default */
export type Output<Schema, Schemas = {}> = Sealed<Schema, Part<Schema, Schemas, 'out'>>

/** What a handler may give the serializer for a schema: a Date for text of format `date-time`, `date` or
 *  `time`, an object with `toJSON` for an object, decoded values for those that are transformed; what
 *  has a default may be left out, and what may be left out may be undefined. Inside of unions the serializer
 *  takes dates, but neither `toJSON` nor what lacks a required field. Any object is one whose fields may all be
 *  left out, whatever its `toJSON` gives.
 *  @example type Event = Payload<typeof schema> // { at: string | Date } | ToJson<…> */
export type Payload<Schema, Schemas = {}> = Sealed<Schema, Part<Schema, Schemas, 'reply'>>

/** What a client parses of a reply with a schema: dates are text, defaults are filled in, values that
 *  are transformed are encoded.
 *  @example type Event = Received<typeof schema> // { at: string } */
export type Received<Schema, Schemas = {}> = Sealed<Schema, Part<Schema, Schemas, 'json'>>

/** A schema by itself, told from the short form by the keywords that `isFullSchema` knows. */
export type FullSchema =
  | { readonly type: string | readonly string[] }
  | { readonly $ref: unknown }
  | { readonly properties: unknown }
  | { readonly anyOf: unknown }
  | { readonly oneOf: unknown }
  | { readonly allOf: unknown }
  | { readonly not: unknown }
  | { readonly if: unknown }
  | { readonly enum: unknown }
  | { readonly const: unknown }
  | { readonly $merge: unknown }
  | { readonly $patch: unknown }
  | StandardMark
  | TypeBox1

/** The document that `#…` references of a part resolve in: a short form stands for an object schema. */
export type DocumentOf<Schema> = Schema extends FullSchema | { [Kind]: unknown }
  ? Schema
  : { properties: Schema }

/** A `description` that is a string annotates the short form, and is no property of it. */
type InferShortForm<Schema, Known extends Env<unknown, unknown, unknown, Mode>> = InferProperties<
  ListedProperties<Schema>,
  Known
>

/** The properties that a short form lists. */
export type ListedProperties<Schema> = Schema extends {
  readonly description: string
}
  ? Omit<Schema, 'description'>
  : Schema

/** One part of a route's schema by its name; `never` when the route has none. */
export type PartOf<RouteSchema, Name extends string> = RouteSchema extends {
  readonly [Key in Name]: unknown
}
  ? RouteSchema[Name]
  : never

/** The responses of a route, by status; `never` when it has none. */
export type ResponsesOf<RouteSchema> = RouteSchema extends HasResponse
  ? RouteSchema['response']
  : never

/** The schema of the query string, under either of its two names. */
export type QueryOf<RouteSchema> = RouteSchema extends HasQuerystring
  ? RouteSchema['querystring']
  : RouteSchema extends HasQuery
    ? RouteSchema['query']
    : never

/** The type of a body: of its schema (most are of `t`, which is asked first), or of any that its `content` has, since
 *  the type of a request is not known.
 *  @example type Body = BodyPart<{ content: { 'text/csv': { schema: TString } } }, {}, 'out'> // string */
export type BodyPart<Schema, Schemas, Side extends Mode> =
  Schema extends PlainNode<Schemas>
    ? InferNode<Schema, Env<Schemas, never, unknown, Side>>
    : Schema extends { readonly content: infer Content }
      ? HasMediaTypes<Content> extends true
        ? MediaPart<Content[keyof Content], Schemas, Side>
        : Part<Schema, Schemas, Side>
      : Part<Schema, Schemas, Side>

/** Whether the `content` of a body is a map of media types: a short form may have a property of that name. */
export type HasMediaTypes<Content> = [Extract<keyof Content, `${string}/${string}`>] extends [never]
  ? false
  : true

/** The type of one entry of `content`. */
export type MediaPart<Media, Schemas, Side extends Mode> = Media extends {
  readonly schema: infer Schema
}
  ? Part<Schema, Schemas, Side>
  : unknown
