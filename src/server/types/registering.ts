import type { LogLevel, LogSerializers } from '../../http/logger.ts'
import type { PluginOptions } from '../../plugin/plugin-types.ts'

/** The options that a plugin is given: what a function of the server returns, where they are one.
 *  Until that is typed they are `never`, which suits every plugin. */
export type OptionsIn<Given, Registering> = Given extends (server: never) => infer Options
  ? Options
  : [keyof Given] extends [keyof PluginOptions]
    ? { [Key in keyof Given & KeysTaken<Registering, Given>]: Given[Key] }
    : Given

/** The names that a plugin takes. What is the framework's alone, as `prefix`, the compiler must not compare with
 *  options that may all be left out: it refuses those that have no name in common. */
type KeysTaken<Registering, Given> = Registering extends (
  server: never,
  options: infer Options,
  ...rest: never
) => unknown
  ? keyof Options
  : keyof Given

/** What the options of a plugin may be, written so that the compiler keeps the texts in them: `'onRequest'` is no
 *  `string`, for plugins that take a few texts only. */
export type GivenOptions<Text> = object | { readonly [Name in string]: OptionValue<Text> }

type OptionValue<Text> = OneOrMany<Text> | { readonly [Name in string]: OneOrMany<Text> }
type OneOrMany<Text> = Plain<Text> | Plain<Text>[]
type Plain<Text> = Text | number | boolean | null | undefined | object

/** The options that a plugin says it takes: what functions among them are given is known by these. */
export type DeclaredOptions<Registering> = Registering extends (
  server: never,
  options: infer Options,
  ...rest: never
) => unknown
  ? unknown extends Options
    ? never
    : Options
  : never

/** A sentence for each option that a plugin would not get, since it takes none: `perfix` is none of the framework's.
 *  `name` is what printed trees call the plugin. */
export type Untaken<Registering, Given> = [Given] extends [never]
  ? unknown
  : Registering extends (server: never, ...rest: infer Rest) => unknown
    ? Rest extends readonly []
      ? {
          readonly [
            Name in Exclude<keyof Given, keyof PluginOptions | 'name'>
          ]: `The plugin takes no options, and '${Name & string}' is none of register`
        }
      : unknown
    : unknown

/** How the routes of a plugin log. Shared plugins have no say in that. */
export interface PluginLogging {
  readonly logLevel?: LogLevel
  readonly logSerializers?: LogSerializers
}

/** The server that a plugin is given. One that was written for Fastify asks for a server of Fastify's,
 *  which is any server at run time, and none of those that have a context in types. One that names another server of
 *  this framework is told of by `Fit`. */
export type HostOf<Registering, Self> = Registering extends (
  server: infer Wanted,
  ...rest: never
) => unknown
  ? Wanted extends { readonly '~context': unknown }
    ? Self extends Wanted
      ? Self
      : never
    : Wanted extends { readonly withTypeProvider: unknown }
      ? never
      : Self
  : Self

/** What may stand among the options of any plugin. */
export type ScopeOptions<Prefix> = { readonly prefix?: Prefix } & PluginLogging & NoFunction

/** Keeps functions out: every object has a property too few to be one. */
export interface NoFunction {
  readonly apply?: never
}
