import { client } from 'espalier/client'
import { expectType } from 'tsd'
import type { App } from '../src/app.ts'

const api = client<App>('http://localhost:3000')
const headers = { authorization: 'Bearer secret' }

const created = await api('POST /tasks', { headers, body: { title: 'Write a type test' } })
if (created.statusCode === 201) {
  expectType<{ id: number; title: string; done: boolean }>(created.json())
}

const list = await api('GET /tasks', { headers, query: { limit: 5 } })
if (list.statusCode === 200) expectType<number | undefined>(list.json().next)
if (list.statusCode === 401) expectType<'Unauthorized'>(list.json().code)

// @ts-expect-error a task has a title
await api('POST /tasks', { headers, body: {} })
// @ts-expect-error a limit is a number
await api('GET /tasks', { headers, query: { limit: 'five' } })
// @ts-expect-error there is no such route
await api('GET /nothing')
