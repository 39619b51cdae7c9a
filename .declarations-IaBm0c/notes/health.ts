// For those who run the service: is the process alive, and can it work?
import { sql } from 'drizzle-orm'
import { plugin, t } from 'espalier'
import type { Redis } from 'ioredis'
import type { Db } from './database/database.ts'
import { Problem } from './problem.ts'

const Ok = t.Object({ status: t.Literal('ok') })
const ok = { status: 'ok' } as const

export const health = plugin<{ server: { db: Db; redis: Redis | undefined } }>()(async (app) =>
  app
    .get(
      '/health',
      { schema: { summary: 'Is it alive?', tags: ['operation'], response: { 200: Ok } } },
      () => ok,
    )
    .get(
      '/ready',
      {
        schema: {
          summary: 'Can it work?',
          tags: ['operation'],
          response: { 200: Ok, 503: Problem },
        },
      },
      async ({ server: { db, redis }, log }, reply) => {
        try {
          await Promise.all([db.execute(sql`select 1`), redis?.ping()])
          return ok
        } catch (error) {
          log.error(error, 'not ready')
          return reply.code(503).send({ message: 'The database or Redis does not answer' })
        }
      },
    ),
)
