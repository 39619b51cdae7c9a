import type { DataTag } from '@tanstack/query-core'
import type { EventsOptions } from '../../http/events.ts'
import type { InputArguments, ResponseOf } from '../../route/call-types.ts'
import type { FormBody } from '../../route/response-types.ts'
import type { Routed, RouteKey, RouteOf } from '../../route/route-entry.ts'

/** A response as a query holds it: plain data, which `statusCode` and `ok` narrow. */
export interface Answer<Status, Ok, Body> {
  readonly statusCode: Status
  /** Whether the status is 2xx. */
  readonly ok: Ok
  /** The parsed JSON, the text, a `Blob` of bytes, the `FormData` of a form, or the list of the
   *  items of a stream so far. Null if the response has no body. */
  readonly body: Body
}

/** The answers of a route.
 *  @example type User = AnswerOf<typeof app, 'GET /users/:id'> */
export type AnswerOf<App extends Routed, Key extends RouteKey<App>> = EachAnswer<
  ResponseOf<App, Key>
>

type EachAnswer<Response> = Response extends {
  readonly statusCode: infer Status
  readonly ok: infer Ok
}
  ? Answer<Status, Ok, BodyOf<Response>>
  : never

type BodyOf<Response> = Response extends { json(): infer Payload }
  ? Payload | ReadBody<Response>
  : [ReadBody<Response>] extends [never]
    ? Response extends { bytes(): unknown }
      ? Blob
      : null
    : ReadBody<Response>

/** A body that is no JSON as a whole. */
type ReadBody<Response> =
  | (Response extends { events(): AsyncIterableIterator<infer Item> } ? Item[] : never)
  | (Response extends FormBody ? FormData : never)

/** Makes the options of TanStack Query for the routes of a server. */
export interface Queries<App extends Routed> extends RouteQueries<
  App,
  keyof App['~context']['routes'] & string
> {}

/** The keys are a type parameter, so that the compiler computes them once, not for each call. */
interface RouteQueries<App extends Routed, Known extends RouteKey<App>> {
  /** The key of all queries of a route, for `invalidateQueries` and filters; with an input, that of
   *  one query, for `getQueryData` and `setQueryData`. */
  key<Key extends Known>(
    route: Key,
    input?: Arguments<App, Key, Known>[0],
  ): RouteQueryKey<AnswerOf<App, Key>>
  /** The options of a query. With null in the place of its input, it is not fetched: something that
   *  it needs is not known yet.
   *  @example useQuery(query.queryOptions('GET /users/:id', { params: { id } })) */
  queryOptions<Key extends Known>(
    route: Key,
    ...input: [...OrNull<Arguments<App, Key, Known>>, options?: QueryCallOptions | undefined]
  ): RouteQuery<AnswerOf<App, Key>>
  /** The options of a query of pages.
   *  @param input the input of the call for a page. The type of its parameter is that of pages.
   *  @example
   *  query.infiniteOptions('GET /users', (after: string | undefined) => ({ query: { after } }), {
   *    initialPageParam: undefined,
   *    getNextPageParam: ({ body }) => body.next,
   *  }) */
  infiniteOptions<Key extends Known, Page>(
    route: Key,
    input: (page: Page) => Arguments<App, Key, Known>[0],
    pages: InfinitePages<AnswerOf<App, Key>, NoInfer<Page>>,
    options?: QueryCallOptions,
  ): RouteInfiniteQuery<AnswerOf<App, Key>, Page>
  /** The options of a mutation. Its variables are the input of the call.
   *  @example
   *  const { mutate } = useMutation(query.mutationOptions('POST /users'))
   *  mutate({ body: { name: 'Ada' } }) */
  mutationOptions<Key extends Known>(
    route: Key,
    options?: QueryCallOptions,
  ): RouteMutation<AnswerOf<App, Key>, Variables<Arguments<App, Key, Known>>>
}

type Arguments<App extends Routed, Key extends RouteKey<App>, Known> = InputArguments<
  RouteOf<App, Key>,
  Key,
  Known
>

type OrNull<Given extends unknown[]> = { [Index in keyof Given]: Given[Index] | null }

type Variables<Given extends unknown[]> = [] extends Given ? Given[0] | void : Given[0]

/** A key of queries. It knows their data, if `@tanstack/query-core` can be found. */
export type RouteQueryKey<Data> = Tagged<readonly [string, ...unknown[]], Data>

/** The type of a package that is not found is `any`. */
type Tagged<Key, Data> = 0 extends 1 & DataTag<Key, Data> ? Key : DataTag<Key, Data>

/** The options of a query. */
export interface RouteQuery<Data> {
  queryKey: RouteQueryKey<Data>
  queryFn: (context: QueryContext) => Promise<Data>
}

/** The options of a query of pages. */
export interface RouteInfiniteQuery<Data, Page> extends InfinitePages<Data, Page> {
  queryKey: RouteQueryKey<{ pages: Data[]; pageParams: Page[] }>
  queryFn: (context: QueryContext & { readonly pageParam: Page }) => Promise<Data>
}

/** How the pages of a query follow one another: the options of `useInfiniteQuery`. */
export interface InfinitePages<Data, Page> {
  initialPageParam: Page
  getNextPageParam: PageOf<Data, Page>
  getPreviousPageParam?: PageOf<Data, Page>
  /** The most pages that are kept. @default all */
  maxPages?: number
}

/** The parameter of the page beside one; undefined or null if there is none. */
type PageOf<Data, Page> = (
  page: Data,
  pages: Data[],
  param: Page,
  params: Page[],
) => Page | undefined | null

/** The options of a mutation. */
export interface RouteMutation<Data, Input> {
  mutationKey: readonly string[]
  mutationFn: (input: Input) => Promise<Data>
}

/** What TanStack Query gives to a query. */
export interface QueryContext {
  readonly signal: AbortSignal
  readonly queryKey: readonly unknown[]
  readonly client: {
    setQueryData(key: readonly unknown[], change: (old: unknown) => unknown): unknown
  }
}

/** The options of the calls of a query. */
export interface QueryCallOptions extends EventsOptions {
  /** The most bytes of a body. @default that of the client */
  readonly maxResponseSize?: number | undefined
  /** The most items of a stream that the body holds: the newest ones. @default all */
  readonly keep?: number | undefined
}

/** The options of `queries`. */
export interface QueriesOptions {
  /** The first part of all keys, to tell the routes of several servers apart. @default none */
  readonly name?: string | undefined
}
