import espalier, { t } from 'espalier'

export function buildApp({ LOG_LEVEL = 'silent' } = {}) {
  return espalier({ logger: { level: LOG_LEVEL } })
    .get('/health', () => 'ok')
    .get(
      '/hello',
      {
        schema: {
          querystring: { name: t.String({ default: 'world', maxLength: 40 }) },
          response: { 200: { greeting: t.String() } },
        },
      },
      (request) => ({ greeting: `Hello, ${request.query.name}!` }),
    )
}

export type App = ReturnType<typeof buildApp>
