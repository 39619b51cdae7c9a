import { bodyFields, each, failureOf, type Framework, pluginImports } from '../application.ts'
import { queryFields, successOf, userFields } from '../application.ts'

const route = (index: number): string => `
  app.post('/r${index}/:id', {
    schema: {
      params: Type.Object({ id: Type.Integer() }),
      querystring: Type.Object(${queryFields('Type', index)}),
      body: Type.Object(${bodyFields('Type', index)}),
      response: {
        200: Type.Object({ user: User, total${index}: Type.Integer() }),
        404: Type.Object({ message${index}: Type.String() }),
      },
    },
  }, async (request, reply) => {
    const { params: { id }, query, body, answer } = request
    if (id > ${index}) return reply.code(404).send(${failureOf(index)})
    return ${successOf(index)}
  })
`

/** Its types know neither references to shared schemas nor the routes: the schema is put in by value. */
export const fastify: Framework = {
  name: 'Fastify, TypeBox provider',
  packages: ['fastify', '@fastify/type-provider-typebox', 'typebox'],
  empty: `import fastify from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'

export const app = fastify().withTypeProvider<TypeBoxTypeProvider>()
`,
  shared: `import { Type } from 'typebox'

export const User = Type.Object(${userFields('Type')}, { $id: 'user' })

declare module 'fastify' {
  interface FastifyRequest { answer: number }
}
`,
  plugin: (
    index,
    routes,
  ) => `import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { User } from './shared.js'

export const plugin${index}: FastifyPluginAsyncTypebox = async (app) => {${each(routes, route)}}
`,
  main: (plugins) => `import fastify from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { User } from './shared.js'
${pluginImports(plugins)}
export const app = fastify().withTypeProvider<TypeBoxTypeProvider>()
app.addSchema(User)
app.decorateRequest('answer', 42)
${each(plugins, (index) => `app.register(plugin${index}, { prefix: '/p${index}' })\n`)}`,
}
