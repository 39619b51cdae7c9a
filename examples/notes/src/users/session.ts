// A session is a random token in a cookie. The database has its hash.
import cookie from '@fastify/cookie'
import { and, eq, gt, lt } from 'drizzle-orm'
import { adopt, httpError, plugin, t, type Output } from 'espalier'
import { secured } from 'espalier/openapi'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../database/database.ts'
import { sessions, users } from '../database/tables.ts'
import { hashToken, newToken } from './passwords.ts'

export const User = t.Object({ id: t.Integer(), name: t.String() })
export type User = Output<typeof User>

/** What `@fastify/cookie` adds, with its own types. */
export interface Cookies {
  readonly request: Pick<FastifyRequest, 'cookies'>
  readonly reply: Pick<FastifyReply, 'setCookie' | 'clearCookie'>
}

export const cookies = adopt<Cookies>()(cookie)

/** The name of the cookie. */
export const sessionCookie = 'session'

const days = 30

/** `strict`: no other site can make a browser send the cookie. `auto`: over HTTPS alone, where the request came by it. */
export const cookieOptions = {
  httpOnly: true,
  sameSite: 'strict',
  secure: 'auto',
  path: '/',
  maxAge: days * 86_400,
} as const

/** Begins a session. @returns its token */
export async function openSession(db: Db, userId: number): Promise<string> {
  const token = newToken()
  const now = Date.now()
  await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), lt(sessions.expiresAt, new Date(now))))
  await db
    .insert(sessions)
    .values({ tokenHash: hashToken(token), userId, expiresAt: new Date(now + days * 86_400_000) })
  return token
}

export const closeSession = (db: Db, token: string) =>
  db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)))

/** The user of a session, or undefined if there is none. */
export async function findUser(db: Db, token: string | undefined): Promise<User | undefined> {
  if (token === undefined) return undefined
  const [user] = await db
    .select({ id: users.id, name: users.name })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, hashToken(token)), gt(sessions.expiresAt, new Date())))
  return user
}

const Unauthorized = httpError('Unauthorized', 401)

/** What the routes of members need: the plugin `members` adds it. */
export interface Member {
  readonly server: { db: Db }
  readonly request: { user: User }
  readonly derived: { user: 'onRequest' }
}

/** Lets only those with a session into the scope that registers it. They are `request.user` there. */
export const members = plugin<{ server: { db: Db } } & Pick<Cookies, 'request'>>().shared(
  async (app) =>
    app.addResponses(Unauthorized).derive(
      'onRequest',
      secured(
        async ({ cookies, server }) => {
          const user = await findUser(server.db, cookies[sessionCookie])
          if (!user) throw new Unauthorized('Sign in first')
          return { user }
        },
        { session: { type: 'apiKey', in: 'cookie', name: sessionCookie } },
      ),
    ),
  { name: 'members' },
)
