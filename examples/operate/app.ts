// An application that several processes can run at once: readiness, liveness, and what they share by Redis.
import { setTimeout as wait } from 'node:timers/promises'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import session, { type FastifySessionObject } from '@fastify/session'
import espalier, { adopt, t } from 'espalier'
import { connectRedis, RedisSessions } from './redis.ts'

interface Sessions {
  request: { session: FastifySessionObject & { user?: string } }
}

interface Settings {
  /** Addresses of the proxy in front. Nobody is believed without it. */
  readonly trustProxy: string | false
  /** Without it, rate limit and sessions are those of this process alone. */
  readonly redisUrl: string | undefined
  /** What the cookie of a session is signed with. It is the same in all processes. */
  readonly secret: string
  /** Milliseconds from the signal to the end of listening. */
  readonly drain: number
  /** Whether the proxy in front repeats a GET elsewhere that is answered with 503. */
  readonly isRepeated: boolean
}

export async function buildApp({ trustProxy, redisUrl, secret, drain, isRepeated }: Settings) {
  const redis = redisUrl === undefined ? undefined : await connectRedis(redisUrl)
  let isDraining = false

  return (
    espalier({ logger: { level: 'warn' }, trustProxy, return503OnClosing: false })
      // A request that still comes is answered, and its connection is closed after the reply.
      .addHook('preClose', async () => {
        isDraining = true
        await wait(drain)
      })
      .addHook('onClose', async () => {
        await redis?.quit()
      })
      // The first GET that gets 503 tells the proxy to leave this process alone.
      .addHook('onRequest', async ({ method }, reply) => {
        if (isDraining && isRepeated && method === 'GET') return reply.code(503).send()
      })
      .register(rateLimit, { global: false, ...(redis && { redis, skipOnError: true }) })
      .register(cookie)
      .register(adopt<Sessions>()(session), {
        secret,
        saveUninitialized: false,
        cookie: { httpOnly: true, secure: 'auto', sameSite: 'lax', maxAge: 8 * 60 * 60 * 1000 },
        ...(redis && { store: new RedisSessions(redis) }),
      })
      // Whether requests may be sent here. Asked for by what is in front.
      .get('/health/ready', async (_request, reply) => reply.code(isDraining ? 503 : 200).send())
      // Whether the process can still answer. Asked for by what would restart it.
      .get('/health/live', () => 'yes')
      .get('/work', async ({ ip, protocol }) => {
        await wait(5)
        return { pid: process.pid, ip, protocol }
      })
      .post('/work', { schema: { body: { number: t.Integer() } } }, async ({ body }) => {
        await wait(5)
        return { pid: process.pid, number: body.number }
      })
      .post(
        '/login',
        {
          schema: { body: { name: t.String() } },
          config: { rateLimit: { max: 5, timeWindow: '1 minute' } },
        },
        async (request) => {
          await request.session.regenerate()
          request.session.user = request.body.name
          return { pid: process.pid }
        },
      )
      .get('/me', ({ session }) => ({ pid: process.pid, user: session.user ?? null }))
  )
}
