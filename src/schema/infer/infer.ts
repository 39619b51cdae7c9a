import type { Kind, TAny, TransformKind, TransformOptions } from '@sinclair/typebox'
import type { Saying } from '../../types/checks.ts'
import type {
  AppliedSchemas,
  Certain,
  Composed,
  HasIndexSignature,
  Indexed,
  IsObject,
  Merged,
  RequiredOf,
  Undescribed,
} from './applicators.ts'
import type {
  Closed,
  ClosedType,
  CodecMark,
  CyclicMark,
  HasDefault,
  ImportMark,
  IsOptional,
  ItemsOf,
  Naming,
  NodeKey,
  NullableMark,
  Recursed,
  StandardMark,
  TypeBox1,
  UnsafeMark,
  WalkedKind,
} from './marks.ts'
import type {
  AnyEnv,
  AnyObject,
  Coded,
  Env,
  EnvAt,
  InferStandard,
  InferString,
  JsonObjectBy,
  JsonShape,
  MemberEnv,
  ModuleEnv,
  ReadMode,
  RecurringMode,
  RequiredAfter,
  RequiredAlways,
  RequiredBefore,
  SentEnv,
  Serialized,
  Shape,
} from './modes.ts'
import type { NoSuchSchema, ReferenceTarget } from './references.ts'

/** A schema of TypeBox. Its members are `any` so that the walk can read them without a check that
 *  they exist: each such check instantiates the schema twice more. */
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

/** The type of a schema, in one of the modes.
 *  @example
 *  // For t.Object({ page: t.Integer(), q: t.Optional(t.String()) }):
 *  type Page = Infer<typeof schema, Env<{}, never, unknown, 'out'>>
 *  // { page: number; q?: string } */
export type Infer<Schema, Known extends AnyEnv> = Schema extends Node
  ? InferNode<Schema, Known>
  : InferJson<Schema, Known>

/** The type of a TypeBox schema. The kind is a parameter with a default, and `Walk` is an interface
 *  indexed by it, so that no conditional type checks the schema itself. Objects come first: almost
 *  every object schema is different, and each would instantiate the whole interface. */
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
  String: InferString<Schema, Known['mode']>
  // `InferNode` handles objects itself.
  Object: unknown
  Array: InferArray<Schema, Known>
  Tuple: Schema extends { items: infer Items } ? InferTuple<Items, EnvAt<Schema, Known>> : []
  Union: InferEach<Schema['anyOf'], MemberEnv<EnvAt<Schema, Known>>>[number]
  Intersect: InferAll<Schema['allOf'], EnvAt<Schema, Known>>
  Record: Schema extends {
    patternProperties: { [pattern: string]: infer Value }
  }
    ? string extends keyof Schema['static']
      ? { [key: string]: Infer<Value, EnvAt<Schema, Known>> }
      : { [Key in keyof Schema['static']]: Infer<Value, EnvAt<Schema, Known>> }
    : never
  Ref: InferRef<Schema['$ref'], Known>
  This: InferAgain<Known['self'], Known>
  Sensitive: Known['mode'] extends ReadMode
    ? Saying<'a sensitive value, which leaves only where the response has it by t.Reveal'>
    : Infer<Schema['anyOf'][0], EnvAt<Schema, Known>>
}

/** A conditional type, since the compiler evaluates its branches only when they are needed: lists
 *  in a recursion have no end. */
type InferArray<Schema extends Node, Known extends AnyEnv> = Known['mode'] extends ReadMode
  ? readonly Infer<Schema['items'], EnvAt<Schema, Known>>[]
  : Infer<Schema['items'], EnvAt<Schema, Known>>[]

type InferTuple<Schemas, Known extends AnyEnv> = Known['mode'] extends ReadMode
  ? Readonly<InferEach<Schemas, Known>>
  : InferEach<Schemas, Known>

/** An object, by mode. ajv fills in defaults before it checks `required`, so a default makes a
 *  field optional before validation (in, call, reply) and certain after it (out, json). The
 *  serializer validates the members of a union before it fills in defaults and calls toJSON.
 *
 *  In mode `exact` the key of the mark is no property; its type does not matter. This is no
 *  interface of all modes, since each object would then instantiate all of them. The maps are
 *  written in place: editors would show an alias instead of the fields. */
export type ObjectBy<
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
            -readonly [Key in keyof Shape<Properties, RequiredBefore<Properties>>]: MaybeUndefined<
              Properties[Key],
              Known,
              IsOptional | HasDefault
            >
          }
      : Side extends 'reply'
        ? Serialized<ObjectBy<Schema, Properties, Known, 'call'>>
        : Side extends 'member'
          ? {
              -readonly [
                Key in keyof Shape<Properties, RequiredAlways<Properties>>
              ]: MaybeUndefined<Properties[Key], Known, IsOptional>
            }
          : {
              -readonly [
                Key in keyof (Shape<Properties, RequiredBefore<Properties>> &
                  (Schema extends Closed ? ClosedType : unknown))
              ]: InferNode<Properties[Key], Known> | undefined
            }

/** The fields of an object. If all are required, no shape is needed. */
type Fields<
  Properties extends Nodes,
  Required extends keyof Properties,
  Known extends AnyEnv,
> = keyof Properties extends Required
  ? { -readonly [Key in keyof Properties]: InferNode<Properties[Key], Known> }
  : { -readonly [Key in keyof Shape<Properties, Required>]: InferNode<Properties[Key], Known> }

/** A field, which may be undefined if its schema has one of the marks. There are fewer schemas of
 *  fields than fields, so the compiler walks most of them once. */
type MaybeUndefined<Schema extends Node, Known extends AnyEnv, Marks> = [Schema] extends [Marks]
  ? InferNode<Schema, Known> | undefined
  : InferNode<Schema, Known>

/** Schemas of TypeBox by name, as loose as the members of `Node`. */
interface Nodes {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see `Node`
  readonly [name: PropertyKey]: any
}

/** The type of a short form whose properties are of any sort. Only those made with `t` (or TypeBox
 *  1.x) are required by themselves. */
export type InferProperties<Properties, Known extends AnyEnv> = FieldsBy<
  JsonShape<{}, Properties, RequiredAlways<Properties> & NodeKey<Properties>>[Known['mode']],
  Properties,
  Known
>

/** The fields of a shape, from schemas of any sort. For the maps see `ObjectBy`. */
type FieldsBy<Keys, Properties, Known extends AnyEnv> = Known['mode'] extends RecurringMode
  ? { -readonly [Key in keyof Keys]: Infer<Properties[Key & keyof Properties], Known> }
  : { -readonly [Key in keyof Keys]: Infer<Properties[Key & keyof Properties], Known> | Keys[Key] }

type InferEach<Schemas, Known extends AnyEnv> = {
  -readonly [Index in keyof Schemas]: Infer<Schemas[Index], Known>
}

type InferAll<Schemas, Known extends AnyEnv, Result = unknown> = Schemas extends readonly [
  infer Head,
  ...infer Tail,
]
  ? InferAll<Tail, Known, Result & Infer<Head, Known>>
  : Result

/** The kind of TTransform, TRecursive and TUnsafe is `string`, so they are recognised by their
 *  marks. A Recursive is a document of its own: TypeBox gives it an `$id` if it has none. */
type InferOther<Schema, Known extends AnyEnv> = Schema extends {
  [TransformKind]: TransformOptions<infer Encoded, infer Decoded>
}
  ? Coded<Infer<Encoded, Known>, Decoded>[Known['mode']]
  : Schema extends ImportMark<infer Definitions, infer Reference extends string>
    ? InferRef<Reference, ModuleEnv<Definitions, Known>>
    : [Recursed<Schema>] extends [never]
      ? Schema extends { static: infer Static }
        ? Coded<Static, Static>[Known['mode']]
        : unknown
      : Infer<
          Recursed<Schema>,
          Env<Known['schemas'], Recursed<Schema>, Recursed<Schema>, Known['mode'], Known['passed']>
        >

type InferRef<Reference extends string, Known extends AnyEnv> = [
  ReferenceTarget<Reference, Known['schemas'], Known['document']>,
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

/** The type of a schema that the walk reaches again. It has a name of its own, since declaration
 *  files write `any` for a type without end. */
type InferAgain<Schema, Known extends AnyEnv> = Known['mode'] extends RecurringMode
  ? Again<Schema, Known, Known['mode']>[Naming<Schema>]
  : Infer<Schema, Known>

interface Again<Schema, Known extends AnyEnv, Side extends RecurringMode> {
  object: RecurringObject<Schema, Known['schemas'], Known['document'], Side>
  list: RecurringList<ItemsOf<Schema>, Known['schemas'], Known['document'], Side>
  union: RecurringUnion<Schema, Known['schemas'], Known['document'], Side>
}

/** The type of an object schema that contains itself. */
export type RecurringObject<Schema, Schemas, Document, Side extends RecurringMode> = {
  [Key in keyof Recurring<Schema, Schemas, Document>[Side]]: Recurring<
    Schema,
    Schemas,
    Document
  >[Side][Key]
}

/** The type of a list schema that contains itself. */
export type RecurringList<Items, Schemas, Document, Side extends RecurringMode> = Recurring<
  Items,
  Schemas,
  Document
>[Side][]

/** The type of a union schema that contains itself. The compiler keeps this name only for a union
 *  that it has put together itself, which the second key makes it do. */
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

/** The type of a plain JSON Schema (draft 7), of a schema of TypeBox 1.x (whose type is one, too),
 *  or of a Standard Schema, which has its types with it.
 *
 *  All keywords of a schema apply at once, so their types are intersected. Keywords that no type
 *  can express are left out: `not`, `if` itself, and `required` without a type. The result is then
 *  wider than the schema, but never wrong. */
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
    ? Coded<Type, Type>[Known['mode']]
    : Schema extends { readonly '~kind': infer Kind extends keyof OwnKinds<unknown, AnyEnv> }
      ? OwnKinds<Schema, Known>[Kind]
      : InferKeywords<Schema, Known> | InferNullable<Schema, Known>

/** The kinds of TypeBox 1.x whose types differ from those of the same JSON Schema. */
interface OwnKinds<Schema, Known extends AnyEnv> {
  Any: TAny['static']
  Never: never
  Record: Schema extends { readonly patternProperties: infer Patterns }
    ? keyof Patterns extends TextPattern
      ? { [key: string]: Infer<Patterns[keyof Patterns], Known> }
      : keyof Patterns extends NumberPattern
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

/** The patterns of TypeBox 1.x for keys of any text, and for keys that are numbers. */
type TextPattern = '^.*$'
type NumberPattern = '^-?(?:0|[1-9][0-9]*)$' | '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$'

/** Null, if `nullable` adds it. The serializer does not check `enum` and `const`, so a received
 *  value may be null although they do not list it. */
type InferNullable<Schema, Known extends AnyEnv> = Schema extends NullableMark
  ? Schema extends Composed
    ? InferNull<Schema, Known>
    : null
  : Schema extends { readonly nullable: true }
    ? Extract<Known['mode'], 'json'> extends never
      ? never
      : null
    : never

/** Null beside `anyOf`, `oneOf` and `allOf`: it is valid if each of them allows it by itself. A
 *  parent schema of type `object` does not count here. The serializer does not check them for
 *  null. */
type InferNull<Schema, Known extends AnyEnv> = Known['mode'] extends 'in' | 'call' | 'out'
  ? null &
      InferEach<ListAt<Schema, 'anyOf'>, Known>[number] &
      InferEach<ListAt<Schema, 'oneOf'>, Known>[number] &
      InferAll<ListAt<Schema, 'allOf'>, Known>
  : null

/** The schemas of a keyword; without the keyword, a single one that accepts anything. */
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
      ? HasIndexSignature<Schema> extends true
        ? Merged<InferComposed<Schema, Known>>
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
  ? InferEach<AppliedSchemas<Schema, Schemas, IsObject<Schema>, Known>, Known>[number]
  : unknown

/** If one of the schemas is of type `object`, the value is an object for all of them. */
type InferAllOf<Schema, Known extends AnyEnv> = Schema extends {
  readonly allOf: infer Schemas extends readonly unknown[]
}
  ? InferAll<
      AppliedSchemas<
        Schema,
        Schemas,
        IsObject<Schema | Exclude<Schemas[number], { readonly nullable: true }>>,
        Known
      >,
      Known
    >
  : unknown

/** A valid value satisfies `then` or `else`; the type does not say which. */
type InferIf<Schema, Known extends AnyEnv> = Schema extends { readonly if: unknown }
  ? InferBranch<Schema, 'then', Known> | InferBranch<Schema, 'else', Known>
  : unknown

type InferBranch<Schema, Keyword extends string, Known extends AnyEnv> = Schema extends {
  readonly [Key in Keyword]: infer Branch
}
  ? InferEach<AppliedSchemas<Schema, [Branch], IsObject<Schema>, Known>, Known>[0]
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
    ? | JsonObjectBy<InferObject<Schema, Known>>[Known['mode']]
      // ajv applies `properties` to objects only; the serializer takes them for a type.
      | (Known['mode'] extends 'in' | 'call' | 'out'
          ? string | number | boolean | null | unknown[]
          : never)
    : unknown

/** The names of types (JSON Schema draft 7, validation, 6.1.1). */
export type JsonTypeName = keyof JsonTypes<unknown, AnyEnv>

interface JsonTypes<Schema, Known extends AnyEnv> {
  string: InferString<Schema, Known['mode']>
  number: number
  integer: number
  boolean: boolean
  null: null
  object: JsonObjectBy<InferObject<Schema, Known>>[Known['mode']]
  array: InferList<Schema, Known>
}

/** The items are written in place, so that the compiler evaluates them only when it needs them: a
 *  list may contain lists of its own type. */
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

/** Without `minItems` a value may have fewer items than the schema lists; without `additionalItems`
 *  or `maxItems`, more. The serializer refuses more items if no keyword mentions them. */
type InferJsonTuple<Schema, Items extends readonly unknown[], Known extends AnyEnv> = [
  ...(Schema extends { readonly minItems: Items['length'] } ? Items : Partial<Items>),
  ...(Schema extends { readonly additionalItems: false } | { readonly maxItems: Items['length'] }
    ? []
    : Schema extends { readonly additionalItems: infer Others extends object }
      ? Infer<Others, SentEnv<Known>>[]
      : Schema extends { readonly additionalItems: unknown }
        ? unknown[]
        : Known['mode'] extends ReadMode
          ? []
          : unknown[]),
]

/** The type of an object. A required field without a schema is `unknown`, or has the type of the
 *  other fields. */
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
      >
    : [RequiredOf<Schema>] extends [keyof Properties]
      ? InferFields<Schema, Properties, Known>
      : InferFields<Schema, Properties, Known> & {
          [Name in Undescribed<Schema, Properties, Known>]: unknown
        }
  : [RequiredOf<Schema>] extends [never]
    ? InferMap<Schema, Known>
    : InferRequiring<Schema, Certain<Schema, Known>[Known['mode']], Known>

/** An object whose schema has no `properties`. */
type InferMap<Schema, Known extends AnyEnv> = Schema extends Indexed
  ? { [key: string]: InferOthers<Schema, Known> }
  : Known['mode'] extends ReadMode
    ? { [key: string]: unknown } | AnyObject
    : { [key: string]: unknown }

/** An object whose schema has no `properties`, but requires fields. */
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
>

/** The fields of a shape with an index signature, as in `FieldsBy`. No type can separate the other
 *  fields from the named ones by a pattern, so a field may have either type. A field without a
 *  schema has the type in the shape.
 *
 *  It is one map. In an intersection the compiler does not check that a value of the index
 *  signature shares a field with an object whose fields are all optional: it would accept a number
 *  there. */
type OpenBy<Keys, Properties, Known extends AnyEnv> = Known['mode'] extends RecurringMode
  ? {
      -readonly [Key in keyof Keys]:
        | Infer<Properties[Key & keyof Properties], Known>
        | (Key extends keyof Properties ? never : Keys[Key])
    }
  : FieldsBy<Keys, Properties, Known>

/** The type of the fields that are not in `properties`. One that matches no pattern is `unknown`,
 *  unless `additionalProperties` has a schema for it, or removes it. */
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
