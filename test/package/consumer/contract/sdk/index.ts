// A package that exports a client of another's application: declarations name that as the interface which it is.
import type { Api, Grown } from 'api'
import { client, type CallArguments, type Client, type RouteKey } from 'espalier/client'

export const api = client<Api>('/api')
export const at = (url: string) => client<Api>(url)
export const call: Client<Api> = (key, ...input) => api(key, ...input)
export const version = async () => (await api('GET /v1/version')).json()

// What a call gives has its name, and not all routes of the application.
export const ask = async <Key extends RouteKey<Api>>(
  key: Key,
  ...input: CallArguments<Api, Key>
) => {
  const response = await api(key, ...input)
  return response
}
export const mutation = <Key extends RouteKey<Api>>(key: Key) => ({
  mutate: (...input: CallArguments<Api, Key>) => api(key, ...input),
})

// What holds itself has a name, and is not cut off.
const grown = client<Grown['app']>('/grown')
export const comments = async () => (await grown('GET /comments')).json()
export const person = async () => (await grown('GET /person')).json()
export const value = async () => (await grown('GET /value')).json()
