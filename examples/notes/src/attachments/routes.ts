// Files of a note: upload by a form, download as a stream.
import { randomUUID } from 'node:crypto'
import { plugin, t } from 'espalier'
import { multipart } from 'espalier/multipart'
import { Attachment, Id } from '../notes/schemas.ts'
import { NoteNotFound } from '../notes/store.ts'
import { Problem } from '../problem.ts'
import type { Member } from '../users/session.ts'
import type { Files } from './files.ts'
import { addAttachment, AttachmentNotFound, findAttachment, removeAttachment } from './store.ts'

const maxSize = 10_000_000

const params = { id: Id, attachment: t.String({ format: 'uuid' }) }

/** A name in a header (RFC 8187): any character, and no line break. */
const disposition = (name: string) =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`

type Needs = Member & { server: { files: Files } }

export const attachments = plugin<Needs>()(async (app) =>
  app
    .register(multipart({ limits: { fileSize: maxSize, files: 1, parts: 2 } }))
    .post(
      '/notes/:id/attachments',
      {
        schema: {
          summary: 'Attach a file',
          tags: ['attachments'],
          params: { id: Id },
          body: { content: { 'multipart/form-data': { schema: { file: t.File({ maxSize }) } } } },
          response: { 201: Attachment, 404: NoteNotFound, 413: Problem },
        },
      },
      async ({ params, body: { file }, user, server: { db, files } }, reply) => {
        const id = randomUUID()
        await files.write(id, file)
        try {
          const name = file.name.replaceAll('\0', '') // PostgreSQL stores no NUL
          const row = { id, note: params.id, name, size: file.size, type: file.type }
          return reply.code(201).send(await addAttachment(db, user.id, params.id, row))
        } catch (error) {
          await files.remove(id)
          throw error
        }
      },
    )
    .get(
      '/notes/:id/attachments/:attachment',
      {
        schema: {
          summary: 'Download a file',
          tags: ['attachments'],
          params,
          response: {
            200: { content: { 'application/octet-stream': {} } },
            404: AttachmentNotFound,
          },
        },
      },
      async ({ params, user, server: { db, files } }, reply) => {
        const found = await findAttachment(db, user.id, params.id, params.attachment)
        // Not as the type that the client once named: a browser would run a page or a script of it.
        reply
          .header('content-disposition', disposition(found.name))
          .header('content-length', found.size)
        return files.read(found.id)
      },
    )
    .delete(
      '/notes/:id/attachments/:attachment',
      {
        schema: {
          summary: 'Remove a file',
          tags: ['attachments'],
          params,
          response: { 204: t.Null(), 404: AttachmentNotFound },
        },
      },
      async ({ params, user, server: { db, files } }, reply) => {
        const found = await findAttachment(db, user.id, params.id, params.attachment)
        await removeAttachment(db, user.id, params.id, found.id)
        await files.remove(found.id)
        return reply.code(204).send()
      },
    ),
)
