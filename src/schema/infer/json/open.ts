// Objects of plain JSON Schema that say of what type the fields are that they do not name.

/** A schema that says more of fields than their names. */
export type Indexed =
  { readonly patternProperties: unknown } | { readonly additionalProperties: object }

/** Whether one of the schemas that hold together says of what type other fields are. */
export type Mixes<Schema> = Schema extends Indexed
  ? true
  : Schema extends { readonly allOf: readonly (infer Member)[] }
    ? [Extract<Member, Indexed>] extends [never]
      ? false
      : true
    : false

/** What several schemas say of an object with other fields, as one object: see `OpenBy`. */
export interface WholeBy<Type> {
  one: { [Key in keyof Type]: Type[Key] }
  each: Type extends unknown ? (string extends keyof Type ? WholeBy<Type>['one'] : Type) : never
}
