import {
  type ArrayOptions,
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
  type TInteger,
  type TLiteral,
  type TLiteralValue,
  type TMappedResult,
  type TNull,
  type TNumber,
  type TObject,
  type TOptional,
  type TOptionalFromMappedResult,
  type TOptionalWithFlag,
  type TProperties,
  type TransformFunction,
  type TRecordOrObject,
  type TRecursive,
  type TRef,
  type TSchema,
  type TString,
  type TThis,
  type TTransform,
  type TTuple,
  type TUnion,
  type TUnknown,
  type Union,
} from '@sinclair/typebox'
import type { Module } from './infer/module.ts'
import type { Sealed } from '../types/checks.ts'
import type { Output, Part } from './infer/part.ts'
import type { Closed, HasDefault, IfClosed, IsOptional, Recursion } from './infer/shape.ts'

/** A TypeBox schema that remembers those of its options which matter to types: TypeBox's own types
 *  forget them all. Of a default it is kept only that there is one; what is `nullable` is a union
 *  with null, as ajv has it, but for literals and lists of values.
 *  @example type Id = Marked<TString, { $id: 'id'; minLength: 1 }> // TString & { $id: 'id' } */
export type Marked<Schema extends TSchema, Options> = keyof Options & MarkedOption extends never
  ? Schema
  : keyof Options & MarkedOption extends 'default'
    ? Schema & Defaulted
    : (Options extends { readonly nullable: true }
        ? MayBeNull<Schema[typeof Kind], Options> extends true
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

/** What says its values, as a literal does, is null only where it says so. */
type MayBeNull<KindName, Options> = KindName extends 'Literal'
  ? false
  : Options extends { readonly const: infer Value } | { readonly enum: readonly (infer Value)[] }
    ? null extends Value
      ? true
      : false
    : true

/** `HasDefault`, which most schemas with a mark have alone: by a name, so that all of them are one type; an alias,
 *  which declaration files write out. */
type Defaulted = { default: unknown }

type MarkedOption =
  'nullable' | '$id' | 'default' | 'format' | 'definitions' | '$defs' | 'additionalProperties'

/** The names of the methods that `Builder` declares anew. */
type MarkingMethod =
  | 'Any'
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Intersect'
  | 'Literal'
  | 'Module'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'Recursive'
  | 'Ref'
  | 'String'
  | 'Transform'
  | 'Tuple'
  | 'Union'
  | 'Unknown'

/** The schema builder: TypeBox's JSON builder, whose schemas keep `$id`, `default`, `format`,
 *  `definitions`, `$defs` and `additionalProperties` in their types.
 *
 *  The form without options comes first. With one signature and `Options = {}` the compiler infers
 *  Options from the type that a nested call is expected to return, and corrupts it silently. */
export interface Builder extends Omit<JsonTypeBuilder, MarkingMethod> {
  Any(): TAny
  Any<const Options extends SchemaOptions>(options: Options): Marked<TAny, Options>
  Unknown(): TUnknown
  Unknown<const Options extends SchemaOptions>(options: Options): Marked<TUnknown, Options>
  Null(): TNull
  Null<const Options extends SchemaOptions>(options: Options): Marked<TNull, Options>
  Boolean(): TBoolean
  Boolean<const Options extends SchemaOptions>(options: Options): Marked<TBoolean, Options>
  Integer(): TInteger
  Integer<const Options extends IntegerOptions>(options: Options): Marked<TInteger, Options>
  Number(): TNumber
  Number<const Options extends NumberOptions>(options: Options): Marked<TNumber, Options>
  String(): TString
  String<const Options extends StringOptions>(options: Options): Marked<TString, Options>
  Literal<Value extends TLiteralValue>(value: Value): TLiteral<Value>
  Literal<Value extends TLiteralValue, const Options extends SchemaOptions>(
    value: Value,
    options: Options,
  ): Marked<TLiteral<Value>, Options>
  Enum<Value extends TEnumValue, Members extends Record<TEnumKey, Value>>(
    members: Members,
  ): TEnum<Members>
  Enum<
    Value extends TEnumValue,
    Members extends Record<TEnumKey, Value>,
    const Options extends SchemaOptions,
  >(
    members: Members,
    options: Options,
  ): Marked<TEnum<Members>, Options>
  Object<Properties extends TProperties>(properties: Properties): TObject<Properties>
  Object<Properties extends TProperties, const Options extends ObjectOptions>(
    properties: Properties,
    options: Options,
  ): Marked<TObject<Properties> & IfClosed<Options, Closed>, Options>
  Array<Items extends TSchema>(items: Items): TArray<Items>
  Array<Items extends TSchema, const Options extends ArrayOptions>(
    items: Items,
    options: Options,
  ): Marked<TArray<Items>, Options>
  Tuple<Items extends TSchema[]>(items: [...Items]): TTuple<Items>
  Tuple<Items extends TSchema[], const Options extends SchemaOptions>(
    items: [...Items],
    options: Options,
  ): Marked<TTuple<Items>, Options>
  /** One signature where TypeBox has four. That of a property which `Mapped` makes is the same: it looks inside
   *  of what is optional. */
  Optional<Schema extends TSchema>(schema: Schema): TOptional<Schema>
  Optional<Schema extends TMappedResult, Flag extends boolean>(
    schema: Schema,
    enable: Flag,
  ): TOptionalFromMappedResult<Schema, Flag>
  Optional<Schema extends TSchema, Flag extends boolean>(
    schema: Schema,
    enable: Flag,
  ): TOptionalWithFlag<Schema, Flag>
  Record<Key extends TSchema, Value extends TSchema>(
    key: Key,
    value: Value,
  ): TRecordOrObject<Key, Value>
  Record<Key extends TSchema, Value extends TSchema, const Options extends ObjectOptions>(
    key: Key,
    value: Value,
    options: Options,
  ): Marked<TRecordOrObject<Key, Value>, Options>
  Union<Schemas extends TSchema[]>(schemas: [...Schemas]): Union<Schemas>
  Union<Schemas extends TSchema[], const Options extends SchemaOptions>(
    schemas: [...Schemas],
    options: Options,
  ): Marked<Union<Schemas>, Options>
  Intersect<Schemas extends TSchema[]>(schemas: [...Schemas]): Intersect<Schemas>
  Intersect<Schemas extends TSchema[], const Options extends IntersectOptions>(
    schemas: [...Schemas],
    options: Options,
  ): Marked<Intersect<Schemas>, Options>
  Recursive<Schema extends TSchema>(build: (self: TThis) => Schema): TRecursive<Schema>
  Recursive<Schema extends TSchema, const Options extends SchemaOptions>(
    build: (self: TThis) => Schema,
    options: Options,
  ): Marked<TRecursive<Schema>, Options> & Recursion<Schema>
  Ref<Reference extends string>(reference: Reference): TRef<Reference>
  Ref<Reference extends string, const Options extends SchemaOptions>(
    reference: Reference,
    options: Options,
  ): Marked<TRef<Reference>, Options>
  Transform<Schema extends TSchema>(schema: Schema): Decoding<Schema>
  Module<Properties extends TProperties>(properties: Properties): Module<Properties>
}

/** A transform of which it is to be said how a value is decoded. */
export interface Decoding<Schema extends TSchema> {
  Decode<Value, Decode extends TransformFunction<Output<Schema, AnyShared>, Value>>(
    decode: Decode,
  ): Encoding<Schema, ReturnType<Decode>>
}

/** A transform of which it is to be said how a value is encoded. */
export interface Encoding<Schema extends TSchema, Value> {
  Encode<Encode extends TransformFunction<Value, Encoded<Schema>>>(
    encode: Encode,
  ): MarkedTransform<Schema, Value>
}

/** What was decoded, or what may be replied inside of a union: a transform may stand in one, where nothing is filled in. */
type Encoded<Schema> = Output<Schema, AnyShared> | Sealed<Schema, Part<Schema, AnyShared, 'member'>>

/** Where a transform is made it is not known what references name. An alias, which declaration files write out. */
type AnyShared = { readonly [id: string]: TUnknown }

/** A transform with what matters of its schema to those that have it among their own, which TypeBox's type forgets. */
type MarkedTransform<Schema extends TSchema, Value> = Schema extends IsOptional
  ? TOptional<TTransform<Schema, Value> & MarksOf<Schema>>
  : TTransform<Schema, Value> & MarksOf<Schema>

type MarksOf<Schema> = (Schema extends HasDefault ? Defaulted : unknown) &
  (Schema extends { readonly $id: infer Id extends string } ? { $id: Id } : unknown)

/** Builds schemas: plain JSON Schema objects, whose types the framework reads.
 *  @example const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' }) */
// cast: the objects are TypeBox's own; Builder only says more about their types
export const t: Builder = new JsonTypeBuilder() as unknown as Builder
