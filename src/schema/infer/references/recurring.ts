// What a schema that holds itself can be named by.
import type { Kind } from '@sinclair/typebox'

/** The modes whose types are read, and so come into declaration files. */
export type RecurringMode = 'in' | 'out' | 'json'

/** The way in which the compiler keeps a name for what a schema is. */
export type Naming<Schema> = Schema extends
  | { readonly [Kind]: 'Object' | 'Record' }
  | { readonly [Kind]: 'Intersect'; readonly allOf: readonly { readonly [Kind]: 'Object' }[] }
  | PlainObject
  ? 'object'
  : Schema extends { readonly [Kind]: 'Array' } | PlainList
    ? ItemsOf<Schema> extends readonly unknown[]
      ? 'union'
      : 'list'
    : 'union'

interface PlainObject extends Plain {
  readonly type: 'object'
  readonly allOf?: readonly (Plain & {
    readonly properties: unknown
    readonly allOf?: never
  })[]
}

interface PlainList extends Plain {
  readonly type: 'array'
  readonly items: object
  readonly allOf?: never
}

/** A plain JSON Schema that is one type, and says it itself. */
interface Plain {
  readonly [Kind]?: never
  readonly $ref?: never
  readonly anyOf?: never
  readonly oneOf?: never
  readonly if?: never
  readonly nullable?: false
  readonly enum?: never
  readonly const?: never
  readonly '~codec'?: never
  readonly '~unsafe'?: never
  readonly '~standard'?: never
}

export type ItemsOf<Schema> = Schema extends { readonly items: infer Items } ? Items : never
