/** A type that nothing is inferred into. Where a generic function returns it, the compiler would look in the type that is
 *  expected there for what the function's parameters are: through every branch of a walk over schemas, or in what
 *  another function takes, which is wider than what is given. `Given` is a type parameter of the function. */
export type Sealed<Given, Value> = [Given, Value] extends [unknown, infer Result] ? Result : never
