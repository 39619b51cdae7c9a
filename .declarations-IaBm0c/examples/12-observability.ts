// Metrics and spans without touching a handler: the framework publishes each request to channels of Node's
// `diagnostics_channel`, with its route, and costs nothing where nobody listens. prom-client stands here for
// any other library; one of OpenTelemetry would begin a span at the start, and end it at the end.
import { subscribe } from 'node:diagnostics_channel'
import espalier, { t, type HandlerMessage, type RequestMessage } from 'espalier'
import { Counter, Histogram, Registry } from 'prom-client'
import { startWhenRun } from './start.ts'

const registry = new Registry()
const registers = [registry]
const labelNames = ['method', 'route', 'status'] as const
const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'From the request to the end of its response.',
  labelNames,
  registers,
})
const errors = new Counter({
  name: 'http_request_errors_total',
  help: 'Requests that were answered by an error.',
  labelNames: ['route', 'code'],
  registers,
})
const calls = new Counter({
  name: 'http_handler_calls_total',
  help: 'Calls of handlers, by whether they were async.',
  labelNames: ['route', 'async'],
  registers,
})

/** The path that a route was declared with, not the one that was asked for: there are few of these. */
const nameOf = ({ route }: RequestMessage): string => route.url ?? 'none'

subscribe('espalier.request.end', (message) => {
  const { request, reply } = message as RequestMessage
  const route = nameOf(message as RequestMessage)
  durations.observe(
    { method: request.method, route, status: reply.statusCode },
    reply.elapsedTime / 1000,
  )
})
subscribe('espalier.request.error', (message) => {
  const { error } = message as RequestMessage
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'none'
  errors.inc({ route: nameOf(message as RequestMessage), code })
})
// The names of Fastify: what is made for it listens to these.
subscribe('tracing:fastify.request.handler:end', (message) => {
  const { async } = message as HandlerMessage
  calls.inc({ route: nameOf(message as HandlerMessage), async: String(async) })
})

export const app = espalier()
  .get('/tea/:id', { schema: { params: { id: t.Integer() } } }, ({ params }) => ({
    tea: params.id,
  }))
  .get('/slow', async () => 'done')
  .get('/metrics', async (_request, reply) => {
    return reply.type('text/plain; version=0.0.4').send(await registry.metrics())
  })

await startWhenRun(import.meta.url, app, (url) => [
  `curl ${url}/tea/1`,
  `curl ${url}/tea/green   # 400: an error of the route`,
  `curl ${url}/nowhere     # 404: no route`,
  `curl ${url}/metrics`,
])
