import type {
  HTTPMethods,
  ReplyDefault,
  RequestBodyDefault,
  RequestHeadersDefault,
  RequestParamsDefault,
  RequestQuerystringDefault,
} from './raw.ts'

/** The request parts in the generic type of a route. */
export interface RequestGenericInterface {
  Body?: RequestBodyDefault
  Querystring?: RequestQuerystringDefault
  Params?: RequestParamsDefault
  Headers?: RequestHeadersDefault
}

/** The payloads in the generic type of a route: one type, or one for each status. */
export interface ReplyGenericInterface {
  Reply?: ReplyDefault
}

/** The generic type of a route: its request parts and payloads. */
export interface RouteGenericInterface extends RequestGenericInterface, ReplyGenericInterface {}

/** Optional fields in the `config` of every route. Plugins declare them. */
export interface FastifyContextConfig {}

/** The fields that the `config` of every route has. */
export interface FastifyRouteConfig {
  url: string
  method: HTTPMethods | HTTPMethods[]
}
