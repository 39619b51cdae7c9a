// The client.
export { client } from './client.ts'
export type { CallOptions, Client, ClientOptions, HeaderValues, Routed } from './client-types.ts'

// What it throws, and what its calls take and give.
export { EspalierError } from '../errors/espalier-error.ts'
export type { InputOf, ResponseOf, RouteResponse } from '../route/route-entry.ts'
