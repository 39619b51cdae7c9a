// What is wrong with the payload that a handler returns, in words.
import type { ToJson } from '../schema/infer/modes.ts'
import type { NoPayload } from './payload.ts'
import type { Sender, Unfinished, Unsent } from './sent.ts'

/** What a handler returns that is no reply of its route, told of by a sentence: the compiler shows the whole of both types first,
 *  and what differs last. Where there is nothing to say, what it may return.
 *  @example type Wrong = Misfit<{ id: string }, { id: number }, Returned>
 *  // "The returned 'id' is a string, where the response schema has a number" */
export type Misfit<Result, Payload, Otherwise> = [Extract<Given<Result>, Unfinished>] extends [
  never,
]
  ? [Exclude<Given<Result>, Sender>] extends [never]
    ? Otherwise
    : [Payload] extends [NoPayload<infer Reason>]
      ? `${Reason}: set another by 'reply.code', and return what its 'send' gives`
      : Told<Found<Exclude<Given<Result>, Sender>, Payload>, Otherwise>
  : Unsent

/** The sentence. Where it says no more than that a field does not fit, it stands beside what may be returned: literals and tuples
 *  keep their types only where such are expected. */
type Told<Differs, Otherwise> = [Differs] extends [never]
  ? Otherwise
  : [Extract<Differs, string>] extends [never]
    ? Otherwise | `The returned '${Extract<Differs, Unfit>[0]}' does not fit the response schema`
    : `The returned ${Extract<Differs, string>}`

type Given<Result> = Result extends Promise<infer Value> ? Value : Result

/** The path of a field that does not fit. */
type Unfit<Path extends string = string> = readonly [Path]

/** What differs, as a union; the path alone where it cannot be said in a few words, as where one of several is expected, and nothing
 *  where that is the value itself. No more is said of a literal either: of the text that an async handler returns, the compiler may
 *  infer no more than that it is text.
 *  @template Path the names on the way
 *  @template Level bounds the recursion */
type Found<Given, Expected, Path extends string = '', Level extends unknown[] = []> = [
  Given,
] extends [Expected]
  ? never
  : unknown extends Given
    ? never
    : Level['length'] extends 6
      ? never
      : [Extract<Given, null | undefined>] extends [Expected]
        ? OrUnfit<FoundOf<Given, Expected, Path, [...Level, unknown]>, Path>
        : `${Named<Path, 'value'>} may be ${NameOfEmpty<Extract<Given, null | undefined>>}, which the response schema does not allow`

type OrUnfit<Differs, Path extends string> = [Differs] extends [never]
  ? Path extends ''
    ? never
    : Unfit<Path>
  : Differs

/** The same for each of several that a value may be. */
type FoundOf<Given, Expected, Path extends string, Level extends unknown[]> = Given extends Expected
  ? never
  : Given extends PromiseLike<unknown>
    ? `${Named<Path, 'value'>} is a promise, which has to be awaited`
    : [Exclude<Expected, null | undefined>] extends [never]
      ? Clash<Given, PlainOf<Expected>, Path>
      : FoundIn<
          Given,
          PlainOf<Exclude<Expected, null>>,
          Path,
          Level,
          null extends Expected ? ' or null' : ''
        >

type NameOfEmpty<Empty> = Empty extends null ? 'null' : 'undefined'

type FoundIn<Given, Plain, Path extends string, Level extends unknown[], OrNull extends string> =
  true extends IsUnion<Plain>
    ? never
    : Given extends readonly (infer Item)[]
      ? Plain extends readonly (infer Known)[]
        ? number extends Plain['length']
          ? Found<Item, Known, `${Path}[]`, Level>
          : never
        : Clash<Given, Plain, Path, OrNull>
      : Given extends object
        ? Plain extends readonly unknown[]
          ? Clash<Given, Plain, Path, OrNull>
          : Plain extends object
            ? Exclude<RequiredOf<Plain>, Present<Given>> extends infer Missing
              ? [Missing] extends [never]
                ? {
                    [Key in keyof Given & keyof Plain]: Found<
                      Given[Key],
                      Plain[Key],
                      Path extends '' ? Key & string : `${Path}.${Key & string}`,
                      Level
                    >
                  }[keyof Given & keyof Plain]
                : `${Named<Path, 'object'>} lacks '${Missing & string}', which the response schema requires`
              : never
            : Clash<Given, Plain, Path, OrNull>
        : Clash<Given, Plain, Path, OrNull>

/** The keys of what is not undefined: the compiler adds others to a literal beside one that has them. */
type Present<Given> = {
  [Key in keyof Given]-?: [Given[Key]] extends [undefined] ? never : Key
}[keyof Given]

type RequiredOf<Type> = {
  [Key in keyof Type]-?: {} extends Pick<Type, Key> ? never : Key
}[keyof Type]

type Clash<Given, Plain, Path extends string, OrNull extends string = ''> = [
  KindOf<Given>,
] extends [KindOf<Plain>]
  ? never
  : [KindOf<Plain>] extends [never]
    ? never
    : `${Named<Path, 'value'>} is ${KindOf<Given>}, where the response schema has ${KindOf<Plain>}${OrNull}`

type Named<Path extends string, Otherwise extends string> = Path extends ''
  ? Otherwise
  : `'${Path}'`

type KindOf<Type> = [Type] extends [string]
  ? 'a string'
  : [Type] extends [number]
    ? 'a number'
    : [Type] extends [boolean]
      ? 'a boolean'
      : [Type] extends [bigint]
        ? 'a bigint'
        : [Type] extends [null]
          ? 'null'
          : [Type] extends [readonly unknown[]]
            ? 'a list'
            : [Type] extends [Date]
              ? 'a Date'
              : [Type] extends [object]
                ? 'an object'
                : never

/** What a schema says, without the objects that `toJSON` makes it of, and the dates that are written as text. */
type PlainOf<Type> = Type extends ToJson<unknown> | Date | undefined ? never : Type

/** Lists and `boolean` are one. */
type IsUnion<Type, All = Type> = [Type] extends [boolean]
  ? false
  : Type extends unknown
    ? [All] extends [Type]
      ? false
      : true
    : never
