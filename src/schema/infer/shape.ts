import type { OptionalKind } from '@sinclair/typebox'

/** Which side of a schema is meant: what a client may send (`in`), and may give a typed call (`call`), what
 *  a handler reads (`out`), what a handler may reply (`reply`), and may reply inside of a union
 *  (`member`), what a client receives (`json`). `exact` is `reply` with the objects marked that are
 *  closed. In calls and replies a field that may be left out may be undefined, which JSON leaves out. */
export type Mode = 'in' | 'call' | 'out' | 'reply' | 'member' | 'json' | 'exact'

/** The modes of a reply, which is only read: its lists may be readonly. */
export type ReadMode = 'reply' | 'member' | 'exact'

/** What `t` adds to a schema that has a default. The value does not matter to types, so it is not
 *  kept: schemas that differ in it alone are one type, and are walked once. */
export interface HasDefault {
  readonly default: unknown
}

/** What TypeBox adds to an optional schema. */
export interface IsOptional {
  readonly [OptionalKind]: 'Optional'
}

declare const inner: unique symbol

/** Marks a `t.Recursive` with options by the schema inside: TypeBox's own type does not give it away
 *  once it is part of an intersection. It exists in types only. */
export interface Recursion<Schema> {
  readonly [inner]: Schema
}

export declare const closed: unique symbol

/** Marks an object schema with `additionalProperties: false`. It exists in types only: TypeBox's
 *  own type of that keyword has `false` in it for every object. */
export interface Closed {
  readonly [closed]: true
}

/** The mark that mode `exact` puts on the type of such a schema. */
export type ClosedType = Partial<Closed>

/** A type for a schema, or its options, that closes its object. One with patterns has fields that no
 *  type can name. */
export type IfClosed<Schema, Type> = Schema extends { readonly patternProperties: unknown }
  ? unknown
  : Schema extends { readonly additionalProperties: false }
    ? Type
    : unknown

/** Keys with the right modifiers, each with what its field may be besides what its schema says. A homomorphic map over
 *  a shape has its modifiers at once, where picking required and optional keys apart takes two maps and a third to
 *  join them. */
export type Shape<Properties, Required extends keyof Properties> = {
  [Key in keyof Properties]?: undefined
} & { [Key in Required]: never }

/** The shape of an object of plain JSON Schema, by mode. */
export interface JsonShape<Schema, Properties, Named> {
  in: Shape<Properties, JsonRequiredBefore<Properties, Named>>
  call: Shape<Properties, JsonRequiredBefore<Properties, Named>>
  reply: Shape<Properties, JsonRequiredBefore<Properties, Named>>
  exact: Shape<Properties, JsonRequiredBefore<Properties, Named>> & IfClosed<Schema, ClosedType>
  member: Shape<Properties, Named & keyof Properties>
  out: Shape<Properties, JsonRequiredAfter<Properties, Named>>
  json: Shape<Properties, JsonRequiredAfter<Properties, Named>>
}

/** The keys of an object made with `t` that are always there. ajv fills in defaults before it looks
 *  at `required`, so a default makes a key optional before (in, reply) and certain after (out, json).
 *  Looked up by mode: a conditional type on the mode would be one more instantiation a property. */
export interface RequiredKeys<Properties> {
  in: RequiredBefore<Properties>
  call: RequiredBefore<Properties>
  member: RequiredAlways<Properties>
  reply: RequiredBefore<Properties>
  exact: RequiredBefore<Properties>
  out: RequiredAfter<Properties>
  json: RequiredAfter<Properties>
}

export type RequiredBefore<Properties> = {
  [Key in keyof Properties]: Key & SureBefore<Properties[Key]>
}[keyof Properties]

export type RequiredAlways<Properties> = {
  [Key in keyof Properties]: Key & SureAlways<Properties[Key]>
}[keyof Properties]

export type RequiredAfter<Properties> = {
  [Key in keyof Properties]: Key & SureAfter<Properties[Key]>
}[keyof Properties]

/** Whether a field is there, as what its key is intersected with. By the schema of the field alone, of which there are fewer than
 *  fields: most are asked once. */
type SureBefore<Schema> = Schema extends IsOptional | HasDefault ? never : unknown
type SureAlways<Schema> = Schema extends IsOptional ? never : unknown
type SureAfter<Schema> = [Schema] extends [IsOptional]
  ? [Schema] extends [HasDefault]
    ? unknown
    : never
  : unknown

/** The same for plain JSON Schema, where keys are optional until `required` names them. */
export interface JsonRequiredKeys<Properties, Named> {
  in: JsonRequiredBefore<Properties, Named>
  call: JsonRequiredBefore<Properties, Named>
  member: Named
  reply: JsonRequiredBefore<Properties, Named>
  exact: JsonRequiredBefore<Properties, Named>
  out: JsonRequiredAfter<Properties, Named>
  json: JsonRequiredAfter<Properties, Named>
}

type JsonRequiredBefore<Properties, Named> = {
  [Key in keyof Properties]: Key extends Named
    ? Properties[Key] extends HasDefault
      ? never
      : Key
    : never
}[keyof Properties]

type JsonRequiredAfter<Properties, Named> = {
  [Key in keyof Properties]: Key extends Named
    ? Key
    : Properties[Key] extends HasDefault
      ? Key
      : never
}[keyof Properties]

/** What is serialized as another value. */
export interface ToJson<Value> {
  toJSON(): Value
}

/** The serializer takes what `toJSON` gives. */
export type Serialized<Fields> = Fields | ToJson<Fields>

/** A type that no schema was seen for is not walked in mode `exact`. */
export interface IfTyped<Static> {
  in: Static
  call: Static
  member: Static
  json: Static
  out: Static
  reply: Static
  exact: unknown
}

/** The same for one that is encoded and decoded. */
export interface Coded<Encoded, Decoded> {
  in: Encoded
  call: Encoded
  member: Decoded
  json: Encoded
  out: Decoded
  reply: Decoded
  exact: unknown
}

/** `properties` without a type are asked of objects alone; the serializer takes them for a type. Without an alias for
 *  all other JSON, which declaration files would have to name. */
export interface Untyped<Fields> {
  in: Fields | string | number | boolean | null | unknown[]
  call: Fields | string | number | boolean | null | unknown[]
  out: Fields | string | number | boolean | null | unknown[]
  json: Fields
  reply: Serialized<Fields>
  member: Fields
  exact: Fields
}

/** An object that says that it is one. */
export interface JsonObjectBy<Fields> {
  in: Fields
  call: Fields
  out: Fields
  json: Fields
  reply: Serialized<Fields>
  member: Fields
  exact: Fields
}

/** What stands behind the listed items where nothing is said of it: the serializer refuses it. */
export interface MoreItems {
  in: unknown[]
  call: unknown[]
  out: unknown[]
  json: unknown[]
  reply: []
  member: []
  exact: []
}

/** An object of any type, which need not have an index signature: no list, map, promise, stream or function. Nor a
 *  date, whose `toJSON` gives text; one that gives an object is allowed for beside this. */
export type AnyObject = object & {
  readonly [Symbol.iterator]?: never
  readonly [Symbol.asyncIterator]?: never
  readonly [Symbol.toStringTag]?: never
  readonly toJSON?: never
  readonly bind?: never
}

/** Text by mode. */
export interface InferString<Schema> {
  in: string
  call: string
  out: string
  json: string
  // The serializer writes a Date as a format has it.
  reply: InferReplied<Schema>
  member: InferReplied<Schema>
  exact: InferReplied<Schema>
}

type InferReplied<Schema> = Schema extends { format: 'date-time' | 'date' | 'time' }
  ? string | Date
  : string
