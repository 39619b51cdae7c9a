// What stands inside of a schema, of what its type says.
import type { TransformKind, TransformOptions } from '@sinclair/typebox'
import type { Recursed } from '../marks.ts'

/** The schemas right below another one. */
export type ChildOf<Schema> =
  ValueAt<Schema, OfMap> | ItemAt<Schema, OfSchemas> | InsideOf<Schema> | Recursed<Schema>

type OfMap =
  'properties' | 'definitions' | '$defs' | 'patternProperties' | 'dependencies' | 'dependentSchemas'

type OfSchemas =
  | 'items'
  | 'anyOf'
  | 'allOf'
  | 'oneOf'
  | 'additionalProperties'
  | 'additionalItems'
  | 'prefixItems'
  | 'contains'
  | 'propertyNames'
  | 'not'
  | 'if'
  | 'then'
  | 'else'

type ValueAt<Schema, Keyword> = Keyword extends string
  ? Schema extends { readonly [Key in Keyword]: infer Map }
    ? Map[keyof Map]
    : never
  : never

type ItemAt<Schema, Keyword> = Keyword extends string
  ? Schema extends { readonly [Key in Keyword]: infer Items }
    ? Items extends readonly unknown[]
      ? Items[number]
      : Items
    : never
  : never

/** The schema which is the same object at run time as one that `t` made of it: nullable, or with a transform. */
export type InsideOf<Schema> = Schema extends {
  readonly nullable: true
  readonly anyOf: readonly [infer Inner, unknown]
}
  ? Inner
  : Schema extends { [TransformKind]: TransformOptions<infer Inner, infer _Decoded> }
    ? Inner
    : never

/** The keys that a schema is known to have. TypeBox gives its schemas an index signature of `any`,
 *  which would let a pointer pass through a keyword that is not there. */
export type NamedKey<Schema> = keyof {
  [Key in keyof Schema as string extends Key ? never : number extends Key ? never : Key]: unknown
}
