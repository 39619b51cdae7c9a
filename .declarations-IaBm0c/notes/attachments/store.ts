// Rows of attachments. Their bytes are files: see files.ts.
import { and, eq } from 'drizzle-orm'
import { tell } from '../changes/changes.ts'
import type { Db } from '../database/database.ts'
import { attachments, notes } from '../database/tables.ts'

const { id, name, type, size } = attachments
const attachment = { id, name, type, size }

export const listAttachments = (db: Db, note: number) =>
  db.select(attachment).from(attachments).where(eq(attachments.note, note)).orderBy(name, id)

export async function findAttachment(db: Db, owner: number, note: number, attachmentId: string) {
  const [found] = await db
    .select(attachment)
    .from(attachments)
    .innerJoin(notes, eq(notes.id, attachments.note))
    .where(and(eq(notes.owner, owner), eq(notes.id, note), eq(id, attachmentId)))
  return found
}

/** @returns undefined if the owner has no such note */
export const addAttachment = (
  db: Db,
  owner: number,
  note: number,
  given: typeof attachments.$inferInsert,
) =>
  db.transaction(async (step) => {
    const [found] = await step
      .select({ id: notes.id })
      .from(notes)
      .where(and(eq(notes.owner, owner), eq(notes.id, note)))
      .for('share')
    if (!found) return undefined
    const [added] = await step.insert(attachments).values(given).returning(attachment)
    await tell(step, owner, { change: 'updated', note })
    return added
  })

export const removeAttachment = (db: Db, owner: number, note: number, attachmentId: string) =>
  db.transaction(async (step) => {
    await step.delete(attachments).where(eq(id, attachmentId))
    await tell(step, owner, { change: 'updated', note })
  })
