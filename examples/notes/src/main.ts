// Starts the service, and ends it when it is asked to.
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'

const config = readConfig(process.env)
const app = buildApp(config)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void app.close())
}
await app.listen({ port: config.PORT, host: config.HOST })
