import { bodyFields, each, failureOf, type Framework, pluginImports } from '../application.ts'
import { queryFields, successOf, userFields } from '../application.ts'

const route = (index: number): string => `
const params${index} = Type.Object({ id: Type.Integer() })
const query${index} = Type.Object(${queryFields('Type', index)})
const body${index} = Type.Object(${bodyFields('Type', index)})
const success${index} = Type.Object({ user: User, total${index}: Type.Integer() })
const failure${index} = Type.Object({ message${index}: Type.String() })

async function handle${index}(request: {
  params: Static<typeof params${index}>
  query: Static<typeof query${index}>
  body: Static<typeof body${index}>
  answer: number
}): Promise<Static<typeof success${index}> | Static<typeof failure${index}>> {
  const { params: { id }, query, body, answer } = request
  if (id > ${index}) return ${failureOf(index)}
  return ${successOf(index)}
}
`

/** No framework at all: schemas, and functions that are typed by them. */
export const bare: Framework = {
  name: '`Static<>` alone',
  packages: ['@sinclair/typebox'],
  empty: `import { Type } from '@sinclair/typebox'\n\nexport const schema = Type.Object({})\n`,
  shared: `import { Type } from '@sinclair/typebox'

export const User = Type.Object(${userFields('Type')}, { $id: 'user' })
`,
  plugin: (index, routes) => `import { type Static, Type } from '@sinclair/typebox'
import { User } from './shared.js'
${each(routes, route)}
export const plugin${index} = { ${routes.map((route) => `handle${route}`).join(', ')} }
`,
  main: (plugins) => `${pluginImports(plugins)}
export const app = { ${plugins.map((index) => `plugin${index}`).join(', ')} }
`,
}
