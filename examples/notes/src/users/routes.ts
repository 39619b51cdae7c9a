// Sign up, sign in, sign out. And who has signed in?
import { eq } from 'drizzle-orm'
import { httpError, plugin, t } from 'espalier'
import type { Db } from '../database/database.ts'
import { users as table } from '../database/tables.ts'
import { Problem } from '../problem.ts'
import { hashPassword, isPassword } from './passwords.ts'
import {
  closeSession,
  cookieOptions,
  findUser,
  openSession,
  sessionCookie,
  User,
  type Cookies,
} from './session.ts'

const Credentials = t.Object({
  name: t.String({ pattern: '^[a-z0-9-]{1,40}$' }),
  password: t.String({ minLength: 8, maxLength: 200 }),
})

const NameTaken = httpError('NameTaken', 409)
const WrongCredentials = httpError('WrongCredentials', 401)

/** Who guesses passwords is slowed down: attempts for each address. */
const rateLimit = { max: 10, timeWindow: '1 minute' }

type Needs = { server: { db: Db } } & Cookies

/** Open to everybody. */
export const users = plugin<Needs>()(async (app) =>
  app
    .post(
      '/users',
      {
        config: { rateLimit },
        schema: {
          summary: 'Sign up',
          tags: ['users'],
          body: Credentials,
          response: { 201: User, 409: NameTaken, 429: Problem },
        },
      },
      async ({ body: { name, password }, server: { db } }, reply) => {
        const [user] = await db
          .insert(table)
          .values({ name, password: await hashPassword(password) })
          .onConflictDoNothing()
          .returning({ id: table.id, name: table.name })
        if (!user) throw new NameTaken(`The name '${name}' is taken`)
        reply.setCookie(sessionCookie, await openSession(db, user.id), cookieOptions)
        return reply.code(201).send(user)
      },
    )
    .post(
      '/session',
      {
        config: { rateLimit },
        schema: {
          summary: 'Sign in',
          tags: ['users'],
          body: Credentials,
          response: { 200: User, 401: WrongCredentials, 429: Problem },
        },
      },
      async ({ body: { name, password }, server: { db } }, reply) => {
        const [user] = await db.select().from(table).where(eq(table.name, name))
        const isRight = await isPassword(password, user?.password)
        if (!user || !isRight) throw new WrongCredentials('The name or the password is wrong')
        reply.setCookie(sessionCookie, await openSession(db, user.id), cookieOptions)
        return { id: user.id, name }
      },
    )
    .get(
      '/session',
      {
        schema: {
          summary: 'Who am I? Without a session: 204',
          tags: ['users'],
          response: { 200: User, 204: t.Null() },
        },
      },
      async ({ cookies, server: { db } }, reply) =>
        (await findUser(db, cookies[sessionCookie])) ?? reply.code(204).send(),
    )
    .delete(
      '/session',
      { schema: { summary: 'Sign out', tags: ['users'], response: { 204: t.Null() } } },
      async ({ cookies, server: { db } }, reply) => {
        const token = cookies[sessionCookie]
        if (token !== undefined) await closeSession(db, token)
        reply.clearCookie(sessionCookie, cookieOptions)
        return reply.code(204).send()
      },
    ),
)
