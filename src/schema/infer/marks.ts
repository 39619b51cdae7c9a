import type { Kind, OptionalKind, ReadonlyKind, TRecursive } from '@sinclair/typebox'
import type { Recursion } from './shape.ts'

/** The kinds of TypeBox's schemas that the walk takes apart; others have their type in `static`. */
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

/** The kind of a schema of TypeBox 1.x, which is known by its shape: the package is no dependency. It
 *  forgets all options but those that `Type.With` adds. */
export interface KindMark {
  readonly '~kind': string
}

/** A `Type.Unsafe` of TypeBox 1.x, of which nothing else is known. */
export interface UnsafeMark<out Type = unknown> {
  readonly '~unsafe': Type
}

/** A `Type.Optional` of TypeBox 1.x. */
export interface OptionalMark {
  readonly '~optional': unknown
}

/** A `Type.Codec` of TypeBox 1.x. One of the two functions is typed as if it gave anything. */
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

/** What `Import` of a `t.Module` gives. The type in its `static` knows neither what is decoded nor what is filled in. */
export interface ImportMark<out Definitions = unknown, out Reference = unknown> {
  readonly [Kind]: 'Import'
  readonly $defs: Definitions
  readonly $ref: Reference
}

/** A schema of a library that implements Standard Schema. */
export interface StandardMark {
  readonly '~standard': unknown
}

/** The properties made with `t`, and those of TypeBox 1.x that are not optional. */
export type NodeKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { [Kind]: unknown }
    ? Key
    : Properties[Key] extends TypeBox1
      ? Properties[Key] extends OptionalMark
        ? never
        : Key
      : never
}[keyof Properties]

/** What may be null besides. What is listed has null only where the list has it. */
export interface NullableMark {
  readonly nullable: true
  readonly const?: never
  readonly enum?: never
}

/** What is inside of a `t.Recursive`; never for other schemas. */
export type Recursed<Schema> =
  Schema extends Recursion<infer Inner>
    ? Inner
    : Unmarked<Schema> extends TRecursive<infer Inner>
      ? Inner
      : never

/** A schema without what `t.Optional` and `t.Readonly` add: behind that the compiler finds nothing inside of a recursion. */
type Unmarked<Schema> = Schema extends infer Bare & Optional & Readonly
  ? Bare
  : Schema extends infer Bare & Optional
    ? Bare
    : Schema extends infer Bare & Readonly
      ? Bare
      : Schema

type Optional = { [OptionalKind]: 'Optional' }
type Readonly = { [ReadonlyKind]: 'Readonly' }
