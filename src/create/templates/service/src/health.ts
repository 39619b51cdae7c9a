import { httpError, plugin, t } from 'espalier'
import type { Database } from './database/database.ts'

const Status = t.Object({ status: t.Literal('ok') })
const NotReady = httpError('NotReady', 503)
const unlimited = { config: { rateLimit: false }, logLevel: 'warn' } as const

export const health = plugin<{ server: { db: Database } }>()(
  async (app) =>
    app
      .get('/live', { ...unlimited, schema: { response: { 200: Status } } }, () => ({
        status: 'ok',
      }))
      .get(
        '/ready',
        { ...unlimited, schema: { response: { 200: Status, 503: NotReady } } },
        async () => {
          try {
            await app.db.run('select 1')
            return { status: 'ok' }
          } catch (error) {
            throw new NotReady('the database does not answer', { cause: error })
          }
        },
      ),
  { name: 'health' },
)
