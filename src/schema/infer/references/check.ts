import type { Kind, TransformKind, TransformOptions } from '@sinclair/typebox'
import type {
  CyclicMark,
  ImportMark,
  Recursed,
  StandardMark,
  UnsafeMark,
  WalkedKind,
} from '../marks.ts'
import type { DocumentAt, Within } from './documents.ts'
import type { Target } from './target.ts'

/** A TypeBox schema whose references all name whole shared schemas.
 *
 *  `Schema extends PlainNode<…>` is a relation between types, which walks the schema without
 *  instantiating anything. What passes needs no check of its references and no document; most
 *  schemas pass. A Transform or a Recursive hides its inner schema, so it never does. */
export interface PlainNode<Schemas> {
  [Kind]: WalkedKind
  $ref?: WholeReference<Schemas>
  properties?: { [name: string]: PlainNode<Schemas> }
  items?: PlainNode<Schemas> | readonly PlainNode<Schemas>[]
  anyOf?: readonly PlainNode<Schemas>[]
  allOf?: readonly PlainNode<Schemas>[]
  patternProperties?: { [pattern: string]: PlainNode<Schemas> }
}

/** The same for TypeBox 1.x, of the keywords that its own types have. A `Type.Unsafe` says nothing of
 *  its references. */
type PlainTypeBox1<Schemas> =
  | UnsafeMark
  | {
      readonly '~kind': string
      readonly $ref?: WholeReference<Schemas>
      readonly properties?: { readonly [name: string]: PlainTypeBox1<Schemas> }
      readonly items?: PlainTypeBox1<Schemas> | readonly PlainTypeBox1<Schemas>[]
      readonly anyOf?: readonly PlainTypeBox1<Schemas>[]
      readonly allOf?: readonly PlainTypeBox1<Schemas>[]
      readonly patternProperties?: { readonly [pattern: string]: PlainTypeBox1<Schemas> }
      readonly additionalProperties?: boolean
      readonly $defs?: never
      readonly if?: never
    }

type WholeReference<Schemas> = (keyof Schemas & string) | `${keyof Schemas & string}#`

/** What `t.Partial`, `t.Pick` and the like make of a reference: TypeBox computes it in a `t.Module` alone. */
export interface Computed<out Name = unknown> {
  readonly [Kind]: 'Computed'
  readonly target: Name
}

/** What is said of it elsewhere. */
export type NotComputed<Name> =
  `t.${Name & string} of a reference is not computed here: give it the schema itself`

/** The references in a schema that name nothing, as a union, and what is not computed. The exact and slow way: it follows
 *  documents as the walk of `Infer` does. It stops at `any`, which stands for what the compiler has
 *  not inferred yet, and would be walked without end.
 *  @example type Bad = UnknownReferences<TArray<TRef<'usr#'>>, { user: User }> // 'usr#' */
export type UnknownReferences<Schema, Schemas, Document = Schema> = 0 extends 1 & Schema
  ? never
  : Schema extends { [Kind]: unknown }
    ? UnknownInNode<Schema, Schemas, DocumentAt<Schema, Document>>
    : Schema extends StandardMark | PlainTypeBox1<Schemas>
      ? never
      : Schema extends CyclicMark<infer Definitions>
        ? UnknownInJson<
            Schema,
            Omit<Schemas, keyof Definitions> & Definitions,
            Within<Schema, Document>
          >
        : UnknownInJson<Schema, Schemas, DocumentAt<Schema, Document>>

type UnknownInNode<Schema, Schemas, Document> = Schema extends {
  [TransformKind]: TransformOptions<infer Inner, infer _Decoded>
}
  ? UnknownReferences<Inner, Schemas, Document>
  : Schema extends { [Kind]: 'Ref'; $ref: infer Reference }
    ? Unresolved<Reference, Schemas, Document>
    : Schema extends { [Kind]: WalkedKind }
      ? UnknownInChildren<NodeChildren<Schema>, Schemas, Document>
      : UnknownInOther<Schema, Schemas, Document>

type UnknownInOther<Schema, Schemas, Document> =
  Schema extends Computed<infer Name>
    ? Computed<Name>
    : Schema extends ImportMark<infer Definitions>
      ? UnknownInModule<Definitions, Omit<Schemas, keyof Definitions> & Definitions>
      : UnknownInRecursion<Schema, Recursed<Schema>, Schemas, Document>

/** Each schema of a `t.Module` is a document of its own. */
type UnknownInModule<Definitions, Schemas> = {
  [Name in keyof Definitions]: UnknownReferences<Definitions[Name], Schemas>
}[keyof Definitions]

/** A `t.Recursive` is a document of its own. */
type UnknownInRecursion<Schema, Inner, Schemas, Document> = [Inner] extends [never]
  ? UnknownInChildren<NodeChildren<Schema>, Schemas, Document>
  : UnknownReferences<Inner, Schemas, Within<Inner, Document>>

/** Only what is known to hold schemas: TypeBox gives its own types an index signature, and `static`
 *  and `params` hold the inferred types, which must not be walked. */
type NodeChildren<Schema> =
  | (Schema extends { properties: infer Map } ? Map[keyof Map] : never)
  | (Schema extends { patternProperties: infer Map } ? Map[keyof Map] : never)
  | (Schema extends { items: infer Items } ? Members<Items> : never)
  | (Schema extends { anyOf: infer Items } ? Members<Items> : never)
  | (Schema extends { allOf: infer Items } ? Members<Items> : never)

type Members<Items> = Items extends readonly unknown[] ? Items[number] : Items

type UnknownInChildren<Child, Schemas, Document> = Child extends unknown
  ? UnknownReferences<Child, Schemas, Document>
  : never

type UnknownInJson<Schema, Schemas, Document> =
  | (Schema extends { readonly $ref: infer Reference }
      ? Unresolved<Reference, Schemas, Document>
      : never)
  | (Schema extends readonly unknown[]
      ? UnknownInChildren<Schema[number], Schemas, Document>
      : Schema extends object
        ? {
            [Keyword in keyof Schema]: Keyword extends DataKeyword
              ? never
              : UnknownReferences<Schema[Keyword], Schemas, Document>
          }[keyof Schema]
        : never)

/** Keywords whose value is data: a `$ref` in there is no reference. */
type DataKeyword =
  'enum' | 'const' | 'default' | 'examples' | 'example' | 'required' | '~codec' | '~refine'

type Unresolved<Reference, Schemas, Document> = Reference extends string
  ? [Target<Reference, Schemas, Document>] extends [never]
    ? Reference
    : never
  : never
