import type { TransformKind, TransformOptions } from '@sinclair/typebox'

/** The type that stands for a reference which names no schema. The route is an error already; this
 *  says why where the type is read. */
export interface NoSuchSchema<Reference> {
  'no such schema': Reference
}

/** What a reference names: `[schema, document]`, the document being where the `#…` references
 *  inside that schema resolve. `never` when it names nothing.
 *  @example
 *  type Whole = Target<'user#', { user: User }, Root> // [User, User]
 *  type Local = Target<'#/definitions/tag', {}, Root> // [Root['definitions']['tag'], Root] */
export type Target<Reference extends string, Registry, Document> = Reference extends keyof Registry
  ? [Registry[Reference], Registry[Reference]]
  : Reference extends `${infer Id}#${infer Fragment}`
    ? Id extends ''
      ? TargetIn<Document, Fragment>
      : Id extends keyof Registry
        ? TargetIn<Registry[Id], Fragment>
        : InNamed<Document, Id, Fragment>
    : InNamed<Document, Reference, ''>

/** A document may be referred to from inside by its own `$id`. `any` has each. */
type InNamed<Document, Id, Fragment extends string> = 0 extends 1 & Document
  ? never
  : [Document] extends [{ readonly $id: Id }]
    ? TargetIn<Document, Fragment>
    : never

type TargetIn<Document, Fragment extends string> = Fragment extends ''
  ? [Document, Document]
  : Fragment extends `/${infer Pointer}`
    ? Fragment extends Escaped
      ? [unknown, Document]
      : FollowPointer<Document, Pointer, Document>
    : FindAnchor<Document, `#${Fragment}`> extends infer Found
      ? [Found] extends [never]
        ? never
        : [Found, Document]
      : never

/** A pointer with escapes is not read: it is left to run time whether it names something, and what. */
type Escaped = `${string}~${string}` | `${string}%${string}`

/** An `$id` on the way opens the document below it, as at run time. */
type FollowPointer<
  Schema,
  Pointer extends string,
  Document,
> = Pointer extends `${infer Key}/${infer Rest}`
  ? Key extends NamedKey<Schema>
    ? FollowPointer<Schema[Key], Rest, DocumentAt<Schema[Key], Document>>
    : FollowInside<InsideOf<Schema>, Pointer, Document>
  : Pointer extends NamedKey<Schema>
    ? [Schema[Pointer], DocumentAt<Schema[Pointer], Document>]
    : FollowInside<InsideOf<Schema>, Pointer, Document>

type FollowInside<Inner, Pointer extends string, Document> = [Inner] extends [never]
  ? never
  : FollowPointer<Inner, Pointer, Document>

/** The schema which is the same object at run time as one that `t` made of it: nullable, or with a transform. */
type InsideOf<Schema> = Schema extends {
  readonly nullable: true
  readonly anyOf: readonly [infer Inner, unknown]
}
  ? Inner
  : Schema extends { [TransformKind]: TransformOptions<infer Inner, infer _Decoded> }
    ? Inner
    : never

/** The keys that a schema is known to have. TypeBox gives its schemas an index signature of `any`,
 *  which would let a pointer pass through a keyword that is not there. */
type NamedKey<Schema> = keyof {
  [Key in keyof Schema as string extends Key ? never : number extends Key ? never : Key]: unknown
}

/** The document of a schema: itself when it has an `$id` (one like `#nick` only names a part). */
export type DocumentAt<Schema, Document> = Schema extends {
  readonly $id: infer Id
}
  ? Id extends `#${string}`
    ? Document
    : Schema
  : Document

/** The sub-schema whose `$id` is `#name`. It ends where the schema does: a type has no cycles that
 *  were not written as references. */
type FindAnchor<Schema, Anchor> = Schema extends { readonly $id: Anchor }
  ? Schema
  : ChildOf<Schema> extends infer Child
    ? Child extends unknown
      ? FindAnchor<Child, Anchor>
      : never
    : never

type ChildOf<Schema> =
  | ValueAt<Schema, 'properties'>
  | ValueAt<Schema, 'definitions'>
  | ValueAt<Schema, '$defs'>
  | ValueAt<Schema, 'patternProperties'>
  | ItemAt<Schema, 'items'>
  | ItemAt<Schema, 'anyOf'>
  | ItemAt<Schema, 'allOf'>
  | ItemAt<Schema, 'oneOf'>

type ValueAt<Schema, Keyword extends string> = Schema extends {
  readonly [Key in Keyword]: infer Map
}
  ? Map[keyof Map]
  : never

type ItemAt<Schema, Keyword extends string> = Schema extends {
  readonly [Key in Keyword]: infer Items
}
  ? Items extends readonly unknown[]
    ? Items[number]
    : Items
  : never
