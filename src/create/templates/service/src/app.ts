import rateLimit from '@fastify/rate-limit'
import espalier, { t } from 'espalier'
import { openapi } from 'espalier/openapi'
import { readConfig } from './config.ts'
import { database } from './database/plugin.ts'
import { health } from './health.ts'
import { logging } from './log.ts'
import { tasks } from './tasks/routes.ts'
import { auth } from './users/auth.ts'
import { me, users } from './users/routes.ts'

export function buildApp(config = readConfig(process.env)) {
  return espalier({
    ...logging(config),
    // A value reaches its reader as it was sent, or nobody gets it.
    strict: true,
    // During development the log says which fields of a reply were left out.
    responses: config.NODE_ENV === 'production' ? 'send' : 'report',
    trustProxy: config.TRUST_PROXY,
    // A new folder for PGlite takes some seconds.
    pluginTimeout: 60_000,
    requestTimeout: 30_000,
    handlerTimeout: 30_000,
  })
    .register(openapi({ info: { title: 'app-name', version: '1.0.0' } }))
    .addResponses({ 429: { message: t.String() } })
    .register(rateLimit, { max: 300, timeWindow: '1 minute' })
    .register(database, { url: config.DATABASE_URL })
    .get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'))
    .register(health, { prefix: '/health' })
    .register(users)
    .register(async function members(scope) {
      return scope.register(auth).register(me).register(tasks, { prefix: '/tasks' })
    })
}

export interface App extends ReturnType<typeof buildApp> {}
