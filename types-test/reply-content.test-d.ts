// Responses with `content`: what may be sent depends on the media type.
import espalier, { t, type Sent } from 'espalier'
import { client } from 'espalier/client'
import { expectAssignable, expectError, expectType } from 'tsd'
import * as z from 'zod'

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

// What a client parses of a text type is the text, whatever it was made of; a handler may return what it might.
const Rows = t.Array(t.Object({ id: t.Integer() }))
const Level = t.Union([t.Literal('low'), t.Literal('high')])
const texts = app
  .get(
    '/csv',
    { schema: { response: { 200: { content: { 'text/csv': { schema: Rows } } } } } },
    () => [{ id: 1 }],
  )
  .get(
    '/plain',
    {
      schema: {
        response: { 200: { content: { 'Text/Plain; charset=utf-8': { schema: t.Integer() } } } },
      },
    },
    () => 5,
  )
  .get(
    '/zod',
    {
      schema: {
        response: { 200: { content: { 'text/plain': { schema: z.object({ a: z.date() }) } } } },
      },
    },
    () => ({ a: new Date() }),
  )
  .get(
    '/level',
    { schema: { response: { 200: { content: { 'text/plain': { schema: Level } } } } } },
    () => 'low' as const,
  )
  .get(
    '/several',
    {
      schema: {
        response: {
          200: { content: { 'application/json': { schema: Rows }, 'text/csv': { schema: Rows } } },
          404: t.Object({ message: t.String() }),
        },
      },
    },
    () => [{ id: 1 }],
  )
expectType<string>((await texts.inject('GET /csv')).json())
expectError((await texts.inject('GET /csv')).json()[0]?.id)
expectType<string>((await texts.inject('GET /plain')).json())
expectType<string>((await texts.inject('GET /zod')).json())
expectType<'low' | 'high'>((await texts.inject('GET /level')).json())
const several = await texts.inject('GET /several')
if (several.statusCode === 200) expectType<{ id: number }[] | string>(several.json())
else expectType<{ message: string }>(several.json())
const textApi = client<typeof texts>('http://localhost')
expectType<string>((await textApi('GET /csv')).json())
expectError<number>((await textApi('GET /plain')).json())
expectError(
  app.get(
    '/csv',
    { schema: { response: { 200: { content: { 'text/csv': { schema: Rows } } } } } },
    () => 'id',
  ),
)

// Of a type that is neither, a client reads JSON where it is, as a schema writes it, and else the text.
const Row = t.Object({ id: t.Integer() })
const either = app
  .get(
    '/xml',
    { schema: { response: { 200: { content: { 'application/xml': { schema: Row } } } } } },
    (_request, reply) => reply.serializer(() => '<id>1</id>').send({ id: 1 }),
  )
  .get(
    '/any',
    { schema: { response: { 200: { content: { '*/*': { schema: t.Array(Row) } } } } } },
    () => [{ id: 1 }],
  )
  .get(
    '/problem',
    {
      schema: {
        response: { 200: { content: { 'Application/Problem+JSON; a=b': { schema: Row } } } },
      },
    },
    () => ({ id: 1 }),
  )
  .get(
    '/json',
    {
      schema: {
        response: { 200: { content: { 'application/json ;charset=x': { schema: Row } } } },
      },
    },
    () => ({ id: 1 }),
  )
  .get(
    '/svg',
    { schema: { response: { 200: { content: { 'image/svg+xml': { schema: Level } } } } } },
    () => 'low' as const,
  )
expectType<{ id: number } | string>((await either.inject('GET /xml')).json())
expectError((await either.inject('GET /xml')).json().id)
expectType<{ id: number }[] | string>((await either.inject('GET /any')).json())
expectType<{ id: number }>((await either.inject('GET /problem')).json())
expectType<{ id: number }>((await either.inject('GET /json')).json())
expectType<string>(await (await either.inject('GET /svg')).text())
expectError((await either.inject('GET /svg')).json())
const eitherApi = client<typeof either>('http://localhost')
expectType<{ id: number } | string>((await eitherApi('GET /xml')).json())
expectError<{ id: number }>((await eitherApi('GET /xml')).json())
expectType<{ id: number }>((await eitherApi('GET /problem')).json())
expectError(
  app.get(
    '/xml',
    { schema: { response: { 200: { content: { 'application/xml': { schema: Row } } } } } },
    () => '<id/>',
  ),
)
