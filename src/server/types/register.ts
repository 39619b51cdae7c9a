import type { LogLevel, LogSerializers } from '../../http/logger.ts'
import type { needs, PluginOptions } from '../../plugin/plugin-types.ts'

/** The options that a plugin is given: what a function of the server returns, where they are one.
 *  Until that is typed they are `never`, which suits every plugin. */
export type OptionsIn<Given, Registering> = Given extends (server: never) => infer Options
  ? Options
  : [keyof Given] extends [keyof PluginOptions]
    ? { [Key in keyof Given & KeysTaken<Registering, Given>]: Given[Key] }
    : Given

/** The names that a plugin takes. What is the framework's alone, as `prefix`, the compiler must not
 *  compare with options that may all be left out: it refuses those that have no name in common. */
type KeysTaken<Registering, Given> = Registering extends (
  server: never,
  options: infer Options,
  ...rest: never
) => unknown
  ? keyof Options
  : keyof Given

/** What the options of a plugin may be, written so that the compiler keeps the texts in them:
 *  `'onRequest'` is no `string`, for plugins that take a few texts only. */
export type GivenOptions<Text> = object | { readonly [Name in string]: OptionValue<Text> }

type OptionValue<Text> = OneOrMany<Text> | { readonly [Name in string]: OneOrMany<Text> }
type OneOrMany<Text> = Plain<Text> | Plain<Text>[]
type Plain<Text> = Text | number | boolean | null | undefined | object

/** The options that a plugin says it takes: what functions among them are given is known by these.
 *  `void` for the reason that `OwnOptions` of the factories gives. */
export type DeclaredOptions<Registering> = Registering extends (
  server: never,
  options: infer Options,
  ...rest: never
) => unknown
  ? void extends Options
    ? never
    : Options
  : never

/** What may be given as the options of a plugin. While `Given` is asked for, it stands there beside
 *  what the plugin declares. Once it is known, names alone are compared, since the plugin is
 *  compared with the types: so the compiler refuses any other name in an object that is written
 *  there, and lets a variable have more, as in any call. `NoInfer`: it would look for `Given` in
 *  all that makes the names and the sentences. */
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

/** `name` is what printed trees call the plugin. */
type OwnName = keyof PluginOptions | 'name'

type AnyOptions<Registering, Given, Prefix, Self> =
  | ((Given | DeclaredOptions<Registering>) & ScopeOptions<Prefix>)
  | ((server: Self) => object & { readonly prefix?: never })

/** What may stand among the options of a plugin that takes some, besides those of any. Messages
 *  have this name, and ask "Did you mean to write 'prefix'?", since the function is one with the
 *  same properties. */
export type OptionsTaken<Name extends PropertyKey, Prefix> = {
  readonly [Key in Name | OwnName]?: unknown
} & OwnOptions<Prefix> &
  (NoFunction | ((server: never) => object & { readonly prefix?: never }))

/** The names of the options that a plugin takes: all, where it does not say which, or has several
 *  signatures, of which the compiler shows the last ones. */
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

type NamesIn<Options> = void extends Options
  ? PropertyKey
  : Options extends object
    ? [keyof Options] extends [never]
      ? PropertyKey
      : keyof Options
    : never

/** A sentence for each option that a plugin would not get, since it takes none: `perfix` is none of
 *  the framework's. */
type Untaken<Given> = {
  readonly [Name in keyof Given]: Name extends OwnName
    ? Given[Name]
    : `The plugin takes no options, and '${Name & string}' is none of register`
}

/** How the routes of a plugin log. Shared plugins have no say in that. */
export interface PluginLogging {
  readonly logLevel?: LogLevel
  readonly logSerializers?: LogSerializers
}

/** The server that a plugin is given. One that was written for Fastify asks for a server of
 *  Fastify's, which is any server at run time, and none of those that have a context in types. One
 *  that names another server of this framework is told of by `Fit`. What says its needs is asked no
 *  more: it takes any. */
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

/** What may stand among the options of any plugin. */
export type ScopeOptions<Prefix> = OwnOptions<Prefix> & NoFunction

type OwnOptions<Prefix> = { readonly prefix?: Prefix } & PluginLogging

/** Keeps functions out: every object has a property too few to be one. */
export interface NoFunction {
  readonly apply?: never
}
