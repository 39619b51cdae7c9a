/* eslint-disable @typescript-eslint/no-explicit-any -- any function is a method, whatever its parameters */

/** Adds a decorator: a value, a method, or a getter and a setter. One that was declared as a member of
 *  `This` has to have its type. */
export interface DecorationMethod<This, Return = This> {
  <
    T extends (Property extends keyof This ? This[Property] : unknown),
    Property extends string | symbol = string | symbol,
  >(
    property: Property,
    value: Accessor<
      This,
      T extends (...args: any[]) => any ? (this: This, ...args: Parameters<T>) => ReturnType<T> : T
    >,
    dependencies?: string[],
  ): Return
  (property: string | symbol): Return
  (property: string | symbol, value: null | undefined, dependencies: string[]): Return
}

type Accessor<This, Value> =
  Value | { getter: (this: This) => Value; setter?: (this: This, value: Value) => void }
