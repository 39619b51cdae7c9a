/** The methods that `all` declares, and for which there are shortcuts. */
export const standardMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** One of the methods that `all` declares. */
export type StandardMethod = (typeof standardMethods)[number]

/** Every method a route may have: the standard ones and TRACE. */
export const supportedMethods: ReadonlySet<string> = new Set([...standardMethods, 'TRACE'])

const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE'])
const withValidatedBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Whether a request of this method has content that is read (RFC 9110, 9.3). */
export function hasBody(method: string): boolean {
  return !withoutBody.has(method)
}

/** Whether a body schema validates: POST, PUT and PATCH only (specification 2.3). */
export function hasValidatedBody(method: string): boolean {
  return withValidatedBody.has(method)
}
