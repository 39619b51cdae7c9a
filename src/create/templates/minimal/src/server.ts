import { existsSync } from 'node:fs'
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'

if (existsSync('.env')) process.loadEnvFile()
const config = readConfig(process.env)
const app = buildApp(config)
let isClosing = false

/** Answers open requests, then ends the process. A second signal ends it at once. */
function stop() {
  if (isClosing) process.exit(1)
  isClosing = true
  app.close().then(
    () => process.exit(0),
    (error: unknown) => {
      app.log.error(error)
      process.exit(1)
    },
  )
}

process.on('SIGINT', stop)
process.on('SIGTERM', stop)
await app.listen({ host: config.HOST, port: config.PORT })
