import type { LogLevel, LogSerializers } from '../../http/logger.ts'

/** The options that a plugin is given: what a function of the server returns, where they are one.
 *  Until that is typed they are `never`, which suits every plugin. */
export type OptionsIn<Given> = Given extends (server: never) => infer Options ? Options : Given

/** How the routes of a plugin log. Shared plugins have no say in that. */
export interface PluginLogging {
  readonly logLevel?: LogLevel
  readonly logSerializers?: LogSerializers
}

/** The server that a plugin is given. One that was written for Fastify asks for a server of Fastify's,
 *  which is any server at run time, and none of those that have a context in types. */
export type HostOf<Registering, Self> = Registering extends (
  server: infer Wanted,
  ...rest: never
) => unknown
  ? Wanted extends { readonly withTypeProvider: unknown }
    ? Wanted extends { readonly '~context': unknown }
      ? Self
      : never
    : Self
  : Self

/** Keeps functions out: every object has a property too few to be one. */
export interface NoFunction {
  readonly apply?: never
}
