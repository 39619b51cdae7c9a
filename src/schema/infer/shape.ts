import type { OptionalKind } from '@sinclair/typebox'

/** Which side of a schema is meant: what a client may send (`in`), what a handler reads (`out`),
 *  what a handler may reply (`reply`), what a client receives (`json`). */
export type Mode = 'in' | 'out' | 'reply' | 'json'

/** What `t` adds to a schema that has a default. The value does not matter to types, so it is not
 *  kept: schemas that differ in it alone are one type, and are walked once. */
export interface HasDefault {
  readonly default: unknown
}

interface IsOptional {
  readonly [OptionalKind]: 'Optional'
}

declare const inner: unique symbol

/** Marks a `t.Recursive` with options by the schema inside: TypeBox's own type does not give it away
 *  once it is part of an intersection. It exists in types only. */
export interface Recursion<Schema> {
  readonly [inner]: Schema
}

/** Keys with the right modifiers and no types. A homomorphic map over a shape has its modifiers at
 *  once, where picking required and optional keys apart takes two maps and a third to join them. */
export type Shape<Properties, Required extends keyof Properties> = {
  [Key in keyof Properties]?: unknown
} & { [Key in Required]: unknown }

/** The keys of an object made with `t` that are always there. ajv fills in defaults before it looks
 *  at `required`, so a default makes a key optional before (in, reply) and certain after (out, json).
 *  Looked up by mode: a conditional type on the mode would be one more instantiation a property. */
export interface RequiredKeys<Properties> {
  in: RequiredBefore<Properties>
  reply: RequiredBefore<Properties>
  out: RequiredAfter<Properties>
  json: RequiredAfter<Properties>
}

type RequiredBefore<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends IsOptional | HasDefault ? never : Key
}[keyof Properties]

type RequiredAfter<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends IsOptional
    ? Properties[Key] extends HasDefault
      ? Key
      : never
    : Key
}[keyof Properties]

/** The same for plain JSON Schema, where keys are optional until `required` names them. */
export interface JsonRequiredKeys<Properties, Named> {
  in: JsonRequiredBefore<Properties, Named>
  reply: JsonRequiredBefore<Properties, Named>
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
