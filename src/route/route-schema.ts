import type { Kind } from '@sinclair/typebox'
import type { AnyCtx, JoinedPath } from '../context/ctx.ts'
import type { EntryHeaders, EssenceOf } from '../typed/payload.ts'
import type { HasParams } from '../types/has-part.ts'
import type { ErrorBodies } from '../schema/http-error.ts'
import type { DocumentOf, FullSchema, HasMediaTypes } from '../schema/infer/part.ts'
import type { PartMistake } from '../schema/infer/mistake.ts'
import type { ObjectKind, TakesNoObject } from '../schema/infer/mistake.ts'
import type { NoObject, StandardError, TextPartName } from '../schema/infer/mistake.ts'
import type {
  Computed,
  NotComputed,
  PlainNode,
  UnknownReferences,
} from '../schema/infer/references.ts'
import type { CheckResult } from '../types/checks.ts'
import type { ParamError, ParamName } from './path.ts'

/** Annotations for documents. The entry point `openapi` gives them types. */
export interface DocumentWords {}

/** The schema of a route: its request parts, its responses by status, and annotations for
 *  documents. Each part is a TypeBox schema, a JSON Schema, a Standard Schema, or a short form. */
export interface RouteSchema extends DocumentWords {
  readonly params?: object
  readonly querystring?: object
  /** The same as `querystring`. */
  readonly query?: object
  readonly headers?: object
  /** Validated on POST, PUT and PATCH; only a document on other methods. */
  readonly body?: object
  /** By status, class (`2xx`) or `default`. */
  readonly response?: object
  // With this signature, `CheckedSchema` can name a misspelt key. Without it the compiler reports a
  // weak type.
  readonly [annotation: string]: unknown
}

export type PartName = 'params' | 'querystring' | 'query' | 'headers' | 'body' | 'response'

export type SchemaKey = PartName | Annotation

type Annotation =
  | '$id'
  | 'summary'
  | 'description'
  | 'tags'
  | 'operationId'
  | 'security'
  | 'hide'
  | 'deprecated'
  | 'consumes'
  | 'produces'
  | 'externalDocs'
  | 'servers'
  | 'callbacks'
  | 'examples'
  // Extensions of the user, marked as in OpenAPI.
  | `x-${string}`

/** The methods of requests without a body. A body schema is a mistake there. */
export type BodilessMethod = 'GET' | 'HEAD' | 'TRACE'

/** The type from which the schema of a route is inferred. For a correct schema it is the schema,
 *  with the names that editors offer. For another it is an object with an error message at each
 *  wrong key.
 *
 *  A schema is first compared with `PlainSchema`, which instantiates nothing. A schema that does
 *  not match is checked exactly. A schema that is not inferred yet is `never`; its keys must not be
 *  read, since all schemas with an index signature have `string` among them.
 *  @example type Errors = CheckedSchema<{ body: TRef<'usr#'> }, C, '/x', 'POST'>
 *  // { body: "Unknown schema reference 'usr#'" } */
export type CheckedSchema<Schema, Context extends AnyCtx, Path extends string, Method> = [
  Schema,
] extends [never]
  ? Schema
  : CheckResult<unknown> extends CheckResult<Fits<Schema, Context, Path, Method>>
    ? NoInfer<ExactCheck<Schema, Context, Path, Method>>
    : {} extends Schema
      ? Schema & Parts
      : Schema

/** The names of the parts, for editors. */
type Parts = { readonly [Name in PartName]?: unknown }

/** A schema with both names of the query is checked exactly. */
type Fits<Schema, Context extends AnyCtx, Path extends string, Method> =
  Schema extends PlainSchema<Context['schemas']>
    ? [keyof Schema] extends [KeyFor<Method>]
      ? [ParamKey<Schema, Path>] extends [ParamName<JoinedPath<Context['prefix'], Path>>]
        ? ['query' | 'querystring'] extends [keyof Schema]
          ? unknown
          : true
        : unknown
      : unknown
    : unknown

/** A route schema of TypeBox schemas whose references are whole shared schemas. Responses come
 *  first: most references are there, and the first mismatch ends the comparison. */
interface PlainSchema<Schemas, Entry = PlainPart<Schemas>, Listed = PlainObject<Schemas>> {
  readonly response?: { readonly [Kind]?: never; readonly [code: number | string]: Entry }
  readonly params?: Listed
  readonly querystring?: Listed
  readonly query?: Listed
  readonly headers?: Listed
  readonly body?: Entry
}

/** A TypeBox schema of objects, or the short form. */
type PlainObject<Schemas> = ObjectNode<Schemas> | ShortForm<Schemas>

interface ObjectNode<Schemas> extends PlainNode<Schemas> {
  [Kind]: ObjectKind
}

type PlainPart<Schemas> = PlainNode<Schemas> | ShortForm<Schemas>

/** `Kind` keeps TypeBox schemas out of it, as all of them have an index signature. */
type ShortForm<Schemas> = {
  readonly [Kind]?: never
  readonly [name: string]: PlainNode<Schemas>
}

/** Two unions, which are computed once for all routes. */
type KeyFor<Method> = [Method & BodilessMethod] extends [never]
  ? SchemaKey
  : Exclude<SchemaKey, 'body'>

/** Is never for a path that is only known at run time. */
type ParamKey<Schema, Path> = Schema extends HasParams
  ? string extends Path
    ? never
    : PropertyKeyOf<Schema['params']>
  : never

type PropertyKeyOf<Part> = Part extends { [Kind]: 'Object'; properties: infer Properties }
  ? keyof Properties
  : keyof Part

/** A schema with unknown keys is refused, since its parts would have no types. */
type ExactCheck<
  Schema,
  Context extends AnyCtx,
  Path extends string,
  Method,
> = string extends keyof Schema
  ? Schema extends { readonly [Kind]: unknown }
    ? `This is one schema; ${HasParts}`
    : Schema & KnownKeys<HasParts>
  : SchemaErrors<Schema, Context, Path, Method> extends infer Errors
    ? object extends Errors
      ? Schema & Parts
      : Errors
    : never

type HasParts = "a route's schema has body, querystring, params, headers and response"

/** @template _Sentence the text that messages show with the name of this type */
interface KnownKeys<_Sentence> {
  readonly 'the keys of a route schema have to be known': never
}

type SchemaErrors<Schema, Context extends AnyCtx, Path extends string, Method> = {
  [
    Key in Unsure<Schema, Context['schemas'], Method> as [
      KeyError<Key, Schema, Context, Path, Method>,
    ] extends [never]
      ? never
      : Key
  ]-?: KeyError<Key, Schema, Context, Path, Method>
}

/** The keys that are checked exactly. The comparison is deferred for a type parameter, so a part
 *  that contains one is accepted beside parts that are not of `t`. */
type Unsure<Schema, Schemas, Method> = {
  [Key in keyof Schema]-?: CheckResult<unknown> extends CheckResult<
    Passes<Key, Schema[Key], Schemas, Method>
  >
    ? Key
    : never
}[keyof Schema]

/** Whether the comparison is enough for a part. It is not for parameters, the body of a GET, and
 *  `query`. */
type Passes<Key, Part, Schemas, Method> =
  Key extends ClearKey<Method>
    ? [Part] extends [PlainSchema<Schemas>[Key]]
      ? true
      : unknown
    : unknown

type ClearKey<Method> =
  | 'response'
  | 'querystring'
  | 'headers'
  | ([Method & BodilessMethod] extends [never] ? 'body' : never)

type KeyError<
  Key extends keyof Schema,
  Schema,
  Context extends AnyCtx,
  Path extends string,
  Method,
> = Key extends 'query'
  ? Else<TwoQueries<Schema>, PartError<Key, Schema[Key], Context, Path, Method>>
  : PartError<Key, Schema[Key], Context, Path, Method>

/** A part that may be undefined may be absent. */
type TwoQueries<Schema> = Schema extends {
  readonly querystring: infer One
  readonly query: infer Other
}
  ? undefined extends One | Other
    ? never
    : `'query' is another name of 'querystring', which has a schema here: keep one`
  : never

type PartError<
  Key,
  Part,
  Context extends AnyCtx,
  Path extends string,
  Method,
> = Key extends PartName
  ? Key extends 'response'
    ? ResponseError<Part, Context['schemas']>
    : Else<
        EntryMistake<Part> | ObjectMistake<Key, Part>,
        | (Key extends 'body'
            ? BodyReferences<Part, Context['schemas']>
            : ReferenceError<Part, Context['schemas']>)
        | (Key extends TextPartName ? StandardError<Part, Key> : never)
        | (Key extends 'params'
            ? ParamError<Part, JoinedPath<Context['prefix'], Path>, Context['prefix']>
            : never)
        | (Key extends 'body' ? BodyError<Method> : never)
      >
  : Key extends SchemaKey
    ? never
    : `'${Key & string}' is not a part of a route schema`

/** The mistakes in responses by status. */
export type ResponseError<Responses, Schemas> = Responses extends
  FullSchema | { readonly [Kind]: unknown }
  ? 'A response has a schema for each status, as in { 200: schema }'
  : Else<EntryMistakes<Responses>, EntryError<Responses[keyof Responses], Schemas>>

/** A value that is no schema is reported first, since its other mistakes cannot be read. */
type Else<Mistake, Others> = [Mistake] extends [never] ? Others : Mistake

/** All parts but the body are objects. */
type ObjectMistake<Key, Part> = Key extends TextPartName
  ? TakesNoObject<Part> extends true
    ? NoObject<Key>
    : never
  : never

type EntryMistakes<Responses> = {
  [
    Code in keyof Responses as [ResponseMistake<Code, Responses[Code]>] extends [never]
      ? never
      : Code
  ]-?: ResponseMistake<Code, Responses[Code]>
} extends infer Mistakes
  ? UnlessEmpty<Mistakes, Mistakes>
  : never

type ResponseMistake<Code, Entry> = unknown extends Entry
  ? never
  : Entry extends ErrorBodies<unknown>
    ? ErrorMistake<Code, Entry>
    : EntryMistake<Entry>

/** An error stands under its own status. */
type ErrorMistake<Code, Entry> = Entry extends { readonly statusCode: infer Status extends number }
  ? `${Code & (string | number)}` extends `${Status}`
    ? never
    : `This is an error of status ${Status}`
  : never

type UnlessEmpty<Mistakes, Mistake> = [keyof Mistakes] extends [never] ? never : Mistake

/** An entry of `response`, or a part of a request. Each schema in `content` is checked by
 *  itself. */
type EntryMistake<Entry> = Entry extends { readonly content: infer Content }
  ? HasMediaTypes<Content> extends true
    ? ContentMistake<Content>
    : PartMistake<Entry>
  : PartMistake<Entry>

type ContentMistake<Content> = {
  [Media in keyof Content as [MediaMistake<Content[Media]>] extends [never] ? never : Media]-?: {
    readonly [Key in keyof Content[Media] & ('schema' | 'itemSchema')]: MediaMistake<Content[Media]>
  }
} extends infer Mistakes
  ? UnlessEmpty<Mistakes, { readonly content: Mistakes }>
  : never

type MediaMistake<Entry> = Entry extends { readonly schema: infer Schema }
  ? PartMistake<Schema>
  : Entry extends { readonly itemSchema: infer Item }
    ? PartMistake<Item>
    : never

/** Distributes over the entries of `response`, each of which is its own JSON Schema document. */
type EntryError<Entry, Schemas> =
  Entry extends ErrorBodies<unknown>
    ? never
    : BodyReferences<Entry, Schemas, ItemType> | HeadersError<EntryHeaders<Entry>, Schemas>

/** @template Streams the media types that may have an `itemSchema` */
type BodyReferences<Body, Schemas, Streams = never> = Body extends {
  readonly content: infer Content
}
  ? HasMediaTypes<Content> extends true
    ? {
        [Media in keyof Content]: ContentError<Content[Media], Schemas, Media, Streams>
      }[keyof Content]
    : ReferenceError<Body, Schemas>
  : ReferenceError<Body, Schemas>

type HeadersError<Headers, Schemas> = ReferenceError<Headers[keyof Headers], Schemas>

type ReferenceError<Part, Schemas> = Part extends unknown
  ? SentenceFor<UnknownReferences<Part, Schemas, DocumentOf<Part>>>
  : never

type ContentError<Entry, Schemas, Media, Streams> = 0 extends 1 & Entry
  ? never
  : Entry extends { readonly schema: infer Schema }
    ? Entry extends { readonly itemSchema: unknown }
      ? `'${Media & string}' has both 'schema' and 'itemSchema': keep one`
      : SentenceFor<UnknownReferences<Schema, Schemas, DocumentOf<Schema>>>
    : Entry extends { readonly itemSchema: infer Item }
      ? EssenceOf<Media> extends Streams
        ? SentenceFor<UnknownReferences<Item, Schemas, DocumentOf<Item>>>
        : NoItems<Media & string>
      : [Exclude<keyof Entry, 'description' | 'example' | 'examples' | 'encoding'>] extends [never]
        ? never
        : `The schema of '${Media & string}' belongs under 'schema'`

/** The media types that are streams of items. */
type ItemType =
  'text/event-stream' | 'application/jsonl' | 'application/x-ndjson' | 'application/json-seq'

type NoItems<Media extends string> =
  `'itemSchema' is for responses of text/event-stream, application/jsonl, application/x-ndjson and application/json-seq, and not for '${Media}' here`

type SentenceFor<Reference> = Reference extends string
  ? `Unknown schema reference '${Reference}'`
  : Reference extends Computed<infer Name>
    ? NotComputed<Name>
    : never

type BodyError<Method> = [Method & BodilessMethod] extends [never]
  ? never
  : `A ${Method & BodilessMethod} request has no body, so it can have no body schema`
