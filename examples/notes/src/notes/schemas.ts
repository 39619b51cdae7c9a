// What a note is: for clients, for the handlers and for the document.
import { t } from 'espalier'

export const Tag = t.String({ pattern: '^[a-z0-9-]{1,30}$' })

/** Any text but the character NUL, which PostgreSQL does not store. */
export const anyText = String.raw`^[^\u0000]*$`
const pattern = anyText

const Title = t.String({ minLength: 1, maxLength: 200, pattern })
const Text = { maxLength: 100_000, pattern }
const Tags = { maxItems: 20, uniqueItems: true }

export const Search = t.String({ minLength: 1, maxLength: 100, pattern })

export const NewNote = t.Object({
  title: Title,
  text: t.String({ ...Text, default: '' }),
  tags: t.Array(Tag, { ...Tags, default: [] }),
})

/** Of a change all fields may be missing, but not all at once. No field has a default: it would overwrite. */
export const NoteChange = t.Object(
  {
    title: t.Optional(Title),
    text: t.Optional(t.String(Text)),
    tags: t.Optional(t.Array(Tag, Tags)),
  },
  { minProperties: 1 },
)

export const Attachment = t.Object({
  id: t.String({ format: 'uuid' }),
  name: t.String(),
  type: t.String(),
  size: t.Integer(),
})

export const Summary = t.Object({
  id: t.Integer(),
  title: t.String(),
  tags: t.Array(t.String()),
  version: t.Integer(),
  updatedAt: t.String({ format: 'date-time' }),
})

export const Note = t.Object({ ...Summary.properties, text: t.String() })

export const FullNote = t.Object({ ...Note.properties, attachments: t.Array(Attachment) })

export interface Place {
  readonly at: Date
  readonly id: number
}

/** Where a page of the list ends: text for clients, a time and an id for the handler. */
export const Cursor = t
  .Transform(t.String({ pattern: '^\\d{1,15}-\\d{1,9}$' }))
  .Decode((text): Place => {
    const [at = 0, id = 0] = text.split('-').map(Number)
    return { at: new Date(at), id }
  })
  .Encode(({ at, id }: Place) => `${at.getTime()}-${id}`)

export const Page = t.Object({ notes: t.Array(Summary), next: t.Optional(Cursor) })

/** The version that a client has seen, as an entity tag: `"3"`. */
export const IfMatch = t
  .Transform(t.String({ pattern: '^"\\d{1,9}"$' }))
  .Decode((tag) => Number(tag.slice(1, -1)))
  .Encode((version: number) => `"${version}"`)

/** Ids are integers of 32 bits in the database. */
export const Id = t.Integer({ minimum: 1, maximum: 2_147_483_647 })
