// A package that exports a client of another's application: declarations name that as the interface which it is.
import type { Api } from 'api'
import { client, type Client } from 'espalier/client'

export const api = client<Api>('/api')
export const at = (url: string) => client<Api>(url)
export const call: Client<Api> = (key, ...input) => api(key, ...input)
export const version = async () => (await api('GET /v1/version')).json()
