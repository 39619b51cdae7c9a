import { env } from 'cloudflare:workers'
import { buildApp } from './app.ts'

// Made once for each isolate, outside of a request. It loads its plugins within the first one.
const app = buildApp(env)

export default { fetch: app.fetch }
