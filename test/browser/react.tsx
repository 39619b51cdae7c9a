// A page of React with the adapter for TanStack Query.
import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { client } from '../../src/client/index.ts'
import { queries } from '../../src/client/query/index.ts'
import type { Shop } from './shop.ts'

declare const document: { readonly body: Element }

const query = queries(client<Shop>(''))
const cache = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } })

function Item(): ReactElement {
  const [id, setId] = useState<number | null>(null)
  const { data, fetchStatus, error } = useQuery(
    query.queryOptions('GET /items/:id', id === null ? null : { params: { id } }),
  )
  const shown = data?.ok ? data.body.name : (data?.body.message ?? error?.message)
  return (
    <section id="item">
      <output>{shown ?? fetchStatus}</output>
      {[1, 404, 500].map((each) => (
        <button key={each} onClick={() => setId(each)}>
          {each}
        </button>
      ))}
    </section>
  )
}

function Items(): ReactElement {
  const { data, fetchNextPage, hasNextPage } = useInfiniteQuery(
    query.infiniteOptions('GET /items', (after: number | undefined) => ({ query: { after } }), {
      initialPageParam: undefined,
      getNextPageParam: ({ body }) => body.next,
    }),
  )
  const { mutate } = useMutation({
    ...query.mutationOptions('POST /items'),
    onSuccess: ({ ok }) => ok && cache.invalidateQueries({ queryKey: query.key('GET /items') }),
  })
  return (
    <section id="items">
      <output>{data?.pages.flatMap(({ body }) => body.names).join()}</output>
      <button disabled={!hasNextPage} onClick={() => void fetchNextPage()}>
        more
      </button>
      <button onClick={() => mutate({ body: { name: 'new' } })}>add</button>
    </section>
  )
}

function Prices(): ReactElement {
  const { data } = useQuery(query.queryOptions('GET /prices', {}, { keep: 2 }))
  return <output>{data?.body.map(({ price }) => price).join()}</output>
}

function Page(): ReactElement {
  const [isOpen, setOpen] = useState(true)
  return (
    <QueryClientProvider client={cache}>
      <Item />
      <Items />
      <section id="prices">
        {isOpen && <Prices />}
        <button onClick={() => setOpen(false)}>close</button>
      </section>
    </QueryClientProvider>
  )
}

createRoot(document.body).render(<Page />)
