import espalier, { t } from 'espalier'

export function buildApp({ LOG_LEVEL = 'silent', NODE_ENV = 'development' } = {}) {
  return espalier({
    // A value reaches its reader as it was sent, or nobody gets it.
    strict: true,
    // During development the log says which fields of a reply were left out.
    responses: NODE_ENV === 'production' ? 'send' : 'report',
    logger: { level: LOG_LEVEL },
  })
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
