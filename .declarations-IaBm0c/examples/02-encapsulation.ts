// The context tree. The root decorates requests with `answer`; one child asks for a bearer token;
// another has the decorator `foo`, and a child of its own with `bar`. Each context sees what is its
// own and its ancestors', and reads undefined for all else: the compiler knows which is which.
import bearerAuth from '@fastify/bearer-auth'
import espalier from 'espalier'
import { startWhenRun } from './start.ts'

export const app = espalier()
  .decorateRequest('answer', 42)
  .register(async function authenticated(child) {
    // An ecosystem plugin, as it is published. It is marked as shared, so its hook runs for the
    // routes of this context, and of no other. A refusal names the scheme (RFC 6750, 3).
    child.addHook('onRequest', async (_request, reply) => {
      reply.header('www-authenticate', 'Bearer')
    })
    child.register(bearerAuth, { keys: ['a-secret-key'] })
    child.addHook('preHandler', async (_request, reply) => {
      reply.removeHeader('www-authenticate')
    })
    return child.get('/one', (request) => ({ answer: request.answer }))
  })
  .register(async function open(child) {
    return child
      .decorateRequest('foo', 'foo')
      .get('/two', (request) => {
        // @ts-expect-error `bar` belongs to the child of this context
        const { answer, foo, bar } = request
        return { answer, foo, bar: bar as unknown }
      })
      .register(async function nested(grandchild) {
        return grandchild
          .decorateRequest('bar', 'bar')
          .get('/three', ({ answer, foo, bar }) => ({ answer, foo, bar }))
      })
  })

await startWhenRun(import.meta.url, app, (url) => [
  `curl -i ${url}/one                                          # 401: no token`,
  `curl ${url}/one -H 'authorization: Bearer a-secret-key'     # {"answer":42}`,
  `curl ${url}/two                                             # {"answer":42,"foo":"foo"}`,
  `curl ${url}/three                                           # …and "bar":"bar"`,
])
