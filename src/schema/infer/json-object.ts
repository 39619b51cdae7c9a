import type { Kind } from '@sinclair/typebox'
import type { AnyEnv, Env, FieldsBy, Infer, WalkedKind } from './infer.ts'
import type { KindMark, OptionalMark } from './marks.ts'
import type { Target } from './reference.ts'
import type { HasDefault, JsonShape, ReadMode } from './shape.ts'

/** The type of an object. What is required without being described may be anything. */
export type InferObject<Schema, Known extends AnyEnv> = Schema extends {
  readonly properties: infer Properties
}
  ? [RequiredOf<Schema>] extends [keyof Properties]
    ? InferListed<Schema, Properties, Known>
    : InferListed<Schema, Properties, Known> & {
        [Name in Exclude<RequiredOf<Schema>, keyof Properties> & string]: unknown
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
    ? InferMap<Schema, Known> & { [Name in Names & string]: InferOthers<Schema, Known> }
    : Known['mode'] extends ReadMode
      ? InferMap<Schema, Known> & { [Name in Names & string]: unknown }
      : { [Name in Names & string]: unknown }

/** An object of any type, which need not have an index signature: no list, map, promise, stream or function. Nor a
 *  date, whose `toJSON` gives text; one that gives an object is allowed for beside this. */
type AnyObject = object & {
  readonly [Symbol.iterator]?: never
  readonly [Symbol.asyncIterator]?: never
  readonly [Symbol.toStringTag]?: never
  readonly toJSON?: never
  readonly bind?: never
}

type InferListed<Schema, Properties, Known extends AnyEnv> = Schema extends Indexed
  ? InferFields<Schema, Properties, Known> & InferOpen<Schema, Properties, Known>
  : InferFields<Schema, Properties, Known>

type InferFields<Schema, Properties, Known extends AnyEnv> = FieldsBy<
  JsonShape<Schema, Properties, RequiredOf<Schema>>[Known['mode']],
  Properties,
  Known
>[Known['mode']]

/** A schema that says more of fields than their names. */
type Indexed = { readonly patternProperties: unknown } | { readonly additionalProperties: object }

/** No type can tell the other fields from the named ones by a pattern, so any of them may be either. An
 *  interface, whose members wait until they are read: a schema may refer to itself. */
interface InferOpen<Schema, Properties, Known extends AnyEnv> {
  [key: string]: InferOthers<Schema, Known> | Infer<Properties[keyof Properties], Known> | undefined
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

/** Of names that are not known, each may be another. */
type RequiredOf<Schema> = Schema extends KindMark & { readonly properties: infer Properties }
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
 *  schemas that hold beside it, so their fields may be missing before; and what a closed object requires may be removed
 *  after. */
interface Certain<Schema, Known extends AnyEnv> {
  in: Exclude<RequiredOf<Schema>, FilledBeside<Schema, Known>>
  call: Certain<Schema, Known>['in']
  reply: Certain<Schema, Known>['in']
  exact: Certain<Schema, Known>['in']
  member: RequiredOf<Schema>
  out: Schema extends { readonly additionalProperties: false } ? never : RequiredOf<Schema>
  json: Certain<Schema, Known>['out']
}

declare const filled: unique symbol

/** Marks a schema by the fields that schemas around it fill in. It exists in types only. */
export interface Filled<out Names> {
  readonly [filled]: Names
}

/** The names of the fields that a schema, those that hold together with it, and those around both give a default. */
export type FilledBeside<Schema, Known extends AnyEnv> =
  DefaultsOf<Schema, Known> | (Schema extends Filled<infer Names> ? Names : never)

/** What hides its fields, or is not known, may fill in any. */
type DefaultsOf<Schema, Known extends AnyEnv> = unknown extends Schema
  ? string
  : Schema extends { readonly [Kind]: infer Name }
    ? Name extends WalkedKind
      ? OwnDefaults<Schema, Known>
      : string
    : OwnDefaults<Schema, Known>

type OwnDefaults<Schema, Known extends AnyEnv> =
  | (Schema extends { readonly properties: infer Properties } ? KeysWithDefault<Properties> : never)
  | (Schema extends { readonly $ref: infer Reference extends string }
      ? DefaultsAt<Target<Reference, Known['schemas'], Known['document']>, Known>
      : never)
  | { [Keyword in Joining]: DefaultsIn<Schema, Keyword, Known> }[Joining]

/** TypeBox has an index signature in each schema, so that only a relation tells whether a keyword is there. */
type DefaultsIn<Schema, Keyword extends Joining, Known extends AnyEnv> = Schema extends {
  readonly [Key in Keyword]: infer Inner
}
  ? Inner extends readonly (infer Member)[]
    ? DefaultsOf<Member, Known>
    : DefaultsOf<Inner, Known>
  : never

/** The keywords whose schemas are asked of the same object. */
type Joining = 'allOf' | 'anyOf' | 'oneOf' | 'if' | 'then' | 'else'

type DefaultsAt<Found, Known extends AnyEnv> = Found extends [infer Schema, infer Document]
  ? DefaultsOf<Schema, Env<Known['schemas'], Document, unknown, Known['mode']>>
  : never

type KeysWithDefault<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends HasDefault ? Key : never
}[keyof Properties]
