import { ignoreRejection, isThenable } from '../types/promises.ts'
import { errorCodes } from './codes.ts'

/** The result of a user's function that has to be synchronous.
 *  @throws ESP_ERR_PROMISE_RETURNED for a promise, whose rejection is then ignored */
export function refusePromise<Value>(name: string, value: Value): Value {
  if (!isThenable(value)) return value
  ignoreRejection(value)
  throw new errorCodes.ESP_ERR_PROMISE_RETURNED(name)
}
