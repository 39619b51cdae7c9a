// Starts the service, and ends it when it is asked to.
import { createApp } from './app.ts'
import { readConfig } from './config.ts'

const config = readConfig(process.env)
const app = createApp(config)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void app.close())
}
await app.listen({ port: config.PORT, host: config.HOST })
