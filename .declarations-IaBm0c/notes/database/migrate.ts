// Brings the tables up to date: runs each file of the folder `migrations` once, in the order of the names.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Runs statements, and gives the rows of the last. */
export type Run = (statements: string) => Promise<readonly { readonly name?: unknown }[]>

const folder = join(import.meta.dirname, '../../migrations')

/** Other processes that start at the same time wait at the lock, and then find nothing to do. */
const begin = `
  begin;
  select pg_advisory_xact_lock(20260101);
  create table if not exists migrations (name text primary key, at timestamptz not null default now());
`

/** @param run of one connection */
export async function migrate(run: Run): Promise<void> {
  await run(begin)
  try {
    const rows = await run('select name from migrations')
    const done = new Set(rows.map(({ name }) => name))
    const files = (await readdir(folder)).filter((name) => /^[\w-]+\.sql$/.test(name)).sort()
    for (const name of files.filter((name) => !done.has(name))) {
      await run(await readFile(join(folder, name), 'utf8'))
      await run(`insert into migrations (name) values ('${name}')`)
    }
    await run('commit')
  } catch (error) {
    await run('rollback')
    throw error
  }
}
