// Notes: list, create, read, update, delete. And the tags that they have.
import { plugin, t } from 'espalier'
import type { Files } from '../attachments/files.ts'
import { listAttachments } from '../attachments/store.ts'
import type { Member } from '../users/session.ts'
import {
  Cursor,
  FullNote,
  Id,
  IfMatch,
  NewNote,
  Note,
  NoteChange,
  Page,
  Search,
  Tag,
} from './schemas.ts'
import {
  createNote,
  deleteNote,
  findNote,
  listNotes,
  listTags,
  NoteChanged,
  NoteNotFound,
  updateNote,
} from './store.ts'

const params = { id: Id }

type Needs = Member & { server: { files: Files } }

export const notes = plugin<Needs>()(async (app) =>
  app
    .get(
      '/notes',
      {
        tool: { name: 'list_notes' },
        schema: {
          summary: 'List and search',
          tags: ['notes'],
          querystring: {
            q: t.Optional(Search),
            tag: t.Optional(Tag),
            after: t.Optional(Cursor),
            limit: t.Integer({ minimum: 1, maximum: 100, default: 20 }),
          },
          response: { 200: Page },
        },
      },
      async ({ query, user, server: { db } }) => {
        // One more than the page has: if it is there, there is a next page.
        const found = await listNotes(db, { ...query, owner: user.id, limit: query.limit + 1 })
        const notes = found.slice(0, query.limit)
        const last = notes.at(-1)
        return found.length > notes.length && last
          ? { notes, next: { at: last.updatedAt, id: last.id } }
          : { notes }
      },
    )
    .post(
      '/notes',
      {
        tool: { name: 'write_note' },
        schema: {
          summary: 'Write a note',
          tags: ['notes'],
          body: NewNote,
          response: { 201: Note },
        },
      },
      async ({ body, user, server: { db } }, reply) => {
        const note = await createNote(db, user.id, body)
        return reply.code(201).header('etag', `"${note.version}"`).send(note)
      },
    )
    .get(
      '/notes/:id',
      {
        tool: { name: 'read_note' },
        schema: {
          summary: 'Read a note',
          tags: ['notes'],
          params,
          response: { 200: FullNote, 404: NoteNotFound },
        },
      },
      async ({ params: { id }, user, server: { db } }, reply) => {
        const note = await findNote(db, user.id, id)
        reply.header('etag', `"${note.version}"`)
        return { ...note, attachments: await listAttachments(db, id) }
      },
    )
    .patch(
      '/notes/:id',
      {
        schema: {
          summary: 'Change a note, if nobody else has changed it meanwhile',
          tags: ['notes'],
          params,
          headers: { 'if-match': IfMatch },
          body: NoteChange,
          response: { 200: Note, 404: NoteNotFound, 412: NoteChanged },
        },
      },
      async ({ params: { id }, headers, body, user, server: { db } }, reply) => {
        const updated = await updateNote(db, user.id, id, headers['if-match'], body)
        reply.header('etag', `"${updated.version}"`)
        return updated
      },
    )
    .delete(
      '/notes/:id',
      {
        schema: {
          summary: 'Delete a note and its files',
          tags: ['notes'],
          params,
          response: { 204: t.Null(), 404: NoteNotFound },
        },
      },
      async ({ params: { id }, user, server: { db, files } }, reply) => {
        const attached = await deleteNote(db, user.id, id)
        await Promise.all(attached.map((file) => files.remove(file.id)))
        return reply.code(204).send()
      },
    )
    .get(
      '/tags',
      {
        tool: { name: 'list_tags' },
        schema: {
          summary: 'All tags, and how many notes have them',
          tags: ['notes'],
          response: { 200: t.Array(t.Object({ name: t.String(), notes: t.Integer() })) },
        },
      },
      ({ user, server: { db } }) => listTags(db, user.id),
    ),
)
