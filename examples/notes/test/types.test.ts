// What the compiler knows of the application, and what it refuses. `npm run types` checks the claims.
import { test } from 'node:test'
import { expectRoute, mistakes } from 'espalier/testing'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'

const app = buildApp(readConfig({}))

// --- What a client gets, by status.
const list = expectRoute(app, 'GET /notes')
list.replies(200).toEqualTypeOf<{
  notes: { id: number; title: string; tags: string[]; version: number; updatedAt: string }[]
  next?: string
}>()
list.replies(400).toEqualTypeOf<{ message: string }>()
list.replies(401).toExtend<{ code: 'Unauthorized'; message: string }>()

const change = expectRoute(app, 'PATCH /notes/:id')
change.replies(404).toExtend<{ note: number }>()
change.replies(412).toExtend<{ version: number }>()

// --- What it may send, and what a handler reads of it.
list.rejects('query', { after: { at: new Date(), id: 1 } }) // a cursor is text for clients
list.reads('query').toExtend<{ after?: { at: Date; id: number }; limit: number }>()
change.reads('headers').toExtend<{ 'if-match': number }>()

const create = expectRoute(app, 'POST /notes')
create.takes('body').toExtend<{ title: string; text?: string | undefined } | undefined>()
create.rejects('body', {})
create.rejects('body', { title: 'Tea', tags: 'home' })

test('what must not compile', () =>
  mistakes({
    'src/wrong-calls.ts': `
      import { client } from 'espalier/client'
      import type { App } from './app.ts'

      const api = client<App>('http://localhost')
      void api('GET /note') // error: is not assignable to parameter of type
      void api('PATCH /notes/:id', { params: { id: 1 }, body: { title: 'no version' } }) // error: 'headers' is missing
      const file = await api('GET /notes/:id/attachments/:attachment', { params: { id: 1, attachment: '' } })
      if (file.ok) void file.json() // error: Property 'json' does not exist
      const changes = await api('GET /changes')
      if (changes.ok) {
        for await (const change of changes.events()) {
          if (change.change === 'open') void change.note // error: Property 'note' does not exist
        }
      }
    `,
    'src/wrong-places.ts': `
      import espalier from 'espalier'
      import { buildApp } from './app.ts'
      import { readConfig } from './config.ts'
      import { notes } from './notes/routes.ts'
      import { members } from './users/session.ts'

      const app = buildApp(readConfig({}))
      app.get('/x', (request) => request.user) // error: Property 'user' does not exist
      void app.register(async (inside) => inside.register(members).get('/y', ({ user }) => user.name))
      void espalier().register(notes) // error: needs
      void espalier().decorate('db', app.db).register(members) // error: needs
    `,
  }))
