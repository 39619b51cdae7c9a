// All queries about notes. Each takes the owner: no function of this file finds a note of somebody else.
import { and, arrayContains, desc, eq, ilike, lt, or, sql } from 'drizzle-orm'
import { httpError, t, type Output } from 'espalier'
import { tell } from '../changes/changes.ts'
import type { Db } from '../database/database.ts'
import { attachments, notes, tags } from '../database/tables.ts'
import type { Cursor, NewNote, NoteChange } from './schemas.ts'

/** Also for a note of somebody else. Functions of any depth throw it; routes declare it. */
export const NoteNotFound = httpError('NoteNotFound', 404, { note: t.Integer() })
export const noteNotFound = (note: number) => new NoteNotFound({ note }, 'There is no such note')

export const NoteChanged = httpError('NoteChanged', 412, { version: t.Integer() })

export interface Filter {
  readonly owner: number
  readonly q?: string
  readonly tag?: string
  readonly after?: Output<typeof Cursor>
  readonly limit: number
}

const { id, title, text, tags: noteTags, version, updatedAt } = notes
const summary = { id, title, tags: noteTags, version, updatedAt }
const note = { ...summary, text }

/** The note of an owner. */
const mine = (owner: number, noteId: number) => and(eq(notes.owner, owner), eq(notes.id, noteId))

/** Looks for a text anywhere. `%` and `_` stand for themselves. */
const contains = (q: string) => {
  const pattern = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return or(ilike(title, pattern), ilike(text, pattern))
}

/** What follows a place in the list, which begins with what was changed last. */
const behind = ({ at, id: place }: Output<typeof Cursor>) =>
  or(lt(updatedAt, at), and(eq(updatedAt, at), lt(id, place)))

export const listNotes = (db: Db, { owner, q, tag, after, limit }: Filter) =>
  db
    .select(summary)
    .from(notes)
    .where(
      and(
        eq(notes.owner, owner),
        q === undefined ? undefined : contains(q),
        tag === undefined ? undefined : arrayContains(noteTags, [tag]),
        after && behind(after),
      ),
    )
    .orderBy(desc(updatedAt), desc(id))
    .limit(limit)

/** @throws NoteNotFound */
export async function findNote(db: Db, owner: number, noteId: number) {
  const [found] = await db.select(note).from(notes).where(mine(owner, noteId))
  if (!found) throw noteNotFound(noteId)
  return found
}

export const createNote = (db: Db, owner: number, given: Output<typeof NewNote>) =>
  db.transaction(async (step) => {
    const [created] = await step
      .insert(notes)
      .values({ owner, ...given })
      .returning(note)
    if (!created) throw new Error('the database gave no row')
    await tell(step, owner, { change: 'created', note: created.id })
    return created
  })

/** Changes a note if it has that version. @throws NoteNotFound, NoteChanged */
export const updateNote = (
  db: Db,
  owner: number,
  noteId: number,
  seen: number,
  given: Output<typeof NoteChange>,
) =>
  db.transaction(async (step) => {
    const [updated] = await step
      .update(notes)
      .set({ ...given, version: sql`${version} + 1`, updatedAt: sql`now()` })
      .where(and(mine(owner, noteId), eq(version, seen)))
      .returning(note)
    if (!updated) {
      const { version } = await findNote(step, owner, noteId)
      throw new NoteChanged(
        { version },
        `The note was changed meanwhile: it has version ${version}`,
      )
    }
    await tell(step, owner, { change: 'updated', note: noteId })
    return updated
  })

/** @returns the attachments that the note had @throws NoteNotFound */
export const deleteNote = (db: Db, owner: number, noteId: number) =>
  db.transaction(async (step) => {
    // No attachment can come between: to add one, the row of the note would have to be there.
    const [found] = await step.select({ id }).from(notes).where(mine(owner, noteId)).for('update')
    if (!found) throw noteNotFound(noteId)
    const files = await step
      .select({ id: attachments.id })
      .from(attachments)
      .where(eq(attachments.note, noteId))
    await step.delete(notes).where(eq(id, noteId))
    await tell(step, owner, { change: 'deleted', note: noteId })
    return files
  })

export const listTags = (db: Db, owner: number) =>
  db
    .select({ name: tags.name, notes: tags.notes })
    .from(tags)
    .where(eq(tags.owner, owner))
    .orderBy(desc(tags.notes), tags.name)
