// The types of forms with files: what a handler reads, and what a call sends.
import espalier, { t, type Input, type Output } from 'espalier'
import { client } from 'espalier/client'
import { multipart } from 'espalier/multipart'
import { expectError, expectType } from 'tsd'
import { z } from 'zod'

const schema = {
  title: t.String(),
  count: t.Integer({ default: 1 }),
  photo: t.File({ maxSize: 5_000_000, types: ['image/*'] }),
  more: t.Optional(t.Array(t.File())),
}
const body = { content: { 'multipart/form-data': { schema } } }

const app = espalier()
  .register(multipart({ limits: { fileSize: 10, files: 1, parts: 2 }, memory: 1, folder: '/tmp' }))
  .post('/photos', { schema: { body } }, (request) => {
    expectType<string>(request.body.title)
    expectType<number>(request.body.count)
    expectType<File>(request.body.photo)
    expectType<File[] | undefined>(request.body.more)
    expectError(request.body.pictures)
    return request.body.photo.size
  })

expectType<{ a: File }>({} as Output<{ a: ReturnType<typeof t.File> }>)
expectType<{ a: File }>({} as Input<{ a: ReturnType<typeof t.File> }>)

const photo = new File(['x'], 'x.png')
const headers = { 'content-type': 'multipart/form-data' } as const
const api = client<typeof app>('')
api('POST /photos', { headers, body: { title: 'x', photo } })
api('POST /photos', { headers, body: { title: 'x', count: 2, photo, more: [photo] } })
api('POST /photos', { headers, body: new FormData() })
app.inject('POST /photos', { headers, body: { title: 'x', photo } })
expectError(api('POST /photos', { headers, body: { title: 'x' } }))
expectError(api('POST /photos', { headers, body: { title: 'x', photo: 'text' } }))
expectError(api('POST /photos', { headers, body: { title: 'x', photo, more: photo } }))
expectError(api('POST /photos', { body: { title: 'x', photo } }))

// A file stands in alternatives, and in fields of any name.
const loose = { one: t.Union([t.File(), t.Null()]), either: t.Union([t.File(), t.Array(t.File())]) }
const open = t.Record(t.String(), t.File())
const alternatives = espalier()
  .post(
    '/loose',
    { schema: { body: { content: { 'multipart/form-data': { schema: loose } } } } },
    ({ body }) => {
      expectType<File | null>(body.one)
      expectType<File | File[]>(body.either)
      expectError(body.either.name)
      return 1
    },
  )
  .post(
    '/open',
    { schema: { body: { content: { 'multipart/form-data': { schema: open } } } } },
    ({ body }) => {
      expectType<Record<string, File>>(body)
      return 1
    },
  )
const free = client<typeof alternatives>('')
free('POST /loose', { headers, body: { one: null, either: [photo] } })
free('POST /open', { headers, body: { any: photo } })
expectError(free('POST /loose', { headers, body: { one: 'text', either: photo } }))
expectError(free('POST /open', { headers, body: { any: 'text' } }))

// Objects and lists of them are parts of JSON, with the types of JSON.
const inner = t.Object({ key: t.String(), n: t.Integer(), at: t.Optional(t.Null()) })
const nested = { inner, all: t.Optional(t.Array(inner)), photo: t.File() }
const zodForm = z.object({
  inner: z.object({ n: z.number() }),
  all: z.array(z.object({ n: z.number() })),
  file: z.file(),
})
const withObjects = espalier()
  .post(
    '/nested',
    { schema: { body: { content: { 'multipart/form-data': { schema: nested } } } } },
    ({ body }) => {
      expectType<number>(body.inner.n)
      return 1
    },
  )
  .post(
    '/zod',
    { schema: { body: { content: { 'multipart/form-data': { schema: zodForm } } } } },
    ({ body }) => {
      expectType<{ n: number }[]>(body.all)
      return 1
    },
  )
const objects = client<typeof withObjects>('')
const one = { key: 'v', n: 1 }
objects('POST /nested', { headers, body: { inner: { ...one, at: null }, all: [one], photo } })
withObjects.inject('POST /nested', { headers, body: { inner: one, photo } })
objects('POST /zod', { headers, body: { inner: { n: 1 }, all: [{ n: 1 }], file: photo } })
expectError(objects('POST /nested', { headers, body: { inner: { key: 'v' }, photo } }))
expectError(objects('POST /nested', { headers, body: { inner: { ...one, n: {} }, photo } }))
expectError(objects('POST /nested', { headers, body: { inner: one, all: one, photo } }))
expectError(objects('POST /zod', { headers, body: { inner: { n: '1' }, all: [], file: photo } }))
expectError(withObjects.inject('POST /nested', { headers, body: { inner: 'text', photo } }))

expectError(t.File({ maxSize: '1' }))
expectError(multipart({ limits: { fileSize: '1' } }))
expectError(multipart({ fileSize: 1 }))
