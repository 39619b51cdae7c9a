import type { Sender, Unfinished, Unsent } from '../../typed/sent.ts'
import type { CheckResult } from '../../types/checks.ts'

/** What a `derive` adds to requests. Where its hook may return nothing, which null is too, each of the members
 *  may be missing. */
export type Derived<Result> = [Extract<Value<Result>, undefined | null>] extends [never]
  ? Value<Result>
  : Missing<Exclude<Value<Result>, undefined | null>>

/** Nothing at all adds nothing. */
type Missing<Given> = [Given] extends [never] ? {} : Partial<Given>

/** `void` is what the compiler says of a function without a return. */
type Value<Result> =
  Exclude<Awaited<Result>, Sender> extends infer Given
    ? [Given] extends [void]
      ? undefined
      : Given
    : never

/** A sentence where a `derive` gives what has no names, a name that requests have already, or a reply that was not
 *  sent. It has the shape of a function, so that the hook's parameters keep their types.
 *  @template Known is inferred together with the result: until then nothing is decided, and then it is at once, also for
 *  a result of a type parameter of the function around */
export type Clash<Result, Taken, Known> =
  CheckResult<Known extends unknown ? [...Harmless<Result, Taken>] : never> extends CheckResult<[]>
    ? ClashOf<Result, Taken>
    : unknown

/** Is empty where there is a sentence. */
type Harmless<Result, Taken> = unknown extends ClashOf<Result, Taken> ? [1] : []

type ClashOf<Result, Taken> = [Extract<Exclude<Value<Result>, undefined>, Nameless>] extends [never]
  ? [Extract<KeyIn<Derived<Result>>, Taken>] extends [never]
    ? [unknown extends Awaited<Result> ? never : Extract<Awaited<Result>, Unfinished>] extends [
        never,
      ]
      ? unknown
      : (...args: never) => Unsent
    : (
        ...args: never
      ) => `Request decorator '${Extract<KeyIn<Derived<Result>>, Taken & string>}' already exists`
  : (
      ...args: never
    ) => 'derive gives an object whose names requests get: a list, a map, a number or a boolean has none'

/** A list, a map, a set, a number. */
type Nameless = { readonly [Symbol.iterator]: unknown } | number | boolean | bigint | symbol

/** The names that a `derive` adds, each with its phase. */
export type DerivedNames<Result, Phase> = { [Name in KeyIn<Derived<Result>>]: Phase }

/** The keys of an object, or of any member of a union. */
export type KeyIn<Type> = Type extends unknown ? keyof Type : never
