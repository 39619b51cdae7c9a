// A route, and what the compiler knows of it: `name` is a string that is always there, since the
// schema has a default; the reply has to be what the schema for status 200 says.
import espalier, { t } from 'espalier'
import { startWhenRun } from './start.ts'

export const app = espalier().get(
  '/hello',
  {
    schema: {
      querystring: { name: t.String({ default: 'world', maxLength: 40 }) },
      response: { 200: { greeting: t.String() } },
    },
  },
  async (request) => ({ greeting: `Hello, ${request.query.name}!` }),
)

await startWhenRun(import.meta.url, app, (url) => [
  `curl ${url}/hello`,
  `curl '${url}/hello?name=Ada'`,
  `curl -i ${url}/nowhere`,
])
