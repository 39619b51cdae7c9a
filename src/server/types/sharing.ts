import type { SchemaMistake } from '../../schema/infer/json/mistake.ts'
import type { StandardMark } from '../../schema/infer/marks.ts'
import type { Computed, NotComputed } from '../../schema/infer/references/check.ts'

/** What is said of a schema that cannot be shared. */
type NotShared = 'A Standard Schema cannot be shared: give it to routes as a part'

/** What is said of an `$id` that is taken. */
export type SchemaTaken<Id extends string> = `Schema '${Id}' is already registered here`

/** A schema that is about to be shared under its own `$id`, or what is wrong with it. */
export type SharedSchema<Schema extends { readonly $id: string }, Schemas> = [
  SchemaMistake<Schema>,
] extends [never]
  ? FreshSchema<Schema['$id'], Schemas> & Schema
  : SchemaMistake<Schema>

/** The same under an id that is given. */
export type NamedSchema<Schema> = Schema extends StandardMark
  ? NotShared
  : Schema extends Computed<infer Name>
    ? NotComputed<Name>
    : [SchemaMistake<Schema>] extends [never]
      ? Schema
      : SchemaMistake<Schema>

type FreshSchema<Id extends string, Schemas> = string extends Id
  ? { $id: 'The type of this schema does not say its $id: use addSchema(id, schema)' }
  : Id extends keyof Schemas
    ? SchemaTaken<Id>
    : unknown
