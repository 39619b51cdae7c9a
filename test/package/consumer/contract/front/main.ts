// A front end, which has the declarations of an application and nothing of Node.
import type { App, Listed, Scopes, Trees } from 'api'
import { client } from 'espalier/client'
import { t, type Input } from 'espalier/schema'
import { at, call, comments, person, value, version } from 'sdk'

type Equal<One, Other> =
  (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2
    ? true
    : false
/** Claims that a value has exactly a type: `exactly<string>()(value, true)`. */
declare function exactly<Type>(): <Value>(value: Value, claim: Equal<Value, Type>) => void

/** The response of a call that the server has not refused. */
declare function good<Response extends { readonly ok: boolean }>(
  response: Response,
): Extract<Response, { readonly ok: true }>

const api = client<App>('/api')

export async function show(): Promise<string> {
  const health = (await api('GET /health')).json()
  exactly<{ ok: boolean }>()(health, true)
  const now = (await api('GET /now')).json()
  exactly<{ at: string }>()(now, true)
  const version = (await api('GET /v1/version')).json()
  exactly<string>()(version, true)
  const listed = (await api('GET /listed/:id', { params: { id: 1 } })).json()
  exactly<{ id: number; name: string; email?: string }>()(listed, true)
  exactly<'pong'>()((await api('POST /listed/ping')).json(), true)
  const tag = (await api('GET /tags/:tag', { params: { tag: 'a' } })).json()
  exactly<{ name: string; used: number }>()(tag, true)
  const post = await api('GET /posts/:slug', { params: { slug: 'x' }, query: { q: 'y' } })
  if (post.statusCode === 400) return post.json().message
  exactly<{ slug: string }>()(post.json(), true)

  const user = await api('GET /users/:id', { params: { id: 1 } })
  if (user.statusCode === 404) return user.json().message
  const found = user.json()
  exactly<{ id: number; name: string; email?: string }>()(found, true)
  return found.name
}

/** The client of another package, which knows the application by an interface. */
export async function named(): Promise<void> {
  exactly<string>()(await version(), true)
  for (const each of [call, at('/')]) {
    const user = await each('GET /users/:id', { params: { id: 1 } })
    if (user.statusCode === 404) exactly<{ message: string }>()(user.json(), true)
    // @ts-expect-error a parameter of another type
    void each('GET /users/:id', { params: { id: 'x' } })
  }
}

type IsAny<Value> = 0 extends 1 & Value ? true : false
/** Claims that a value is known: `known(value, false)`. */
declare function known<Value>(value: Value, isAny: IsAny<Value>): void

/** What holds itself goes on for ever, and is typed all the way. */
export async function grown(): Promise<void> {
  const plant = client<Trees['app']>('/trees')
  const tree = good(await plant('POST /tree', { body: { name: '', kids: [] } })).json()
  exactly<string>()(tree.kids[0].kids[0].kids[0].kids[0].name, true)
  // @ts-expect-error no such field
  void tree.kids[0].kids[0].kids[0].nope
  const deeper = good(await plant('POST /deeper', { body: { tree } })).json()
  exactly<string>()(deeper[0].kids[0].name, true)

  const { filter } = good(await plant('POST /filter', { body: '' })).json()
  if (typeof filter === 'string' || 'all' in filter) return
  known(filter.not, false)
  if (typeof filter.not === 'string' || 'not' in filter.not) return
  known(filter.not.all[0], false)
  // @ts-expect-error no such field
  void filter.not.some

  const [json] = good(await plant('POST /json', { body: [] })).json()
  known(json, false)
  if (json === undefined || json === null || typeof json === 'string') return
  known(json[0], false)
  // @ts-expect-error may be null
  void json[0].length
  const names = good(await plant('POST /names', { body: {} })).json()
  known(names['a']?.['b']?.['c'], false)
  const both = good(await plant('POST /both', { body: { a: [] } })).json()
  known(both.a[0]?.b?.a[0]?.b, false)
  // @ts-expect-error no such field
  void both.a[0]?.b?.a[0]?.c

  const book = good(await plant('POST /book', { body: { title: '', author: {} } })).json()
  exactly<string | undefined>()(book.author.books?.[0]?.author.books?.[0]?.title, true)
  const { nested } = good(await plant('POST /nested', { body: { nested: 1 } })).json()
  known(typeof nested === 'number' ? nested : nested[0], false)
  const plain = good(await plant('POST /plain', { body: {} })).json()
  exactly<string | undefined>()(plain.kids?.[0]?.kids?.[0]?.kids?.[0]?.name, true)
  known(plain.next?.next?.next?.next, false)
  // @ts-expect-error no such field
  void plain.next?.next?.nope
  known(plain.any, false)
  const lists = good(await plant('POST /lists', { body: [] })).json()
  known(lists[0]?.[0]?.[0], false)
}

/** So it is where the application's own types hold themselves, also in what another package says of its calls. */
export async function cited(): Promise<void> {
  const said = (await comments())[0].replies[0].replies[0].replies[0]
  exactly<string>()(said.at, true)
  // @ts-expect-error no such field
  void said.nope
  const lead = (await person()).team.all[0]?.boss?.team.lead
  exactly<string | undefined>()(lead?.name, true)
  // @ts-expect-error no such field
  void lead?.nope
  const list = await value()
  if (list === null || typeof list === 'string' || !Array.isArray(list)) return
  const [first] = list
  known(first, false)
  // @ts-expect-error may be null
  void first.length
}

/** What a form holds, by a schema that is the front end's too. */
export const Draft = t.Object({ name: t.String(), tags: t.Array(t.String(), { default: [] }) })
export const draft: Input<typeof Draft> = { name: '' }
exactly<{ name: string; tags?: string[] }>()(draft, true)

// @ts-expect-error a route that is not there
export const none = api('GET /nope')
// @ts-expect-error a parameter of another type
export const wrong = api('GET /users/:id', { params: { id: 'x' } })
// @ts-expect-error a body that lacks a field
export const less = api('POST /users', { body: { name: '' } })

/** A contract says the same of its routes as the application. */
export async function contracted(): Promise<void> {
  const some = client<Listed>('/api')
  const user = (await some('GET /listed/:id', { params: { id: 1 } })).json()
  exactly<{ id: number; name: string; email?: string }>()(user, true)
  exactly<'pong'>()((await some('POST /listed/ping')).json(), true)
  // @ts-expect-error no route of the contract
  void some('GET /health')
}

/** Routes of scopes that were written in place read the shared schemas of their own scope. */
export async function scoped(): Promise<void> {
  interface User {
    id: number
    name: string
  }
  const below = client<Scopes['app']>('/scopes')
  exactly<User>()((await below('GET /one')).json(), true)
  exactly<{ title: string; by: User }>()((await below('GET /v1/two')).json(), true)
  exactly<User>()((await below('GET /v1/three')).json(), true)
  exactly<{ tag: string }>()((await below('GET /tag')).json(), true)
  exactly<{ tag: { tag: string }; by: User }>()((await below('GET /deep')).json(), true)
  exactly<{ count: number }>()((await below('GET /count')).json(), true)
  exactly<{ of: 'a' } | { tag: string }>()((await below('GET /host')).json(), true)
  // @ts-expect-error no such route
  void below('GET /two')
}
