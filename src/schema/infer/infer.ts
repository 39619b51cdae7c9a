import type { Kind, TRecursive, TransformKind, TransformOptions } from '@sinclair/typebox'
import type { DocumentAt, NoSuchSchema, Target } from './reference.ts'
import type {
  JsonRequiredKeys,
  JsonShape,
  Mode,
  NodeShape,
  Recursion,
  RequiredKeys,
  Shape,
} from './shape.ts'

/** What a walk over a schema knows. One argument instead of four: what differs in none of them is
 *  one type, so equal schemas are walked once however many routes have them. */
export interface Env<Schemas, Document, Self, Side extends Mode> {
  /** The shared schemas that are visible, by id. */
  schemas: Schemas
  /** Where `#…` references resolve. `never` when there are none, so that routes share one Env. */
  document: Document
  /** What the `This` of `t.Recursive` stands for. */
  self: Self
  mode: Side
}

/** The widest `Env`. */
export interface AnyEnv {
  schemas: unknown
  document: unknown
  self: unknown
  mode: Mode
}

/** A schema of TypeBox. Its members are `any` so that the walk can read them without first
 *  asking whether they are there: each such question instantiates the schema twice more. */
export interface Node {
  [Kind]: string
  /* eslint-disable @typescript-eslint/no-explicit-any -- see above */
  properties?: any
  items?: any
  anyOf?: any
  allOf?: any
  patternProperties?: any
  $ref?: any
  const?: any
  static?: any
  /* eslint-enable @typescript-eslint/no-explicit-any */
}

/** The type of a schema, in one of the modes of `Env`.
 *  @example
 *  type Page = Infer<typeof schema, Env<{}, never, unknown, 'out'>>
 *  // { page: number; q?: string }, for t.Object({ page: t.Integer(), q: t.Optional(t.String()) }) */
export type Infer<Schema, Known extends AnyEnv> = Schema extends Node
  ? InferNode<Schema, Known>
  : InferJson<Schema, Known>

/** The same for a schema that is known to be TypeBox's. The kind is a defaulted parameter and the
 *  walk an interface indexed by it, so that no conditional type looks at the schema itself. */
export type InferNode<
  Schema extends Node,
  Known extends AnyEnv,
  KindName = Schema[typeof Kind],
> = KindName extends WalkedKind ? Walk<Schema, Known>[KindName] : InferOther<Schema, Known>

/** The kinds that the walk takes apart; others have their type in `static`. */
export type WalkedKind = keyof Walk<Node, AnyEnv>

interface Walk<Schema extends Node, Known extends AnyEnv> {
  Any: Schema['static']
  Unknown: unknown
  Never: never
  Null: null
  Boolean: boolean
  Integer: number
  Number: number
  Literal: Schema['const']
  String: InferString<Schema>[Known['mode']]
  Object: NodesOf<
    NodeShape<Schema, Schema['properties']>[Known['mode']],
    Schema['properties'],
    EnvAt<Schema, Known>
  >
  Array: Infer<Schema['items'], EnvAt<Schema, Known>>[]
  Tuple: Schema extends { items: infer Items } ? InferEach<Items, EnvAt<Schema, Known>> : []
  Union: InferEach<Schema['anyOf'], EnvAt<Schema, Known>>[number]
  Intersect: InferAll<Schema['allOf'], EnvAt<Schema, Known>>
  Record: Schema extends {
    patternProperties: { [pattern: string]: infer Value }
  }
    ? { [key: string]: Infer<Value, EnvAt<Schema, Known>> }
    : never
  Ref: InferRef<Schema['$ref'], Known>
  This: Infer<Known['self'], Known>
}

interface InferString<Schema> {
  in: string
  out: string
  json: string
  // JSON.stringify and fast-json-stringify both write a Date as its ISO text.
  reply: InferReplied<Schema>
  exact: InferReplied<Schema>
}

type InferReplied<Schema> = Schema extends { format: 'date-time' | 'date' } ? string | Date : string

/** A schema with an `$id` that is embedded by value is a document of its own. Where nothing refers
 *  to `#…` the document is never, and there is nothing to ask. */
type EnvAt<Schema, Known extends AnyEnv> = [Known['document']] extends [never]
  ? Known
  : Env<Known['schemas'], DocumentAt<Schema, Known['document']>, Known['self'], Known['mode']>

interface Nodes {
  readonly [name: PropertyKey]: Node
}

/** A key that is no property is the mark of mode `exact`; its type does not matter. */
type NodesOf<Keys, Properties extends Nodes, Known extends AnyEnv> = {
  -readonly [Key in keyof Keys]: InferNode<Properties[Key], Known>
}

/** The same for the short form of a route part, whose properties may be of either sort. */
export type InferProperties<Properties, Known extends AnyEnv> = PropertiesOf<
  Shape<
    Properties,
    (
      | (RequiredKeys<Properties>[Known['mode']] & NodeKey<Properties>)
      | JsonRequiredKeys<Properties, never>[Known['mode']]
    ) &
      keyof Properties
  >,
  Properties,
  Known
>

/** The properties made with `t`. */
type NodeKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { [Kind]: unknown } ? Key : never
}[keyof Properties]

type PropertiesOf<Keys, Properties extends Keys, Known extends AnyEnv> = {
  -readonly [Key in keyof Keys]: Infer<Properties[Key], Known>
}

type InferEach<Schemas, Known extends AnyEnv> = {
  -readonly [Index in keyof Schemas]: Infer<Schemas[Index], Known>
}

type InferAll<Schemas, Known extends AnyEnv, Result = unknown> = Schemas extends readonly [
  infer Head,
  ...infer Tail,
]
  ? InferAll<Tail, Known, Result & Infer<Head, Known>>
  : Result

/** TTransform, TRecursive and TUnsafe say `[Kind]: string` only, so they are told by their marks.
 *  A Recursive is a document of its own, since TypeBox gives it an `$id` where it has none. */
type InferOther<Schema, Known extends AnyEnv> = Schema extends {
  [TransformKind]: TransformOptions<infer Encoded, infer Decoded>
}
  ? Transformed<Encoded, Decoded, Known>[Known['mode']]
  : Schema extends Recursion<infer Inner> | TRecursive<infer Inner>
    ? Infer<Inner, Env<Known['schemas'], Inner, Inner, Known['mode']>>
    : Schema extends { static: infer Static }
      ? IfTyped<Static>[Known['mode']]
      : unknown

interface Transformed<Encoded, Decoded, Known extends AnyEnv> {
  in: Infer<Encoded, Known>
  json: Infer<Encoded, Known>
  out: Decoded
  reply: Decoded
  exact: unknown
}

/** A type that no schema was seen for is not walked in mode `exact`. */
interface IfTyped<Static> {
  in: Static
  json: Static
  out: Static
  reply: Static
  exact: unknown
}

type InferRef<Reference extends string, Known extends AnyEnv> = [
  Target<Reference, Known['schemas'], Known['document']>,
] extends [[infer Found, infer Document]]
  ? [Document] extends [never]
    ? NoSuchSchema<Reference>
    : Infer<Found, Env<Known['schemas'], Document, unknown, Known['mode']>>
  : NoSuchSchema<Reference>

/** The type of a plain JSON Schema (draft 7), or of a Standard Schema, whose own types it takes. */
export type InferJson<Schema, Known extends AnyEnv> = Schema extends {
  readonly '~standard': { readonly types?: infer Types }
}
  ? InferStandard<NonNullable<Types>>[Known['mode']]
  : InferKeywords<Schema, EnvAt<Schema, Known>> | InferNullable<Schema>

interface InferStandard<Types> {
  in: TypeAt<Types, 'input'>
  reply: TypeAt<Types, 'input'>
  out: TypeAt<Types, 'output'>
  json: TypeAt<Types, 'output'>
  exact: unknown
}

type TypeAt<Types, Side extends string> = Types extends { readonly [Key in Side]: infer Type }
  ? Type
  : unknown

type InferNullable<Schema> = Schema extends { readonly nullable: true } ? null : never

type InferKeywords<Schema, Known extends AnyEnv> = Schema extends {
  readonly $ref: infer Reference extends string
}
  ? InferRef<Reference, Known>
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly enum: infer Values extends readonly unknown[] }
      ? Values[number]
      : InferAlternatives<Schema, Known>

type InferAlternatives<Schema, Known extends AnyEnv> = Schema extends
  | { readonly anyOf: infer Schemas extends readonly unknown[] }
  | { readonly oneOf: infer Schemas extends readonly unknown[] }
  ? InferEach<Schemas, Known>[number] & InferType<Schema, Known>
  : Schema extends { readonly allOf: infer Schemas }
    ? InferAll<Schemas, Known> & InferType<Schema, Known>
    : InferType<Schema, Known>

type InferType<Schema, Known extends AnyEnv> = Schema extends {
  readonly type: infer Name
}
  ? Name extends JsonTypeName
    ? JsonTypes<Schema, Known>[Name]
    : Name extends readonly (infer Member)[]
      ? Member extends JsonTypeName
        ? JsonTypes<Schema, Known>[Member]
        : unknown
      : unknown
  : Schema extends { readonly properties: unknown }
    ? InferObject<Schema, Known>
    : unknown

type JsonTypeName = keyof JsonTypes<unknown, AnyEnv>

interface JsonTypes<Schema, Known extends AnyEnv> {
  string: InferString<Schema>[Known['mode']]
  number: number
  integer: number
  boolean: boolean
  null: null
  object: InferObject<Schema, Known>
  array: Schema extends { readonly items: infer Items }
    ? Items extends readonly unknown[]
      ? InferEach<Items, Known>
      : Infer<Items, Known>[]
    : unknown[]
}

type InferObject<Schema, Known extends AnyEnv> = Schema extends {
  readonly properties: infer Properties
}
  ? JsonNodesOf<JsonShape<Schema, Properties, RequiredOf<Schema>>[Known['mode']], Properties, Known>
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? { [key: string]: Infer<Value, Known> }
    : { [key: string]: unknown }

type JsonNodesOf<Keys, Properties, Known extends AnyEnv> = {
  -readonly [Key in keyof Keys]: Infer<Properties[Key & keyof Properties], Known>
}

type RequiredOf<Schema> = Schema extends {
  readonly required: readonly (infer Name)[]
}
  ? Name
  : never
