import type {
  AnyCtx,
  Begun,
  DerivePhase,
  HasCtx,
  IsSameEntry,
  ResponsesIn,
  ScopeResponses,
} from '../context/ctx.ts'
import type { CheckResult, IsPromise } from '../types/checks.ts'
import type {
  AddedAgain,
  adds,
  adopted,
  Needing,
  NeedOf,
  needs,
  Settled,
  shared,
  SharedIn,
} from './plugin-types.ts'

/** A plugin that fits a scope, or a sentence. The compiler first uses `never` to find the expected
 *  type of an argument; this gives an inline `shared(…)` its scope. Each of several plugins must
 *  fit. `NoInfer` keeps the compiler from inferring the plugin from the sentences.
 *  @template Child the server of an ordinary plugin */
export type Fit<Registered, Context extends AnyCtx, Self, Child> = [Registered] extends [never]
  ? SharedIn<Self>
  : [Unfit<Registered, Context, Self, Child>] extends [never]
    ? Registered
    : NoInfer<Unfit<Registered, Context, Self, Child>> & Registered

/** A sentence for each of several plugins that does not fit.
 *  @example
 *  type Lack = Unfit<typeof users, RootCtx, Server> // "The plugin needs the server decorator …" */
type Unfit<Registered, Context extends AnyCtx, Self, Child> = Registered extends {
  readonly [needs]: Needing<infer Needed>
  readonly [adds]?: infer Result
}
  ? Lack<'plugin', Needed, Context> | TakenBy<Result, Needed, Context>
  : Registered extends { readonly [shared]: infer Wanted }
    ? Self extends Wanted
      ? never
      : 'The shared plugin was written for another scope than this one: write it by plugin().shared(…)'
    : Registered extends (server: Child, options: never, done: never) => unknown
      ? EndedTwice<Registered>
      : Registered extends (server: infer Wanted, ...rest: never) => unknown
        ? Wanted extends { readonly '~context': unknown }
          ? OfAnotherServer
          : never
        : never

/** A sentence for a plugin that takes `done` and returns a promise. */
type EndedTwice<Registered> = IsEndedOnce<Registered> extends true ? never : TwiceEnded

type TwiceEnded =
  "A plugin that is async, or returns a promise, takes no 'done': drop one of the two"

/** The same sentence, or `unknown`, for a plugin that is about to be wrapped. Its scope is not
 *  checked yet. A plugin without `done` passes at once.
 *  @template Known a type parameter that is inferred together with the plugin. It defers the
 *  decision until then, also for a plugin whose type is a parameter of an outer function. */
export type EndsOnce<Given, Known> = [Given] extends [(server: never, options: never) => unknown]
  ? unknown
  : CheckResult<unknown> extends Known | CheckResult<IsEndedOnce<Given>>
    ? TwiceEnded
    : unknown

/** A check for `CheckResult`. The tuples prevent distribution, by which a bare type parameter would
 *  pass. */
type IsEndedOnce<Given> = [Given] extends [(...args: infer Args) => infer Result]
  ? [Args] extends [{ readonly length: 3 }]
    ? [IsPromise<Result>] extends [false]
      ? true
      : unknown
    : true
  : true

type OfAnotherServer =
  "The plugin names another server than that of its scope: 'plugin<Needs>()(async (app) => …)' makes one for each that has what it needs"

/** `unknown` if a scope meets the needs, else a sentence.
 *  @template What the subject of the sentence */
export type Met<What extends string, Needed, Context extends AnyCtx> = [
  Lack<What, Needed, Context>,
] extends [never]
  ? unknown
  : Lack<What, Needed, Context>

type Lack<What extends string, Needed, Context extends AnyCtx> = Needed extends unknown
  ? {
      [Kind in keyof Needed]-?: Kind extends keyof NameOf
        ? | LackOf<`The ${What} needs the ${NameOf[Kind]}`, Needed[Kind], Context[Kind]>
          | (Kind extends 'request'
              ? TooLate<What, Needed, Needed[Kind], Context['derived']>
              : never)
        : Kind extends 'responses'
          ? LackOf<`The ${What} needs the response`, Needed[Kind], ResponsesIn<Context['schemas']>>
          : Kind extends typeof adopted
            ? Taken<Needed[Kind], Context>
            : never
    }[keyof Needed]
  : never

/** A sentence for each name that a plugin adds and that the scope already has, unless it is
 *  optional there. */
type Taken<Added, Context extends AnyCtx> = {
  [Kind in keyof Added & keyof NameOf]: {
    [
      Name in Exclude<keyof Added[Kind], keyof ScopeResponses<unknown>>
    ]: (() => Name) extends () => SureKey<Context[Kind]>
      ? Added[Kind][Name] extends AddedAgain
        ? never
        : {} extends Pick<Context[Kind], Name & keyof Context[Kind]>
          ? never
          : `The plugin adds the ${NameOf[Kind]} ${Quoted<Name>}, which this scope has already`
      : never
  }[Exclude<keyof Added[Kind], keyof ScopeResponses<unknown>>]
}[keyof Added & keyof NameOf]

/** The known keys. For a scope that is a type parameter there are none: the compiler would compare
 *  with `any` at once, and not defer the decision. */
type SureKey<Present> = [0] extends [1 & Present] ? never : keyof Present

/** The same for a shared plugin that was written without its scope. A plugin that knows its scope
 *  cannot add such names. A plugin does not add what it needs. */
type TakenBy<Result, Needed, Context extends AnyCtx> = unknown extends Result
  ? never
  : [Settled<Result>] extends [HasCtx<infer Seen extends AnyCtx, unknown>]
    ? | Taken<Unneeded<Seen, Needed>, Context>
      | Answered<
          Omit<ResponsesIn<Seen['schemas']>, keyof NeedOf<Needed, 'responses'>>,
          ResponsesIn<Context['schemas']>
        >
    : never

/** A sentence for each response that a plugin declares and that the scope has with another
 *  schema. */
type Answered<Added, Present> = {
  [Code in keyof Added & keyof Present]: IsSameEntry<Added[Code], Present[Code]> extends true
    ? never
    : `The plugin declares the response ${Quoted<Code>}, which has another schema in this scope`
}[keyof Added & keyof Present]

/** The scope of a plugin without its needs. */
type Unneeded<Seen, Needed> = {
  [Kind in keyof Seen]: Omit<Seen[Kind], keyof NeedOf<Needed, Kind & string>>
}

/** A name of an optional need may be missing. */
type LackOf<Start extends string, Needed, Present> = {
  [Name in keyof Needed]-?: Name extends keyof Present
    ? Present[Name] extends Needed[Name]
      ? never
      : `${Start} ${Quoted<Name>} with another type`
    : {} extends Pick<Needed, Name>
      ? never
      : `${Start} ${Quoted<Name>}, which this scope lacks`
}[keyof Needed]

/** A name in a sentence. */
type Quoted<Name> = Name extends string | number ? `'${Name}'` : 'of a symbol'

/** A sentence for each request decorator that is needed in an earlier phase than the scope derives
 *  it. */
type TooLate<What extends string, Needed, Decorators, Derived> = {
  [Name in keyof Decorators & keyof Derived]: Derived[Name] extends NeededBy<Needed, Name>
    ? never
    : `The ${What} needs the request decorator '${Name & string}', which is derived in ${Derived[Name] &
        string}: its needs must say derived: { ${Name & string}: '${Derived[Name] & string}' }`
}[keyof Decorators & keyof Derived]

type NeededBy<Needed, Name> =
  NeedOf<Needed, 'derived'> extends {
    readonly [Key in Name & string]: infer Phase extends DerivePhase
  }
    ? Begun[Phase]
    : never

interface NameOf {
  server: 'server decorator'
  request: 'request decorator'
  reply: 'reply decorator'
  schemas: 'shared schema'
}
