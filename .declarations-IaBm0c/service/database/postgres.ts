import pg from 'pg'
import type { Connection, Driver } from './database.ts'

/** A PostgreSQL server. An idle connection that breaks is replaced when it is needed. */
export function openPostgres(url: string, onError: (error: Error) => void): Driver {
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 5000 })
  pool.on('error', onError)
  return {
    ...connectionOf(pool),
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work(connectionOf(client))
        await client.query('commit')
        client.release()
        return result
      } catch (error) {
        // The connection is closed, which rolls the transaction back.
        client.release(true)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

function connectionOf(db: pg.Pool | pg.PoolClient): Connection {
  return {
    async query(text, values) {
      const { rows } = await db.query<object>(text, values)
      return rows
    },
    async run(text, values) {
      await (values.length > 0 ? db.query(text, values) : db.query(text))
    },
  }
}
