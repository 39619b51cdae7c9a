// The connection to Redis, and sessions that are kept there.
import type { SessionStore } from '@fastify/session'
import { Redis } from 'ioredis'

/** @throws when Redis cannot be reached: the process does not become ready */
export async function connectRedis(url: string): Promise<Redis> {
  // A command fails at once while the connection is gone. By default it would wait for a new one.
  const redis = new Redis(url, { lazyConnect: true, enableOfflineQueue: false })
  redis.on('error', (error) => {
    console.error(`Redis: ${error.message}`)
  })
  await redis.connect()
  return redis
}

const seconds = 8 * 60 * 60

export class RedisSessions implements SessionStore {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  set: SessionStore['set'] = (id, data, done) => {
    this.#redis.set(`session:${id}`, JSON.stringify(data), 'EX', seconds).then(() => {
      done()
    }, done)
  }

  get: SessionStore['get'] = (id, done) => {
    this.#redis.get(`session:${id}`).then((text) => {
      done(null, text === null ? null : JSON.parse(text))
    }, done)
  }

  destroy: SessionStore['destroy'] = (id, done) => {
    this.#redis.del(`session:${id}`).then(() => {
      done()
    }, done)
  }
}
