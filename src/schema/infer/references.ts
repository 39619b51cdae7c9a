// References in the types of schemas: which documents a schema has, what a reference names, and
// which references name nothing.
import type { Kind, TransformKind, TransformOptions } from '@sinclair/typebox'
import type {
  CyclicMark,
  ImportMark,
  KindMark,
  NodeKeywords,
  Recursed,
  StandardMark,
  UnsafeMark,
  WalkedKind,
} from './marks.ts'

/** The type of a reference that names no schema. The route is an error already; this type gives the
 *  reason where it is used. */
export interface NoSuchSchema<Reference> {
  'no such schema': Reference
}

/** The schema that a reference names, as `[schema, document]`: the `#…` references in the schema
 *  resolve in the document. `never` if it names nothing.
 *  @example
 *  type Whole = ReferenceTarget<'user#', { user: User }, Root> // [User, User]
 *  type Local = ReferenceTarget<'#/definitions/tag', {}, Root>
 *  // [Root['definitions']['tag'], Root] */
export type ReferenceTarget<
  Reference extends string,
  Registry,
  Document,
> = Reference extends keyof Registry
  ? [Registry[Reference], Registry[Reference]]
  : Reference extends `${infer Id}#${infer Fragment}`
    ? Id extends ''
      ? TargetIn<RootOf<Document>, Document, Fragment>
      : Id extends keyof Registry
        ? TargetIn<Registry[Id], Registry[Id], Fragment>
        : Elsewhere<Id, Fragment, Registry, Document>
    : Elsewhere<Reference, '', Registry, Document>

/** The target of a reference that is not literally the `$id` of a shared schema. The `$id` may end
 *  with `#`, and the reference may be relative to the document. Otherwise it names the outermost
 *  document, or one that is embedded in it. */
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

/** A pointer with escapes is not resolved in types. Its schema is `unknown`. */
type Escaped = `${string}~${string}` | `${string}%${string}`

/** Each `$id` on the way opens a document, as at run time. */
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

/** The subschema whose `$id` is `#name`, or whose `$anchor` is `name`. The search ends, since the
 *  type of a schema has no cycles: recursion is written as a reference. */
type FindAnchor<Schema, Name extends string> = Schema extends
  { readonly $id: `#${Name}` } | { readonly $anchor: Name }
  ? Schema
  : ChildOf<Schema> extends infer Child
    ? Child extends unknown
      ? FindAnchor<Child, Name>
      : never
    : never

/** A document inside of another one. Its references may name the documents around it, and those
 *  embedded beside it. A document that is not embedded is represented by its schema itself. */
export interface EmbeddedDocument<out Root, out Outermost, out Base extends string> {
  readonly root: Root
  readonly outermost: Outermost
  /** Its `$id`, resolved against the `$id`s around it. */
  readonly base: Base
}

/** The document of a schema: the schema itself if it has an `$id` (one like `#nick` only names a
 *  part). A self-contained schema does not need the documents around it; without them the compiler
 *  walks it once, wherever it is embedded. */
export type DocumentAt<Schema, Document> = Schema extends { readonly $id: infer Id extends string }
  ? Id extends `#${string}`
    ? Document
    : Schema extends SelfContained
      ? Schema
      : DocumentCalled<Schema, Id, Document>
  : Document

type DocumentCalled<Schema, Id extends string, Document> =
  RootOf<Document> extends { readonly $id: Id }
    ? Document
    : EmbeddedDocument<Schema, OutermostOf<Document>, Resolved<BaseOf<Document>, WithoutHash<Id>>>

/** A schema whose references all begin with `#`. `extends SelfContained` is a relation between
 *  types, which instantiates nothing. A schema that shares no keyword with it does not match, nor
 *  does one that hides its inner schema (`t.Recursive`, a transform). */
type SelfContained = OwnNode | OwnJson

interface OwnKeywords extends NodeKeywords<SelfContained | boolean> {
  readonly $ref?: `#${string}`
  readonly $defs?: OwnMap
  readonly definitions?: OwnMap
}

interface OwnNode extends OwnKeywords {
  readonly [Kind]: WalkedKind
}

interface OwnJson extends OwnKeywords {
  readonly [Kind]?: never
  readonly additionalProperties?: SelfContained | boolean
  readonly additionalItems?: SelfContained | boolean
  readonly oneOf?: readonly (SelfContained | boolean)[]
  readonly not?: SelfContained | boolean
  readonly if?: SelfContained | boolean
  readonly then?: SelfContained | boolean
  readonly else?: SelfContained | boolean
  readonly type?: unknown
  readonly const?: unknown
  readonly enum?: unknown
  readonly description?: unknown
}

interface OwnMap {
  readonly [name: string]: SelfContained | boolean
}

/** A document without an `$id` of its own, inside of another one. */
export type Within<Root, Document> = EmbeddedDocument<Root, OutermostOf<Document>, BaseOf<Document>>

/** The schema that `#` names in a document. */
export type RootOf<Document> =
  Document extends EmbeddedDocument<infer Root, unknown, string> ? Root : Document

type OutermostOf<Document> =
  Document extends EmbeddedDocument<unknown, infer Outermost, string> ? Outermost : Document

/** The base URI of the references in a document. */
export type BaseOf<Document> =
  Document extends EmbeddedDocument<unknown, unknown, infer Base>
    ? Base
    : Document extends { readonly $id: infer Id extends string }
      ? WithoutHash<Id>
      : ''

type WithoutHash<Id extends string> = Id extends `${infer Name}#` ? Name : Id

/** A reference resolved against the base URI of a document (RFC 3986, 5.2). Unusual forms are left
 *  as they are (`a/../b`, a query).
 *  @example type Uri = Resolved<'https://x.org/team.json', 'user.json'>
 *  // 'https://x.org/user.json' */
export type Resolved<Base extends string, Id extends string> = Id extends `${string}:${string}`
  ? Id
  : Id extends `/${string}`
    ? Base extends `${infer Scheme}://${infer Host}/${string}`
      ? `${Scheme}://${Host}${Id}`
      : Id
    : Base extends `${string}/${string}`
      ? JoinedPath<Folder<Base>, Id>
      : Id

type Folder<
  Path extends string,
  Done extends string = '',
> = Path extends `${infer Name}/${infer Rest}` ? Folder<Rest, `${Done}${Name}/`> : Done

type JoinedPath<Into extends string, Path extends string> = Path extends `./${infer Rest}`
  ? JoinedPath<Into, Rest>
  : Path extends `../${infer Rest}`
    ? Into extends `${infer Above}/`
      ? JoinedPath<Folder<Above>, Rest>
      : Path
    : `${Into}${Path}`

/** The document with one of these names: the outermost one, or one embedded in it. `never` if there
 *  is none, `unknown` if it may be one whose `$id` is not a literal. */
export type DocumentNamed<Name extends string, Document> = FindDocument<
  OutermostOf<Document>,
  Name,
  OutermostOf<Document>
>

type FindDocument<Schema, Name extends string, Outer> = 0 extends 1 & Schema
  ? never
  : NamedAt<Schema, Outer> extends infer Document
    ? string extends BaseOf<Document>
      ? unknown
      : BaseOf<Document> extends Name
        ? Document
        : FindAmong<ChildOf<Schema>, Name, Document>
    : never

type NamedAt<Schema, Outer> = Schema extends { readonly $id: infer Id extends string }
  ? Id extends `#${string}`
    ? Outer
    : DocumentCalled<Schema, Id, Outer>
  : Outer

type FindAmong<Child, Name extends string, Outer> = Child extends unknown
  ? FindDocument<Child, Name, Outer>
  : never

/** The direct subschemas of a schema. */
type ChildOf<Schema> =
  ValueAt<Schema, OfMap> | ItemAt<Schema, OfSchemas> | InsideOf<Schema> | Recursed<Schema>

type OfMap =
  'properties' | 'definitions' | '$defs' | 'patternProperties' | 'dependencies' | 'dependentSchemas'

type OfSchemas =
  | 'items'
  | 'anyOf'
  | 'allOf'
  | 'oneOf'
  | 'additionalProperties'
  | 'additionalItems'
  | 'prefixItems'
  | 'contains'
  | 'propertyNames'
  | 'not'
  | 'if'
  | 'then'
  | 'else'

type ValueAt<Schema, Keyword> = Keyword extends string
  ? Schema extends { readonly [Key in Keyword]: infer Map }
    ? Map[keyof Map]
    : never
  : never

type ItemAt<Schema, Keyword> = Keyword extends string
  ? Schema extends { readonly [Key in Keyword]: infer Items }
    ? Items extends readonly unknown[]
      ? Items[number]
      : Items
    : never
  : never

/** The schema that `t` has wrapped in the type of a nullable or sensitive one, or of a transform.
 *  At run time both are one object. */
type InsideOf<Schema> = Schema extends {
  readonly nullable: true
  readonly anyOf: readonly [infer Inner, unknown]
}
  ? Inner
  : Schema extends { [TransformKind]: TransformOptions<infer Inner, infer _Decoded> }
    ? Inner
    : Schema extends { [Kind]: 'Sensitive'; anyOf: readonly [infer Inner] }
      ? Inner
      : never

/** The literal keys of a schema. TypeBox schemas have an index signature of `any`, which would let
 *  a pointer pass through a keyword that is not there. */
type NamedKey<Schema> = keyof {
  [Key in keyof Schema as string extends Key ? never : number extends Key ? never : Key]: unknown
}

/** A TypeBox schema whose references all name whole shared schemas. Most schemas are: they need no
 *  document and no check of their references.
 *
 *  `Schema extends PlainNode<…>` is a relation between types, which walks the schema without
 *  instantiating anything. A Transform or a Recursive hides its inner schema, so it never
 *  matches. */
export interface PlainNode<Schemas> extends NodeKeywords<PlainNode<Schemas>> {
  [Kind]: WalkedKind
  $ref?: WholeReference<Schemas>
}

/** The same for TypeBox 1.x, with the keywords that its types have. The type of a `Type.Unsafe`
 *  does not show its references. */
type PlainTypeBox1<Schemas> = UnsafeMark | PlainKind<Schemas>

interface PlainKind<Schemas> extends KindMark, NodeKeywords<PlainTypeBox1<Schemas>> {
  readonly $ref?: WholeReference<Schemas>
  readonly additionalProperties?: boolean
  readonly $defs?: never
  readonly if?: never
}

type WholeReference<Schemas> = (keyof Schemas & string) | `${keyof Schemas & string}#`

/** The result of `t.Partial`, `t.Pick` and the like for a reference. TypeBox computes it in a
 *  `t.Module` only. */
export interface Computed<out Name = unknown> {
  readonly [Kind]: 'Computed'
  readonly target: Name
}

/** The error message for a computed schema outside of a module. */
export type NotComputed<Name> =
  `t.${Name & string} of a reference is not computed here: give it the schema itself`

/** The references in a schema that name nothing, and the computed schemas in it, as a union. This
 *  is the exact and slow check: it follows documents as `Infer` does. It stops at `any`, which
 *  stands for a type that the compiler has not inferred yet; to walk it would never end.
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

/** The subschemas of a TypeBox schema, by keyword: its type has an index signature, and `static`
 *  and `params` hold inferred types, which must not be walked. */
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

/** Keywords whose value is data, so that a `$ref` in it is no reference. */
type DataKeyword =
  'enum' | 'const' | 'default' | 'examples' | 'example' | 'required' | '~codec' | '~refine'

type Unresolved<Reference, Schemas, Document> = Reference extends string
  ? [ReferenceTarget<Reference, Schemas, Document>] extends [never]
    ? Reference
    : never
  : never
