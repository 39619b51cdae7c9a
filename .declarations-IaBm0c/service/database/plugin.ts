import { plugin } from 'espalier'
import { Database } from './database.ts'
import { migrate } from './migrate.ts'

interface Options {
  /** `postgres://…`, a folder for PGlite, or `memory://`. */
  url: string
}

/** Adds `db` to the server. The tables are there when the server is ready. */
export const database = plugin().shared(
  async (app, { url }: Options) => {
    const db = new Database(
      await open(url, (error) => {
        app.log.error(error)
      }),
    )
    app.addHook('onClose', () => db.close())
    await migrate(db)
    return app.decorate('db', db)
  },
  { name: 'database' },
)

/** Loads the driver that is needed, and not the other. */
async function open(url: string, onError: (error: Error) => void) {
  if (/^postgres(ql)?:/.test(url)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(url, onError)
  }
  const { openPGlite } = await import('./pglite.ts')
  return openPGlite(url)
}
