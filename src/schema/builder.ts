import {
  type ArrayOptions,
  type Hint,
  type IntegerOptions,
  type Intersect,
  type IntersectOptions,
  JsonTypeBuilder,
  type Kind,
  type NumberOptions,
  type ObjectOptions,
  type SchemaOptions,
  type StringOptions,
  type TAny,
  type TArray,
  type TBoolean,
  type TEnum,
  type TEnumKey,
  type TEnumValue,
  type TIndex,
  type TIndexPropertyKeys,
  type TInteger,
  type TKeyOf,
  type TLiteral,
  type TLiteralValue,
  type TMappedResult,
  type TModule,
  type TNull,
  type TNumber,
  type TObject,
  type TOmit,
  type TOptional,
  type TOptionalFromMappedResult,
  type TOptionalWithFlag,
  type TPartial,
  type TPick,
  type TProperties,
  type TransformFunction,
  type TransformKind,
  type TRecordOrObject,
  type TRecursive,
  type TRef,
  type TRequired,
  type TSchema,
  type TString,
  type TThis,
  type TTransform,
  type TTuple,
  type TUnion,
  type TUnknown,
  type TUnsafe,
  type Union,
} from '@sinclair/typebox'
import type { Sealed } from '../types/checks.ts'
import { bigIntSchema } from './big-int.ts'
import { reveal, sensitive } from './sensitive.ts'
import type { Output, Part } from './infer/part.ts'
import type {
  Closed,
  HasDefault,
  IfClosed,
  IsOptional,
  NodeKeywords,
  Recursion,
  StandardMark,
  TSensitive,
  WalkedKind,
} from './infer/marks.ts'

/** A TypeBox schema that keeps the options which matter to types. TypeBox's own types forget all
 *  options. The value of a default is not kept. A `nullable` schema is a union with null, as in
 *  ajv, except for literals and enums.
 *  @example type Id = Marked<TString, { $id: 'id'; minLength: 1 }> // TString & { $id: 'id' } */
export type Marked<Schema extends TSchema, Options> = keyof Options & MarkedOption extends never
  ? Schema
  : keyof Options & MarkedOption extends 'default'
    ? Schema & Defaulted
    : (Options extends { readonly nullable: true }
        ? AddsNull<Schema[typeof Kind], Options> extends true
          ? TUnion<
              [
                Options extends { readonly format: infer Format }
                  ? Schema & { format: Format }
                  : Schema,
                TNull,
              ]
            >
          : Schema
        : Schema) & {
        [Key in keyof Options & MarkedOption]: Key extends 'default'
          ? unknown
          : Exclude<Options[Key], undefined>
      }

/** Whether `nullable` adds null. A literal, `const` or `enum` accepts null only if it lists
 *  null. */
type AddsNull<KindName, Options> = KindName extends 'Literal'
  ? false
  : Options extends { readonly const: infer Value } | { readonly enum: readonly (infer Value)[] }
    ? null extends Value
      ? true
      : false
    : true

/** `HasDefault`, the only mark of most marked schemas. It has a name, so that it is one type for
 *  all of them; and it is an alias, which declaration files write out. */
type Defaulted = { default: unknown }

type MarkedOption =
  'nullable' | '$id' | 'default' | 'format' | 'definitions' | '$defs' | 'additionalProperties'

/** The schema builder: TypeBox's JSON builder, whose schemas keep `$id`, `default`, `format`,
 *  `definitions`, `$defs` and `additionalProperties` in their types. */
export interface Builder extends Omit<JsonTypeBuilder, keyof MarkingMethods>, MarkingMethods {}

/** The methods whose schemas keep options.
 *
 *  The form without options comes first. With one signature and `Options = {}` the compiler infers
 *  Options from the type that a nested call is expected to return, and silently gets it wrong. */
interface MarkingMethods {
  /** Any value. */
  Any(): TAny
  /** Any value. */
  Any<const Options extends SchemaOptions>(options: Options): Marked<TAny, Options>
  /** Any value, of type unknown. */
  Unknown(): TUnknown
  /** Any value, of type unknown. */
  Unknown<const Options extends SchemaOptions>(options: Options): Marked<TUnknown, Options>
  /** `null`. */
  Null(): TNull
  /** `null`. */
  Null<const Options extends SchemaOptions>(options: Options): Marked<TNull, Options>
  /** A boolean. */
  Boolean(): TBoolean
  /** A boolean. */
  Boolean<const Options extends SchemaOptions>(options: Options): Marked<TBoolean, Options>
  /** A whole number. @example t.Integer({ minimum: 1, default: 1 }) */
  Integer(): TInteger
  /** A whole number. @example t.Integer({ minimum: 1, default: 1 }) */
  Integer<const Options extends IntegerOptions>(options: Options): Marked<TInteger, Options>
  /** A whole number beyond 2^53 too: a `bigint` in handlers, a number with all its digits in JSON.
   *  @example t.BigInt({ minimum: 1 }) */
  BigInt(): TWhole
  /** A whole number beyond 2^53 too: a `bigint` in handlers, a number with all its digits in JSON.
   *  @example t.BigInt({ minimum: 1 }) */
  BigInt<const Options extends BigIntOptions>(options: Options): Marked<TWhole, Options>
  /** A number. @example t.Number({ exclusiveMinimum: 0 }) */
  Number(): TNumber
  /** A number. @example t.Number({ exclusiveMinimum: 0 }) */
  Number<const Options extends NumberOptions>(options: Options): Marked<TNumber, Options>
  /** A string. @example t.String({ format: 'date-time' }) */
  String(): TString
  /** A string. @example t.String({ format: 'date-time' }) */
  String<const Options extends StringOptions>(options: Options): Marked<TString, Options>
  /** One value. @example t.Literal('admin') */
  Literal<Value extends TLiteralValue>(value: Value): TLiteral<Value>
  /** One value. @example t.Literal('admin') */
  Literal<Value extends TLiteralValue, const Options extends SchemaOptions>(
    value: Value,
    options: Options,
  ): Marked<TLiteral<Value>, Options>
  /** One of the values of an enum, or of an object. */
  Enum<Value extends TEnumValue, Members extends Record<TEnumKey, Value>>(
    members: Members,
  ): TEnum<Members>
  /** One of the values of an enum, or of an object. */
  Enum<
    Value extends TEnumValue,
    Members extends Record<TEnumKey, Value>,
    const Options extends SchemaOptions,
  >(
    members: Members,
    options: Options,
  ): Marked<TEnum<Members>, Options>
  /** An object. Its properties are required, unless they are `t.Optional`. */
  Object<Properties extends TProperties>(properties: Properties): TObject<Properties>
  /** An object. Its properties are required, unless they are `t.Optional`. */
  Object<Properties extends TProperties, const Options extends ObjectOptions>(
    properties: Properties,
    options: Options,
  ): Marked<TObject<Properties> & IfClosed<Options, Closed>, Options>
  /** A list. @example t.Array(t.String(), { maxItems: 10 }) */
  Array<Items extends TSchema>(items: Items): TArray<Items>
  /** A list. @example t.Array(t.String(), { maxItems: 10 }) */
  Array<Items extends TSchema, const Options extends ArrayOptions>(
    items: Items,
    options: Options,
  ): Marked<TArray<Items>, Options>
  /** A list of fixed length, with a schema for each item. */
  Tuple<Items extends TSchema[]>(items: [...Items]): TTuple<Items>
  /** A list of fixed length, with a schema for each item. */
  Tuple<Items extends TSchema[], const Options extends SchemaOptions>(
    items: [...Items],
    options: Options,
  ): Marked<TTuple<Items>, Options>
  // TypeBox has one more signature, for a property that `Mapped` makes. Here it would be the same
  // as this one, since `Mapped` looks inside of optional schemas.
  /** A property that may be missing: in `t.Object`, and in the short form. */
  Optional<Schema extends TSchema>(schema: Schema): TOptional<Schema>
  /** A property that may be missing: in `t.Object`, and in the short form. */
  Optional<Schema extends TMappedResult, Flag extends boolean>(
    schema: Schema,
    enable: Flag,
  ): TOptionalFromMappedResult<Schema, Flag>
  /** A property that may be missing: in `t.Object`, and in the short form. */
  Optional<Schema extends TSchema, Flag extends boolean>(
    schema: Schema,
    enable: Flag,
  ): TOptionalWithFlag<Schema, Flag>
  /** An object with any keys that fit. @example t.Record(t.String(), t.Number()) */
  Record<Key extends TSchema, Value extends TSchema>(
    key: Key,
    value: Value,
  ): TRecordOrObject<Key, Value>
  /** An object with any keys that fit. @example t.Record(t.String(), t.Number()) */
  Record<Key extends TSchema, Value extends TSchema, const Options extends ObjectOptions>(
    key: Key,
    value: Value,
    options: Options,
  ): Marked<TRecordOrObject<Key, Value>, Options>
  /** A value that fits at least one of the schemas (`anyOf`). */
  Union<Schemas extends TSchema[]>(schemas: [...Schemas]): Union<Schemas>
  /** A value that fits at least one of the schemas (`anyOf`). */
  Union<Schemas extends TSchema[], const Options extends SchemaOptions>(
    schemas: [...Schemas],
    options: Options,
  ): Marked<Union<Schemas>, Options>
  /** A value that fits all of the schemas (`allOf`). */
  Intersect<Schemas extends TSchema[]>(schemas: [...Schemas]): Intersect<Schemas>
  /** A value that fits all of the schemas (`allOf`). */
  Intersect<Schemas extends TSchema[], const Options extends IntersectOptions>(
    schemas: [...Schemas],
    options: Options,
  ): Marked<Intersect<Schemas>, Options>
  /** A schema that contains itself. @example t.Recursive((self) => t.Array(self)) */
  Recursive<Schema extends TSchema>(build: (self: TThis) => Schema): TRecursive<Schema>
  /** A schema that contains itself. @example t.Recursive((self) => t.Array(self)) */
  Recursive<Schema extends TSchema, const Options extends SchemaOptions>(
    build: (self: TThis) => Schema,
    options: Options,
  ): Marked<TRecursive<Schema>, Options> & Recursion<Schema>
  /** A file of a form (`multipart/form-data`), which the plugin of `espalier/multipart` reads. */
  File(options?: FileOptions): TUnsafe<File>
  /** A reference to a shared schema, or within a document. @example t.Ref('user#') */
  Ref<Reference extends string>(reference: Reference): TRef<Reference>
  /** A reference to a shared schema, or within a document. @example t.Ref('user#') */
  Ref<Reference extends string, const Options extends SchemaOptions>(
    reference: Reference,
    options: Options,
  ): Marked<TRef<Reference>, Options>
  /** A value for the server alone, such as a password. A request may have it. A response may have
   *  it only where it names it again by `t.Reveal`: otherwise the route is refused at boot, and a
   *  handler that replies with it by the compiler. It does not appear in the log of requests, nor
   *  in what is said of a request that is not valid.
   *  @example const User = t.Object({ name: t.String(), password: t.Sensitive(t.String()) }) */
  Sensitive<Schema extends TSchema>(schema: Schema): Sensitive<Schema>
  /** A Standard Schema for a whole part of a request, which is sensitive. */
  Sensitive<Schema extends StandardMark>(schema: Schema): Schema
  /** A copy of a sensitive schema, for a response that sends the value. In a request it is as
   *  sensitive as before.
   *  @throws TypeError for a schema that is not sensitive
   *  @example t.Object({ token: t.Reveal(Token) }) */
  Reveal<Schema extends SensitiveNode>(schema: Schema): Revealed<Schema>
  /** A copy of an object whose sensitive fields of these names a response sends. It has no `$id`.
   *  @throws TypeError for a schema that is not sensitive
   *  @example t.Reveal(User, ['password']) */
  Reveal<Schema extends TObject, const Name extends SensitiveKey<Schema['properties']>>(
    schema: Schema,
    names: readonly Name[],
  ): TObject<RevealedFields<Schema['properties'], Name>> & Kept<Schema>
  /** A schema that is decoded when it is read, and encoded when it is sent. */
  Transform<Schema extends TSchema>(schema: Schema): Decoding<Schema>
  /** Schemas that refer to each other by name: `t.Module({ … }).Import(name)`. */
  Module<Properties extends TProperties>(properties: Properties): Module<Properties>
}

/** What a whole number may be. As a bound any bigint is exact. */
export interface BigIntOptions extends SchemaOptions {
  /** @default -(2^63), of a format int64 */
  readonly minimum?: bigint | number
  /** @default 2^63 - 1, of a format int64 */
  readonly maximum?: bigint | number
  readonly exclusiveMinimum?: bigint | number
  readonly exclusiveMaximum?: bigint | number
  readonly multipleOf?: bigint | number
  /** Filled in for a property that is missing. Within ±(2^53 - 1). */
  readonly default?: bigint | number | null
}

/** The schema of `t.BigInt`. JSON has one type for all numbers, so a program that reads it without
 *  the schema may have a number or a bigint. */
type TWhole = TTransform<TUnsafe<number | bigint>, bigint>

/** What a file may be. */
export interface FileOptions extends SchemaOptions {
  /** The largest size in bytes. @default the limit of the plugin */
  readonly maxSize?: number
  /** The media types, such as `image/png` or `image/*`, as the client names them.
   *  @default any */
  readonly types?: readonly string[]
}

/** A transform that still needs its `Decode`. */
export interface Decoding<Schema extends TSchema> {
  Decode<Value, Decode extends TransformFunction<Output<Schema, AnyShared>, Value>>(
    decode: Decode,
  ): Encoding<Schema, ReturnType<Decode>>
}

/** A transform that still needs its `Encode`. */
export interface Encoding<Schema extends TSchema, Value> {
  Encode<Encode extends TransformFunction<Value, Encoded<Schema>>>(
    encode: Encode,
  ): MarkedTransform<Schema, Value>
}

/** What `Encode` may return: the decoded value, or a reply inside of a union. A transform may be a
 *  member of a union, where no defaults are filled in. */
type Encoded<Schema> = Output<Schema, AnyShared> | Sealed<Schema, Part<Schema, AnyShared, 'member'>>

/** The shared schemas for a transform: at its place in the code they are unknown. An alias, which
 *  declaration files write out. */
type AnyShared = { readonly [id: string]: TUnknown }

/** A transform with those marks of its schema that matter to the schemas around it. TypeBox's own
 *  type forgets them. */
type MarkedTransform<Schema extends TSchema, Value> = Schema extends IsOptional
  ? TOptional<TTransform<Schema, Value> & MarksOf<Schema>>
  : TTransform<Schema, Value> & MarksOf<Schema>

type MarksOf<Schema> = (Schema extends HasDefault ? Defaulted : unknown) &
  (Schema extends { readonly $id: infer Id extends string } ? { $id: Id } : unknown)

/** A sensitive schema, with the marks that matter to the schemas around it. */
type Sensitive<Schema extends TSchema> = Schema extends IsOptional
  ? TOptional<TSensitive<Schema> & MarksOf<Schema>>
  : TSensitive<Schema> & MarksOf<Schema>

/** Any sensitive schema. */
interface SensitiveNode extends TSchema {
  [Kind]: 'Sensitive'
}

type Revealed<Schema> = Schema extends { readonly anyOf: readonly [infer Inner extends TSchema] }
  ? Schema extends IsOptional
    ? TOptional<Inner>
    : Inner
  : never

type SensitiveKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends SensitiveNode ? Key : never
}[keyof Properties]

type RevealedFields<Properties extends TProperties, Name> = {
  [Key in keyof Properties]: Key extends Name ? Revealed<Properties[Key]> : Properties[Key]
}

class SchemaBuilder extends JsonTypeBuilder {
  BigInt(options: BigIntOptions = {}): TSchema {
    return this.Unsafe<bigint>(bigIntSchema({ ...options }))
  }

  File({ maxSize, types, ...options }: FileOptions = {}): TUnsafe<File> {
    const file = { ...(maxSize !== undefined && { maxSize }), ...(types && { types }) }
    return this.Unsafe<File>({ ...options, file })
  }

  Sensitive = sensitive
  Reveal = reveal
}

/** Builds schemas: plain JSON Schema objects, whose types the framework reads.
 *  @example const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' }) */
// cast: the objects are TypeBox's own; Builder only gives them more precise types
export const t: Builder = new SchemaBuilder() as unknown as Builder

/** A `t.Module` whose schemas keep the options that matter. TypeBox rebuilds the type of each
 *  schema without them, so its result (`Made`) is used only for schemas that have to be
 *  computed. */
type Module<Properties extends TProperties> =
  TModule<Properties> extends TModule<Properties, infer Made>
    ? TModule<
        Properties,
        {
          [Name in keyof Properties]: Extract<
            ModuleEntry<Properties[Name], Properties, Made[Name & keyof Made]>,
            TSchema
          >
        }
      >
    : never

/** One schema of a module. Its `$id` is not kept: the name of the entry takes its place. */
type ModuleEntry<Schema, Properties extends TProperties, Made> = Schema extends Complete
  ? Schema extends { readonly $id: string }
    ? Made
    : Schema
  : Schema extends ComputedOf<infer How extends keyof Results<{}, never, []>, infer Parameters>
    ? Parameters extends readonly [TRef<infer Name>, ...infer Rest]
      ? [Properties[Name]] extends [Complete]
        ? Results<Properties, Name, Rest>[How]
        : Made
      : Made
    : Made

/** A schema without computed parts. A transform or a recursion is not searched. */
type Complete = CompleteNode | { readonly [TransformKind]: unknown } | { readonly [Hint]: unknown }

interface CompleteNode extends NodeKeywords<Complete | { readonly [Kind]: 'Ref' }> {
  readonly [Kind]: Exclude<WalkedKind, 'Ref'>
}

interface ComputedOf<out How, out Parameters> {
  readonly [Kind]: 'Computed'
  readonly target: How
  readonly parameters: Parameters
}

/** The results of `t.Partial(t.Ref(…))` and the like. */
interface Results<Properties extends TProperties, Name extends string, Rest> {
  Partial: TPartial<Properties[Name]> & Kept<Properties[Name]>
  Required: TRequired<Properties[Name]> & Kept<Properties[Name]>
  Pick: TPick<Properties[Name], Key<Rest>> & Kept<Properties[Name]>
  Omit: TOmit<Properties[Name], Key<Rest>> & Kept<Properties[Name]>
  Index: TIndex<Properties[Name], TIndexPropertyKeys<Key<Rest>>>
  KeyOf: TKeyOf<Properties[Name]>
}

type Key<Rest> = Rest extends readonly [infer Only extends TSchema] ? Only : TSchema

/** The marks of an object that the computed schema keeps. */
type Kept<Schema> = Schema extends { readonly [Kind]: 'Object' }
  ? (Schema extends Closed ? Closed : unknown) & (Schema extends HasDefault ? Defaulted : unknown)
  : unknown
