import type { Kind } from '@sinclair/typebox'
import type { Sealed } from '../../types/checks.ts'
import type { Env, Mode } from './modes.ts'
import type { HasQuery, HasQuerystring, HasResponse } from '../../types/has-part.ts'
import type { InferJson, InferNode, InferProperties, Node, ObjectBy } from './infer.ts'
import type { ObjectSchema } from './applicators.ts'
import type { StandardMark, TypeBox1, WithKeyword } from './marks.ts'
import type { PlainNode } from './references.ts'

/** The type of one part of a route's schema, or of one response entry: a TypeBox schema, a JSON
 *  Schema, a Standard Schema, or the short form that lists properties.
 *  @example type Query = Part<{ page: TInteger }, {}, 'out'> // { page: number } */
export type Part<Schema, Schemas, Side extends Mode> =
  Schema extends PlainNode<Schemas>
    ? InferNode<Schema, Env<Schemas, never, unknown, Side>>
    : Schema extends PlainList<Schemas>
      ? ObjectBy<{}, Schema, Env<Schemas, never, unknown, Side>>
      : Schema extends Node
        ? InferNode<Schema, Env<Schemas, Schema, unknown, Side>>
        : Schema extends FullSchema
          ? InferJson<ObjectSchema<Schema>, Env<Schemas, Schema, unknown, Side>>
          : InferProperties<
              ListedProperties<Schema>,
              Env<Schemas, { properties: Schema }, unknown, Side>
            >

/** A short form of TypeBox schemas whose references all name whole shared schemas. Most short forms
 *  are: they need no document and no check of each property. Any keyword that `FullSchema` does not
 *  have counts as a property. */
interface PlainList<Schemas> extends WithoutKeywords {
  readonly [Kind]?: never
  readonly [name: string]: PlainNode<Schemas> | undefined
}

type WithoutKeywords = {
  readonly [Keyword in Exclude<KeysOfUnion<FullSchema>, 'type'>]?: never
}

type KeysOfUnion<Union> = Union extends unknown ? keyof Union : never

/** What a client may send for a schema: fields with a default are optional.
 *  @example type Page = Input<typeof schema> // { page?: number }, where page has a default */
export type Input<Schema, Schemas = {}> = Sealed<Schema, Part<Schema, Schemas, 'in'>>

/** What a handler reads of a schema: defaults are filled in, values are coerced and decoded.
 *  @example type Page = Output<typeof schema> // { page: number }, where page has a default */
export type Output<Schema, Schemas = {}> = Sealed<Schema, Part<Schema, Schemas, 'out'>>

/** What a handler may reply for a schema:
 *  - a Date for text of format `date-time`, `date` or `time`
 *  - an object with `toJSON` for an object
 *  - the decoded value for a schema with a transform
 *
 *  Fields with a default are optional, and optional fields may be undefined. Inside of unions the
 *  serializer accepts dates, but no `toJSON`, and it fills in no defaults. If all fields are
 *  optional, any object is accepted, whatever its `toJSON` returns.
 *  @example type Event = Payload<typeof schema> // { at: string | Date } | ToJson<…> */
export type Payload<Schema, Schemas = {}> = Sealed<Schema, Part<Schema, Schemas, 'reply'>>

/** What a client parses from a reply: dates are text, defaults are filled in, transformed values
 *  are encoded.
 *  @example type Event = Received<typeof schema> // { at: string } */
export type Received<Schema, Schemas = {}> = Sealed<Schema, Part<Schema, Schemas, 'json'>>

/** A schema that is no short form, as `isFullSchema` decides at run time. */
export type FullSchema =
  | { readonly type: string | readonly string[] }
  | WithKeyword<'$ref' | 'properties' | 'anyOf' | 'oneOf' | 'allOf' | 'not' | 'if'>
  | WithKeyword<'enum' | 'const' | '$merge' | '$patch'>
  | StandardMark
  | TypeBox1

/** The document in which `#…` references of a part resolve. A short form is an object schema. */
export type DocumentOf<Schema> = Schema extends FullSchema | { [Kind]: unknown }
  ? Schema
  : { properties: Schema }

/** The properties of a short form. A `description` that is a string is an annotation. */
export type ListedProperties<Schema> = Schema extends { readonly description: string }
  ? Omit<Schema, 'description'>
  : Schema

/** One part of a route's schema by its name; `never` if the route has none. */
export type PartOf<RouteSchema, Name extends string> = RouteSchema extends {
  readonly [Key in Name]: unknown
}
  ? RouteSchema[Name]
  : never

/** The responses of a route, by status; `never` if it has none. */
export type ResponsesOf<RouteSchema> = RouteSchema extends HasResponse
  ? RouteSchema['response']
  : never

/** The schema of the query string, which has two names; `never` if the route has none. */
export type QueryOf<RouteSchema> = RouteSchema extends HasQuerystring
  ? RouteSchema['querystring']
  : RouteSchema extends HasQuery
    ? RouteSchema['query']
    : never

/** The type of a body: that of its schema, or of any media type in its `content`, since the content
 *  type of a request is not known. Most schemas are made with `t`, so these come first.
 *  @example
 *  type Body = BodyPart<{ content: { 'text/csv': { schema: TString } } }, {}, 'out'> // string */
export type BodyPart<Schema, Schemas, Side extends Mode> =
  Schema extends PlainNode<Schemas>
    ? InferNode<Schema, Env<Schemas, never, unknown, Side>>
    : Schema extends { readonly content: infer Content }
      ? HasMediaTypes<Content> extends true
        ? MediaPart<Content[keyof Content], Schemas, Side>
        : Part<Schema, Schemas, Side>
      : Part<Schema, Schemas, Side>

/** Whether the `content` of a body is a map of media types. A short form may have a property of
 *  that name. */
export type HasMediaTypes<Content> = [Extract<keyof Content, `${string}/${string}`>] extends [never]
  ? false
  : true

/** The type of one entry of `content`. */
export type MediaPart<Media, Schemas, Side extends Mode> = Media extends {
  readonly schema: infer Schema
}
  ? Part<Schema, Schemas, Side>
  : unknown
