/** The members of requests and replies that Fastify 5 does not have any more. They are there for older
 *  plugins, but their names are free: a decorator may have them, and what is derived. */
export const outdatedMembers: ReadonlySet<PropertyKey> = new Set([
  'context',
  'routeConfig',
  'routeSchema',
  'routerPath',
  'routerMethod',
  'getResponseTime',
])
