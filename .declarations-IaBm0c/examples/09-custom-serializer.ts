// Serializers of one's own: for the schemas of a scope, for all replies of a scope, for one reply.
import { gzipSync } from 'node:zlib'
import espalier, { t } from 'espalier'
import { startWhenRun } from './start.ts'

const Point = t.Object({ x: t.Number(), y: t.Number() })

export const app = espalier()
  // For every route of this scope with a response schema: called at boot, once for each entry.
  .register(async (exact) =>
    exact
      .setSerializerCompiler(({ schema, httpStatus }) => {
        const { properties = {} } = schema as { properties?: object }
        const names = Object.keys(properties)
        return (payload) => `${httpStatus}: ${JSON.stringify(payload, names)}`
      })
      .get('/point', { schema: { response: { '2xx': Point } } }, (_request, reply) =>
        reply.code(201).type('text/plain').send({ x: 1, y: 2 }),
      ),
  )
  // For every reply of this scope, whatever its routes' schemas say.
  .register(async (wrapped) =>
    wrapped
      .setReplySerializer((payload, status) => JSON.stringify({ status, data: payload }))
      .get('/wrapped', () => ({ x: 1 }))
      .get('/missing', (_request, reply) => reply.code(404).send({ x: 0 })),
  )
  // For one reply. It may make bytes.
  .get('/packed', (_request, reply) =>
    reply
      .header('content-encoding', 'gzip')
      .serializer((payload) => gzipSync(JSON.stringify(payload)))
      .send({ numbers: [4, 9] }),
  )
  // By hand: the text of a value by a schema, cut to what the schema has.
  .get('/events', (_request, reply) => {
    const data = reply.serializeInput({ x: 1, y: 2, secret: 3 }, Point)
    return reply.type('text/event-stream').send(`data: ${data}\n\n`)
  })

await startWhenRun(import.meta.url, app, (url) => [
  `curl ${url}/point`,
  `curl ${url}/wrapped`,
  `curl ${url}/missing`,
  `curl --compressed ${url}/packed`,
  `curl ${url}/events`,
])
