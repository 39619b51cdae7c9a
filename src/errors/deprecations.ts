import late from '../packages/late.cjs'
import { once } from '../packages/once.ts'

/** Features of Fastify 4 that Fastify 5 removed: code → [Fastify's code, feature, advice]. */
const table = {
  ESP_DEP_VERSION: ['FSTDEP008', "The route option 'version'", 'use constraints.version'],
  ESP_DEP_REPLY_SENT: ['FSTDEP010', 'Setting reply.sent', 'call reply.hijack()'],
  ESP_DEP_LISTEN: ['FSTDEP011', 'listen(port, host)', 'use listen({ port, host })'],
  ESP_DEP_REQUEST_CONTEXT: ['FSTDEP012', 'request.context', 'use request.routeOptions'],
  ESP_DEP_ROUTE_SCHEMA: ['FSTDEP015', 'request.routeSchema', 'use request.routeOptions.schema'],
  ESP_DEP_ROUTE_CONFIG: ['FSTDEP016', 'request.routeConfig', 'use request.routeOptions.config'],
  ESP_DEP_ROUTER_PATH: ['FSTDEP017', 'request.routerPath', 'use request.routeOptions.url'],
  ESP_DEP_ROUTER_METHOD: ['FSTDEP018', 'request.routerMethod', 'use request.routeOptions.method'],
  ESP_DEP_REPLY_CONTEXT: ['FSTDEP019', 'reply.context', 'use reply.routeOptions'],
  ESP_DEP_RESPONSE_TIME: ['FSTDEP020', 'reply.getResponseTime()', 'use reply.elapsedTime'],
  ESP_DEP_REDIRECT: ['FSTDEP021', 'redirect(status, url)', 'use redirect(url, status)'],
  ESP_DEP_TRAILER: [
    'FSTDEP013',
    'A trailer whose function returns its value',
    'make it async, or call back',
  ],
} as const

/** The code of a deprecated feature. It still works, and a later version will remove it. */
export type DeprecationCode = keyof typeof table

const warned = once('warned', () => new Set<DeprecationCode>())

/** Warns of a deprecated feature, once in a process. `--trace-deprecation` shows the caller. */
export function deprecate(code: DeprecationCode): void {
  warn('DeprecationWarning', code, code)
}

/** As `deprecate`, with the name and the code of Fastify's warning. */
export function deprecateForFastify(code: DeprecationCode): void {
  warn('FastifyDeprecation', table[code][0], code)
}

function warn(name: string, shown: string, code: DeprecationCode): void {
  if (warned.has(code)) return
  warned.add(code)
  const [, feature, advice] = table[code]
  late
    .warnings()
    .createWarning({ name, code: shown, message: `${feature} is deprecated: ${advice}` })()
}
