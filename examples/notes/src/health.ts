// For those who run the service: is the process alive, and can it work?
import { sql } from 'drizzle-orm'
import { httpError, plugin, t } from 'espalier'
import type { Redis } from 'ioredis'
import type { Db } from './database/database.ts'

const Ok = t.Object({ status: t.Literal('ok') })
const ok = { status: 'ok' } as const
const NotReady = httpError('NotReady', 503)

export const health = plugin<{ server: { db: Db; redis: Redis | undefined } }>()(async (app) =>
  app
    .get(
      '/health/live',
      { schema: { summary: 'Is it alive?', tags: ['operation'], response: { 200: Ok } } },
      () => ok,
    )
    .get(
      '/health/ready',
      {
        schema: {
          summary: 'Can it work?',
          tags: ['operation'],
          response: { 200: Ok, 503: NotReady },
        },
      },
      async ({ server: { db, redis } }) => {
        try {
          await Promise.all([db.execute(sql`select 1`), redis?.ping()])
          return ok
        } catch (error) {
          throw new NotReady('The database or Redis does not answer', { cause: error })
        }
      },
    ),
)
