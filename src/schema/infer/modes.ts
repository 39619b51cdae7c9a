// The modes of the inference, what a walk over a schema knows, and the types that differ by mode.
import type { Json } from '../../types/json.ts'
import type { ClosedType, HasDefault, IfClosed, IsOptional } from './marks.ts'
import type { DocumentAt } from './references.ts'

/** Which side of a schema a type describes:
 *  - `in`: what a client may send
 *  - `call`: what a typed call accepts
 *  - `out`: what a handler reads
 *  - `reply`: what a handler may reply
 *  - `member`: what a handler may reply inside of a union
 *  - `json`: what a client receives
 *  - `exact`: as `reply`, with a mark on each closed object
 *
 *  In calls and replies an optional field may be undefined, which JSON leaves out. */
export type Mode = 'in' | 'call' | 'out' | 'reply' | 'member' | 'json' | 'exact'

/** The modes of a reply. The framework only reads it, so its lists may be readonly. */
export type ReadMode = 'reply' | 'member' | 'exact'

/** The modes whose types users read, and which thus appear in declaration files. */
export type RecurringMode = 'in' | 'out' | 'json'

/** What a walk over a schema knows. It is one argument instead of five, so that equal schemas in
 *  equal environments are one type: the compiler walks them once for any number of routes. */
export interface Env<Schemas, Document, Self, Side extends Mode, Passed = never> {
  /** The visible shared schemas, by id. */
  schemas: Schemas
  /** The document in which `#…` references resolve. `never` if there are no such references, so
   *  that routes share one Env. */
  document: Document
  /** The schema that the `This` of a `t.Recursive` refers to. */
  self: Self
  mode: Side
  /** The references that the walk has followed. */
  passed: Passed
}

/** The widest `Env`. */
export interface AnyEnv {
  schemas: unknown
  document: unknown
  self: unknown
  mode: Mode
  passed: unknown
}

/** The Env inside of a union, which has a mode of its own in replies. */
export type MemberEnv<Known extends AnyEnv> = Known['mode'] extends 'reply'
  ? Env<Known['schemas'], Known['document'], Known['self'], 'member', Known['passed']>
  : Known

/** The Env inside of a `t.Module`, whose names come before those of shared schemas. */
export type ModuleEnv<Definitions, Known extends AnyEnv> = Env<
  Omit<Known['schemas'], keyof Definitions> & Definitions,
  Known['document'],
  unknown,
  Known['mode'],
  Known['passed']
>

/** The Env of items after the listed ones. The serializer sends them unchanged, without
 *  defaults. */
export type SentEnv<Known extends AnyEnv> = Known['mode'] extends 'json'
  ? Env<Known['schemas'], Known['document'], Known['self'], 'in', Known['passed']>
  : Known

/** The Env inside of a schema: an embedded schema with an `$id` is a document of its own. */
export type EnvAt<Schema, Known extends AnyEnv> =
  HasNoDocument<Known> extends true
    ? Known
    : Env<
        Known['schemas'],
        DocumentAt<Schema, Known['document']>,
        Known['self'],
        Known['mode'],
        Known['passed']
      >

/** A type without the schema, so that the compiler computes it once for all schemas. */
type HasNoDocument<Known extends AnyEnv> = [Known['document']] extends [never] ? true : false

/** The keys of an object with the right modifiers. Each key maps to what its field may be besides
 *  the type of its schema. A homomorphic map over a shape gets its modifiers in one step; to pick
 *  required and optional keys apart would take two maps and a third to join them. */
export type Shape<Properties, Required extends keyof Properties> = {
  [Key in keyof Properties]?: undefined
} & { [Key in Required]: never }

/** The shape of an object of plain JSON Schema, by mode. `Named` are the keys in `required`. */
export interface JsonShape<Schema, Properties, Named> {
  in: Shape<Properties, JsonRequiredBefore<Properties, Named>>
  call: Shape<Properties, JsonRequiredBefore<Properties, Named>>
  reply: Shape<Properties, JsonRequiredBefore<Properties, Named>>
  exact: Shape<Properties, JsonRequiredBefore<Properties, Named>> & IfClosed<Schema, ClosedType>
  member: Shape<Properties, Named & keyof Properties>
  out: Shape<Properties, JsonRequiredAfter<Properties, Named>>
  json: Shape<Properties, JsonRequiredAfter<Properties, Named>>
}

type JsonRequiredBefore<Properties, Named> = Exclude<
  Named & keyof Properties,
  KeysWithDefault<Properties>
>

type JsonRequiredAfter<Properties, Named> = (Named & keyof Properties) | KeysWithDefault<Properties>

export type KeysWithDefault<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends HasDefault ? Key : never
}[keyof Properties]

/** The keys of an object made with `t` whose fields are there before defaults are filled in. */
export type RequiredBefore<Properties> = {
  [Key in keyof Properties]: Key & SureBefore<Properties[Key]>
}[keyof Properties]

/** The keys whose fields have to be there where no default is filled in. */
export type RequiredAlways<Properties> = {
  [Key in keyof Properties]: Key & SureAlways<Properties[Key]>
}[keyof Properties]

/** The keys whose fields are there after defaults are filled in. */
export type RequiredAfter<Properties> = {
  [Key in keyof Properties]: Key & SureAfter<Properties[Key]>
}[keyof Properties]

/** Whether a field is there: its key is intersected with this. It depends on the schema of the
 *  field alone. There are fewer of those than fields, so the compiler computes most of them
 *  once. */
type SureBefore<Schema> = Schema extends IsOptional | HasDefault ? never : unknown
type SureAlways<Schema> = Schema extends IsOptional ? never : unknown
type SureAfter<Schema> = [Schema] extends [IsOptional]
  ? [Schema] extends [HasDefault]
    ? unknown
    : never
  : unknown

/** An object that serializes as another value. */
export interface ToJson<Value> {
  toJSON(): Value
}

/** An object as a reply: the serializer calls `toJSON`. */
export type Serialized<Fields> = Fields | ToJson<Fields>

/** The type of a schema with a transform, by mode. Mode `exact` does not walk into it. */
export interface Coded<Encoded, Decoded> {
  in: Encoded
  call: Encoded
  member: Decoded
  json: Encoded
  out: Decoded
  reply: Decoded
  exact: unknown
}

/** The type of a Standard Schema, by mode. A reply is the input of the schema, and the client
 *  receives the output as JSON. */
export interface InferStandard<Types> {
  in: TypeAt<Types, 'input'>
  call: TypeAt<Types, 'input'>
  out: TypeAt<Types, 'output'>
  reply: TypeAt<Types, 'input'>
  member: TypeAt<Types, 'input'>
  json: Json<TypeAt<Types, 'output'>>
  exact: unknown
}

type TypeAt<Types, Side extends string> = Types extends { readonly [Key in Side]: infer Type }
  ? Type
  : unknown

/** The type of a plain JSON Schema of type `object`, by mode. */
export interface JsonObjectBy<Fields> {
  in: Fields
  call: Fields
  out: Fields
  json: Fields
  reply: Serialized<Fields>
  member: Fields
  exact: Fields
}

/** An object of any type, also without an index signature: no list, map, promise, stream or
 *  function. A date is excluded too, since its `toJSON` returns text; `Serialized` allows objects
 *  whose `toJSON` returns an object. */
export type AnyObject = object & {
  readonly [Symbol.iterator]?: never
  readonly [Symbol.asyncIterator]?: never
  readonly [Symbol.toStringTag]?: never
  readonly toJSON?: never
  readonly bind?: never
}

/** The type of text. In a reply the serializer formats a Date. */
export type InferString<Schema, Side extends Mode> = Side extends ReadMode
  ? Schema extends { format: 'date-time' | 'date' | 'time' }
    ? string | Date
    : string
  : string
