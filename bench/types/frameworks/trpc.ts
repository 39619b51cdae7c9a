import { bodyOf, each, failureOf, pluginImports, pluginOf, successOf } from '../application.ts'
import { type Framework, zodBody, zodQuery, zodUser } from '../application.ts'

const route = (index: number): string => `
  r${index}: trpc.procedure
    .input(z.object({ id: z.int(), query: ${zodQuery(index)}, body: ${zodBody(index)} }))
    .output(z.union([
      z.object({ user: User, total${index}: z.number() }),
      z.object({ message${index}: z.string() }),
    ]))
    .mutation(async ({ input: { id, query, body }, ctx: { answer } }) => {
      if (id > ${index}) return ${failureOf(index)}
      return ${successOf(index)}
    }),`

const call = (index: number): string => `
export async function call${index}() {
  const response = await api.p${pluginOf(index)}.r${index}.mutate({
    id: 1, query: { q: 'a' }, body: ${bodyOf(index)},
  })
  return 'user' in response ? response.user.name : response.message${index}
}
`

/** It has no statuses: the two responses are a union. */
export const trpc: Framework = {
  name: 'tRPC',
  packages: ['@trpc/server', '@trpc/client', 'zod'],
  empty: `import { initTRPC } from '@trpc/server'\n\nexport const trpc = initTRPC.create()\n`,
  shared: `import { initTRPC } from '@trpc/server'
import { z } from 'zod'

export const User = ${zodUser}
export const trpc = initTRPC.context<{ answer: number }>().create()
`,
  plugin: (index, routes) => `import { z } from 'zod'
import { trpc, User } from './shared.js'

export const plugin${index} = trpc.router({${each(routes, route)}
})
`,
  main: (plugins) => `import { trpc } from './shared.js'
${pluginImports(plugins)}
export const app = trpc.router({${each(plugins, (index) => ` p${index}: plugin${index},`)} })
export type App = typeof app
`,
  client: (routes) => `import { createTRPCClient, httpBatchLink } from '@trpc/client'
import type { App } from './main.js'

export const api = createTRPCClient<App>({ links: [httpBatchLink({ url: 'http://localhost' })] })
${each(routes, call)}`,
}
