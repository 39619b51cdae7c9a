// What stands behind the key in a call.
import type { RouteInput } from '../../http/route-call.ts'
import type { EntryInput } from './input.ts'

/** The input as the rest of an argument list; of several keys at once, one that fits each of them.
 *  An unknown route gives an optional one, so that the mistake is reported at its key and not as a
 *  missing argument. */
export type InputArguments<Entry, Key, AnyKey, Unknown = [input?: unknown]> =
  true extends IsOne<Key>
    ? OneArgument<EntryInput<Entry, Key>, Entry>
    : SeveralArguments<Entry, Key, AnyKey, Unknown>

/** Decided here alone: would the arguments themselves be distributed over the keys, the compiler would look, at each
 *  argument of each call, through those of all routes for a `const` type parameter. No key, where there are no routes, is
 *  not one: `never` is asked for `true`, which is not in it. */
type IsOne<Key, All = Key> = Key extends unknown ? ([All] extends [Key] ? true : false) : never

type OneArgument<Input, Entry> = {} extends Input
  ? [input?: FreeIfNone<Input, Entry>]
  : [input: Input]

/** An unknown key stands for all keys at once. */
type SeveralArguments<Entry, Key, AnyKey, Unknown> = [AnyKey] extends [Key]
  ? Unknown
  : SharedArguments<InputOfEach<Entry, Key>>

type SharedArguments<Input> = {} extends Input ? [input?: Input] : [input: Input]

/** The intersection of the inputs of several routes. Each is asked with the paths of all, which adds
 *  nothing: to look it up by its own key takes all routes along, which every call would pay for. */
type InputOfEach<Entry, Key> = (
  Entry extends unknown
    ? Key extends unknown
      ? (input: EntryInput<Entry, Key>) => void
      : never
    : never
) extends (input: infer Inputs) => void
  ? Inputs
  : never

/** What is said of a call without the input that its route takes, by its key: a sentence for each part that may not be left out. */
export type MissingInput<
  Entry,
  Key extends string,
> = `Route '${Key}' takes an input with '${RequiredKey<EntryInput<Entry, Key>>}', which is missing`

type RequiredKey<Input> = {
  [Key in keyof Input & string]-?: {} extends Pick<Input, Key> ? never : Key
}[keyof Input & string]

/** Where no schema says what a route takes, its handler reads what was sent as it is. */
type FreeIfNone<Input, Entry> = [keyof Input] extends ['headers' | 'body']
  ? Entry extends { readonly schema: { readonly headers: unknown } | { readonly body: unknown } }
    ? Input
    : Omit<RouteInput, 'body'> & Input
  : Input
