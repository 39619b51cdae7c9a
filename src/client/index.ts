// The client.
export { client } from './client.ts'
export type { CallArguments, CallOptions, Client, ClientOptions } from './client.ts'
export type { HeaderValues } from '../http/route-call.ts'

// The error that it throws, and the types of the input and the responses of its calls.
export { EspalierError } from '../errors/espalier-error.ts'
export type { InputOf } from '../route/call-types.ts'
export type { RecurringJson } from '../types/json.ts'
export type { ResponseOf, RouteResponse } from '../route/call-types.ts'
export type { Contract } from '../route/defined-route.ts'
export type { Routed, RouteKey } from '../route/route-entry.ts'
