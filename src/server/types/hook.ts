import type { HookArities } from '../../context/hooks.ts'
import type { AnyCtx, RootCtx } from '../../context/ctx.ts'
import type { PluginOptions } from '../../plugin/plugin-types.ts'
import type { UnlessNothing } from '../../typed/returned.ts'
import type { RequestHooksIn } from '../../route/hook-types.ts'
import type { IsPromise } from '../../types/checks.ts'
import type { Saying } from '../../types/checks.ts'
import type { Sender, Unfinished, Unsent } from '../../typed/sent.ts'
import type { CheckResult } from '../../types/checks.ts'
import type { DeclaredRoute } from './route-options.ts'

type RegisterOptions = PluginOptions & { readonly [option: string]: unknown }

type ApplicationHookFunction<Self> = (
  this: Self,
  done: (error?: Error | null) => void,
) => void | Promise<unknown>

/** The hooks that `addHook` takes, by name. */
export interface HookTypes<Context extends AnyCtx, Self> extends RequestHooksIn<Context, Self> {
  onReady: ApplicationHookFunction<Self>
  /** Runs after listening. An error is logged, and stops nothing. */
  onListen: ApplicationHookFunction<Self>
  /** Runs before the server closes, while it still accepts requests. An error is logged. */
  preClose: ApplicationHookFunction<Self>
  /** Receives the options of each route of this scope and its children, and may change them. It is
   *  called synchronously, for routes that were declared before it as soon as plugins load on. */
  onRoute: (this: Self, route: DeclaredRoute<Context, Self>) => void
  /** Receives the context of each plugin: a new one before the plugin runs, one that was opened
   *  before the hook when all plugins have loaded. It is called synchronously. */
  onRegister: (this: Self, server: Self, options: RegisterOptions) => void
  onClose: (
    this: Self,
    server: Self,
    done: (error?: Error | null) => void,
  ) => void | Promise<unknown>
}

/** Infers the parameters and the result of a hook, or is a sentence for a hook that takes `done`
 *  and returns a promise. It is intersected with the type of the hook, which alone gives the
 *  parameters their types; so it has no other function type. A misspelt name stands for all names,
 *  whose hooks have zero to three arguments. Nothing is checked then, since the result is not known
 *  yet. */
export type EndedOnce<Args extends readonly unknown[], Result, Name extends keyof HookArities> = ([
  Args,
] extends [never]
  ? (...args: Args) => Result
  : unknown) &
  NoInfer<
    [0 | 3] extends [HookArities[Name]]
      ? unknown
      : [IsPromise<Result>, Args] extends [true, readonly [unknown, ...infer Others]]
        ? [HookArities[Name], Others['length']] extends [Others['length'], HookArities[Name]]
          ? "A hook that is async, or returns a promise, takes no 'done': drop one of the two"
          : unknown
        : unknown
  > &
  AnyHook<Name>

/** With this type, `(...args)` has any number of parameters, without `done`. It also states the
 *  result of the hook before the compiler shows the whole type. */
type AnyHook<Name extends keyof HookArities> = (
  ...args: never[]
) => Told<HookTypes<RootCtx, unknown>[Name], Name>

type Told<Hook, Name> = Hook extends (...args: never) => infer Result
  ? Name extends keyof HookSentences
    ? Gives<HookSentences[Name], Result>
    : unknown
  : never

/** The result of a hook. Messages show this name with the sentence before they cut the other
 *  types. */
type Gives<Sentence, Result> = Result | Saying<Sentence>

export interface HookSentences {
  readonly onRequest: 'an onRequest hook gives nothing, or the reply'
  readonly preParsing: 'a preParsing hook gives nothing, a stream, or the reply'
  readonly preValidation: 'a preValidation hook gives nothing, or the reply'
  readonly preHandler: 'a preHandler hook gives nothing, or the reply'
  readonly onSend: 'an onSend hook gives nothing, or what is sent: text, bytes, a stream or a Response'
  readonly onError: 'an onError hook gives nothing'
}

/** Infers the reply parameter of an error handler, or is a sentence for a handler without one that
 *  returns nothing. The function type is there only until the reply is known, so the compiler sees
 *  no other parameters. */
export type ErrorAnswered<Taken, Result, Known> = (true extends Taken
  ? (error: never, request: never, reply: Taken) => unknown
  : unknown) &
  UnlessNothing<Result, Known, Taken>

/** The same for a not-found handler. */
export type NotFoundAnswered<Taken, Result, Known> = (true extends Taken
  ? (request: never, reply: Taken) => unknown
  : unknown) &
  UnlessNothing<Result, Known, Taken>

/** The members that a `derive` adds to requests. They are optional if its hook may return nothing
 *  or null. */
export type Derived<Result> = [Extract<Value<Result>, undefined | null>] extends [never]
  ? Value<Result>
  : Missing<Exclude<Value<Result>, undefined | null>>

/** Returning nothing adds nothing. */
type Missing<Given> = [Given] extends [never] ? {} : Partial<Given>

/** A function without a return has the result `void`. */
type Value<Result> =
  Exclude<Awaited<Result>, Sender> extends infer Given
    ? [Given] extends [void]
      ? undefined
      : Given
    : never

/** A sentence for a `derive` whose result has no names, has a name that requests have already, or
 *  is an unsent reply. It is a function type, so that the parameters of the hook keep their types.
 *  @template Known is inferred together with the result. It defers the decision until then, also
 *  for a result whose type is a parameter of an outer function. */
export type Clash<Result, Taken, Known> =
  CheckResult<Known extends unknown ? [...Harmless<Result, Taken>] : never> extends CheckResult<[]>
    ? ClashOf<Result, Taken>
    : unknown

/** Empty if there is a sentence. */
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

/** A list, a map, a set, or a primitive value. */
type Nameless = { readonly [Symbol.iterator]: unknown } | number | boolean | bigint | symbol

/** The names that a `derive` adds, each with its phase. */
export type DerivedNames<Result, Phase> = { [Name in KeyIn<Derived<Result>>]: Phase }

/** The keys of an object, or of any member of a union. */
export type KeyIn<Type> = Type extends unknown ? keyof Type : never
