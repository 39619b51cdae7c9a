import type { TAny } from '@sinclair/typebox'
import type { AnyEnv, Env, EnvAt, MemberEnv, SentEnv } from './env.ts'
import type { FieldsBy, Infer, InferAll, InferEach, InferRef } from './infer.ts'
import type { Certain, Composed, IsObject, Joined, RequiredOf, Undescribed } from './json/joined.ts'
import type { Indexed, Mixes, WholeBy } from './json/open.ts'
import type {
  CodecMark,
  CyclicMark,
  NullableMark,
  StandardMark,
  TypeBox1,
  UnsafeMark,
} from './marks.ts'
import type {
  AnyObject,
  Coded,
  IfTyped,
  InferString,
  JsonObjectBy,
  JsonShape,
  MoreItems,
  ReadMode,
  Untyped,
} from './shape.ts'
import type { InferStandard } from './standard.ts'

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
      ? Readonly<InferTuple<Schema, InferEach<Items, Known>, Known>>
      : readonly Infer<Items, Known>[]
    : readonly unknown[]
  : Schema extends { readonly items: infer Items }
    ? Items extends readonly unknown[]
      ? InferTuple<Schema, InferEach<Items, Known>, Known>
      : Infer<Items, Known>[]
    : unknown[]

/** Without `minItems` there may be fewer items than are listed; without `additionalItems` or `maxItems`, more. */
type InferTuple<Schema, Items extends readonly unknown[], Known extends AnyEnv> = [
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
