import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bodyFields, bodyOf, each, failureOf, pluginImports, pluginOf } from '../application.ts'
import { type Framework, queryFields, successOf, userFields } from '../application.ts'

const schema = (index: number): string => `{
      params: { id: t.Integer() },
      querystring: ${queryFields('t', index)},
      body: t.Object(${bodyFields('t', index)}),
      response: {
        200: t.Object({ user: t.Ref('user#'), total${index}: t.Integer() }),
        404: t.Object({ message${index}: t.String() }),
      },
    }`

const statements = (index: number): string => `{
    const { params: { id }, query, body, answer } = request
    if (id > ${index}) return reply.code(404).send(${failureOf(index)})
    return ${successOf(index)}
  }`

const route = (index: number): string => `
  .post('/r${index}/:id', { schema: ${schema(index)} }, async (request, reply) => ${statements(index)})`

const definition = (index: number): string => `
export const route${index} = defineRoute<Needs>()({
  method: 'POST',
  url: '/r${index}/:id',
  schema: ${schema(index)},
  async handler(request, reply) ${statements(index)},
})
`

const manifest = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
const { exports } = JSON.parse(manifest) as { readonly exports: object }

/** What `call` is in the file of client calls: a client by the contract alone or, where the package has none,
 *  `app.inject`. */
const caller =
  './client' in exports
    ? `import { client } from 'espalier/client'
import type { App } from './main.js'

const call = client<App>('http://localhost')
`
    : `import { app } from './main.js'

const call = app.inject
`

const call = (index: number): string => `
export async function call${index}() {
  const response = await call('POST /p${pluginOf(index)}/r${index}/:id', {
    params: { id: 1 }, query: { q: 'a' }, body: ${bodyOf(index)},
  })
  return response.statusCode === 404 ? response.json().message${index} : response.json().user.name
}
`

export const espalier: Framework = {
  name: 'Espalier',
  packages: [],
  empty: `import espalier from 'espalier'\n\nexport const app = espalier()\n`,
  shared: `import { t } from 'espalier'

export const User = t.Object(${userFields('t')}, { $id: 'user' })
export interface Needs { request: { answer: number }; schemas: { user: typeof User } }
`,
  plugin: (index, routes) => `import { plugin, t } from 'espalier'
import type { Needs } from './shared.js'

export const plugin${index} = plugin<Needs>()(async (app) => app${each(routes, route)})
`,
  main: (plugins) => `import espalier from 'espalier'
import { User } from './shared.js'
${pluginImports(plugins)}
export const app = espalier().addSchema(User).decorateRequest('answer', 42)
${each(plugins, (index) => `  .register(plugin${index}, { prefix: '/p${index}' })\n`)}

type Built = typeof app
export interface App extends Built {}
`,
  client: (routes) => `${caller}${each(routes, call)}`,
}

/** The same with each route as a value of its own, which the plugin declares in a list. */
export const espalierValues: Framework = {
  ...espalier,
  name: 'Espalier, routes as values',
  plugin: (index, routes) => `import { defineRoute, plugin, t } from 'espalier'
import type { Needs } from './shared.js'
${each(routes, definition)}
export const plugin${index} = plugin<Needs>()(async (app) => app.addRoutes([${each(routes, (route) => `\n  route${route},`)}
]))
`,
}

/** The same in a scope that declares a response, which all plugins need. */
export const espalierResponses: Framework = {
  ...espalier,
  name: 'Espalier, with a response of the scope',
  shared: `import { t } from 'espalier'

export const User = t.Object(${userFields('t')}, { $id: 'user' })
export const Problem = t.Object({ title: t.String() })
export interface Needs {
  request: { answer: number }
  schemas: { user: typeof User }
  responses: { 401: typeof Problem }
}
`,
  main: (plugins) =>
    espalier
      .main(plugins)
      .replace('{ User }', '{ Problem, User }')
      .replace('addSchema(User)', 'addSchema(User).addResponses({ 401: Problem })'),
}

const contractEntry = (index: number): string =>
  `  'POST /p${pluginOf(index)}/r${index}/:id': typeof route${index}\n`

const contractImport = (index: number): string =>
  `import type { route${index} } from './plugin-${pluginOf(index)}.js'\n`

/** The same, whose clients know it by a contract. */
export const espalierContract: Framework = {
  ...espalierValues,
  name: 'Espalier, by a contract',
  main: (plugins) => `import type { App } from './contract.js'
${espalier.main(plugins).split('\ntype Built')[0] ?? ''}
app satisfies App
`,
  contract: (routes) => `import type { Contract } from 'espalier'
${each(routes, contractImport)}
interface Routes {
${each(routes, contractEntry)}}
export interface App extends Contract<Routes> {}
`,
  client: (routes) => espalier.client?.(routes).replace('./main.js', './contract.js') ?? '',
}
