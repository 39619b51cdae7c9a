// Tells the pages of a user what has changed. The database carries it to all processes.
import { EventEmitter, on } from 'node:events'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import { plugin, t, type Output } from 'espalier'
import type { Database, Db } from '../database/database.ts'

export const Change = t.Union([
  /** The stream is open, or is open again: what came before it may have been missed. */
  t.Object({ change: t.Literal('open') }),
  t.Object({
    change: t.Union([t.Literal('created'), t.Literal('updated'), t.Literal('deleted')]),
    note: t.Integer(),
  }),
])
export type Change = Output<typeof Change>

const open = { change: 'open' } as const

/** Tells all processes. In a transaction they hear it when that has been committed. */
export const tell = (db: Db, owner: number, change: Change) =>
  db.execute(sql`select pg_notify('changes', ${`${owner} ${JSON.stringify(change)}`})`)

/** Tells all processes that other people are here, or do something else. */
export const tellPresence = (db: Db) => db.execute(sql`select pg_notify('changes', 'presence')`)

export class Changes {
  /** One event for each user: the user's id. And `presence`. */
  readonly #emitter = new EventEmitter().setMaxListeners(0)

  hear(payload: string): void {
    const [owner = '', change] = payload.split(/ (.*)/s)
    this.#emitter.emit(owner, change)
  }

  /** Calls a function when other people are here, or do something else. */
  onPresence(listener: () => void): void {
    this.#emitter.on('presence', listener)
  }

  /** Tells all streams that something may have been missed. */
  reopen(): void {
    const owners = this.#emitter.eventNames().filter((name) => name !== 'error') // `on` hears that too
    for (const owner of owners) this.#emitter.emit(owner, JSON.stringify(open))
  }

  /** What happens to a user's notes. @param signal ends it */
  async *of(owner: number, signal: AbortSignal): AsyncGenerator<Change> {
    const heard = on(this.#emitter, String(owner), { signal })
    yield open
    for await (const [change] of heard) yield Value.Decode(Change, JSON.parse(change))
  }
}

/** Adds `changes` to the server. */
export const changes = plugin<{ server: { database: Database } }>().shared(
  async (app) => {
    const changes = new Changes()
    await app.database.listen(
      (payload) => changes.hear(payload),
      () => changes.reopen(),
    )
    return app.decorate('changes', changes)
  },
  { name: 'changes' },
)
