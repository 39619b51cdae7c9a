import { event, httpError, plugin, t } from 'espalier'
import type { Bindings } from './bindings.ts'

const NoNote = httpError('NoNote', 404, { id: t.String() })

const Note = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    title: t.String({ minLength: 1, maxLength: 80 }),
    text: t.String(),
  },
  { $id: 'note' },
)

/** The plugin of notes. It needs the bindings, which the application decorates. */
export const notes = plugin<{ server: { bindings: Bindings } }>()(async (app) => {
  const { NOTES } = app.bindings
  const read = async (id: string) => {
    const stored = await NOTES.get(`note:${id}`)
    if (stored === null) throw new NoNote({ id })
    return JSON.parse(stored) as typeof Note.static
  }
  const ids = async () => {
    const { keys } = await NOTES.list({ prefix: 'note:' })
    return keys.map(({ name }) => name.slice('note:'.length))
  }

  app
    .addSchema(Note)
    .addResponses(NoNote)
    .get(
      '/:id',
      {
        schema: { params: { id: t.String({ format: 'uuid' }) }, response: { 200: t.Ref('note#') } },
      },
      ({ params }) => read(params.id),
    )
    .post(
      '/',
      { schema: { body: t.Omit(Note, ['id']), response: { 201: t.Ref('note#') } } },
      async ({ body }, reply) => {
        // Within a request a worker may make random numbers.
        const note = { id: crypto.randomUUID(), ...body }
        await NOTES.put(`note:${note.id}`, JSON.stringify(note))
        return reply.code(201).send(note)
      },
    )
    // The text of all notes, one after the other: what the client has not read yet is not fetched from the namespace.
    .get('/all.txt', async function* (_request, reply) {
      reply.type('text/plain; charset=utf-8')
      for (const id of await ids()) {
        const { title, text } = await read(id)
        yield `${title}\n${text}\n\n`
      }
    })
    // Events: each note is validated and serialized by its schema.
    .get(
      '/events',
      {
        schema: {
          response: { 200: { content: { 'text/event-stream': { itemSchema: t.Ref('note#') } } } },
        },
      },
      async function* () {
        for (const id of await ids()) yield event(await read(id), { id })
      },
    )
})
