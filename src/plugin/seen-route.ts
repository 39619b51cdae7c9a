// The type of a route, within the scope that declares it and outside of that.

/** One route in the type of the server that declares it. The shared schemas that it refers to are
 *  that server's: written with each route they would be most of a declaration file. `in out` tells
 *  it from the intersection of several. */
export interface Route<in out Schema, in out Result> {
  readonly declares: Schema
  /** In a list: the intersection of routes whose results are unlike literals would be never. */
  readonly result: readonly [Result]
  readonly only: (schema: Schema) => void
  each(route: Route<Schema, Result>): void
}

/** A route of its scope as a contract may have it. No base of the former, whose members would be
 *  made for each route then. */
export interface DeclaredRoute<Schema, Result> {
  readonly declares: Schema
  readonly result: readonly [Result]
  readonly only: (schema: Schema) => void
}

/** A route of a scope below that has further shared schemas. */
export interface RouteBeside<in out Entry, in out Added> {
  readonly entry: readonly [Entry]
  readonly added: Added
  each(route: RouteBeside<Entry, Added>): void
}

/** What is known of a route outside of its scope. */
export interface RouteFacts<Schema, Schemas, Result> {
  readonly schema: Schema
  readonly schemas: Schemas
  readonly result: readonly [Result]
  /** Keeps a route from standing for one of another schema, be it a wider one. */
  readonly only: (schema: Schema) => void
}

/** A route as it is seen from outside of its scope. */
export interface SeenRoute<in out Schema, in out Schemas, in out Result> extends RouteFacts<
  Schema,
  Schemas,
  Result
> {
  each(route: SeenRoute<Schema, Schemas, Result>): void
}

/** A route of a scope as it is seen from outside; one of a plugin that knows its needs alone is so
 *  already. Where constraints tell several of one key apart, it may be any of them. */
export type Seen<Entry, Schemas> =
  Entry extends SeenRoute<infer Schema, infer Known, infer Result>
    ? SeenRoute<Schema, Known, Result> extends Entry
      ? Entry
      : SeenEach<Entry, Schemas>
    : Entry extends Route<infer Schema, infer Result>
      ? Route<Schema, Result> extends Entry
        ? SeenRoute<Schema, Schemas, Result>
        : SeenEach<Entry, Schemas>
      : Entry extends RouteBeside<infer Below, infer Added>
        ? RouteBeside<Below, Added> extends Entry
          ? Seen<Below, SchemasBelow<Schemas, Added>>
          : SeenEach<Entry, Schemas>
        : Entry extends RouteFacts<infer Schema, infer Known, infer Result>
          ? SeenRoute<Schema, Known, Result>
          : never

/** The shared schemas of a scope below. The scope around may have added others of the same ids
 *  since. */
type SchemasBelow<Outer, Added> = [keyof Outer & keyof Added] extends [never]
  ? Outer & Added
  : Omit<Outer, keyof Added> & Added

/** The routes of one key, whose intersection says them as the overloads of a method: the last eight
 *  of them. */
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
