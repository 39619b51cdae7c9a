import { bodyOf, each, failureOf, pluginImports, pluginOf, successOf } from '../application.ts'
import { type Framework, zodBody, zodQuery, zodUser } from '../application.ts'

const route = (index: number): string => `
  r${index}: base
    .route({ method: 'POST', path: '/r${index}/{id}', inputStructure: 'detailed' })
    .input(z.object({
      params: z.object({ id: z.coerce.number() }), query: ${zodQuery(index)}, body: ${zodBody(index)},
    }))
    .output(z.object({ user: User, total${index}: z.number() }))
    .errors({ NOT_FOUND: { data: z.object({ message${index}: z.string() }) } })
    .handler(async ({ input, context: { answer }, errors }) => {
      const { params: { id }, query, body } = input
      if (id > ${index}) throw errors.NOT_FOUND({ data: ${failureOf(index)} })
      return ${successOf(index)}
    }),`

const call = (index: number): string => `
export async function call${index}() {
  const { error, data, isDefined } = await safe(api.p${pluginOf(index)}.r${index}({
    params: { id: 1 }, query: { q: 'a' }, body: ${bodyOf(index)},
  }))
  if (isDefined) return error.data.message${index}
  return data?.user.name
}
`

/** Its routes have paths, as over plain HTTP, for the parameter. The failure is a declared error, which is thrown. */
export const orpc: Framework = {
  name: 'oRPC',
  packages: ['@orpc/server', '@orpc/client', 'zod'],
  empty: `import { os } from '@orpc/server'\n\nexport const base = os\n`,
  shared: `import { os } from '@orpc/server'
import { z } from 'zod'

export const User = ${zodUser}
export const base = os.$context<{ answer: number }>()
`,
  plugin: (index, routes) => `import { z } from 'zod'
import { base, User } from './shared.js'

export const plugin${index} = {${each(routes, route)}
}
`,
  main: (plugins) => `${pluginImports(plugins)}
export const app = {${each(plugins, (index) => ` p${index}: plugin${index},`)} }
export type App = typeof app
`,
  client: (routes) => `import { createORPCClient, safe } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { RouterClient } from '@orpc/server'
import type { App } from './main.js'

export const api: RouterClient<App> = createORPCClient(new RPCLink({ url: 'http://localhost' }))
${each(routes, call)}`,
}
