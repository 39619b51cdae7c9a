import { readdir, readFile } from 'node:fs/promises'
import { t } from 'espalier'
import type { Database } from './database.ts'

const folder = new URL('../../migrations/', import.meta.url)

/** Runs the files of `migrations/` that have not run yet, in the order of their names. */
export async function migrate(db: Database): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  await db.transaction(async (session) => {
    // Of several processes that start at once, one migrates and the others wait.
    await session.run('select pg_advisory_xact_lock(20)')
    await session.run('create table if not exists migrations (name text primary key)')
    const done = await session.query(t.Object({ name: t.String() }), 'select name from migrations')
    for (const file of files) {
      if (done.some(({ name }) => name === file)) continue
      await session.run(await readFile(new URL(file, folder), 'utf8'))
      await session.run('insert into migrations (name) values ($1)', [file])
    }
  })
}
