import { join } from 'node:path'
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { pages } from './pages.ts'

const config = readConfig(process.env)
const app = buildApp(config).register(pages, { root: join(import.meta.dirname, '../page') })
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
