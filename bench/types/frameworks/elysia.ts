import { bodyFields, bodyOf, each, failureOf, pluginImports, pluginOf } from '../application.ts'
import { type Framework, queryFields, successOf, userFields } from '../application.ts'

const route = (index: number): string => `
  .post('/r${index}/:id', async ({ params: { id }, query, body, answer, status }) => {
    if (id > ${index}) return status(404, ${failureOf(index)})
    return ${successOf(index)}
  }, {
    params: t.Object({ id: t.Integer() }),
    query: t.Object(${queryFields('t', index)}),
    body: t.Object(${bodyFields('t', index)}),
    response: {
      200: t.Object({ user: t.Ref('user'), total${index}: t.Integer() }),
      404: t.Object({ message${index}: t.String() }),
    },
  })`

const call = (index: number): string => `
export async function call${index}() {
  const { data, error } = await api.p${pluginOf(index)}.r${index}({ id: 1 }).post(${bodyOf(index)}, {
    query: { page${index}: 1, q: 'a' },
  })
  if (error) return error.status === 404 ? error.value.message${index} : undefined
  return data.user.name
}
`

export const elysia: Framework = {
  name: 'Elysia',
  packages: ['elysia', '@elysiajs/eden', '@sinclair/typebox'],
  empty: `import { Elysia } from 'elysia'\n\nexport const app = new Elysia()\n`,
  shared: `import { Elysia, t } from 'elysia'

export const User = t.Object(${userFields('t')})
export const setup = new Elysia({ name: 'setup' }).decorate('answer', 42).model({ user: User })
`,
  plugin: (index, routes) => `import { Elysia, t } from 'elysia'
import { setup } from './shared.js'

export const plugin${index} = new Elysia({ prefix: '/p${index}' }).use(setup)${each(routes, route)}
`,
  main: (plugins) => `import { Elysia } from 'elysia'
import { setup } from './shared.js'
${pluginImports(plugins)}
export const app = new Elysia().use(setup)${each(plugins, (index) => `.use(plugin${index})`)}
export type App = typeof app
`,
  client: (routes) => `import { treaty } from '@elysiajs/eden'
import type { App } from './main.js'

const api = treaty<App>('localhost')
${each(routes, call)}`,
}
