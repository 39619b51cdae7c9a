import { bodyOf, each, failureOf, pluginImports, pluginOf, successOf } from '../application.ts'
import { type Framework, zodBody, zodQuery, zodUser } from '../application.ts'

const route = (index: number): string => `
  .post(
    '/r${index}/:id',
    zValidator('param', z.object({ id: z.coerce.number() })),
    zValidator('query', ${zodQuery(index)}),
    zValidator('json', ${zodBody(index)}),
    async (c) => {
      const { id } = c.req.valid('param')
      const query = c.req.valid('query')
      const body = c.req.valid('json')
      const answer = c.get('answer')
      if (id > ${index}) return c.json(failure${index}.parse(${failureOf(index)}), 404)
      return c.json(success${index}.parse(${successOf(index)}), 200)
    },
  )`

const responses = (index: number): string => `
const success${index} = z.object({ user: User, total${index}: z.number() })
const failure${index} = z.object({ message${index}: z.string() })
`

const call = (index: number): string => `
export async function call${index}() {
  const response = await api.p${pluginOf(index)}.r${index}[':id'].$post({
    param: { id: '1' }, query: { q: 'a' }, json: ${bodyOf(index)},
  })
  if (response.status === 404) return (await response.json()).message${index}
  if (response.status !== 200) return undefined
  return (await response.json()).user.name
}
`

/** It has no response schemas: the handler parses what it answers. */
export const hono: Framework = {
  name: 'Hono, zod',
  packages: ['hono', '@hono/zod-validator', 'zod'],
  empty: `import { Hono } from 'hono'\n\nexport const app = new Hono()\n`,
  shared: `import { z } from 'zod'

export const User = ${zodUser}
export interface Needs { Variables: { answer: number } }
`,
  plugin: (index, routes) => `import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { z } from 'zod'
import { type Needs, User } from './shared.js'
${each(routes, responses)}
export const plugin${index} = new Hono<Needs>()${each(routes, route)}
`,
  main: (plugins) => `import { Hono } from 'hono'
import type { Needs } from './shared.js'
${pluginImports(plugins)}
export const app = new Hono<Needs>()
${each(plugins, (index) => `  .route('/p${index}', plugin${index})\n`)}
export type App = typeof app
`,
  client: (routes) => `import { hc } from 'hono/client'
import type { App } from './main.js'

export const api = hc<App>('http://localhost')
${each(routes, call)}`,
}
