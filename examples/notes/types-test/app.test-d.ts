// What the compiler knows of the application, and what it refuses.
import espalier from 'espalier'
import { client, type InputOf, type ResponseOf } from 'espalier/client'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import { createApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { notes } from '../src/notes/routes.ts'
import { members, type User } from '../src/users/session.ts'

const api = client<App>('http://localhost')

// --- What a client gets, by status.
const list = await api('GET /notes', { query: { q: 'tea', limit: 5 } })
if (list.statusCode === 200) {
  const page = list.json()
  expectType<string | undefined>(page.next)
  expectType<{ id: number; title: string; tags: string[]; version: number; updatedAt: string }[]>(
    page.notes,
  )
}
expectType<200 | 400 | 401 | 500>(list.statusCode)
if (!list.ok) expectType<string>(list.json().message)
if (list.statusCode === 401) expectType<'Unauthorized'>(list.json().code)

const changed = await api('PATCH /notes/:id', {
  params: { id: 1 },
  headers: { 'if-match': '"1"' },
  body: { title: 'Tea' },
})
expectType<200 | 400 | 401 | 404 | 412 | 500>(changed.statusCode)
if (changed.statusCode === 412) expectType<number>(changed.json().version)

const file = await api('GET /notes/:id/attachments/:attachment', {
  params: { id: 1, attachment: '' },
})
if (file.ok) {
  expectType<Promise<Uint8Array<ArrayBuffer>>>(file.bytes())
  expectError(file.json()) // it has bytes alone
}

const changes = await api('GET /changes')
if (changes.ok) {
  for await (const change of changes.events()) {
    if (change.change === 'open') expectError(change.note)
    else expectType<number>(change.note)
  }
}

// --- What a client may send.
expectAssignable<InputOf<App, 'POST /notes'>>({ body: { title: 'Tea' } })
expectNotAssignable<InputOf<App, 'POST /notes'>>({ body: {} })
expectNotAssignable<InputOf<App, 'POST /notes'>>({ body: { title: 'Tea', tags: 'home' } })
expectError(api('GET /note'))
expectError(api('PATCH /notes/:id', { params: { id: 1 }, body: { title: 'no version' } }))
expectError(api('GET /notes', { query: { after: { at: new Date(), id: 1 } } })) // a cursor is text for clients
expectNotAssignable<ResponseOf<App, 'GET /me'>['statusCode']>(404)

// --- What the application has, and where.
const app = createApp(readConfig({}))
expectType<string | undefined>(app.config.DATABASE_URL)
expectError(app.get('/x', (request) => request.user)) // the root has no session
app.register(async (inside) =>
  inside.register(members).get('/x', (request) => {
    expectType<User>(request.user)
    return request.user.name
  }),
)

// --- What fails where a part is missing.
expectError(espalier().register(notes)) // no database, no files, no user
expectError(espalier().decorate('db', app.db).register(members)) // no cookies
