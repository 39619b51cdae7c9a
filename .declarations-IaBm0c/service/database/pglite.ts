import { PGlite, type Transaction } from '@electric-sql/pglite'
import type { Connection, Driver } from './database.ts'

/** PostgreSQL inside of this process. It keeps its files in a folder, or `memory://`. */
export async function openPGlite(folder: string): Promise<Driver> {
  const db = await PGlite.create(folder)
  return {
    ...connectionOf(db),
    transaction: (work) => db.transaction((transaction) => work(connectionOf(transaction))),
    close: () => db.close(),
  }
}

function connectionOf(db: PGlite | Transaction): Connection {
  return {
    async query(text, values) {
      const { rows } = await db.query(text, values)
      return rows
    },
    async run(text, values) {
      await (values.length > 0 ? db.query(text, values) : db.exec(text))
    },
  }
}
