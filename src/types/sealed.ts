/** A type that nothing is inferred into. Where a generic function returns it, the compiler would look in the type that is
 *  expected there for what the function's parameters are: through every branch of a walk over schemas, or in what
 *  another function takes, which is wider than what is given. `Given` is a type parameter of the function. */
export type Sealed<Given, Value> = Hidden<Given, Value> extends Box<infer Result> ? Result : never

/** Asks nothing, but waits for `Given`. Of a tuple of both the compiler would make the members of two arrays each time. */
type Hidden<Given, Value> = never extends Given ? Box<Value> : never

interface Box<Value> {
  readonly value: Value
}
