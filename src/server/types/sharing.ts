import type { CheckResult } from '../../types/checks.ts'
import type { SchemaMistake } from '../../schema/infer/json/mistake.ts'
import type { StandardMark } from '../../schema/infer/marks.ts'
import type { Computed, NotComputed } from '../../schema/infer/references/check.ts'

/** What is said of a schema that cannot be shared. */
type NotShared = 'A Standard Schema cannot be shared: give it to routes as a part'

/** What is said of an `$id` that is taken. */
export type SchemaTaken<Id extends string> = `Schema '${Id}' is already registered here`

/** An id that a schema is to be shared under, or a sentence where it is taken.
 *  @template Known as `Clash` has it */
export type FreshId<Id extends string, Schemas, Known> =
  CheckResult<Known extends unknown ? [...Free<Id, Schemas>] : never> extends CheckResult<[]>
    ? SchemaTaken<Id>
    : Id

/** Is empty for an id that is taken. */
type Free<Id, Schemas> = Id extends keyof Schemas ? [] : [1]

/** What may be shared under its own `$id`, and what is told of in words of its own. */
export type Sharing = { readonly $id: string } | StandardMark

/** A schema that is about to be shared under its own `$id`, or what is wrong with it. */
export type SharedSchema<Schema, Schemas> = [Schema] extends [StandardMark]
  ? NotShared
  : string extends OwnId<Schema>
    ? { $id: 'The type of this schema does not say its $id: use addSchema(id, schema)' }
    : [SchemaMistake<Schema>] extends [never]
      ? FreshSchema<OwnId<Schema>, Schemas> & Schema
      : SchemaMistake<Schema>

/** The `$id` that a schema is shared under. */
export type OwnId<Schema> = Schema extends { readonly $id: infer Id extends string } ? Id : never

/** The same under an id that is given. */
export type NamedSchema<Schema, Known> =
  CheckResult<Known extends unknown ? [...Sound<Schema>] : never> extends CheckResult<[]>
    ? MistakeIn<Schema>
    : Schema

/** Is empty for a schema that cannot be shared. */
type Sound<Schema> = [MistakeIn<Schema>] extends [never] ? [1] : []

type MistakeIn<Schema> = Schema extends StandardMark
  ? NotShared
  : Schema extends Computed<infer Name>
    ? NotComputed<Name>
    : SchemaMistake<Schema>

type FreshSchema<Id extends string, Schemas> = Id extends keyof Schemas ? SchemaTaken<Id> : unknown
