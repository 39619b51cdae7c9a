// The types of a route, inside and outside of the scope that declares it.
import type { SchemasOfBoth, ScopeResponses } from '../context/ctx.ts'

/** One route in the type of the server that declares it. It does not repeat the shared schemas of
 *  that server, which would be most of a declaration file. `in out` distinguishes it from an
 *  intersection of several. */
export interface Route<in out Schema, in out Result> {
  readonly declares: Schema
  /** A tuple, since the intersection of routes with different literal results would be never. */
  readonly result: readonly [Result]
  readonly only: (schema: Schema) => void
  each(route: Route<Schema, Result>): void
}

/** A route of its scope for a contract. It is no base of `Route`, since each route would copy its
 *  members. */
export interface ContractedRoute<Schema, Result> {
  readonly declares: Schema
  readonly result: readonly [Result]
  readonly only: (schema: Schema) => void
}

/** A route of a child scope with additional shared schemas. */
export interface RouteBeside<in out Entry, in out Added> {
  readonly entry: readonly [Entry]
  readonly added: Added
  each(route: RouteBeside<Entry, Added>): void
}

/** The facts of a route outside of its scope. */
export interface RouteFacts<Schema, Schemas, Result> {
  readonly schema: Schema
  readonly schemas: Schemas
  readonly result: readonly [Result]
  /** Makes routes of different schemas incompatible, even for a wider schema. */
  readonly only: (schema: Schema) => void
}

/** A route outside of its scope. */
export interface SeenRoute<in out Schema, in out Schemas, in out Result> extends RouteFacts<
  Schema,
  Schemas,
  Result
> {
  each(route: SeenRoute<Schema, Schemas, Result>): void
}

/** One route of an emitted contract. */
export interface EmittedRoute {
  /** What a call sends; empty for a route without schemas. */
  readonly request: unknown
  /** What a call gives, by status, by class (`'4xx'`), or by `default`. */
  readonly responses: unknown
}

/** The route of an entry, as it is outside of its scope. A route of a plugin with needs has this
 *  form already; the responses of the scope that registers the plugin are added. Several routes of
 *  one key, with constraints, give a union. */
export type Seen<Entry, Schemas> = Entry extends EmittedRoute ? Entry : SeenServed<Entry, Schemas>

type SeenServed<Entry, Schemas> =
  Entry extends SeenRoute<infer Schema, infer Known, infer Result>
    ? SeenRoute<Schema, Known, Result> extends Entry
      ? Schemas extends ScopeResponses<infer Responses>
        ? SeenRoute<Schema, SchemasOfBoth<Known, ScopeResponses<Responses>>, Result>
        : Entry
      : SeenEach<Entry, Schemas>
    : Entry extends Route<infer Schema, infer Result>
      ? Route<Schema, Result> extends Entry
        ? SeenRoute<Schema, Schemas, Result>
        : SeenEach<Entry, Schemas>
      : Entry extends RouteBeside<infer Below, infer Added>
        ? RouteBeside<Below, Added> extends Entry
          ? Seen<Below, SchemasOfBoth<Added, Schemas>>
          : SeenEach<Entry, Schemas>
        : Entry extends RouteFacts<infer Schema, infer Known, infer Result>
          ? Seen<SeenRoute<Schema, Known, Result>, Schemas>
          : never

/** The routes of one key. Their intersection has one overload of `each` for each route; the last
 *  eight count. */
type SeenEach<Entry, Schemas> = Entry extends {
  each: {
    /* eslint-disable @typescript-eslint/unified-signatures -- each is one of the overloads */
    (route: infer A): void
    (route: infer B): void
    (route: infer C): void
    (route: infer D): void
    (route: infer E): void
    (route: infer F): void
    (route: infer G): void
    (route: infer H): void
    /* eslint-enable @typescript-eslint/unified-signatures */
  }
}
  ? Seen<A | B | C | D | E | F | G | H, Schemas>
  : never
