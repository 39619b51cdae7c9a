import espalier, { t } from 'espalier'
import { readConfig } from './config.ts'
import { logging } from './log.ts'

export function buildApp(config = readConfig(process.env)) {
  return espalier({
    ...logging(config),
    // A value reaches its reader as it was sent, or nobody gets it.
    strict: true,
    // During development the log says which fields of a reply were left out.
    responses: config.NODE_ENV === 'production' ? 'send' : 'report',
  })
    .get('/health/live', () => 'ok')
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

export interface App extends ReturnType<typeof buildApp> {}
