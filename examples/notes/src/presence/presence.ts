// Who looks at the page /people, in all processes. The database has the list, and tells all when it changes.
import { randomUUID } from 'node:crypto'
import { eq, inArray, lt, sql } from 'drizzle-orm'
import { plugin, t, type Output } from 'espalier'
import type { TypedSocket } from 'espalier/websocket'
import { tellPresence, type Changes } from '../changes/changes.ts'
import type { Db } from '../database/database.ts'
import { presence as table, users } from '../database/tables.ts'
import { anyText } from '../notes/schemas.ts'

/** What somebody says: empty for nothing. */
const doing = t.String({ maxLength: 100, pattern: anyText })

export const Said = t.Object({ doing })

/** All who are here, once for each of their windows. */
export const Here = t.Object({ people: t.Array(t.Object({ name: t.String(), doing })) })

type Socket = TypedSocket<unknown, Output<typeof Here>>

/** Each window says every 20 seconds that it is still there. */
const period = 20_000
const limit = sql`now() - interval '1 minute'`

export class Presence {
  readonly #db: Db
  /** The windows of this process. */
  readonly #sockets = new Map<string, Socket>()
  /** What is written or read is so one after the other: a list never overtakes a newer one. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  /** @returns the id of a window */
  async enter(socket: Socket, userId: number): Promise<string> {
    const id = randomUUID()
    this.#sockets.set(id, socket)
    await this.#write((db) => db.insert(table).values({ id, userId, doing: '' }))
    return id
  }

  say(id: string, { doing }: Output<typeof Said>): Promise<unknown> {
    return this.#write((db) => db.update(table).set({ doing }).where(eq(table.id, id)))
  }

  async leave(id: string): Promise<void> {
    if (this.#sockets.delete(id))
      await this.#write((db) => db.delete(table).where(eq(table.id, id)))
  }

  /** Sends the list to all windows of this process. */
  send(): Promise<void> {
    return this.#queue(async () => {
      if (this.#sockets.size === 0) return
      const people = await this.#db
        .select({ name: users.name, doing: table.doing })
        .from(table)
        .innerJoin(users, eq(users.id, table.userId))
        .orderBy(users.name, table.id)
      for (const socket of this.#sockets.values()) {
        // Who does not read must not fill the memory.
        if (socket.raw.bufferedAmount > 1_000_000) socket.raw.terminate()
        else void socket.send({ people })
      }
    })
  }

  /** Says that the windows of this process are there, and forgets those of processes that have crashed. */
  renew(): Promise<void> {
    return this.#queue(async () => {
      const own = [...this.#sockets.keys()]
      await this.#db
        .update(table)
        .set({ seenAt: sql`now()` })
        .where(inArray(table.id, own))
      const old = await this.#db.delete(table).where(lt(table.seenAt, limit)).returning()
      if (old.length > 0) await tellPresence(this.#db)
    })
  }

  /** All windows of this process leave. */
  async close(): Promise<void> {
    await Promise.all([...this.#sockets.keys()].map((id) => this.leave(id)))
    await this.#last
  }

  #write(change: (db: Db) => Promise<unknown>): Promise<unknown> {
    return this.#queue(() =>
      this.#db.transaction(async (step) => {
        await change(step)
        await tellPresence(step)
      }),
    )
  }

  #queue<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}

/** Adds `presence` to the server. */
export const presence = plugin<{ server: { db: Db; changes: Changes } }>().shared(
  async (app) => {
    const presence = new Presence(app.db)
    const failed = (error: unknown) => app.log.error(error, 'presence failed')
    app.changes.onPresence(() => void presence.send().catch(failed))
    const timer = setInterval(() => void presence.renew().catch(failed), period).unref()
    return app.decorate('presence', presence).addHook('onClose', () => {
      clearInterval(timer)
      return presence.close()
    })
  },
  { name: 'presence' },
)
