// Responses with `content`: what may be sent depends on the media type.
import espalier, { t } from 'espalier'
import { expectError } from 'tsd'

const app = espalier()

// The schema of a media type belongs under `schema`; an entry of annotations alone takes anything.
const Media = t.Object({ id: t.Integer() })
const annotated = { 'application/json': { description: '', example: 1 }, 'text/plain': {} } as const
app.get('/media-type', { schema: { response: { 200: { content: annotated } } } }, () => ({ a: 1 }))
expectError(
  app.get(
    '/media-type',
    { schema: { response: { 200: { content: { 'application/json': Media } } } } },
    () => ({ id: 1 }),
  ),
)
expectError(
  app.get(
    '/media-type',
    { schema: { response: { 200: { content: { 'application/json': { shema: Media } } } } } },
    () => ({ id: 1 }),
  ),
)

// A short form may have a property named `content`.
app.get('/named', { schema: { response: { 200: { content: t.String() } } } }, () => ({
  content: '',
}))
expectError(
  app.get('/named', { schema: { response: { 200: { content: t.String() } } } }, () => ({
    content: 1,
  })),
)
