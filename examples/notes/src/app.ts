// The tree of the application.
//
//   root                      config, database, redis, limits, WebSockets
//   ├── page                  GET /, …
//   ├── health                GET /health/live, /health/ready
//   ├── users                 POST /users, /session: open to everybody
//   └── members               request.user: all others get 401
//       ├── mcp               POST /mcp: some routes as tools of a model
//       ├── notes             /notes, /tags
//       ├── attachments       /notes/:id/attachments: reads forms
//       ├── changes           GET /changes: a stream of events
//       └── presence          GET /presence: a WebSocket
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import espalier from 'espalier'
import { mcp } from 'espalier/mcp'
import { openapi } from 'espalier/openapi'
import { websocket } from 'espalier/websocket'
import { files } from './attachments/files.ts'
import { attachments } from './attachments/routes.ts'
import { changes } from './changes/changes.ts'
import { changeRoutes } from './changes/routes.ts'
import type { Config } from './config.ts'
import { database } from './database/database.ts'
import { health } from './health.ts'
import { notes } from './notes/routes.ts'
import { page } from './page.ts'
import { presence } from './presence/presence.ts'
import { presenceRoutes } from './presence/routes.ts'
import { Problem } from './problem.ts'
import { redis } from './redis.ts'
import { users } from './users/routes.ts'
import { cookies, members } from './users/session.ts'

/** Makes the server. It opens its database when it starts: at `ready`, `listen` or the first `inject`. */
export const buildApp = (config: Config) =>
  espalier({
    strict: true,
    // During development the log says which fields of a reply were left out.
    responses: config.NODE_ENV === 'production' ? 'send' : 'report',
    logger: { level: config.LOG_LEVEL },
    disableRequestLogging: ({ url }) => url.startsWith('/health/'),
    trustProxy: config.TRUST_PROXY ?? false,
    pluginTimeout: 120_000, // the first start makes a database, later ones may wait for migrations
    handlerTimeout: 30_000,
    requestTimeout: 60_000,
  })
    .decorate('config', config)
    .addResponses({ 400: Problem, 500: Problem })
    .register(helmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } })
    .register(openapi({ info: { title: 'Notes', version: '1.0.0' }, version: '3.2' }))
    .register(database)
    .register(redis)
    .register(changes)
    .register(presence)
    .register(files)
    .register(cookies)
    .register(rateLimit, (app) => ({ global: false, redis: app.redis }))
    .register(websocket())
    .register(page)
    .register(health)
    .register(users)
    .register(async (inside) =>
      inside
        .register(members)
        .register(
          mcp({ name: 'notes', version: '1.0.0', instructions: 'The notes of one person.' }),
        )
        .register(notes)
        .register(attachments)
        .register(changeRoutes)
        .register(presenceRoutes),
    )

/** The type that clients know the server by. */
export interface App extends ReturnType<typeof buildApp> {}
