import espalier, { t } from 'espalier'
import type { Bindings } from './bindings.ts'
import compiled from './compiled.mjs'

/** The application. Without bindings, as `espalier compile` and tests make it, it has these. */
export function buildApp(bindings: Bindings = { GREETING: 'Hello' }) {
  return espalier({
    compiled,
    // A value reaches its reader as it was sent, or nobody gets it.
    strict: true,
  })
    .decorate('bindings', bindings)
    .get('/health/live', () => 'ok')
    .get(
      '/hello',
      {
        schema: {
          querystring: { name: t.String({ default: 'world', maxLength: 40 }) },
          response: { 200: { greeting: t.String() } },
        },
      },
      function (request) {
        return { greeting: `${this.bindings.GREETING}, ${request.query.name}!` }
      },
    )
}

export interface App extends ReturnType<typeof buildApp> {}
