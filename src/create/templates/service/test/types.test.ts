import { test } from 'node:test'
import { expectRoute, mistakes } from 'espalier/testing'
import { app } from './app.ts'

// `npm run typecheck` checks what is said here: what clients get, and what they cannot send.
const add = expectRoute(app, 'POST /tasks')
add.replies(201).toEqualTypeOf<{ id: number; title: string; done: boolean }>()
add.rejects('body', {})

const list = expectRoute(app, 'GET /tasks')
list.replies(200).toExtend<{ items: { title: string }[]; next?: number }>()
list.replies(401).toExtend<{ code: 'Unauthorized' }>()
list.rejects('query', { limit: 'five' })

test('what must not compile', () =>
  mistakes({
    'src/wrong.ts': `
      import { client } from 'espalier/client'
      import type { App } from './app.ts'

      const api = client<App>('http://localhost:3000')
      void api('GET /nothing') // error: is not assignable to parameter of type
    `,
  }))
