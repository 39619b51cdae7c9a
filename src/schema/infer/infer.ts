import type { Kind, TransformKind, TransformOptions } from '@sinclair/typebox'
import type { AnyEnv, Env, EnvAt, MemberEnv, ModuleEnv } from './env.ts'
import type { InferJson } from './json-schema.ts'
import type { ImportMark, NodeKey, Recursed, WalkedKind } from './marks.ts'
import type { ItemsOf, Naming, RecurringMode } from './references/recurring.ts'
import type { NoSuchSchema, Target } from './references/target.ts'
import type {
  Closed,
  ClosedType,
  Coded,
  HasDefault,
  IfTyped,
  InferString,
  IsOptional,
  JsonRequiredKeys,
  ReadMode,
  RequiredAfter,
  RequiredAlways,
  RequiredBefore,
  RequiredKeys,
  Serialized,
  Shape,
} from './shape.ts'

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
