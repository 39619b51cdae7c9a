import type { ErrorBodies } from '../schema/http-error.ts'

/** The type of one context: what its server, requests and replies have. It is always written with
 *  all its arguments, also where it grows. Behind an alias, each read of a member would walk the
 *  chain of all earlier contexts, which fails at about a hundred links. */
export interface Ctx<
  Prefix extends string = string,
  Server = {},
  Request = {},
  Reply = {},
  Schemas = {},
  Derived = {},
> {
  prefix: Prefix
  /** Added by `decorate`. */
  server: Server
  /** Added by `decorateRequest` and `derive`. */
  request: Request
  /** Added by `decorateReply`. */
  reply: Reply
  /** The shared schemas, by id, and the responses of the scope (`ScopeResponses`). */
  schemas: Schemas
  /** The names that `derive` has added to requests, each with its phase. */
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

/** The key of the responses among the shared schemas of a scope; in types only. */
declare const responses: unique symbol

/** The responses that a scope declares, by status. They stand among the shared schemas of the
 *  scope, since both are visible in the same scopes, and need the same schemas. */
export interface ScopeResponses<Responses> {
  readonly [responses]: Responses
}

/** The responses of a scope, by its shared schemas; `{}` for none. */
export type ResponsesIn<Schemas> = Schemas extends ScopeResponses<infer Responses> ? Responses : {}

/** Whether two entries of one status can stand in one scope: they are equal, or errors that differ
 *  in code or are equal. */
export type IsSameEntry<One, Other> = [One, Other] extends [Other, One]
  ? true
  : [One, Other] extends [ErrorBodies<infer Some>, ErrorBodies<infer Others>]
    ? [Pick<Some, keyof Some & keyof Others>, Pick<Others, keyof Some & keyof Others>] extends [
        Pick<Others, keyof Some & keyof Others>,
        Pick<Some, keyof Some & keyof Others>,
      ]
      ? true
      : false
    : false

/** Matches shared schemas without responses. All objects have the method, so this is no weak type,
 *  which would need a property in common with the schemas. */
export interface NoResponses {
  readonly [responses]?: 'A contract states the responses of its server: Contract<Routes, { 401: typeof Problem }>'
  propertyIsEnumerable(name: PropertyKey): boolean
}

/** The shared schemas of a scope alone, by id. */
export type SchemasById<Schemas> =
  Schemas extends ScopeResponses<unknown>
    ? { [Id in keyof Schemas & string]: Schemas[Id] }
    : Schemas

/** The responses of a route in a scope: those of the scope, and its own, which replace those of the
 *  same status.
 *  @template Own the responses that the route declares; never if it declares none */
export type WithScope<Own, Schemas> =
  Schemas extends ScopeResponses<infer Responses>
    ? [Own] extends [never]
      ? Own
      : Own & {
          [
            Code in keyof Responses as Code extends keyof Own
              ? OfErrors<Code, Own[Code], Responses[Code]>
              : `${Code & (string | number)}` extends Spelled<keyof Own>
                ? OfErrors<Code, Own[`${Code & number}` & keyof Own], Responses[Code]>
                : Code
          ]: Responses[Code]
        }
    : Own

/** The shared schemas and the responses of two scopes. What both have is equal, and is taken from
 *  the first: in declaration files two equal schemas are two types. For their intersection the
 *  compiler would compare them in full, and end with "excessively deep". */
export type SchemasOfBoth<First, Second> = [keyof First & keyof Second] extends [never]
  ? First & Second
  : First & {
      [Id in keyof Second as Id extends keyof First ? never : Id]: Second[Id]
    } & (First extends ScopeResponses<infer Own>
        ? Second extends ScopeResponses<infer Other>
          ? ScopeResponses<Beside<Own, Other>>
          : unknown
        : unknown)

/** The responses whose statuses others do not have, and the errors whose codes they do not have. */
type Beside<Own, Other> = {
  [
    Key in keyof Other as Key extends keyof Own
      ? OfErrors<Key, Own[Key], Other[Key]>
      : `${Key & (string | number)}` extends Spelled<keyof Own>
        ? never
        : Key
  ]: Key extends keyof Own ? ErrorsBeside<Own[Key], Other[Key]> : Other[Key]
}

/** The key of two entries of errors, whose intersection has the errors of both. */
type OfErrors<Key, One, Other> =
  One extends ErrorBodies<unknown> ? (Other extends ErrorBodies<unknown> ? Key : never) : never

type ErrorsBeside<Own, Other> = [Own, Other] extends [
  ErrorBodies<infer Known>,
  ErrorBodies<infer Added>,
]
  ? ErrorBodies<{ [Code in keyof Added as Code extends keyof Known ? never : Code]: Added[Code] }>
  : never

/** The texts of statuses: `401` and `'401'` are one, and so are `'4XX'` and `'4xx'`. */
type Spelled<Code> = Code extends string | number ? Lowercase<`${Code}`> : never

/** The context and the routes in the type of a server. There is no such object at run time. */
export interface Scope<in out Context, out Routes> {
  readonly context: Context
  readonly routes: Routes
  /** A server is not assignable to one of another context. A server with more routes is assignable
   *  to one with fewer. */
  readonly only: (context: Context) => void
}

/** Any server whose context and routes can be inferred. `Server<infer Context, infer Routes>` does
 *  not match, since decorators are intersected with a server. */
export interface HasCtx<Context, Routes> {
  readonly '~context': { readonly context: Context; readonly routes: Routes }
}

/** The path of a route below a prefix. If the beginning of the prefix is unknown, only its end is
 *  used.
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
> = '' extends Prefix ? Path : PathBelow<KnownPrefix<Prefix>, Path, Slash>

/** The known part of a prefix: `''` if the prefix may be any string. */
export type KnownPrefix<Prefix extends string> = '' extends Prefix
  ? ''
  : Prefix extends `${infer Start}/${infer Rest}`
    ? string extends Start
      ? `/${Rest}`
      : Prefix
    : Prefix

/** The path of a route below a known prefix that is not empty. The last slash of a prefix is part
 *  of it. */
export type PathBelow<
  Prefix extends string,
  Path extends string,
  Slash = 'both',
> = Prefix extends `${infer Stem}/`
  ? `${Stem}${Rooted<Path>}`
  : `${Prefix}${Path extends '/' ? ('slash' extends Slash ? '/' : '') : Path}`

type Rooted<Path extends string> = Path extends `/${string}` ? Path : `/${Path}`

/** The context of a child: that of its parent, with a longer prefix. Without a prefix it is the
 *  very type of the parent, so that the compiler reuses what it has computed. A prefix of `/` keeps
 *  its slash, since all paths follow it. */
export type ChildCtx<Context extends AnyCtx, Prefix extends string> = Prefix extends ''
  ? Context
  : Ctx<
      PathBelow<Context['prefix'], Rooted<Prefix>, 'slash'>,
      Context['server'],
      Context['request'],
      Context['reply'],
      Context['schemas'],
      Context['derived']
    >

/** The routes of a scope that can be called by their keys: none below a prefix whose beginning is
 *  unknown, since their keys lack it. */
export type RoutesAt<Prefix extends string, Routes> =
  Prefix extends KnownPrefix<Prefix> ? Routes : {}

/** The phases at which `derive` can add to a request. */
export type DerivePhase = 'onRequest' | 'preValidation' | 'preHandler'

/** The phases that have begun at each phase. */
export interface Begun {
  onRequest: 'onRequest'
  preValidation: 'onRequest' | 'preValidation'
  preHandler: DerivePhase
}

/** The decorators of requests at a phase: all but those that are derived later.
 *  @example type Early = DecoratorsAt<C, 'onRequest'> // without the names derived in preHandler */
export type DecoratorsAt<Context extends AnyCtx, Phase extends DerivePhase> = [
  keyof Context['derived'],
] extends [never]
  ? Context['request']
  : BegunOf<Context['request'], Context['derived'], Begun[Phase]>

/** The decorators are a type parameter, so that the type distributes over a union. */
type BegunOf<Request, Derived, Phases> = {
  [
    Name in keyof Request as Name extends keyof Derived
      ? Derived[Name] extends Phases
        ? Name
        : never
      : Name
  ]: Request[Name]
}

/** The decorators of requests once there is a reply. The reply may have been sent early, so derived
 *  names are optional. */
export type DecoratorsOnReply<Context extends AnyCtx> = [keyof Context['derived']] extends [never]
  ? Context['request']
  : OnReply<Context['request'], Context['derived']>

type OnReply<Request, Derived> = Request extends unknown
  ? { [Name in keyof Request as Name extends keyof Derived ? never : Name]: Request[Name] } & {
      [Name in keyof Request as Name extends keyof Derived ? Name : never]?: Request[Name]
    }
  : never
