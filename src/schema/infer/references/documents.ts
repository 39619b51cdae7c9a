// The documents that a schema consists of, and how they are called.
import type { Kind } from '@sinclair/typebox'
import type { WalkedKind } from '../marks.ts'
import type { ChildOf } from './children.ts'

/** A document that stands inside of another one: what is written in it may name those around it, and those that are
 *  embedded beside it. One that stands alone is its schema itself. */
export interface EmbeddedDocument<out Root, out Outermost, out Base extends string> {
  readonly root: Root
  readonly outermost: Outermost
  /** Its `$id`, made absolute where the `$id`s around it are. */
  readonly base: Base
}

/** The document of a schema: itself when it has an `$id` (one like `#nick` only names a part). What refers to nothing outside
 *  of itself needs to know of nothing there, so that it is walked once wherever it is embedded. */
export type DocumentAt<Schema, Document> = Schema extends { readonly $id: infer Id extends string }
  ? Id extends `#${string}`
    ? Document
    : Schema extends SelfContained
      ? Schema
      : Named<Schema, Id, Document>
  : Document

type Named<Schema, Id extends string, Document> =
  RootOf<Document> extends { readonly $id: Id }
    ? Document
    : EmbeddedDocument<Schema, OutermostOf<Document>, Resolved<BaseOf<Document>, WithoutHash<Id>>>

/** A schema whose references all begin with `#`. It is a relation between types, which instantiates nothing. What has
 *  nothing in common with it does not fit it, nor does what hides its inner schema (`t.Recursive`, a transform). */
type SelfContained = OwnNode | OwnJson

/** Of TypeBox's types, the keywords that they have of themselves. */
interface OwnNode {
  readonly [Kind]: WalkedKind
  readonly $ref?: `#${string}`
  readonly $defs?: OwnMap
  readonly definitions?: OwnMap
  readonly properties?: OwnMap
  readonly patternProperties?: OwnMap
  readonly items?: SelfContained | readonly SelfContained[]
  readonly anyOf?: readonly SelfContained[]
  readonly allOf?: readonly SelfContained[]
}

interface OwnJson {
  readonly [Kind]?: never
  readonly $ref?: `#${string}`
  readonly $defs?: OwnMap
  readonly definitions?: OwnMap
  readonly properties?: OwnMap
  readonly patternProperties?: OwnMap
  readonly additionalProperties?: SelfContained | boolean
  readonly items?: SelfContained | boolean | readonly (SelfContained | boolean)[]
  readonly additionalItems?: SelfContained | boolean
  readonly anyOf?: readonly (SelfContained | boolean)[]
  readonly allOf?: readonly (SelfContained | boolean)[]
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

/** A document without a name of its own, in that of the schema around it. */
export type Within<Root, Document> = EmbeddedDocument<Root, OutermostOf<Document>, BaseOf<Document>>

/** The schema where the `#…` references of a document begin. */
export type RootOf<Document> =
  Document extends EmbeddedDocument<infer Root, unknown, string> ? Root : Document

type OutermostOf<Document> =
  Document extends EmbeddedDocument<unknown, infer Outermost, string> ? Outermost : Document

/** The URI that the references of a document are relative to. */
export type BaseOf<Document> =
  Document extends EmbeddedDocument<unknown, unknown, infer Base>
    ? Base
    : Document extends { readonly $id: infer Id extends string }
      ? WithoutHash<Id>
      : ''

type WithoutHash<Id extends string> = Id extends `${infer Name}#` ? Name : Id

/** A reference as it is read in a document: a URI is relative to that of the document (RFC 3986, 5.2). What is not
 *  written plainly is left as it is (`a/../b`, a query).
 *  @example type Uri = Resolved<'https://x.org/team.json', 'user.json'> // 'https://x.org/user.json' */
export type Resolved<Base extends string, Id extends string> = Id extends `${string}:${string}`
  ? Id
  : Id extends `/${string}`
    ? Base extends `${infer Scheme}://${infer Host}/${string}`
      ? `${Scheme}://${Host}${Id}`
      : Id
    : Base extends `${string}/${string}`
      ? Joined<Folder<Base>, Id>
      : Id

type Folder<
  Path extends string,
  Done extends string = '',
> = Path extends `${infer Name}/${infer Rest}` ? Folder<Rest, `${Done}${Name}/`> : Done

type Joined<Into extends string, Path extends string> = Path extends `./${infer Rest}`
  ? Joined<Into, Rest>
  : Path extends `../${infer Rest}`
    ? Into extends `${infer Above}/`
      ? Joined<Folder<Above>, Rest>
      : Path
    : `${Into}${Path}`

/** The document of one of these names among the outermost one and those that are embedded in it; `never` when there
 *  is none, and `unknown` when it may be one whose `$id` is any text. `any` has each. */
export type DocumentNamed<Name extends string, Document> = FindDocument<
  OutermostOf<Document>,
  Name,
  OutermostOf<Document>
>

/** It ends where the schema does: a type has no cycles that were not written as references. */
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
    : Named<Schema, Id, Outer>
  : Outer

type FindAmong<Child, Name extends string, Outer> = Child extends unknown
  ? FindDocument<Child, Name, Outer>
  : never
