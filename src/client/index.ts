// The client.
export { client } from './client.ts'
export type {
  CallArguments,
  CallOptions,
  Client,
  ClientOf,
  ClientOptions,
  ReturningOptions,
} from './client.ts'
export type { CallMiddleware, CallRequest, CallResponse, NextCall } from './middleware.ts'
export { exactJson } from '../http/exact-json.ts'
export type { JsonCodec } from '../http/exact-json.ts'
export type { HeaderValues } from '../http/route-call.ts'

// The errors that it throws, and the types of the input and the responses of its calls.
export { EspalierError } from '../errors/espalier-error.ts'
export { ClientError, UndeclaredResponse } from './errors.ts'
export type { CalledRequest } from './errors.ts'
export type { EventMessage, EventsOptions } from '../http/events.ts'
export type { InputOf } from '../route/call-types.ts'
export type { RecurringJson } from '../types/json.ts'
export type { ResponseOf } from '../route/call-types.ts'
export type {
  BadRequest,
  BytesResponse,
  EmptyResponse,
  EventsBody,
  Fetched,
  FormBody,
  LinesBody,
  RouteResponse,
  SuccessStatus,
  UndeclaredMembers,
} from '../route/response-types.ts'
export type { FetchBody } from '../types/fetch-body.ts'
export type { AnyFormData } from '../types/fetch-body.ts'
export type { Contract } from '../route/defined-route.ts'
export type { Emitted } from '../route/emitted-route.ts'
export type { Routed, RouteKey } from '../route/route-entry.ts'
