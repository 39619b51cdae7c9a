/** What a decorator of a value is read as: a getter's is what it gives.
 *  @example type Tenant = Decorated<{ getter: () => Tenant }> // Tenant */
export type Decorated<Value> = Value extends { getter: () => infer Given } ? Given : Value

/** Stands beside the type parameter of a decorator's value, to give functions their `this`. It takes
 *  no part in inference otherwise: parameters without a type become `never`. */
export type DecoratorContext<Self> =
  | ((this: Self, ...parameters: never) => unknown)
  | { getter: (this: Self) => unknown; setter?: (this: Self, value: never) => void }

/** The name of a new decorator, or a sentence where it is taken. */
export type FreshName<Name, Taken, Kind extends string> = Name extends Taken
  ? `${Kind} decorator '${Name & string}' already exists`
  : Name
