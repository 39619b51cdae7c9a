// Redis, where all processes count together how often somebody tried to sign in. It is not needed for one process.
import { plugin } from 'espalier'
import { Redis } from 'ioredis'
import type { Config } from './config.ts'

export const redis = plugin<{ server: { config: Config } }>().shared(
  async (app) => {
    const { REDIS_URL: url } = app.config
    const connection = url === undefined ? undefined : new Redis(url, { maxRetriesPerRequest: 1 })
    connection?.on('error', (error) => app.log.error(error, 'Redis failed'))
    return app.decorate('redis', connection).addHook('onClose', () => connection?.disconnect())
  },
  { name: 'redis' },
)
