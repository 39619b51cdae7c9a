// An application with the routes of cases: each case has a scope of its own, which all have schemas of the same names.
import formbody from '@fastify/formbody'
import { untyped, type UntypedServer } from '../support/untyped.ts'
import type { TruthCase } from './cases.ts'

/** The largest body that is taken, in bytes. */
export const bodyLimit = 2000

/** An application, and what the routes for replies send next. */
export interface TruthApplication {
  readonly app: UntypedServer
  payload: unknown
}

const ok = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }

/** Makes an application. Its paths begin with `/c` and the place of the case. */
export function makeApplication(cases: readonly TruthCase[]): TruthApplication {
  const app = untyped({ logger: false, bodyLimit })
  const made: TruthApplication = { app, payload: undefined }
  for (const [index, each] of cases.entries()) {
    const options = { prefix: `/c${index}`, strict: each.isStrict }
    app.register((child) => declare(child, each, made), options)
  }
  return made
}

function declare(child: UntypedServer, made: TruthCase, application: TruthApplication): void {
  const { body, query, headers, params, failure, reply } = made
  for (const schema of made.shared) child.addSchema(schema)
  const response = { 200: ok, ...(failure && { [failure.key]: failure.schema }) }
  const greet = () => ({ ok: true })
  const bodySchema = made.hasContent ? { content: { 'application/json': { schema: body } } } : body
  child.post('/body', { schema: { body: bodySchema, response } }, greet)
  child.post('/extra', { schema: { body: made.extraBody.schema, response } }, greet)
  child.get('/extra', { schema: { querystring: made.extraQuery.schema, response } }, greet)
  child.register((inner) => {
    // cast: the plugin asks for a server of Fastify
    inner.register(formbody as never)
    inner.post('/form', { schema: { body: query.schema, response } }, greet)
  })
  child.get('/query', { schema: { querystring: query.schema, response } }, greet)
  child.get('/headers', { schema: { headers: headers.schema, response } }, greet)
  child.get(
    `/params${pathOf(params.names)}`,
    { schema: { params: params.schema, response } },
    greet,
  )
  const entry = reply.hasContent ? { content: { 'application/json': { schema: body } } } : body
  child.get('/reply', { schema: { response: { [reply.key]: entry } } }, (_request, answer) => {
    const { payload } = application
    // A text under a media type for JSON is JSON that the handler has written.
    return reply.hasContent && typeof payload === 'string'
      ? answer.type('application/json').send(JSON.stringify(payload))
      : payload
  })
}

const pathOf = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => `/:${name}`).join('')
