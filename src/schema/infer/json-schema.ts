import type { Kind, TAny } from '@sinclair/typebox'
import type {
  AnyEnv,
  Env,
  EnvAt,
  Infer,
  InferAll,
  InferEach,
  InferRef,
  InferString,
  MemberEnv,
} from './infer.ts'
import type { Filled, FilledBeside, InferObject, Requiring } from './json-object.ts'
import type {
  CodecMark,
  CyclicMark,
  NullableMark,
  StandardMark,
  TypeBox1,
  UnsafeMark,
  WithDefinitions,
} from './marks.ts'
import type { Coded, IfTyped, NoObject, ReadMode, Serialized } from './shape.ts'
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
          WithDefinitions<Known['schemas'], Definitions>,
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
      ? InferUnion<Schema, 'anyOf', MemberEnv<Known>> &
          InferUnion<Schema, 'oneOf', MemberEnv<Known>> &
          InferAllOf<Schema, Known> &
          InferIf<Schema, Known> &
          InferType<Schema, Known>
      : InferType<Schema, Known>

type Composed =
  | { readonly anyOf: unknown }
  | { readonly oneOf: unknown }
  | { readonly allOf: unknown }
  | { readonly if: unknown }

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

/** Whether a schema says that there is an object; for a union, whether one of them does. */
type IsObject<Schema> = [Extract<Schema, { readonly type: 'object' }>] extends [never]
  ? false
  : true

/** The schemas in a keyword of another one. Those of an object need not say that it is one; and those that require
 *  fields have to know which the others fill in. */
type Joined<
  Schema,
  Schemas extends readonly unknown[],
  IsOne extends boolean,
  Known extends AnyEnv,
> = [Extract<Schemas[number], Requiring | Composed>] extends [never]
  ? Typed<Schemas, IsOne>
  : Typed<Marked<Schemas, FilledBeside<Schema, Known>>, IsOne>

type Marked<Schemas extends readonly unknown[], Names> = [Names] extends [never]
  ? Schemas
  : { readonly [Index in keyof Schemas]: MarkedMember<Schemas[Index], Names> }

type MarkedMember<Schema, Names> = Schema extends { [Kind]: unknown }
  ? Schema
  : Schema extends Requiring | Composed
    ? Schema & Filled<Names>
    : Schema

type Typed<Schemas extends readonly unknown[], IsOne extends boolean> = IsOne extends true
  ? { readonly [Index in keyof Schemas]: TypedMember<Schemas[Index]> }
  : Schemas

type TypedMember<Schema> = Schema extends Requiring
  ? Schema extends { readonly type: unknown } | { [Kind]: unknown }
    ? Schema
    : Schema & { readonly type: 'object' }
  : ObjectSchema<Schema>

/** A schema that is known to be of an object: one of `properties` without a type. */
export type ObjectSchema<Schema> = Schema extends { readonly properties: unknown }
  ? Schema extends { readonly type: unknown } | { [Kind]: unknown }
    ? Schema
    : Schema & { readonly type: 'object' }
  : Schema

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

/** `properties` without a type are asked of objects alone; the serializer takes them for a type. */
interface Untyped<Fields> {
  in: Fields | NoObject
  call: Fields | NoObject
  out: Fields | NoObject
  json: Fields
  reply: Serialized<Fields>
  member: Fields
  exact: Fields
}

type JsonTypeName = keyof JsonTypes<unknown, AnyEnv>

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

interface JsonObjectBy<Fields> {
  in: Fields
  call: Fields
  out: Fields
  json: Fields
  reply: Serialized<Fields>
  member: Fields
  exact: Fields
}

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

/** What stands behind the listed items where nothing is said of it: the serializer refuses it. */
interface MoreItems {
  in: unknown[]
  call: unknown[]
  out: unknown[]
  json: unknown[]
  reply: []
  member: []
  exact: []
}

/** What stands behind the listed items is sent as it is: the serializer fills in no defaults there. */
type SentEnv<Known extends AnyEnv> = Known['mode'] extends 'json'
  ? Env<Known['schemas'], Known['document'], Known['self'], 'in'>
  : Known
