import type { Sent } from '../../exchange/typed-reply.ts'

/** What a `derive` adds to requests. Where its hook may return nothing, each of the members may be
 *  missing. */
export type Derived<Result> =
  undefined extends Value<Result> ? Missing<Exclude<Value<Result>, undefined>> : Value<Result>

/** Nothing at all adds nothing. */
type Missing<Given> = [Given] extends [never] ? {} : Partial<Given>

/** `void` is what the compiler says of a function without a return. */
type Value<Result> =
  Exclude<Awaited<Result>, Sent> extends infer Given
    ? [Given] extends [void]
      ? undefined
      : Given
    : never

/** A sentence where a `derive` gives a name that requests have already. It has the shape of a function,
 *  so that the hook's parameters keep their types. */
export type Clash<Result, Taken> = [Extract<KeyIn<Derived<Result>>, Taken>] extends [never]
  ? unknown
  : (
      ...args: never
    ) => `Request decorator '${Extract<KeyIn<Derived<Result>>, Taken & string>}' already exists`

/** The names that a `derive` adds, each with its phase. */
export type DerivedNames<Result, Phase> = { [Name in KeyIn<Derived<Result>>]: Phase }

/** The keys of an object, or of any member of a union. */
export type KeyIn<Type> = Type extends unknown ? keyof Type : never
