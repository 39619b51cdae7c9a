import type { Kind } from '@sinclair/typebox'
import type { closed, ClosedType, StandardMark, WalkedKind } from './marks.ts'

/** A schema in which no object is closed by `additionalProperties: false`, its references being
 *  among those given; by itself, or in short form.
 *
 *  `Schema extends OpenPart<…>` is a relation between types, which walks the schema without
 *  instantiating anything. What fails it may still be open: it only needs a closer look. */
export type OpenPart<Reference> = OpenSchema<Reference> | OpenShortForm<Reference>

type OpenSchema<Reference> =
  | OpenNode<Reference>
  | OpenTyped<Reference>
  | (NoNode & { readonly $ref: Reference })
  | (NoNode & { readonly $ref?: never; readonly enum: unknown })
  | (NoNode & { readonly $ref?: never; readonly const: unknown })
  | (NoNode & StandardMark)

/** A Transform or a Recursive hides its inner schema, so it never is one. */
interface OpenNode<Reference> {
  [Kind]: WalkedKind
  readonly [closed]?: never
  $ref?: Reference
  properties?: { [name: string]: OpenNode<Reference> }
  items?: OpenNode<Reference> | readonly OpenNode<Reference>[]
  anyOf?: readonly OpenNode<Reference>[]
  allOf?: readonly OpenNode<Reference>[]
  patternProperties?: { [pattern: string]: OpenNode<Reference> }
}

/** TypeBox gives all its schemas an index signature; their kind keeps them out of other forms. */
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

/** The references to whole shared schemas that lead to nothing closed: all of them, or else those
 *  whose schema refers to none itself. Following them would ask each schema for the answer of others. */
export type OpenReference<Schemas> = Schemas extends { readonly [id: string]: OpenPart<string> }
  ? ReferenceTo<keyof Schemas & string>
  : ReferenceTo<
      {
        [Id in keyof Schemas & string]: Schemas[Id] extends OpenPart<never> ? Id : never
      }[keyof Schemas & string]
    >

type ReferenceTo<Id extends string> = Id | `${Id}#`

/** The fields of a value that its type in mode `exact` has not, where that is closed; as a union.
 *
 *  Of several types that the value may have, one suffices. `Level` bounds the recursion: what is
 *  nested deeper is let through.
 *  @example type Extra = ExtraField<{ id: number; x: 1 }, { id: number } & ClosedType> // 'x' */
export type ExtraField<Value, Expected, Level extends unknown[] = []> = unknown extends Value
  ? never
  : Value extends { toJSON(): infer Text }
    ? ExtraField<Text, Expected, Level>
    : Value extends object
      ? [FieldsBeyond<Value, Expected, Level>] extends [never]
        ? never
        : Unfit<Findings<Value, Fitting<Value, Expected>, Level>>
      : never

/** Those beyond any of the types. Most values are right, and most types no union, so this is asked
 *  before anything else. */
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
        : OwnBeyond<Value, Expected> | NestedBeyond<Value, Expected, [...Level, unknown]>

type OwnBeyond<Value, Expected> = keyof ClosedType extends keyof Expected
  ? [keyof Value] extends [keyof Expected]
    ? never
    : IsElse<Value, Expected> extends true
      ? never
      : NamesBeyond<Value, TextKey<Expected>>
  : never

/** Whether a value that is no object of fields, such as a list, a map or a promise, fits none. Other words tell of it then. */
type IsElse<Value, Expected> = Value extends
  readonly unknown[] | { readonly [Symbol.toStringTag]: string }
  ? Value extends Expected
    ? false
    : true
  : false

type TextKey<Type> = `${keyof Type & (string | number)}`

/** A field whose type is undefined is none: the compiler adds such to a returned literal where
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

/** The types that the value may have; where it may have none of them, as a whole, all. */
type Fitting<Value, Expected> = [OfThese<Value, Expected>] extends [never]
  ? Expected
  : OfThese<Value, Expected>

type OfThese<Value, Expected> = Expected extends unknown
  ? Value extends Expected
    ? Expected
    : never
  : never

/** What was found against each of the types, boxed to be told apart. */
type Findings<Value, Expected, Level extends unknown[]> = Expected extends object
  ? Finding<FieldsBeyond<Value, Expected, Level>>
  : never

interface Finding<out Field> {
  readonly field: Field
}

type Unfit<Found> = [Found extends Finding<never> ? Found : never] extends [never]
  ? FieldOf<Found>
  : never

/** The fields that no type has; where there is none, all that some type has not. */
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
