import type { InjectOptions, Response as LightResponse } from 'light-my-request'
import type { InputArguments, ResponseOf } from '../route/route-entry.ts'

/** Sends requests without a socket: to a route by its key, with the input that it takes, or to a
 *  URL, or as the options of light-my-request say.
 *  @example const { id } = (await app.inject('GET /users/:id', { params: { id: 1 } })).json() */
export interface Inject<Routes> {
  // A constraint of one union for both costs each call the comparison with all keys.
  <Key extends keyof Routes & string>(
    route: Key,
    ...input: InputArguments<Routes[Key]>
  ): Promise<ResponseOf<Routes[Key]> & ResponseDetails>
  (target: `/${string}` | InjectOptions): Promise<LightResponse>
}

type ResponseDetails = Omit<LightResponse, 'statusCode' | 'headers' | 'body' | 'json'>
