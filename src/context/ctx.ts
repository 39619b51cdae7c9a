/** The type of one context: all that a scope sees. It is always written with all its arguments,
 *  where it grows too: behind an alias, each read of a member would walk the chain of all earlier
 *  contexts, which fails at about a hundred links. */
export interface Ctx<
  Prefix extends string = string,
  Server = {},
  Request = {},
  Reply = {},
  Schemas = {},
  Derived = {},
> {
  prefix: Prefix
  /** What `decorate` has added. */
  server: Server
  /** What `decorateRequest` and `derive` have added. */
  request: Request
  /** What `decorateReply` has added. */
  reply: Reply
  /** The shared schemas, by id. */
  schemas: Schemas
  /** The names that `derive` has added to requests, each with the phase at which it does. */
  derived: Derived
}

/** The widest `Ctx`. */
export interface AnyCtx {
  prefix: string
  server: unknown
  request: unknown
  reply: unknown
  schemas: unknown
  derived: unknown
}

/** The context that a server starts with. */
export type RootCtx = Ctx<''>

/** Where a server type keeps its context and its routes. It exists in types only. */
export interface Scope<in out Context, out Routes> {
  readonly context: Context
  readonly routes: Routes
  /** Keeps a server from standing for one of another context. One with more routes does stand for one with fewer. */
  readonly only: (context: Context) => void
}

/** Any server whose context and routes can be read back with `infer`. `Server<infer Context, infer
 *  Routes>` cannot be matched, since decorators are intersected into a server. */
export interface HasCtx<Context, Routes> {
  readonly '~context': { readonly context: Context; readonly routes: Routes }
}

/** The path of a route below a prefix. Of a prefix whose beginning is unknown only the rest counts.
 *  @template Slash the option `prefixTrailingSlash`
 *  @example
 *  type Path = JoinedPath<'/v1', '/users'> // '/v1/users'
 *  type Root = JoinedPath<'/v1', '/'> // '/v1'
 *  type Slashed = JoinedPath<'/v1', '/', 'slash'> // '/v1/'
 *  type Some = JoinedPath<`${string}/v1`, '/users'> // '/v1/users' */
export type JoinedPath<
  Prefix extends string,
  Path extends string,
  Slash = 'both',
> = '' extends Prefix ? Path : Joined<KnownPrefix<Prefix>, Path, Slash>

/** What is known of a prefix: nothing of one that may be any text. */
export type KnownPrefix<Prefix extends string> = '' extends Prefix
  ? ''
  : Prefix extends `${infer Start}/${infer Rest}`
    ? string extends Start
      ? `/${Rest}`
      : Prefix
    : Prefix

/** The path of a route below a prefix that is known, and not empty. The last slash of a prefix is part of it. */
export type Joined<
  Prefix extends string,
  Path extends string,
  Slash = 'both',
> = Prefix extends `${string}/`
  ? `${Stem<Prefix>}${Rooted<Path>}`
  : `${Prefix}${Path extends '/' ? ('slash' extends Slash ? '/' : '') : Path}`

/** A prefix without the slash at its end. */
type Stem<Prefix extends string> = Prefix extends `${infer Head}/` ? Head : never

type Rooted<Path extends string> = Path extends `/${string}` ? Path : `/${Path}`

/** The context of a child: what its parent sees, below the prefix of its options. Without a prefix
 *  it is the parent's own type, so that what was computed from it is found again. A prefix of `/` keeps its slash, which
 *  stands before all paths below it. */
export type ChildCtx<Context extends AnyCtx, Prefix extends string> = Prefix extends ''
  ? Context
  : Ctx<
      Joined<Context['prefix'], Rooted<Prefix>, 'slash'>,
      Context['server'],
      Context['request'],
      Context['reply'],
      Context['schemas'],
      Context['derived']
    >

/** The routes that can be called by their keys from within a scope: none below a prefix whose beginning is unknown,
 *  which their keys lack. */
export type RoutesAt<Prefix extends string, Routes> = Prefix extends ''
  ? Routes
  : Prefix extends KnownPrefix<Prefix>
    ? Routes
    : {}

/** The phases at which `derive` can add to a request. */
export type DerivePhase = 'onRequest' | 'preValidation' | 'preHandler'

/** The phases that have begun at each. */
export interface Begun {
  onRequest: 'onRequest'
  preValidation: 'onRequest' | 'preValidation'
  preHandler: DerivePhase
}

/** The decorators of requests that are there at a phase: all but those that are derived later.
 *  @example type Early = DecoratorsAt<C, 'onRequest'> // without what is derived in preHandler */
export type DecoratorsAt<Context extends AnyCtx, Phase extends DerivePhase> = [
  keyof Context['derived'],
] extends [never]
  ? Context['request']
  : BegunOf<Context['request'], Context['derived'], Begun[Phase]>

/** A parameter of its own for the decorators: so each member of a union is taken for itself. */
type BegunOf<Request, Derived, Phases> = {
  [
    Name in keyof Request as Name extends keyof Derived
      ? Derived[Name] extends Phases
        ? Name
        : never
      : Name
  ]: Request[Name]
}

/** The decorators of requests when a reply is on its way. It may have come early, so what is derived
 *  may be missing. */
export type DecoratorsOnReply<Context extends AnyCtx> = [keyof Context['derived']] extends [never]
  ? Context['request']
  : OnReply<Context['request'], Context['derived']>

type OnReply<Request, Derived> = Request extends unknown
  ? { [Name in keyof Request as Name extends keyof Derived ? never : Name]: Request[Name] } & {
      [Name in keyof Request as Name extends keyof Derived ? Name : never]?: Request[Name]
    }
  : never
