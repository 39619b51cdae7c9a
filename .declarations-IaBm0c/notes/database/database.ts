// The database of a process: PostgreSQL over the network, or PGlite, which is PostgreSQL inside of the process.
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzleLite } from 'drizzle-orm/pglite'
import { drizzle } from 'drizzle-orm/node-postgres'
import { plugin } from 'espalier'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client, Pool } from 'pg'
import type { Config } from '../config.ts'
import { migrate } from './migrate.ts'

/** Typed queries: the same for both databases. */
export type Db = PgDatabase<PgQueryResultHKT>

export interface Database {
  readonly db: Db
  /** Hears what any process tells by `pg_notify('changes', …)`.
   *  @param resumed called when the connection was lost and is back: what was told meanwhile was not heard */
  listen(heard: (payload: string) => void, resumed: () => void): Promise<void>
  close(): Promise<void>
}

const channel = 'changes'

async function openPglite(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true })
  const pglite = await PGlite.create(folder)
  await migrate(async (statements) => (await pglite.exec(statements)).at(-1)?.rows ?? [])
  return {
    db: drizzleLite(pglite),
    listen: async (heard) => void (await pglite.listen(channel, heard)),
    close: () => pglite.close(),
  }
}

async function openPostgres(
  connectionString: string,
  failed: (error: unknown) => void,
): Promise<Database> {
  const pool = new Pool({ connectionString, max: 10, connectionTimeoutMillis: 5000 })
  pool.on('error', failed) // of connections that are idle
  const connect = async () => {
    const client = new Client({ connectionString, keepAlive: true })
    client.on('error', failed)
    await client.connect()
    return client
  }
  const first = await connect()
  await migrate(async (statements) => (await first.query(statements)).rows)
  await first.end()

  const closing = new AbortController()
  let listener: Client | undefined
  const listen: Database['listen'] = async (heard, resumed) => {
    const client = await connect()
    listener = client
    client.on('notification', ({ payload = '' }) => heard(payload))
    client.on('end', () => void listenAgain(heard, resumed))
    await client.query(`listen ${channel}`)
  }
  const listenAgain: Database['listen'] = async (heard, resumed) => {
    while (!closing.signal.aborted) {
      try {
        await setTimeout(1000, undefined, { signal: closing.signal, ref: false })
        await listen(heard, resumed)
        return resumed()
      } catch (error) {
        if (!closing.signal.aborted) failed(error)
      }
    }
  }
  return {
    db: drizzle(pool),
    listen,
    async close() {
      closing.abort()
      await Promise.all([listener?.end(), pool.end()])
    },
  }
}

/** Opens the database when the server starts, and closes it when the server has closed. */
export const database = plugin<{ server: { config: Config } }>().shared(
  async (app) => {
    const { DATABASE_URL: url, DATA } = app.config
    const failed = (error: unknown) => app.log.error(error, 'the database failed')
    const opened = url ? await openPostgres(url, failed) : await openPglite(join(DATA, 'database'))
    return app
      .decorate('database', opened)
      .decorate('db', opened.db)
      .addHook('onClose', () => opened.close())
  },
  { name: 'database' },
)
