// Schemas that apply to the same object: what one of them says about the fields of the others.
import type { Kind } from '@sinclair/typebox'
import type { KindMark, OptionalMark, WithKeyword } from './marks.ts'
import type { KeysWithDefault, Mode } from './modes.ts'
import type { ReferenceTarget } from './references.ts'

/** Where references resolve, as in `Env`. */
interface Visible {
  schemas: unknown
  document: unknown
}

export type Composed = WithKeyword<'anyOf' | 'oneOf' | 'allOf' | 'if'>

/** Whether a schema is of type `object`; for a union, whether one of its members is. */
export type IsObject<Schema> = [Extract<Schema, { readonly type: 'object' }>] extends [never]
  ? false
  : true

/** The subschemas of a keyword that apply to the same value as the schema. If that value is an
 *  object (`IsOne`), they need no `type` of their own. Those with `required` get the names of the
 *  fields that schemas beside them fill in. */
export type AppliedSchemas<
  Schema,
  Schemas extends readonly unknown[],
  IsOne extends boolean,
  Known extends Visible,
> = [Extract<Schemas[number], Requiring | Composed>] extends [never]
  ? Typed<Schemas, IsOne>
  : Typed<WithFilled<Schemas, FilledBeside<Schema, Known>>, IsOne>

type WithFilled<Schemas extends readonly unknown[], Names> = [Names] extends [never]
  ? Schemas
  : { readonly [Index in keyof Schemas]: FilledMember<Schemas[Index], Names> }

type FilledMember<Schema, Names> = Schema extends { [Kind]: unknown }
  ? Schema
  : Schema extends Requiring | Composed
    ? Schema & Filled<Names>
    : Schema

type Typed<Schemas extends readonly unknown[], IsOne extends boolean> = IsOne extends true
  ? { readonly [Index in keyof Schemas]: TypedMember<Schemas[Index]> }
  : Schemas

type TypedMember<Schema> = Schema extends Requiring ? ObjectTyped<Schema> : ObjectSchema<Schema>

/** A schema of an object, whose `type` may be missing beside `properties`. */
export type ObjectSchema<Schema> = Schema extends { readonly properties: unknown }
  ? ObjectTyped<Schema>
  : Schema

type ObjectTyped<Schema> = Schema extends { readonly type: unknown } | { [Kind]: unknown }
  ? Schema
  : Schema & { readonly type: 'object' }

/** The names in `required`; `never` if they are not literals. */
export type RequiredOf<Schema> = Schema extends KindMark & { readonly properties: infer Properties }
  ? NotOptional<Properties>
  : Schema extends { readonly required: readonly (infer Name)[] }
    ? string extends Name
      ? never
      : Name
    : never

/** In place of the `required` of TypeBox 1.x, whose type is expensive to compute. */
type NotOptional<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends OptionalMark ? never : Key
}[keyof Properties]

/** A schema that requires fields, and has no `properties`. */
interface Requiring {
  readonly required: readonly unknown[]
  readonly properties?: never
}

/** The required names whose fields are certain, by mode. ajv checks `required` after it has filled
 *  in the defaults of schemas that apply beside it, so before validation these fields may be
 *  missing. After validation a field may be gone, if `additionalProperties` removes it. The
 *  serializer leaves out fields that no schema describes. */
export interface Certain<Schema, Known extends Visible> {
  in: Exclude<RequiredOf<Schema>, FilledBeside<Schema, Known>>
  call: Certain<Schema, Known>['in']
  reply: Certain<Schema, Known>['in']
  exact: Certain<Schema, Known>['in']
  member: RequiredOf<Schema>
  out: Schema extends { readonly additionalProperties: false } ? never : RequiredOf<Schema>
  json: Schema extends { readonly additionalProperties: true | object } ? RequiredOf<Schema> : never
}

/** The names of certain fields that are not in `properties`. */
export type Undescribed<Schema, Properties, Known extends Visible & { mode: Mode }> = Exclude<
  Certain<Schema, Known>[Known['mode']],
  keyof Properties
> &
  string

declare const filled: unique symbol

/** Marks a schema with the names of the fields that schemas around it fill in. It exists in types
 *  only. */
interface Filled<out Names> {
  readonly [filled]: Names
}

/** The names of the fields that get a default: from a schema, its subschemas, or those around
 *  it. */
type FilledBeside<Schema, Known extends Visible> =
  DefaultsOf<Schema, Known> | (Schema extends Filled<infer Names> ? Names : never)

/** A schema that hides its fields, or is not known, may fill in any. */
type DefaultsOf<Schema, Known extends Visible> = unknown extends Schema
  ? string
  : Schema extends { readonly [Kind]: infer Name }
    ? string extends Name
      ? string
      : OwnDefaults<Schema, Known>
    : OwnDefaults<Schema, Known>

type OwnDefaults<Schema, Known extends Visible> =
  | (Schema extends { readonly properties: infer Properties } ? KeysWithDefault<Properties> : never)
  | (Schema extends { readonly $ref: infer Reference extends string }
      ? DefaultsAt<ReferenceTarget<Reference, Known['schemas'], Known['document']>, Known>
      : never)
  | { [Keyword in Applicator]: DefaultsIn<Schema, Keyword, Known> }[Applicator]

/** The keywords whose schemas apply to the same object. */
type Applicator = 'allOf' | 'anyOf' | 'oneOf' | 'if' | 'then' | 'else'

/** TypeBox schemas have an index signature, so only a relation tells whether a keyword is there. */
type DefaultsIn<Schema, Keyword extends Applicator, Known extends Visible> = Schema extends {
  readonly [Key in Keyword]: infer Inner
}
  ? Inner extends readonly (infer Member)[]
    ? DefaultsOf<Member, Known>
    : DefaultsOf<Inner, Known>
  : never

type DefaultsAt<Found, Known extends Visible> = Found extends [infer Schema, infer Document]
  ? DefaultsOf<Schema, { schemas: Known['schemas']; document: Document }>
  : never

/** A schema of an object whose type gets an index signature. */
export type Indexed =
  { readonly patternProperties: unknown } | { readonly additionalProperties: object }

/** Whether the type of a schema, or of one in its `allOf`, gets an index signature. */
export type HasIndexSignature<Schema> = Schema extends Indexed
  ? true
  : Schema extends { readonly allOf: readonly (infer Member)[] }
    ? [Extract<Member, Indexed>] extends [never]
      ? false
      : true
    : false

/** An intersection of objects, one of which has an index signature, as one object: see `OpenBy`. */
export type Merged<Type> = Type extends unknown
  ? string extends keyof Type
    ? { [Key in keyof Type]: Type[Key] }
    : Type
  : never
