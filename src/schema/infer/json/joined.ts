// Schemas that hold together: what one of them says of the others.
import type { Kind } from '@sinclair/typebox'
import type { KindMark, OptionalMark } from '../marks.ts'
import type { Target } from '../references/target.ts'
import type { HasDefault, Mode } from '../shape.ts'

/** Where references resolve, as in `Env`. */
interface Visible {
  schemas: unknown
  document: unknown
}

export type Composed =
  | { readonly anyOf: unknown }
  | { readonly oneOf: unknown }
  | { readonly allOf: unknown }
  | { readonly if: unknown }

/** Whether a schema says that there is an object; for a union, whether one of them does. */
export type IsObject<Schema> = [Extract<Schema, { readonly type: 'object' }>] extends [never]
  ? false
  : true

/** The schemas in a keyword of another one. Those of an object need not say that it is one; and those that require
 *  fields have to know which the others fill in. */
export type Joined<
  Schema,
  Schemas extends readonly unknown[],
  IsOne extends boolean,
  Known extends Visible,
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

/** Of names that are not known, each may be another. */
export type RequiredOf<Schema> = Schema extends KindMark & { readonly properties: infer Properties }
  ? NotOptional<Properties>
  : Schema extends { readonly required: readonly (infer Name)[] }
    ? string extends Name
      ? never
      : Name
    : never

/** TypeBox 1.x counts the names out, which costs much. */
type NotOptional<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends OptionalMark ? never : Key
}[keyof Properties]

/** A schema that requires fields, and describes none. */
export interface Requiring {
  readonly required: readonly unknown[]
  readonly properties?: never
}

/** The names that such a schema makes certain, by mode. ajv looks at `required` once it has filled in the defaults of
 *  schemas that hold beside it, so their fields may be missing before; what a closed object requires may be removed
 *  after; and the serializer leaves out what no schema describes. */
export interface Certain<Schema, Known extends Visible> {
  in: Exclude<RequiredOf<Schema>, FilledBeside<Schema, Known>>
  call: Certain<Schema, Known>['in']
  reply: Certain<Schema, Known>['in']
  exact: Certain<Schema, Known>['in']
  member: RequiredOf<Schema>
  out: Schema extends { readonly additionalProperties: false } ? never : RequiredOf<Schema>
  json: Schema extends { readonly additionalProperties: true | object } ? RequiredOf<Schema> : never
}

/** The names of fields that a schema makes certain, and does not describe. */
export type Undescribed<Schema, Properties, Known extends Visible & { mode: Mode }> = Exclude<
  Certain<Schema, Known>[Known['mode']],
  keyof Properties
> &
  string

declare const filled: unique symbol

/** Marks a schema by the fields that schemas around it fill in. It exists in types only. */
export interface Filled<out Names> {
  readonly [filled]: Names
}

/** The names of the fields that a schema, those that hold together with it, and those around both give a default. */
export type FilledBeside<Schema, Known extends Visible> =
  DefaultsOf<Schema, Known> | (Schema extends Filled<infer Names> ? Names : never)

/** What hides its fields, or is not known, may fill in any. */
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
      ? DefaultsAt<Target<Reference, Known['schemas'], Known['document']>, Known>
      : never)
  | { [Keyword in Joining]: DefaultsIn<Schema, Keyword, Known> }[Joining]

/** TypeBox has an index signature in each schema, so that only a relation tells whether a keyword is there. */
type DefaultsIn<Schema, Keyword extends Joining, Known extends Visible> = Schema extends {
  readonly [Key in Keyword]: infer Inner
}
  ? Inner extends readonly (infer Member)[]
    ? DefaultsOf<Member, Known>
    : DefaultsOf<Inner, Known>
  : never

/** The keywords whose schemas are asked of the same object. */
type Joining = 'allOf' | 'anyOf' | 'oneOf' | 'if' | 'then' | 'else'

type DefaultsAt<Found, Known extends Visible> = Found extends [infer Schema, infer Document]
  ? DefaultsOf<Schema, { schemas: Known['schemas']; document: Document }>
  : never

type KeysWithDefault<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends HasDefault ? Key : never
}[keyof Properties]
