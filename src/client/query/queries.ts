import { isBytesType } from '../../http/response-body.ts'
import type { RouteInput } from '../../http/route-call.ts'
import type { Routed } from '../../route/route-entry.ts'
import type { CallOptions, ClientOf } from '../client.ts'
import { ClientError } from '../errors.ts'
import type { CallResponse } from '../middleware.ts'
import type { Answer, Queries, QueriesOptions, QueryCallOptions, QueryContext } from './types.ts'

/** Makes the options of TanStack Query 5 for the routes of a client, for all of its adapters. The
 *  data of a query is an `Answer`: each response that the route declares, also one of an error
 *  status. All that the client throws is the error of the query.
 *  @example
 *  const query = queries(client<typeof app>('https://example.org'))
 *  const { data, error } = useQuery(query.queryOptions('GET /users/:id', { params: { id: 1 } }))
 *  if (data?.ok) data.body.name */
export function queries<App extends Routed>(
  api: ClientOf<App>,
  options?: QueriesOptions,
): Queries<App>
export function queries(given: unknown, { name }: QueriesOptions = {}): unknown {
  const api = given as Call // cast: a client, without the types of its routes
  const keyOf = (...parts: readonly unknown[]) =>
    [name, ...parts].filter((part) => part !== undefined)
  return {
    key: (route: string, input?: RouteInput) => keyOf(route, plain(input)),
    queryOptions: (route: string, input?: RouteInput | null, options?: QueryCallOptions) => ({
      queryKey: keyOf(route, plain(input)),
      queryFn: async (context: QueryContext) => {
        if (input === null) throw unknownInput(route)
        return answer(
          await api(route, input, { ...options, signal: context.signal }),
          options,
          context,
        )
      },
      ...(input === null && { enabled: false }),
    }),
    infiniteOptions: (
      route: string,
      input: (page: unknown) => RouteInput | undefined,
      pages: { readonly initialPageParam: unknown },
      options?: QueryCallOptions,
    ) => ({
      ...pages,
      queryKey: keyOf(route, plain(input(pages.initialPageParam)) ?? {}, 'pages'),
      queryFn: async ({ pageParam, signal }: QueryContext & { readonly pageParam: unknown }) =>
        answer(await api(route, input(pageParam), { ...options, signal }), options),
    }),
    mutationOptions: (route: string, options?: QueryCallOptions) => ({
      mutationKey: keyOf(route),
      mutationFn: async (input: RouteInput | undefined) =>
        answer(await api(route, input, options), options),
    }),
  }
}

type Call = (route: string, input?: RouteInput, options?: CallOptions) => Promise<CallResponse>

/** An input as a part of a key, which TanStack Query writes as JSON. That has no bigint. */
function plain(input: RouteInput | null | undefined): unknown {
  if (input === undefined) return undefined
  const text = JSON.stringify(input, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return text === '{}' ? undefined : JSON.parse(text)
}

const unknownInput = (route: string): ClientError => {
  const request = { key: route, method: route.split(' ', 1)[0] ?? '', url: '' }
  return new ClientError('ESP_ERR_CLIENT_ROUTE', 'has no input yet: it is null', request)
}

const formType = /^\s*(multipart\/form-data|application\/x-www-form-urlencoded)\s*(;|$)/i

/** @param context that of a query, which shows the items of a stream as they come */
async function answer(
  response: CallResponse,
  options: QueryCallOptions = {},
  context?: QueryContext,
): Promise<Answer<number, boolean, unknown>> {
  const { statusCode, ok } = response
  const type = String(response.headers['content-type'] ?? '')
  const from = (body: unknown) => ({ statusCode, ok, body })
  if (formType.test(type)) return from(await response.formData())
  // An answer to HEAD has a type without a body.
  if (!isBytesType(type) || response.raw.body === null) return from(response.json())
  // Pages without streams load no reader of them.
  const { isItemsType } = await import('../../http/events.ts')
  if (!isItemsType(type)) return from(new Blob([await response.bytes()], { type }))
  const show = (change: (old: unknown) => unknown) =>
    context?.client.setQueryData(context.queryKey, change)
  show((old) => old ?? from([]))
  const items = response.events(options)
  return from(await listOf(items, options, (list) => show(() => from(list))))
}

/** The items of a stream.
 *  @param show gets the list so far, once for all items that come together */
async function listOf(
  items: AsyncIterable<unknown>,
  { keep = Infinity }: QueryCallOptions,
  show: (list: readonly unknown[]) => void,
): Promise<unknown[]> {
  const list: unknown[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for await (const item of items) {
      list.push(item)
      if (list.length > keep) list.shift()
      timer ??= setTimeout(() => {
        timer = undefined
        show([...list])
      })
    }
    return list
  } finally {
    clearTimeout(timer)
  }
}
