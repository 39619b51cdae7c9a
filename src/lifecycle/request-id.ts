import type { IncomingMessage } from 'node:http'
import { refusePromise } from '../errors/refuse-promise.ts'

/** Makes the id of a request. */
export type GenerateId = (request: IncomingMessage) => string

/** Counts: `req-1`, `req-2`…, in base 36. */
export function countRequests(): GenerateId {
  let count = 0
  return () => `req-${(++count).toString(36)}`
}

/** Reads the id from a header, if the request has it.
 *  @param own makes the others, at once */
export function idFromHeader(header: string | undefined, own: GenerateId): GenerateId {
  const generate: GenerateId = (request) => refusePromise('genReqId', own(request))
  if (header === undefined) return generate
  return (request) => {
    const given = request.headers[header]
    return typeof given === 'string' && given !== '' ? given : generate(request)
  }
}
