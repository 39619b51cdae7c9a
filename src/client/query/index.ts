// The adapter for TanStack Query.
export { queries } from './queries.ts'
export type {
  Answer,
  AnswerOf,
  InfinitePages,
  RouteInfiniteQuery,
  RouteMutation,
  Queries,
  QueriesOptions,
  RouteQuery,
  QueryCallOptions,
  QueryContext,
  RouteQueryKey,
} from './types.ts'
