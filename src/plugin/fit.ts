import type { AnyCtx, Begun, DerivePhase, HasCtx } from '../context/ctx.ts'
import type { MethodShortcut } from '../http/methods.ts'
import type { IsPromise, CheckResult } from '../types/checks.ts'
import type {
  adds,
  adopted,
  Needing,
  NeedOf,
  needs,
  Settled,
  shared,
  SharedIn,
} from './plugin-types.ts'

/** A plugin that fits a scope. The compiler asks first with `never`, for the type that it expects of an
 *  argument: it is by this that an inline `shared(…)` learns its scope. Of several plugins each must fit. `NoInfer`:
 *  the compiler would look for the plugin in all that makes the sentences.
 *  @template Child the server that a plugin of no other sort is given */
export type Fit<Registered, Context extends AnyCtx, Self, Child> = [Registered] extends [never]
  ? SharedIn<Self>
  : [Unfit<Registered, Context, Self, Child>] extends [never]
    ? Registered
    : NoInfer<Unfit<Registered, Context, Self, Child>> & Registered

/** A sentence for each of several plugins that does not fit.
 *  @example type Lack = Unfit<typeof users, RootCtx, Server> // "The plugin needs the server decorator 'db', …" */
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

/** A sentence for a plugin that would end by `done` and by a promise. */
type EndedTwice<Registered> = IsEndedOnce<Registered> extends true ? never : TwiceEnded

type TwiceEnded =
  "A plugin that is async, or returns a promise, takes no 'done': drop one of the two"

/** The same, or `unknown`, for a plugin that is about to be wrapped, of whose scope nothing is asked yet. One that does not
 *  take `done` is asked no more.
 *  @template Known a type parameter that is inferred together with the plugin: until then nothing is decided, and then it
 *  is at once, for those too that are of a type parameter of the function around */
export type EndsOnce<Given, Known> = [Given] extends [(server: never, options: never) => unknown]
  ? unknown
  : CheckResult<unknown> extends Known | CheckResult<IsEndedOnce<Given>>
    ? TwiceEnded
    : unknown

/** A check for `CheckResult`. Tuples: a bare type parameter would pass for what fails. */
type IsEndedOnce<Given> = [Given] extends [(...args: infer Args) => infer Result]
  ? [Args] extends [{ readonly length: 3 }]
    ? [IsPromise<Result>] extends [false]
      ? true
      : unknown
    : true
  : true

type OfAnotherServer =
  "The plugin names another server than that of its scope: 'plugin<Needs>()(async (app) => …)' makes one for each that has what it needs"

/** `unknown` where a scope has what is needed, else a sentence.
 *  @template What needs it */
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
        : Kind extends typeof adopted
          ? Taken<Needed[Kind], Context>
          : never
    }[keyof Needed]
  : never

/** The names that a plugin adds and that the scope has already, and not as what may be missing. */
type Taken<Added, Context extends AnyCtx> = {
  [Kind in keyof Added & keyof NameOf]: {
    [Name in keyof Added[Kind]]: (() => Name) extends () => SureKey<Context[Kind]>
      ? Added[Kind][Name] extends MethodShortcut
        ? never
        : {} extends Pick<Context[Kind], Name & keyof Context[Kind]>
          ? never
          : `The plugin adds the ${NameOf[Kind]} ${Quoted<Name>}, which this scope has already`
      : never
  }[keyof Added[Kind]]
}[keyof Added & keyof NameOf]

/** The keys of what is known. A scope that is a type parameter has none: between functions, the compiler asks at once
 *  what would be with `any` in its place, and puts nothing off that cannot be so. */
type SureKey<Present> = [0] extends [1 & Present] ? never : keyof Present

/** The same for a shared plugin that was written without knowing its scope: one that knew it could not add
 *  what is there. What it needs it does not add. */
type TakenBy<Result, Needed, Context extends AnyCtx> = unknown extends Result
  ? never
  : [Settled<Result>] extends [HasCtx<infer Seen, unknown>]
    ? Taken<Unneeded<Seen, Needed>, Context>
    : never

/** What a plugin's scope has without what was needed of it. */
type Unneeded<Seen, Needed> = {
  [Kind in keyof Seen]: Omit<Seen[Kind], keyof NeedOf<Needed, Kind & string>>
}

/** What is needed as optional may be missing. */
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
type Quoted<Name> = Name extends string ? `'${Name}'` : 'of a symbol'

/** The request decorators that are needed earlier than the scope derives them. */
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
