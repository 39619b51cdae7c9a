// What a walk over a schema knows on its way.
import type { DocumentAt } from './references/documents.ts'
import type { Mode } from './shape.ts'

/** What a walk over a schema knows. One argument instead of five: what differs in none of them is
 *  one type, so equal schemas are walked once however many routes have them. */
export interface Env<Schemas, Document, Self, Side extends Mode, Passed = never> {
  /** The shared schemas that are visible, by id. */
  schemas: Schemas
  /** Where `#…` references resolve. `never` when there are none, so that routes share one Env. */
  document: Document
  /** What the `This` of `t.Recursive` stands for. */
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

/** A union of a reply is walked in a mode of its own. */
export type MemberEnv<Known extends AnyEnv> = Known['mode'] extends 'reply'
  ? Env<Known['schemas'], Known['document'], Known['self'], 'member', Known['passed']>
  : Known

/** Inside of a `t.Module` its names come before those of shared schemas. */
export type ModuleEnv<Definitions, Known extends AnyEnv> = Env<
  Omit<Known['schemas'], keyof Definitions> & Definitions,
  Known['document'],
  unknown,
  Known['mode'],
  Known['passed']
>

/** What stands behind the listed items is sent as it is: the serializer fills in no defaults there. */
export type SentEnv<Known extends AnyEnv> = Known['mode'] extends 'json'
  ? Env<Known['schemas'], Known['document'], Known['self'], 'in', Known['passed']>
  : Known

/** A schema with an `$id` that is embedded by value is a document of its own. Where nothing refers
 *  to `#…` the document is never, and there is nothing to ask. */
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

/** Apart from the schema, so that the compiler keeps the answer for all of them. */
type HasNoDocument<Known extends AnyEnv> = [Known['document']] extends [never] ? true : false
