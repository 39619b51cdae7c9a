// Rows of attachments. Their bytes are files: see files.ts.
import { and, eq } from 'drizzle-orm'
import { httpError, t } from 'espalier'
import { tell } from '../changes/changes.ts'
import type { Db } from '../database/database.ts'
import { attachments, notes } from '../database/tables.ts'
import { noteNotFound } from '../notes/store.ts'

export const AttachmentNotFound = httpError('AttachmentNotFound', 404, {
  attachment: t.String({ format: 'uuid' }),
})

const { id, name, type, size } = attachments
const attachment = { id, name, type, size }

export const listAttachments = (db: Db, note: number) =>
  db.select(attachment).from(attachments).where(eq(attachments.note, note)).orderBy(name, id)

/** @throws AttachmentNotFound */
export async function findAttachment(db: Db, owner: number, note: number, attachmentId: string) {
  const [found] = await db
    .select(attachment)
    .from(attachments)
    .innerJoin(notes, eq(notes.id, attachments.note))
    .where(and(eq(notes.owner, owner), eq(notes.id, note), eq(id, attachmentId)))
  if (!found)
    throw new AttachmentNotFound({ attachment: attachmentId }, 'There is no such attachment')
  return found
}

/** @throws NoteNotFound */
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
    if (!found) throw noteNotFound(note)
    const [added] = await step.insert(attachments).values(given).returning(attachment)
    if (!added) throw new Error('the database gave no row')
    await tell(step, owner, { change: 'updated', note })
    return added
  })

export const removeAttachment = (db: Db, owner: number, note: number, attachmentId: string) =>
  db.transaction(async (step) => {
    await step.delete(attachments).where(eq(id, attachmentId))
    await tell(step, owner, { change: 'updated', note })
  })
