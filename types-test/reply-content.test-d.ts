// Responses with `content`: what may be sent depends on the media type.
import espalier, { t, type Sent } from 'espalier'
import { expectAssignable, expectError } from 'tsd'

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

// A type that is not declared is refused, as it is at run time. Types compare without case and parameters.
const content = {
  'application/json; charset=utf-8': { schema: t.Object({ id: t.Integer() }) },
  'Text/Plain': { schema: t.String() },
} as const
const anyType = { ...content, '*/*': { schema: t.Boolean() } } as const
app.get(
  '/types',
  { schema: { response: { 200: { content }, 201: { content: anyType } } } },
  (_request, reply) => {
    expectAssignable<Sent>(reply.type('application/json').send({ id: 1 }))
    expectAssignable<Sent>(reply.type('Application/JSON').send({ id: 1 }))
    expectAssignable<Sent>(reply.type('text/plain ; a=b').send(''))
    expectAssignable<Sent>(reply.type('' as string).send(''))
    expectAssignable<Sent>(reply.type('' as `text/${string}`).send(''))
    expectAssignable<Sent>(reply.code(201).type('text/csv').send(true))
    expectAssignable<Sent>(reply.code(201).type('text/plain').send(''))
    expectError(reply.type('text/plain').send({ id: 1 }))
    expectError(reply.type('application/vnd.api+json').send({ id: 1 }))
    expectError(reply.type('text/csv').send(''))
    expectError(reply.code(201).type('text/csv').send(''))
    return reply
  },
)
