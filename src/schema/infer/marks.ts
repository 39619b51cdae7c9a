// How the types of schemas are recognised: by the marks that libraries and `t` put on them.
import type { Kind, OptionalKind, ReadonlyKind, TRecursive, TSchema } from '@sinclair/typebox'

/** The kinds of TypeBox schemas that the inference walks into. Other kinds have their type in
 *  `static`. */
export type WalkedKind =
  | 'Any'
  | 'Unknown'
  | 'Never'
  | 'Null'
  | 'Boolean'
  | 'Integer'
  | 'Number'
  | 'Literal'
  | 'String'
  | 'Object'
  | 'Array'
  | 'Tuple'
  | 'Union'
  | 'Intersect'
  | 'Record'
  | 'Ref'
  | 'This'
  | 'Sensitive'

/** A sensitive schema: see `Sensitive` of `Walk`. The schema itself stands in `anyOf`, where what
 *  reads schemas finds it; at run time both are one object. */
export interface TSensitive<Schema extends TSchema> extends TSchema {
  [Kind]: 'Sensitive'
  static: Schema['static']
  anyOf: [Schema]
}

/** The keywords of TypeBox schemas that hold subschemas: what the relations on schemas walk. */
export interface NodeKeywords<Child> {
  readonly properties?: { readonly [name: string]: Child }
  readonly patternProperties?: { readonly [pattern: string]: Child }
  readonly items?: Child | readonly Child[]
  readonly anyOf?: readonly Child[]
  readonly allOf?: readonly Child[]
}

/** A schema with at least one of these keywords. */
export type WithKeyword<Keyword extends string> = Keyword extends string
  ? { readonly [Key in Keyword]: unknown }
  : never

/** The mark of a schema with a default. The value does not matter to types, so it is not kept:
 *  schemas that differ in the value alone are one type, which the compiler walks once. */
export interface HasDefault {
  readonly default: unknown
}

/** The mark of `t.Optional`. */
export interface IsOptional {
  readonly [OptionalKind]: 'Optional'
}

declare const inner: unique symbol

/** The mark of a `t.Recursive` with options, which holds the schema inside. In an intersection
 *  TypeBox's own type does not give that schema away. It exists in types only. */
export interface Recursion<Schema> {
  readonly [inner]: Schema
}

export declare const closed: unique symbol

/** The mark of an object schema with `additionalProperties: false`. It exists in types only:
 *  TypeBox's own type of that keyword includes `false` for every object. */
export interface Closed {
  readonly [closed]: true
}

/** The mark that mode `exact` puts on the type of a closed object. */
export type ClosedType = Partial<Closed>

/** A type for a schema (or its options) that closes its object; `unknown` for others. A schema with
 *  patterns is not closed: no type can name its fields. */
export type IfClosed<Schema, Type> = Schema extends { readonly patternProperties: unknown }
  ? unknown
  : Schema extends { readonly additionalProperties: false }
    ? Type
    : unknown

/** The kind of a TypeBox 1.x schema. The package is no dependency, so its schemas are recognised by
 *  their shape. Their types forget all options that `Type.With` did not add. */
export interface KindMark {
  readonly '~kind': string
}

/** A `Type.Unsafe` of TypeBox 1.x. Its type says nothing else. */
export interface UnsafeMark<out Type = unknown> {
  readonly '~unsafe': Type
}

/** A `Type.Optional` of TypeBox 1.x. */
export interface OptionalMark {
  readonly '~optional': unknown
}

/** A `Type.Codec` of TypeBox 1.x. TypeBox types the result of one of the two functions as `any`. */
export interface CodecMark<out One = unknown, out Other = unknown> {
  readonly '~codec': {
    readonly decode: (value: never) => One
    readonly encode: (value: never) => Other
  }
}

/** A `Type.Cyclic` of TypeBox 1.x. */
export interface CyclicMark<out Definitions = unknown, out Reference = unknown> {
  readonly '~kind': 'Cyclic'
  readonly $defs: Definitions
  readonly $ref: Reference
}

/** A schema of TypeBox 1.x. */
export type TypeBox1 = KindMark | UnsafeMark

/** The result of `Import` of a `t.Module`. The type in its `static` reflects neither transforms nor
 *  defaults. */
export interface ImportMark<out Definitions = unknown, out Reference = unknown> {
  readonly [Kind]: 'Import'
  readonly $defs: Definitions
  readonly $ref: Reference
}

/** A schema of a library that implements Standard Schema. */
export interface StandardMark {
  readonly '~standard': unknown
}

/** The keys of the properties made with `t`, and of those of TypeBox 1.x that are not optional. */
export type NodeKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { [Kind]: unknown } | TypeBox1
    ? Properties[Key] extends OptionalMark
      ? never
      : Key
    : never
}[keyof Properties]

/** A schema whose `nullable` adds null. An `enum` or `const` accepts null only if it lists null. */
export interface NullableMark {
  readonly nullable: true
  readonly const?: never
  readonly enum?: never
}

/** The schema inside of a `t.Recursive`; `never` for other schemas. */
export type Recursed<Schema> =
  Schema extends Recursion<infer Inner>
    ? Inner
    : Unmarked<Schema> extends TRecursive<infer Inner>
      ? Inner
      : never

/** A schema without the marks of `t.Optional` and `t.Readonly`. Behind those the compiler cannot
 *  infer the schema inside of a recursion. */
type Unmarked<Schema> = Schema extends infer Bare & Optional & Readonly
  ? Bare
  : Schema extends infer Bare & Optional
    ? Bare
    : Schema extends infer Bare & Readonly
      ? Bare
      : Schema

// As TypeBox writes them: the compiler takes only identical types out of an intersection.
type Optional = { [OptionalKind]: 'Optional' }
type Readonly = { [ReadonlyKind]: 'Readonly' }

/** The kind of named type that a recursive schema needs in declaration files: see `Again`. */
export type Naming<Schema> = Schema extends
  | { readonly [Kind]: 'Object' | 'Record' }
  | { readonly [Kind]: 'Intersect'; readonly allOf: readonly { readonly [Kind]: 'Object' }[] }
  | PlainObject
  ? 'object'
  : Schema extends { readonly [Kind]: 'Array' } | PlainList
    ? ItemsOf<Schema> extends readonly unknown[]
      ? 'union'
      : 'list'
    : 'union'

interface PlainObject extends SingleType {
  readonly type: 'object'
  readonly allOf?: readonly (SingleType & {
    readonly properties: unknown
    readonly allOf?: never
  })[]
}

interface PlainList extends SingleType {
  readonly type: 'array'
  readonly items: object
  readonly allOf?: never
}

/** A plain JSON Schema whose type is its `type` alone. */
interface SingleType {
  readonly [Kind]?: never
  readonly $ref?: never
  readonly anyOf?: never
  readonly oneOf?: never
  readonly if?: never
  readonly nullable?: false
  readonly enum?: never
  readonly const?: never
  readonly '~codec'?: never
  readonly '~unsafe'?: never
  readonly '~standard'?: never
}

export type ItemsOf<Schema> = Schema extends { readonly items: infer Items } ? Items : never
