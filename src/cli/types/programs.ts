// The programs that the compiler measures.

/** A program with one mistake, whose message has the keys of all routes. It finds the server as the
 *  commands do: as an export, or made by one. */
export const keysProgram = (module: string): string => `
  import type * as Module from ${JSON.stringify(module.replaceAll('\\', '/'))}
  interface Routed { readonly '~context': { readonly routes: unknown } }
  type At<Value, Name> = Name extends keyof Value ? Value[Name] : never
  type Served<Value> = [Awaited<Value>] extends [Routed] ? Awaited<Value> : never
  type Built<Value> = Value extends (...given: never) => infer Made ? Served<Made> : never
  type First<List> = List extends [infer One, ...infer Rest]
    ? [One] extends [never] ? First<Rest> : One
    : never
  type In<Exports> = First<[
    Served<At<Exports, 'default'>>, Served<At<Exports, 'app'>>, Served<At<Exports, 'server'>>,
    Built<At<Exports, 'build'>>, Built<At<Exports, 'buildApp'>>, Built<At<Exports, 'createApp'>>,
    Built<At<Exports, 'default'>>,
  ]>
  export type App = First<[In<typeof Module>, In<At<typeof Module, 'default'>>]>
  declare const key: keyof App['~context']['routes'] & string
  export const keys: 0 = key
`

/** A program that reads the types of one route: what a caller sends and gets, and what the handler
 *  reads. Types are computed when they are read, so it reads all members, to a depth. */
export const routeProgram = (route: string): string => `
  import type { RouteOf } from 'espalier/testing'
  import type { ResponseOf } from 'espalier/client'
  import type { App } from './keys.mts'
  type Key = ${JSON.stringify(route)}
  type Types = RouteOf<App, Key>
  type Scalar = string | number | boolean | bigint | null | undefined
  type Read<Value, Level extends 0[] = []> = Level['length'] extends 8
    ? 0
    : Value extends Scalar | Date | ((...given: never) => unknown)
      ? 0
      : Value extends readonly (infer Item)[]
        ? Read<Item, [...Level, 0]>
        : { [Name in keyof Value]: Read<Value[Name], [...Level, 0]> }[keyof Value]
  type Body<Response> = Response extends { json(): infer Value } ? Value : 0
  declare const all: Read<
    Pick<Types, 'request' | 'params' | 'query' | 'body'> & { received: Body<ResponseOf<App, Key>> }
  >
  export const read: unknown = all
`
