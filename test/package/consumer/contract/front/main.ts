// A front end, which has the declarations of an application and nothing of Node.
import type { App } from 'api'
import { client } from 'espalier/client'
import { t, type Input } from 'espalier/schema'
import { at, call, version } from 'sdk'

type Equal<One, Other> =
  (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2
    ? true
    : false
/** Claims that a value has exactly a type: `exactly<string>()(value, true)`. */
declare function exactly<Type>(): <Value>(value: Value, claim: Equal<Value, Type>) => void

const api = client<App>('/api')

export async function show(): Promise<string> {
  const health = (await api('GET /health')).json()
  exactly<{ ok: boolean }>()(health, true)
  const now = (await api('GET /now')).json()
  exactly<{ at: string }>()(now, true)
  const version = (await api('GET /v1/version')).json()
  exactly<string>()(version, true)
  const post = (await api('GET /posts/:slug', { params: { slug: 'x' }, query: { q: 'y' } })).json()
  exactly<{ slug: string }>()(post, true)

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
