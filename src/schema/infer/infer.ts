import type { Kind, TAny, TransformKind, TransformOptions } from '@sinclair/typebox'
import type { AnyEnv, Env, EnvAt, MemberEnv, ModuleEnv, SentEnv } from './env.ts'
import type {
  CodecMark,
  CyclicMark,
  ImportMark,
  NodeKey,
  NullableMark,
  Recursed,
  StandardMark,
  TypeBox1,
  UnsafeMark,
  WalkedKind,
} from './marks.ts'
import type { ItemsOf, Naming, RecurringMode } from './references/recurring.ts'
import type { NoSuchSchema, Target } from './references/target.ts'
import type {
  AnyObject,
  Closed,
  ClosedType,
  Coded,
  HasDefault,
  IfTyped,
  InferString,
  IsOptional,
  JsonObjectBy,
  JsonRequiredKeys,
  JsonShape,
  MoreItems,
  ReadMode,
  RequiredAfter,
  RequiredAlways,
  RequiredBefore,
  RequiredKeys,
  Serialized,
  Shape,
  Untyped,
} from './shape.ts'
import type { Certain, Composed, IsObject, Joined, RequiredOf, Undescribed } from './json/joined.ts'
import type { Indexed, Mixes, WholeBy } from './json/open.ts'
import type { InferStandard } from './standard.ts'

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
 *  walk an interface indexed by it, so that no conditional type looks at the schema itself. Objects come
 *  before it: each is a schema of its own, for which the whole interface would be made. */
export type InferNode<
  Schema extends Node,
  Known extends AnyEnv,
  KindName = Schema[typeof Kind],
> = KindName extends 'Object'
  ? ObjectBy<Schema, Schema['properties'], EnvAt<Schema, Known>, Known['mode']>
  : KindName extends WalkedKind
    ? Walk<Schema, Known>[KindName]
    : InferOther<Schema, Known>

/** The types of `WalkedKind`s. */
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
  // `InferNode` has taken it before.
  Object: unknown
  Array: ListBy<Schema, Known>[Known['mode']]
  Tuple: Schema extends { items: infer Items } ? InferTuple<Items, EnvAt<Schema, Known>> : []
  Union: InferEach<Schema['anyOf'], MemberEnv<EnvAt<Schema, Known>>>[number]
  Intersect: InferAll<Schema['allOf'], EnvAt<Schema, Known>>
  // Nothing is known of keys of another kind than the schema's.
  Record: Schema extends {
    patternProperties: { [pattern: string]: infer Value }
  }
    ? string extends keyof Schema['static']
      ? { [key: string]: Infer<Value, EnvAt<Schema, Known>> }
      : { [Key in keyof Schema['static']]: Infer<Value, EnvAt<Schema, Known>> }
    : never
  Ref: InferRef<Schema['$ref'], Known>
  This: InferAgain<Known['self'], Known>
}

/** A list by mode: a reply is only read. */
interface ListBy<Schema extends Node, Known extends AnyEnv> {
  in: ListOf<Schema, Known>
  call: ListOf<Schema, Known>
  out: ListOf<Schema, Known>
  json: ListOf<Schema, Known>
  reply: ReadListOf<Schema, Known>
  member: ReadListOf<Schema, Known>
  exact: ReadListOf<Schema, Known>
}

/** Conditions, though they ask nothing, since what is behind one is evaluated when it is looked at: lists of a recursion have
 *  no end. And an alias of its own would be what editors show. */
type ListOf<Schema extends Node, Known extends AnyEnv> = Known extends unknown
  ? Infer<Schema['items'], EnvAt<Schema, Known>>[]
  : never
type ReadListOf<Schema extends Node, Known extends AnyEnv> = Known extends unknown
  ? readonly Infer<Schema['items'], EnvAt<Schema, Known>>[]
  : never

type InferTuple<Schemas, Known extends AnyEnv> = Known['mode'] extends ReadMode
  ? Readonly<InferEach<Schemas, Known>>
  : InferEach<Schemas, Known>

/** An object by mode. ajv fills in defaults before it looks at `required`, so a default makes a field
 *  optional before (in, call, reply) and certain after (out, json). The serializer validates the members of a union before it
 *  fills in defaults and calls toJSON. A key that is no property is the mark of `exact`; its type does not matter. Not an
 *  interface of all modes, whose members would be made for each object in each of them. The maps are written in place,
 *  since an alias for them would be what editors show instead of the fields. */
type ObjectBy<
  Schema,
  Properties extends Nodes,
  Known extends AnyEnv,
  Side = Known['mode'],
> = Side extends 'out' | 'json'
  ? Fields<Properties, RequiredAfter<Properties>, Known>
  : Side extends 'in'
    ? Fields<Properties, RequiredBefore<Properties>, Known>
    : Side extends 'call'
      ? keyof Properties extends RequiredBefore<Properties>
        ? { -readonly [Key in keyof Properties]: InferNode<Properties[Key], Known> }
        : {
            -readonly [Key in keyof Shape<Properties, RequiredBefore<Properties>>]: Loose<
              Properties[Key],
              Known,
              IsOptional | HasDefault
            >
          }
      : Side extends 'reply'
        ? Serialized<ObjectBy<Schema, Properties, Known, 'call'>>
        : Side extends 'member'
          ? {
              -readonly [Key in keyof Shape<Properties, RequiredAlways<Properties>>]: Loose<
                Properties[Key],
                Known,
                IsOptional
              >
            }
          : {
              -readonly [
                Key in keyof (Shape<Properties, RequiredBefore<Properties>> &
                  (Schema extends Closed ? ClosedType : unknown))
              ]: InferNode<Properties[Key], Known> | undefined
            }

/** The fields of an object, some of which are required. Where all are, they need no shape. */
type Fields<
  Properties extends Nodes,
  Required extends keyof Properties,
  Known extends AnyEnv,
> = keyof Properties extends Required
  ? { -readonly [Key in keyof Properties]: InferNode<Properties[Key], Known> }
  : { -readonly [Key in keyof Shape<Properties, Required>]: InferNode<Properties[Key], Known> }

/** A field, which may be undefined where its schema has one of the marks. By the schema of the field, of which
 *  there are fewer than fields: most are walked once. */
type Loose<Schema extends Node, Known extends AnyEnv, Marks> = [Schema] extends [Marks]
  ? InferNode<Schema, Known> | undefined
  : InferNode<Schema, Known>

/** Schemas of TypeBox by name, as loose as the members of `Node`. */
interface Nodes {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see `Node`
  readonly [name: PropertyKey]: any
}

/** A list of properties that are all made with `t`. */
export type InferNodes<Properties extends Nodes, Known extends AnyEnv> = ObjectBy<
  {},
  Properties,
  Known
>

/** The same for the short form of a route part, whose properties may be of either sort. */
export type InferProperties<Properties, Known extends AnyEnv> = FieldsBy<
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
>[Known['mode']]

/** The fields of a shape, from schemas of either sort. No alias: see `ObjectBy`. */
export interface FieldsBy<Keys, Properties, Known extends AnyEnv> {
  in: { -readonly [Key in keyof Keys]: Infer<Properties[Key & keyof Properties], Known> }
  call: {
    -readonly [Key in keyof Keys]: Infer<Properties[Key & keyof Properties], Known> | Keys[Key]
  }
  out: FieldsBy<Keys, Properties, Known>['in']
  json: FieldsBy<Keys, Properties, Known>['in']
  reply: FieldsBy<Keys, Properties, Known>['call']
  member: FieldsBy<Keys, Properties, Known>['call']
  exact: FieldsBy<Keys, Properties, Known>['call']
}

export type InferEach<Schemas, Known extends AnyEnv> = {
  -readonly [Index in keyof Schemas]: Infer<Schemas[Index], Known>
}

export type InferAll<Schemas, Known extends AnyEnv, Result = unknown> = Schemas extends readonly [
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
  ? Coded<Infer<Encoded, Known>, Decoded>[Known['mode']]
  : Schema extends ImportMark<infer Definitions, infer Reference extends string>
    ? InferRef<Reference, ModuleEnv<Definitions, Known>>
    : [Recursed<Schema>] extends [never]
      ? Schema extends { static: infer Static }
        ? IfTyped<Static>[Known['mode']]
        : unknown
      : Infer<
          Recursed<Schema>,
          Env<Known['schemas'], Recursed<Schema>, Recursed<Schema>, Known['mode'], Known['passed']>
        >

export type InferRef<Reference extends string, Known extends AnyEnv> = [
  Target<Reference, Known['schemas'], Known['document']>,
] extends [[infer Found, infer Document]]
  ? [Document] extends [never]
    ? NoSuchSchema<Reference>
    : Reference extends Known['passed']
      ? InferAgain<Found, Env<Known['schemas'], Document, unknown, Known['mode'], Known['passed']>>
      : Infer<
          Found,
          Env<Known['schemas'], Document, unknown, Known['mode'], Known['passed'] | Reference>
        >
  : NoSuchSchema<Reference>

/** What the walk comes back to. It goes by a name, since declaration files write `any` for what would have no end. */
type InferAgain<Schema, Known extends AnyEnv> = Known['mode'] extends RecurringMode
  ? Again<Schema, Known, Known['mode']>[Naming<Schema>]
  : Infer<Schema, Known>

interface Again<Schema, Known extends AnyEnv, Side extends RecurringMode> {
  object: RecurringObject<Schema, Known['schemas'], Known['document'], Side>
  list: RecurringList<ItemsOf<Schema>, Known['schemas'], Known['document'], Side>
  union: RecurringUnion<Schema, Known['schemas'], Known['document'], Side>
}

/** An object that is somewhere inside of itself. */
export type RecurringObject<Schema, Schemas, Document, Side extends RecurringMode> = {
  [Key in keyof Recurring<Schema, Schemas, Document>[Side]]: Recurring<
    Schema,
    Schemas,
    Document
  >[Side][Key]
}

/** A list that is somewhere inside of itself. */
export type RecurringList<Items, Schemas, Document, Side extends RecurringMode> = Recurring<
  Items,
  Schemas,
  Document
>[Side][]

/** A union that is somewhere inside of itself: the compiler names one that it has put together. */
export type RecurringUnion<Schema, Schemas, Document, Side extends RecurringMode> = Recurring<
  Schema,
  Schemas,
  Document
>[Side | 'nothing']

interface Recurring<Schema, Schemas, Document> {
  in: Infer<Schema, Env<Schemas, Document, Document, 'in'>>
  out: Infer<Schema, Env<Schemas, Document, Document, 'out'>>
  json: Infer<Schema, Env<Schemas, Document, Document, 'json'>>
  nothing: never
}

/** The type of a plain JSON Schema (draft 7); of a schema of TypeBox 1.x, which is one in its type,
 *  too; or of a Standard Schema, whose own types it takes.
 *
 *  Keywords hold side by side, so their types are intersected; what says nothing that a type could
 *  (`not`, `if` itself, `required` of what may be no object) is left out, which makes the type wider, never wrong. */
export type InferJson<Schema, Known extends AnyEnv> = Schema extends TypeBox1 | StandardMark
  ? InferForeign<Schema, Known>
  : InferKeywords<Schema, EnvAt<Schema, Known>> | InferNullable<Schema, Known>

type InferForeign<Schema, Known extends AnyEnv> = Schema extends {
  readonly '~standard': { readonly types?: infer Types }
}
  ? InferStandard<NonNullable<Types>>[Known['mode']]
  : Schema extends CodecMark<infer One, infer Other>
    ? Coded<InferTypeBox1<Schema, EnvAt<Schema, Known>>, One & Other>[Known['mode']]
    : InferTypeBox1<Schema, EnvAt<Schema, Known>>

type InferTypeBox1<Schema, Known extends AnyEnv> =
  Schema extends UnsafeMark<infer Type>
    ? IfTyped<Type>[Known['mode']]
    : Schema extends { readonly '~kind': infer Kind extends keyof OwnKinds<unknown, AnyEnv> }
      ? OwnKinds<Schema, Known>[Kind]
      : InferKeywords<Schema, Known> | InferNullable<Schema, Known>

/** The kinds of TypeBox 1.x that mean something else than the JSON Schema that they are. */
interface OwnKinds<Schema, Known extends AnyEnv> {
  Any: TAny['static']
  Never: never
  Record: Schema extends { readonly patternProperties: infer Patterns }
    ? keyof Patterns extends TextKey
      ? { [key: string]: Infer<Patterns[keyof Patterns], Known> }
      : keyof Patterns extends NumberKey
        ? { [key: number]: Infer<Patterns[keyof Patterns], Known> }
        : InferKeywords<Schema, Known>
    : never
  Cyclic: Schema extends CyclicMark<infer Definitions, infer Reference extends string>
    ? InferRef<
        Reference,
        Env<
          Omit<Known['schemas'], keyof Definitions> & Definitions,
          Known['document'],
          unknown,
          Known['mode']
        >
      >
    : never
}

/** The patterns of TypeBox 1.x for keys that are any text, and for those that are numbers. */
type TextKey = '^.*$'
type NumberKey = '^-?(?:0|[1-9][0-9]*)$' | '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$'

/** Serializers do not look at lists: what is received may be null all the same. */
type InferNullable<Schema, Known extends AnyEnv> = Schema extends NullableMark
  ? Schema extends Composed
    ? NullBy<Schema, Known>[Known['mode']]
    : null
  : Schema extends { readonly nullable: true }
    ? Extract<Known['mode'], 'json'> extends never
      ? never
      : null
    : never

/** Beside other schemas null is valid where they let it pass, each by itself: that there is an object is not said then. The
 *  serializer asks none of them. */
interface NullBy<Schema, Known extends AnyEnv> {
  in: null &
    InferEach<ListAt<Schema, 'anyOf'>, Known>[number] &
    InferEach<ListAt<Schema, 'oneOf'>, Known>[number] &
    InferAll<ListAt<Schema, 'allOf'>, Known>
  call: NullBy<Schema, Known>['in']
  out: NullBy<Schema, Known>['in']
  json: null
  reply: null
  member: null
  exact: null
}

/** The schemas of a keyword; where it is not there, one that lets anything pass. */
type ListAt<Schema, Keyword extends string> = Schema extends {
  readonly [Key in Keyword]: infer Schemas extends readonly unknown[]
}
  ? Schemas
  : [unknown]

type InferKeywords<Schema, Known extends AnyEnv> = Schema extends {
  readonly $ref: infer Reference extends string
}
  ? InferRef<Reference, Known> & InferOwn<Schema, Known>
  : InferOwn<Schema, Known>

type InferOwn<Schema, Known extends AnyEnv> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: infer Values extends readonly unknown[] }
    ? Values[number]
    : Schema extends Composed
      ? Mixes<Schema> extends true
        ? WholeBy<InferComposed<Schema, Known>>['each']
        : InferComposed<Schema, Known>
      : InferType<Schema, Known>

type InferComposed<Schema, Known extends AnyEnv> = InferUnion<Schema, 'anyOf', MemberEnv<Known>> &
  InferUnion<Schema, 'oneOf', MemberEnv<Known>> &
  InferAllOf<Schema, Known> &
  InferIf<Schema, Known> &
  InferType<Schema, Known>

type InferUnion<Schema, Keyword extends string, Known extends AnyEnv> = Schema extends {
  readonly [Key in Keyword]: infer Schemas extends readonly unknown[]
}
  ? InferEach<Joined<Schema, Schemas, IsObject<Schema>, Known>, Known>[number]
  : unknown

/** If one of them says that there is an object, and nothing else, it is one for all of them. */
type InferAllOf<Schema, Known extends AnyEnv> = Schema extends {
  readonly allOf: infer Schemas extends readonly unknown[]
}
  ? InferAll<
      Joined<
        Schema,
        Schemas,
        IsObject<Schema | Exclude<Schemas[number], { readonly nullable: true }>>,
        Known
      >,
      Known
    >
  : unknown

/** What is valid is so by `then` or by `else`; the type does not say by which. */
type InferIf<Schema, Known extends AnyEnv> = Schema extends { readonly if: unknown }
  ? InferBranch<Schema, 'then', Known> | InferBranch<Schema, 'else', Known>
  : unknown

type InferBranch<Schema, Keyword extends string, Known extends AnyEnv> = Schema extends {
  readonly [Key in Keyword]: infer Branch
}
  ? InferEach<Joined<Schema, [Branch], IsObject<Schema>, Known>, Known>[0]
  : unknown

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
    ? Untyped<InferObject<Schema, Known>>[Known['mode']]
    : unknown

/** The names of types (JSON Schema, draft 7, validation, 6.1.1). */
export type JsonTypeName = keyof JsonTypes<unknown, AnyEnv>

interface JsonTypes<Schema, Known extends AnyEnv> {
  string: InferString<Schema>[Known['mode']]
  number: number
  integer: number
  boolean: boolean
  null: null
  object: JsonObjectBy<InferObject<Schema, Known>>[Known['mode']]
  array: InferList<Schema, Known>
}

/** An alias, whose items the compiler looks at only when it must: lists may be of lists of their kind. */
type InferList<Schema, Known extends AnyEnv> = Known['mode'] extends ReadMode
  ? Schema extends { readonly items: infer Items }
    ? Items extends readonly unknown[]
      ? Readonly<InferJsonTuple<Schema, InferEach<Items, Known>, Known>>
      : readonly Infer<Items, Known>[]
    : readonly unknown[]
  : Schema extends { readonly items: infer Items }
    ? Items extends readonly unknown[]
      ? InferJsonTuple<Schema, InferEach<Items, Known>, Known>
      : Infer<Items, Known>[]
    : unknown[]

/** Without `minItems` there may be fewer items than are listed; without `additionalItems` or `maxItems`, more. */
type InferJsonTuple<Schema, Items extends readonly unknown[], Known extends AnyEnv> = [
  ...(Schema extends { readonly minItems: Items['length'] } ? Items : Partial<Items>),
  ...(Schema extends { readonly additionalItems: false } | { readonly maxItems: Items['length'] }
    ? []
    : Schema extends { readonly additionalItems: infer Others extends object }
      ? Infer<Others, SentEnv<Known>>[]
      : Schema extends { readonly additionalItems: unknown }
        ? unknown[]
        : MoreItems[Known['mode']]),
]

/** The type of an object. What is required without being described may be anything, or is of the type of other fields. */
type InferObject<Schema, Known extends AnyEnv> = Schema extends {
  readonly properties: infer Properties
}
  ? Schema extends Indexed
    ? OpenBy<
        JsonShape<Schema, Properties, RequiredOf<Schema>>[Known['mode']] & {
          [Name in Undescribed<Schema, Properties, Known>]: InferOthers<Schema, Known>
        } & { [key: string]: InferOthers<Schema, Known> | undefined },
        Properties,
        Known
      >[Known['mode']]
    : [RequiredOf<Schema>] extends [keyof Properties]
      ? InferFields<Schema, Properties, Known>
      : InferFields<Schema, Properties, Known> & {
          [Name in Undescribed<Schema, Properties, Known>]: unknown
        }
  : [RequiredOf<Schema>] extends [never]
    ? InferMap<Schema, Known>
    : InferRequiring<Schema, Certain<Schema, Known>[Known['mode']], Known>

/** An object of which no field is described by name. */
type InferMap<Schema, Known extends AnyEnv> = Schema extends Indexed
  ? { [key: string]: InferOthers<Schema, Known> }
  : Known['mode'] extends ReadMode
    ? { [key: string]: unknown } | AnyObject
    : { [key: string]: unknown }

/** The same, some of whose fields must be there. */
type InferRequiring<Schema, Names, Known extends AnyEnv> = [Names] extends [never]
  ? InferMap<Schema, Known>
  : Schema extends Indexed
    ? {
        [
          Key in keyof ({ [key: string]: unknown } & {
            [Name in Names & string]: unknown
          })
        ]: InferOthers<Schema, Known>
      }
    : Known['mode'] extends ReadMode
      ? InferMap<Schema, Known> & { [Name in Names & string]: unknown }
      : { [Name in Names & string]: unknown }

type InferFields<Schema, Properties, Known extends AnyEnv> = FieldsBy<
  JsonShape<Schema, Properties, RequiredOf<Schema>>[Known['mode']],
  Properties,
  Known
>[Known['mode']]

/** The fields of a shape with an index signature, by mode, as in `FieldsBy`. No type can tell the other fields from the named
 *  ones by a pattern, so any of them may be either. What has no schema of its own is as the shape says.
 *
 *  It is one map. In an intersection the compiler does not ask of what an index signature holds whether it has anything in
 *  common with an object whose fields may all be left out: a number would be one. */
interface OpenBy<Keys, Properties, Known extends AnyEnv> {
  in: {
    -readonly [Key in keyof Keys]:
      | Infer<Properties[Key & keyof Properties], Known>
      | (Key extends keyof Properties ? never : Keys[Key])
  }
  out: OpenBy<Keys, Properties, Known>['in']
  json: OpenBy<Keys, Properties, Known>['in']
  // There the type of a field that the shape says is added in any case.
  call: FieldsBy<Keys, Properties, Known>['call']
  reply: FieldsBy<Keys, Properties, Known>['call']
  member: FieldsBy<Keys, Properties, Known>['call']
  exact: FieldsBy<Keys, Properties, Known>['call']
}

/** The type of the fields that are not named. Those that no pattern fits may be anything, unless they
 *  have a schema, or are removed. */
type InferOthers<Schema, Known extends AnyEnv> =
  | (Schema extends { readonly patternProperties: infer Patterns }
      ? Infer<Patterns[keyof Patterns], Known>
      : never)
  | (Schema extends { readonly additionalProperties: infer Others }
      ? Others extends false
        ? never
        : Others extends object
          ? Infer<Others, Known>
          : unknown
      : unknown)
