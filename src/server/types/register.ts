import type { LogLevel, LogSerializers } from '../../http/logger.ts'
import type { needs, PluginOptions } from '../../plugin/plugin-types.ts'

/** The options that a plugin gets. For a function of the server, its result; before that is known,
 *  `never`, which suits every plugin. */
export type OptionsIn<Given, Registering> = Given extends (server: never) => infer Options
  ? Options
  : [keyof Given] extends [keyof PluginOptions]
    ? { [Key in keyof Given & KeysTaken<Registering, Given>]: Given[Key] }
    : Given

/** The names of a plugin's options. The compiler refuses all-optional options without a common
 *  name, so it must not compare the framework's own options, such as `prefix`. */
type KeysTaken<Registering, Given> = Registering extends (
  server: never,
  options: infer Options,
  ...rest: never
) => unknown
  ? keyof Options
  : keyof Given

/** The type of a plugin's options, in a form that keeps literal types: `'onRequest'` does not
 *  become `string`. */
export type GivenOptions<Text> = object | { readonly [Name in string]: OptionValue<Text> }

type OptionValue<Text> = OneOrMany<Text> | { readonly [Name in string]: OneOrMany<Text> }
type OneOrMany<Text> = Plain<Text> | Plain<Text>[]
type Plain<Text> = Text | number | boolean | null | undefined | object

/** The options that a plugin declares. They type the functions among the options. For `void` see
 *  `PrefixOptions` of the factories. */
export type DeclaredOptions<Registering> = Registering extends (
  server: never,
  options: infer Options,
  ...rest: never
) => unknown
  ? void extends Options
    ? never
    : Options
  : never

/** The argument for a plugin's options. While `Given` is inferred, it is combined with the declared
 *  options. Afterwards only names are compared, since `Fit` compares the types of the plugin. So
 *  the compiler refuses unknown names in an object literal, and accepts a variable with more names,
 *  as in any call. `NoInfer` keeps the compiler from inferring `Given` from the names and
 *  sentences. */
export type OptionsTo<Registering, Given, Prefix, Self> = [keyof Given] extends [OwnName]
  ? AnyOptions<Registering, Given, Prefix, Self>
  : [Given] extends [never]
    ? AnyOptions<Registering, Given, Prefix, Self>
    : NoInfer<
        [NamesTaken<Registering>] extends [infer Name extends PropertyKey]
          ? [Name] extends [never]
            ? Untaken<Given> & ScopeOptions<Prefix>
            : string extends Name
              ? AnyOptions<Registering, Given, Prefix, Self>
              : OptionsTaken<Exclude<Name, OwnName>, Prefix>
          : never
      >

/** Printed trees show `name` as the name of the plugin. */
type OwnName = keyof PluginOptions | 'name'

type AnyOptions<Registering, Given, Prefix, Self> =
  | ((Given | DeclaredOptions<Registering>) & ScopeOptions<Prefix>)
  | ((server: Self) => Computed<NoPrefix>)

/** The options of a plugin that takes some, and those of any plugin. Messages show this name. They
 *  ask "Did you mean to write 'prefix'?", since the function has the same properties. */
export type OptionsTaken<Name extends PropertyKey, Prefix> = {
  readonly [Key in Name | OwnName]?: unknown
} & PrefixOptions<Prefix> &
  (NoFunction | ((server: never) => Computed<NoPrefix>))

/** The options that a function gives: the routes of a plugin are typed before. Messages show this
 *  name with the sentence. */
type Computed<_Sentence> = object & { readonly prefix?: never }

type NoPrefix = 'A function of options gives no prefix: write { prefix, … } in its place'

/** The names of a plugin's options. All names, if the plugin does not state them, or has several
 *  signatures. */
type NamesTaken<Registering> = Registering extends (server: never, ...rest: infer Rest) => unknown
  ? Rest extends readonly []
    ? never
    : Registering extends {
          /* eslint-disable @typescript-eslint/unified-signatures -- each takes one of several */
          (server: never, options: infer A, done: never): unknown
          (server: never, options: infer B, done: never): unknown
          (server: never, options: infer C, done: never): unknown
          (server: never, options: infer D, done: never): unknown
          /* eslint-enable @typescript-eslint/unified-signatures */
        }
      ? [A | B | C, D] extends [D, A & B & C]
        ? NamesIn<D>
        : PropertyKey
      : PropertyKey
  : never

/** A function among the options has no names. */
type NamesIn<Options> = void extends Options
  ? PropertyKey
  : Options extends (...args: never) => unknown
    ? never
    : Options extends object
      ? [keyof Options] extends [never]
        ? PropertyKey
        : keyof Options
      : never

/** A sentence for each option of a plugin that takes none, such as `perfix`. */
type Untaken<Given> = {
  readonly [Name in keyof Given]: Name extends OwnName
    ? Given[Name]
    : `The plugin takes no options, and '${Name & string}' is none of register`
}

/** The options of a plugin's routes. They have no effect for shared plugins. */
export interface PluginLogging {
  readonly strict?: boolean
  readonly logLevel?: LogLevel
  readonly logSerializers?: LogSerializers
}

/** The server that a plugin gets. A plugin for Fastify expects a server of Fastify's types, which
 *  has no context; any server is one at run time. `Fit` reports a plugin that expects another
 *  server of this framework. A plugin with needs takes any server. */
export type HostOf<Registering, Self> = Registering extends { readonly [needs]: unknown }
  ? Self
  : Registering extends (server: infer Wanted, ...rest: never) => unknown
    ? Wanted extends { readonly '~context': unknown }
      ? Self extends Wanted
        ? Self
        : never
      : Wanted extends { readonly withTypeProvider: unknown }
        ? never
        : Self
    : Self

/** The options of any plugin. */
export type ScopeOptions<Prefix> = PrefixOptions<Prefix> & NoFunction

type PrefixOptions<Prefix> = { readonly prefix?: Prefix } & PluginLogging

/** Excludes functions: every object lacks a property of them. */
export interface NoFunction {
  readonly apply?: never
}
