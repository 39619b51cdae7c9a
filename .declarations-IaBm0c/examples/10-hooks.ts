// Hooks in their order: from the root along the path of contexts, in the order of the addHook calls, the
// route's own last. Asynchronous work belongs behind validation, in preHandler.
import { createGunzip } from 'node:zlib'
import espalier, { t } from 'espalier'
import { startWhenRun } from './start.ts'

/** What the hooks of the last requests have written, the newest last. */
export const log: string[] = []

const users = new Map([['token-of-ada', { name: 'Ada' }]])
const findUser = async (token: string): Promise<{ name: string } | undefined> => users.get(token)

export const app = espalier()
  .decorateRequest('user', null as { name: string } | null)
  .addHook('onRequest', async (request) => {
    log.push(`onRequest ${request.method} ${request.url}`)
  })
  // The body as a stream, before it is parsed: here it is unpacked.
  .addHook('preParsing', async (request, _reply, payload) => {
    log.push('preParsing')
    return request.headers['content-encoding'] === 'gzip' ? payload.pipe(createGunzip()) : payload
  })
  .addHook('onError', async (_request, _reply, error) => {
    log.push(`onError ${String(error.message)}`)
  })
  .addHook('onSend', async (_request, reply, payload) => {
    log.push('onSend')
    reply.header('x-powered-by', 'espalier')
    return payload
  })
  .addHook('onResponse', (_request, reply, done) => {
    log.push(`onResponse ${reply.statusCode}`)
    done()
  })
  .register(async (members) =>
    members
      .addHook('preValidation', async () => {
        log.push('preValidation')
      })
      // It may look things up, since the request is known to be valid. A reply ends the request here.
      .addHook('preHandler', async (request, reply) => {
        log.push('preHandler of the scope')
        const user = await findUser(request.headers.authorization?.replace('Bearer ', '') ?? '')
        if (user === undefined) return reply.code(401).header('www-authenticate', 'Bearer').send()
        request.user = user
        return undefined
      })
      .post(
        '/notes',
        {
          schema: { body: { text: t.String() } },
          preHandler: async () => {
            log.push('preHandler of the route')
          },
          preSerialization: async (request, _reply, payload) => {
            log.push('preSerialization')
            return { by: request.user?.name, note: payload }
          },
        },
        ({ body }) => {
          log.push('handler')
          return body
        },
      ),
  )
  .get('/log', { onRequest: (_request, reply) => reply.send(log.splice(0)) }, () => [])

const json = `-H 'content-type: application/json'`
const ada = `-H 'authorization: Bearer token-of-ada'`
await startWhenRun(import.meta.url, app, (url) => [
  `curl ${url}/notes ${json} ${ada} -d '{"text":"tea at five"}'`,
  `echo '{"text":"packed"}' | gzip | curl ${url}/notes ${json} ${ada} -H 'content-encoding: gzip' --data-binary @-`,
  `curl -i ${url}/notes ${json} -d '{"text":"who am I?"}'     # 401`,
  `curl ${url}/notes ${json} ${ada} -d '{}'                   # 400, before preHandler`,
  `curl ${url}/log                                            # what ran, in its order`,
])
