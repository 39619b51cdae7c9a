// Under `noImplicitReturns`, as in Fastify, an async function may send in one branch, and return nothing in another. (The
// type tests have this option.)
import espalier, { t, type ErrorHandlerFor, type HookFor } from 'espalier'
import { expectError } from 'tsd'

const app = espalier()
app.addHook('onRequest', async (request, reply) => {
  if (request.ip === '') return reply.code(403).send({ message: 'no' })
})
app.addHook('preParsing', async (request, reply) => {
  if (request.ip === '') return reply.redirect('/')
})
app.addHook('preValidation', async (request, reply) => {
  if (request.ip === '') return reply.callNotFound()
})
app.addHook('preHandler', async (request, reply) => {
  if (request.ip === '') return reply.hijack()
})
app.setErrorHandler(async (_error, request, reply) => {
  if (request.ip === '') return reply.send(1)
})
app.setNotFoundHandler(async (request, reply) => {
  if (request.ip === '') return reply.send(1)
})
app.derive('onRequest', async (request, reply) => {
  if (request.ip === '') return reply.send(1)
})
export const hook: HookFor<'preHandler'> = async (request, reply) => {
  if (request.ip === '') return reply.send(1)
}
export const handler: ErrorHandlerFor = async (_error, request, reply) => {
  if (request.ip === '') return reply.send(1)
}
const schema = { response: { 200: t.String(), 403: t.Null() } }
app.get(
  '/',
  {
    schema,
    onRequest: async (request, reply) => {
      if (request.ip === '') return reply.code(403).send()
    },
    preHandler: [
      async (request, reply) => {
        if (request.ip === '') return reply.code(403).send(null)
      },
    ],
  },
  () => '',
)

// A handler with declared responses has to answer in every branch, with the option and without it.
expectError(
  app.get('/', { schema }, async (request, reply) => {
    if (request.ip === '') return reply.send('')
  }),
)
