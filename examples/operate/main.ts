// One process: listens, and ends gracefully by a signal. `cluster.ts` runs several of these.
import cluster from 'node:cluster'
import { buildApp } from './app.ts'

const { env } = process
if (env['REDIS_URL'] === undefined) {
  console.error('REDIS_URL is not set: rate limit and sessions are not shared')
}
if (env['SESSION_SECRET'] === undefined) throw new Error('SESSION_SECRET is not set')

const app = await buildApp({
  trustProxy: env['TRUST_PROXY'] ?? false,
  redisUrl: env['REDIS_URL'],
  secret: env['SESSION_SECRET'],
  drain: Number(env['DRAIN_MS'] ?? 2000),
  isRepeated: env['PROXY_REPEATS'] === '1',
})

// A signal may come twice, as from systemd and from the primary.
let isEnding = false
async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  await app.close()
  // A connection may be on its way from the primary. `process.exit()` would lose it.
  cluster.worker?.disconnect()
}
process.on('SIGTERM', () => void end())
process.on('SIGINT', () => void end())

await app.listen({ port: Number(env['PORT'] ?? 3000), host: env['HOST'] ?? '127.0.0.1' })
