/** What is said of a schema that cannot be shared. */
export type NotShared = 'A Standard Schema cannot be shared: give it to routes as a part'

/** What is said of an `$id` that is taken. */
export type SchemaTaken<Id extends string> = `Schema '${Id}' is already registered here`

/** What is wrong with a schema that is about to be shared. */
export type FreshSchema<Id extends string, Schemas> = string extends Id
  ? { $id: 'The type of this schema does not say its $id: use addSchema(id, schema)' }
  : Id extends keyof Schemas
    ? SchemaTaken<Id>
    : unknown
