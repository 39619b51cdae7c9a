import espalier from 'espalier'
import { readConfig } from './config.ts'
import { logging } from './log.ts'
import { tasks } from './tasks.ts'

/** The API. In production `server.ts` adds the page. */
export function buildApp(config = readConfig(process.env)) {
  return espalier({
    ...logging(config),
    // A value reaches its reader as it was sent, or nobody gets it.
    strict: true,
    // During development the log says which fields of a reply were left out.
    responses: config.NODE_ENV === 'production' ? 'send' : 'report',
  })
    .get('/health/live', () => 'ok')
    .register(tasks, { prefix: '/api' })
}

export interface App extends ReturnType<typeof buildApp> {}
