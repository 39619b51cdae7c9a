import type { InjectOptions, Response as LightResponse } from 'light-my-request'
import type { InputArguments, ResponseOf } from '../route/route-entry.ts'

/** What a server can be asked for without a socket: a route by its key, a URL, or the options of
 *  light-my-request. One signature, since among overloads a wrong key would be reported as
 *  "No overload matches this call". */
export type InjectTarget<Routes> = (keyof Routes & string) | `/${string}` | InjectOptions

/** The arguments after the target: the typed input of a route. */
export type InjectArguments<Routes, Target> = Target extends keyof Routes
  ? InputArguments<Routes[Target]>
  : []

/** The response: by route key that of the route's schema.
 *  @example const { id } = (await app.inject('GET /users/:id', { params: { id: 1 } })).json() */
export type Injected<Routes, Target> = Target extends keyof Routes
  ? ResponseOf<Routes[Target]> & ResponseDetails
  : LightResponse

type ResponseDetails = Omit<LightResponse, 'statusCode' | 'headers' | 'body' | 'json'>
