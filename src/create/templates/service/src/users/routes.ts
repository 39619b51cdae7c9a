import { httpError, plugin, t } from 'espalier'
import type { Database } from '../database/database.ts'
import type { Member } from './auth.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { createToken, hashToken } from './tokens.ts'
import { User } from './user.ts'

const Credentials = t.Object({
  email: t.String({ format: 'email', maxLength: 254 }),
  password: t.String({ minLength: 12, maxLength: 200 }),
})
const EmailTaken = httpError('EmailTaken', 409, { email: t.String() })
const WrongCredentials = httpError('WrongCredentials', 401)
const limited = { config: { rateLimit: { max: 20, timeWindow: '1 minute' } } }

/** Signing up and logging in: routes for everybody. */
export const users = plugin<{ server: { db: Database } }>()(
  async (app) =>
    app
      .post(
        '/users',
        { ...limited, schema: { body: Credentials, response: { 201: User, 409: EmailTaken } } },
        async (request, reply) => {
          const { email, password } = request.body
          const [user] = await app.db.query(
            User,
            `insert into users (email, password) values ($1, $2)
            on conflict do nothing returning id, email`,
            [email, await hashPassword(password)],
          )
          if (!user) throw new EmailTaken({ email }, 'the address has an account')
          return reply.code(201).send(user)
        },
      )
      .post(
        '/tokens',
        {
          ...limited,
          schema: {
            body: Credentials,
            response: { 201: { token: t.String() }, 401: WrongCredentials },
          },
        },
        async (request, reply) => {
          const { email, password } = request.body
          const [user] = await app.db.query(
            t.Object({ id: t.Integer(), password: t.String() }),
            'select id, password from users where lower(email) = lower($1)',
            [email],
          )
          const isRight = await isPassword(password, user?.password)
          if (!user || !isRight) {
            throw new WrongCredentials('the address or the password is wrong')
          }
          const token = createToken()
          await app.db.run('insert into tokens (hash, user_id) values ($1, $2)', [
            hashToken(token),
            user.id,
          ])
          return reply.code(201).send({ token })
        },
      ),
  { name: 'users' },
)

/** Who is logged in, and logging out. */
export const me = plugin<Member>()(
  async (app) =>
    app
      .get('/me', { schema: { response: { 200: User } } }, (request) => request.user)
      .delete(
        '/tokens/current',
        { schema: { response: { 204: t.Null() } } },
        async (request, reply) => {
          await app.db.run('delete from tokens where hash = $1', [request.tokenHash])
          return reply.code(204).send()
        },
      ),
  { name: 'me' },
)
