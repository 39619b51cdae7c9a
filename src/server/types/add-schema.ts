import type { CheckResult } from '../../types/checks.ts'
import type { SchemaMistake } from '../../schema/infer/mistake.ts'
import type { StandardMark } from '../../schema/infer/marks.ts'
import type { Computed, NotComputed } from '../../schema/infer/references.ts'

type NotShared = 'A Standard Schema cannot be shared: give it to routes as a part'

export type SchemaTaken<Id extends string> = `Schema '${Id}' is already registered here`

/** An id for a shared schema, or a sentence if it is taken.
 *  @template Known see `Clash` */
export type FreshId<Id extends string, Schemas, Known> =
  CheckResult<Known extends unknown ? [...Free<Id, Schemas>] : never> extends CheckResult<[]>
    ? SchemaTaken<Id>
    : Id

/** Empty for an id that is taken. */
type Free<Id, Schemas> = Id extends keyof Schemas ? [] : [1]

/** A schema with an `$id`, or one that gets a sentence. */
export type Sharing = { readonly $id: string } | StandardMark

/** A schema to share by its own `$id`, or a sentence. */
export type SharedSchema<Schema, Schemas> = [Schema] extends [StandardMark]
  ? NotShared
  : string extends OwnId<Schema>
    ? { $id: 'The type of this schema does not say its $id: use addSchema(id, schema)' }
    : [SchemaMistake<Schema>] extends [never]
      ? FreshSchema<OwnId<Schema>, Schemas> & Schema
      : SchemaMistake<Schema>

/** The `$id` of a schema. */
export type OwnId<Schema> = Schema extends { readonly $id: infer Id extends string } ? Id : never

/** A schema to share by a given id, or a sentence. */
export type NamedSchema<Schema, Known> =
  CheckResult<Known extends unknown ? [...Sound<Schema>] : never> extends CheckResult<[]>
    ? MistakeIn<Schema>
    : Schema

/** Empty for a schema that cannot be shared. */
type Sound<Schema> = [MistakeIn<Schema>] extends [never] ? [1] : []

type MistakeIn<Schema> = Schema extends StandardMark
  ? NotShared
  : Schema extends Computed<infer Name>
    ? NotComputed<Name>
    : SchemaMistake<Schema>

type FreshSchema<Id extends string, Schemas> = Id extends keyof Schemas ? SchemaTaken<Id> : unknown
