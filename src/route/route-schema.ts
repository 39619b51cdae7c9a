import type { Kind } from '@sinclair/typebox'
import type { AnyCtx, JoinedPath } from '../context/ctx.ts'
import type { EntryHeaders } from '../typed/payload.ts'
import type { HasParams } from '../types/has-part.ts'
import type { DocumentOf, FullSchema, HasMediaTypes } from '../schema/infer/part.ts'
import type { PartMistake } from '../schema/infer/json/mistake.ts'
import type { ObjectKind, TakesNoObject } from '../schema/infer/json/no-object.ts'
import type { NoObject, StandardError, TextPartName } from '../schema/infer/standard.ts'
import type {
  Computed,
  NotComputed,
  PlainNode,
  UnknownReferences,
} from '../schema/infer/references/check.ts'
import type { CheckResult } from '../types/checks.ts'
import type { ParamError, ParamName } from './path.ts'

/** What a route's schema is inferred from, and what it must be then: for one that is right itself, since of a union the
 *  compiler may have inferred one member alone, with the names that editors offer; else an object that has a sentence at each
 *  wrong key.
 *
 *  It is asked first as a relation between types, which instantiates nothing; what fails that, or
 *  needs a closer look, is checked exactly. One that is not inferred yet arrives as `never`, and must
 *  not be asked by its keys, since those of every schema with an index signature are `string` too.
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

/** The names of a schema's parts, which editors offer. They ask for the type of one that has nothing in it yet. */
type Parts = { readonly [Name in PartName]?: unknown }

/** The two names of the query are one part, so that both of them need a closer look. */
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

/** A route schema of TypeBox schemas that refer to whole shared schemas only. Responses come first, since
 *  references are mostly there: one that does not fit is found soon. */
interface PlainSchema<Schemas, Entry = PlainPart<Schemas>, Listed = PlainObject<Schemas>> {
  readonly response?: { readonly [Kind]?: never; readonly [code: number | string]: Entry }
  readonly params?: Listed
  readonly querystring?: Listed
  readonly query?: Listed
  readonly headers?: Listed
  readonly body?: Entry
}

/** A node that may be of an object, or the short form. */
type PlainObject<Schemas> =
  ObjectNode<Schemas> | { readonly [Kind]?: never; readonly [name: string]: PlainNode<Schemas> }

interface ObjectNode<Schemas> extends PlainNode<Schemas> {
  [Kind]: ObjectKind
}

/** A node or the short form. A node is kept out of the second by its kind, since TypeBox gives all
 *  its schemas an index signature. */
type PlainPart<Schemas> =
  PlainNode<Schemas> | { readonly [Kind]?: never; readonly [name: string]: PlainNode<Schemas> }

/** Two unions that are computed once, for a check that every route makes. */
type KeyFor<Method> = [Method & BodilessMethod] extends [never]
  ? SchemaKey
  : Exclude<SchemaKey, 'body'>

/** Of a path that is known at run time only, nothing is known of its parameters. */
type ParamKey<Schema, Path> = Schema extends HasParams
  ? string extends Path
    ? never
    : PropertyKeyOf<Schema['params']>
  : never

type PropertyKeyOf<Part> = Part extends { [Kind]: 'Object'; properties: infer Properties }
  ? keyof Properties
  : keyof Part

/** A schema whose keys are not known is refused, since its parts would have no types. What does not fit
 *  `RouteSchema` arrives as that, and is told of by it. */
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

/** @template _Sentence what messages show with the name of this type */
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

/** The keys that need a closer look. It is put off where a part is of a type parameter of the function around, of which the relation
 *  is asked as of any type: so a part that holds it is left alone, beside others that are not of `t`. */
type Unsure<Schema, Schemas, Method> = {
  [Key in keyof Schema]-?: CheckResult<unknown> extends CheckResult<
    Passes<Key, Schema[Key], Schemas, Method>
  >
    ? Key
    : never
}[keyof Schema]

/** Whether a relation says enough of a part. Of parameters, the body of a GET and `query`, there is more to say. */
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

/** What may be undefined may have been left out. */
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
    ? Part extends FullSchema | { readonly [Kind]: unknown }
      ? 'A response has a schema for each status, as in { 200: schema }'
      : Else<EntryMistakes<Part>, EntryError<Part[keyof Part], Context['schemas']>>
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

/** What cannot be a schema is told of first: nothing else of it can be read. */
type Else<Mistake, Others> = [Mistake] extends [never] ? Others : Mistake

/** Only bodies are anything else. */
type ObjectMistake<Key, Part> = Key extends TextPartName
  ? TakesNoObject<Part> extends true
    ? NoObject<Key>
    : never
  : never

type EntryMistakes<Responses> = {
  [
    Code in keyof Responses as [EntryMistake<Responses[Code]>] extends [never] ? never : Code
  ]-?: EntryMistake<Responses[Code]>
} extends infer Mistakes
  ? [keyof Mistakes] extends [never]
    ? never
    : Mistakes
  : never

/** An entry of `response`, or a part of a request. Schemas of `content` are parts of their own. */
type EntryMistake<Entry> = Entry extends { readonly content: infer Content }
  ? HasMediaTypes<Content> extends true
    ? ContentMistake<Content>
    : PartMistake<Entry>
  : PartMistake<Entry>

type ContentMistake<Content> = {
  [Media in keyof Content as [MediaMistake<Content[Media]>] extends [never] ? never : Media]-?: {
    readonly schema: MediaMistake<Content[Media]>
  }
} extends infer Mistakes
  ? [keyof Mistakes] extends [never]
    ? never
    : { readonly content: Mistakes }
  : never

type MediaMistake<Entry> = Entry extends { readonly schema: infer Schema }
  ? PartMistake<Schema>
  : never

/** Distributes over the entries of `response`: each is a document of its own. */
type EntryError<Entry, Schemas> =
  BodyReferences<Entry, Schemas> | HeadersError<EntryHeaders<Entry>, Schemas>

/** A body may have `content` too, but no headers. */
type BodyReferences<Body, Schemas> = Body extends { readonly content: infer Content }
  ? HasMediaTypes<Content> extends true
    ? { [Media in keyof Content]: ContentError<Content[Media], Schemas, Media> }[keyof Content]
    : ReferenceError<Body, Schemas>
  : ReferenceError<Body, Schemas>

type HeadersError<Headers, Schemas> = ReferenceError<Headers[keyof Headers], Schemas>

type ReferenceError<Part, Schemas> = Part extends unknown
  ? SentenceFor<UnknownReferences<Part, Schemas, DocumentOf<Part>>>
  : never

type ContentError<Entry, Schemas, Media> = 0 extends 1 & Entry
  ? never
  : Entry extends { readonly schema: infer Schema }
    ? SentenceFor<UnknownReferences<Schema, Schemas, DocumentOf<Schema>>>
    : [Exclude<keyof Entry, 'description' | 'example' | 'examples' | 'encoding'>] extends [never]
      ? never
      : `The schema of '${Media & string}' belongs under 'schema'`

type SentenceFor<Reference> = Reference extends string
  ? `Unknown schema reference '${Reference}'`
  : Reference extends Computed<infer Name>
    ? NotComputed<Name>
    : never

type BodyError<Method> = [Method & BodilessMethod] extends [never]
  ? never
  : `A ${Method & BodilessMethod} request has no body, so it can have no body schema`

/** The schema of a route: its request parts, its responses by status, and words for documents. Each
 *  part is a TypeBox schema, a JSON Schema, a Standard Schema, or a short form of properties. */
export interface RouteSchema {
  readonly params?: object
  readonly querystring?: object
  /** The same as `querystring`. */
  readonly query?: object
  readonly headers?: object
  /** Validated on POST, PUT and PATCH; on other methods it documents only. */
  readonly body?: object
  /** By exact status, class (`2xx`) or `default`. */
  readonly response?: object
  // So that `Check` can name a misspelt key; without it the message would be that of a weak type.
  readonly [annotation: string]: unknown
}

/** The keys of a route's schema that hold schemas. */
export type PartName = 'params' | 'querystring' | 'query' | 'headers' | 'body' | 'response'

/** All keys that a route's schema may have. */
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
  // One's own, told from misspelt names as OpenAPI tells them.
  | `x-${string}`

/** The methods of a request without a body: a body schema there is a mistake. */
export type BodilessMethod = 'GET' | 'HEAD' | 'TRACE'
