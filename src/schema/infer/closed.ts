import type { Kind } from '@sinclair/typebox'
import type { closed, ClosedType, NodeKeywords, StandardMark, WalkedKind } from './marks.ts'

/** A schema or short form that closes no object (`additionalProperties: false`), and has no other
 *  references than the given ones.
 *
 *  `Schema extends OpenPart<…>` is a relation between types, which walks the schema without
 *  instantiating anything. A schema that fails it may still be open; it needs the exact check. */
export type OpenPart<Reference> = OpenSchema<Reference> | OpenShortForm<Reference>

type OpenSchema<Reference> =
  | OpenNode<Reference>
  | OpenTyped<Reference>
  | (NoNode & { readonly $ref: Reference })
  | (NoNode & { readonly $ref?: never; readonly enum: unknown })
  | (NoNode & { readonly $ref?: never; readonly const: unknown })
  | (NoNode & StandardMark)

/** A Transform or a Recursive hides its inner schema, so it never matches. */
interface OpenNode<Reference> extends NodeKeywords<OpenNode<Reference>> {
  [Kind]: WalkedKind
  readonly [closed]?: never
  $ref?: Reference
}

/** All TypeBox schemas have an index signature. Their kind excludes them from the other forms. */
interface NoNode {
  readonly [Kind]?: never
}

interface OpenShortForm<Reference> extends NoNode {
  readonly [name: string]: OpenSchema<Reference>
}

/** A plain JSON Schema with a `type`. */
interface OpenTyped<Reference> extends NoNode {
  readonly type: string | readonly string[]
  readonly $ref?: Reference
  readonly properties?: { readonly [name: string]: OpenSchema<Reference> }
  readonly additionalProperties?: true | OpenSchema<Reference>
  readonly items?: OpenSchema<Reference> | readonly OpenSchema<Reference>[]
  readonly anyOf?: readonly OpenSchema<Reference>[]
  readonly oneOf?: readonly OpenSchema<Reference>[]
  readonly allOf?: readonly OpenSchema<Reference>[]
}

/** The references to whole shared schemas that are open: all of them, or else those whose schema
 *  has no references itself. To follow references would make each result depend on the others. */
export type OpenReference<Schemas> = Schemas extends { readonly [id: string]: OpenPart<string> }
  ? ReferenceTo<keyof Schemas & string>
  : ReferenceTo<
      {
        [Id in keyof Schemas & string]: Schemas[Id] extends OpenPart<never> ? Id : never
      }[keyof Schemas & string]
    >

type ReferenceTo<Id extends string> = Id | `${Id}#`

/** The fields of a value that its type in mode `exact` does not have, although it is closed; as a
 *  union.
 *
 *  In a union of types, the value has to fit one of them. `Level` bounds the recursion: deeper
 *  values are accepted.
 *  @example type Extra = ExtraField<{ id: number; x: 1 }, { id: number } & ClosedType> // 'x' */
export type ExtraField<Value, Expected, Level extends unknown[] = []> = unknown extends Value
  ? never
  : Value extends { toJSON(): infer Text }
    ? ExtraField<Text, Expected, Level>
    : Value extends object
      ? [FieldsBeyond<Value, Expected, Level>] extends [never]
        ? never
        : UnlessFit<Findings<Value, Fitting<Value, Expected>, Level>>
      : never

/** The extra fields against any of the types. Most values are right and most types no union, so
 *  this comes before anything else. */
type FieldsBeyond<Value, Expected, Level extends unknown[]> = unknown extends Expected
  ? never
  : Level['length'] extends 8
    ? never
    : Expected extends Date
      ? never
      : Expected extends readonly (infer Item)[]
        ? Value extends readonly (infer Given)[]
          ? ExtraField<Given, Item, [...Level, unknown]>
          : never
        : Expected extends AsyncIterable<infer Item> | IterableIterator<infer Item>
          ? Value extends AsyncIterable<infer Given> | IterableIterator<infer Given>
            ? ExtraField<Given, Item, [...Level, unknown]>
            : never
          : OwnBeyond<Value, Expected> | NestedBeyond<Value, Expected, [...Level, unknown]>

type OwnBeyond<Value, Expected> = keyof ClosedType extends keyof Expected
  ? [keyof Value] extends [keyof Expected]
    ? never
    : IsMisplaced<Value, Expected> extends true
      ? never
      : NamesBeyond<Value, TextKey<Expected>>
  : never

/** Whether a list, map, promise or the like stands where an object is expected. Another error
 *  message reports it. */
type IsMisplaced<Value, Expected> = Value extends
  readonly unknown[] | { readonly [Symbol.toStringTag]: string }
  ? Value extends Expected
    ? false
    : true
  : false

type TextKey<Type> = `${keyof Type & (string | number)}`

/** A field of type undefined does not count: the compiler adds such fields to a returned literal if
 *  another one has more. An index signature names no field. */
type NamesBeyond<Value, Names> = keyof {
  [
    Key in keyof Value as `${Key & (string | number)}` extends Names
      ? never
      : string extends Key
        ? never
        : number extends Key
          ? never
          : unknown extends Value[Key]
            ? Key & (string | number)
            : [Value[Key]] extends [undefined]
              ? never
              : Key & (string | number)
  ]: unknown
}

type NestedBeyond<Value, Expected, Level extends unknown[]> = {
  [Key in keyof Value & keyof Expected]: Value[Key] extends Leaf
    ? never
    : ExtraField<Value[Key], Expected[Key], Level>
}[keyof Value & keyof Expected]

type Leaf = string | number | bigint | boolean | null | undefined

/** The types that the value fits as a whole; all types, if it fits none. */
type Fitting<Value, Expected> = [OfThese<Value, Expected>] extends [never]
  ? Expected
  : OfThese<Value, Expected>

type OfThese<Value, Expected> = Expected extends unknown
  ? Value extends Expected
    ? Expected
    : never
  : never

/** The extra fields against each of the types. They are boxed, so that the results stay
 *  separate. */
type Findings<Value, Expected, Level extends unknown[]> = Expected extends object
  ? Finding<FieldsBeyond<Value, Expected, Level>>
  : never

interface Finding<out Field> {
  readonly field: Field
}

type UnlessFit<Found> = [Found extends Finding<never> ? Found : never] extends [never]
  ? FieldOf<Found>
  : never

/** Fields missing from every type; if there are none, fields missing from at least one. */
type FieldOf<Found> = [Common<Found>] extends [Finding<infer Field>]
  ? [Field] extends [never]
    ? Found extends Finding<infer Each>
      ? Each
      : never
    : Field
  : never

type Common<Found> = (Found extends unknown ? (found: Found) => void : never) extends (
  found: infer All,
) => void
  ? All
  : never
