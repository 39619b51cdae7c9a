// A front end that knows the application of `features.ts` by its declarations.
import { client } from 'espalier/client'
import type { Api, App, gone, Retired } from 'server/features.js'

type Is<A, B> = [A, B] extends [B, A] ? true : false
declare function is<Same extends true>(): Same | void

const api = client<App>('')
const one = await api('GET /users/:id', { params: { id: 1 } })
if (one.statusCode === 200) is<Is<ReturnType<typeof one.json>, { id: number; at: string }>>()
else is<Is<ReturnType<typeof one.json>, { title: string; code: 'a' | null }>>()
is<Is<typeof one.statusCode, 200 | 401 | 403 | 404 | 500>>()
const removed = await api('DELETE /v1/deep/users/:id', { params: { id: '1' } })
if (removed.statusCode === 200) is<Is<ReturnType<typeof removed.json>, { id: string }>>()
const rows = await api('GET /rows')
if (rows.statusCode === 200) is<Is<ReturnType<typeof rows.json>, { at: string }[]>>()
const made = await api('POST /zod', { body: { a: 1 } })
if (made.statusCode === 200) is<Is<ReturnType<typeof made.json>, { b: string }>>()
const gone410 = await api('GET /gone')
if (gone410.statusCode === 410) {
  const error = gone410.json()
  if (error.code === 'Gone') is<Is<typeof error.since, string | undefined>>()
  else is<Is<typeof error.id, number>>()
}
is<Is<(typeof gone)['since'], string | Date | undefined>>()
is<Is<Retired['code'], 'Retired'>>()
// @ts-expect-error There is no such route.
void api('GET /nothing')
// @ts-expect-error The id is no number.
void api('GET /users/:id', { params: { id: true } })
const contracted = await client<Api>('')('GET /users/:id', { params: { id: '1' } })
is<Is<ReturnType<typeof contracted.json>, { id: number; at: string }>>()
