import type { ChildOf, InsideOf, NamedKey } from './children.ts'
import type { BaseOf, DocumentAt, DocumentNamed, Resolved, RootOf } from './documents.ts'

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
      ? TargetIn<RootOf<Document>, Document, Fragment>
      : Id extends keyof Registry
        ? TargetIn<Registry[Id], Registry[Id], Fragment>
        : Elsewhere<Id, Fragment, Registry, Document>
    : Elsewhere<Reference, '', Registry, Document>

/** What is not referred to by the `$id` of a shared schema as it is written: that ends with `#`, the reference is relative
 *  to the document, or both; else it names the outermost document, or one that is embedded there. */
type Elsewhere<
  Id extends string,
  Fragment extends string,
  Registry,
  Document,
> = `${Id}#` extends keyof Registry
  ? TargetIn<Registry[`${Id}#`], Registry[`${Id}#`], Fragment>
  : 0 extends 1 & Document
    ? never
    : Resolved<BaseOf<Document>, Id> extends infer Uri extends string
      ? Uri extends keyof Registry
        ? TargetIn<Registry[Uri], Registry[Uri], Fragment>
        : `${Uri}#` extends keyof Registry
          ? TargetIn<Registry[`${Uri}#`], Registry[`${Uri}#`], Fragment>
          : InNamed<DocumentNamed<Id | Uri, Document>, Fragment>
      : never

type InNamed<Document, Fragment extends string> = unknown extends Document
  ? [unknown, unknown]
  : Document extends unknown
    ? TargetIn<RootOf<Document>, Document, Fragment>
    : never

type TargetIn<Root, Document, Fragment extends string> = Fragment extends ''
  ? [Root, Document]
  : Fragment extends `/${infer Pointer}`
    ? Fragment extends Escaped
      ? [unknown, Document]
      : FollowPointer<Root, Pointer, Document>
    : FindAnchor<Root, Fragment> extends infer Found
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

/** The sub-schema whose `$id` is `#name`, or whose `$anchor` is `name`. It ends where the schema does: a type has no cycles
 *  that were not written as references. */
type FindAnchor<Schema, Name extends string> = Schema extends
  { readonly $id: `#${Name}` } | { readonly $anchor: Name }
  ? Schema
  : ChildOf<Schema> extends infer Child
    ? Child extends unknown
      ? FindAnchor<Child, Name>
      : never
    : never
