import { httpError, plugin } from 'espalier'
import { secured } from 'espalier/openapi'
import type { Database } from '../database/database.ts'
import { hashToken } from './tokens.ts'
import { User } from './user.ts'

const bearer = { bearer: { type: 'http', scheme: 'bearer' } } as const

class Unauthorized extends httpError('Unauthorized', 401) {
  headers = { 'www-authenticate': 'Bearer' }
}

/** Lets only requests with a token into its scope, and adds `user` and `tokenHash` to them. */
export const auth = plugin<{ server: { db: Database } }>().shared(
  async (app) =>
    app.addResponses(Unauthorized).derive(
      'onRequest',
      secured(async (request) => {
        const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
        if (token !== undefined) {
          const tokenHash = hashToken(token)
          const [user] = await app.db.query(
            User,
            `select id, email from tokens join users on users.id = user_id
            where hash = $1 and expires_at > now()`,
            [tokenHash],
          )
          if (user) return { user, tokenHash }
        }
        throw new Unauthorized('a valid token is needed')
      }, bearer),
    ),
  { name: 'auth' },
)

/** What plugins need that stand behind `auth`. */
export interface Member {
  server: { db: Database }
  request: { user: User; tokenHash: string }
  derived: { user: 'onRequest'; tokenHash: 'onRequest' }
}
