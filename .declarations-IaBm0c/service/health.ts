import { plugin, t } from 'espalier'
import type { Database } from './database/database.ts'
import { Problem } from './problem.ts'

const Status = t.Object({ status: t.Literal('ok') })
const unlimited = { config: { rateLimit: false }, logLevel: 'warn' } as const

export const health = plugin<{ server: { db: Database } }>()(async (app) =>
  app
    .get('/live', { ...unlimited, schema: { response: { 200: Status } } }, () => ({ status: 'ok' }))
    .get(
      '/ready',
      { ...unlimited, schema: { response: { 200: Status, 503: Problem } } },
      async (request, reply) => {
        try {
          await app.db.run('select 1')
          return { status: 'ok' }
        } catch (error) {
          request.log.warn(error)
          return reply.code(503).send({ message: 'the database does not answer' })
        }
      },
    ),
)
