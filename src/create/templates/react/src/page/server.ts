import { client } from 'espalier/client'
import { queries } from 'espalier/query'
import type { Api } from './api.ts'

/** The routes of the server, for TanStack Query. `npm run dev` writes `api.ts` again after each change. */
export const server = queries(client<Api>(''))
