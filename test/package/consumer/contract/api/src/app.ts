import espalier from 'espalier'
import type { Listed } from './contract.js'
import { Db, User } from './needs.js'
import { listed } from './listed.js'
import { clock, local, many, posts } from './posts.js'
import { tagged } from './tags.js'
import { users } from './users.js'
export const app = espalier()
  .register(posts)
  .register(local)
  .register(many)
  .addSchema(User)
  .decorate('db', new Db())
  .decorateRequest('answer', 42)
  .register(clock)
  .get('/health', () => ({ ok: true }))
  .register(users, { prefix: '/users' })
  .register(listed, { prefix: '/listed' })
  .register(tagged, { prefix: '/tags' })
  .register(async (v1) => v1.get('/version', () => '1'), { prefix: '/v1' })
app satisfies Listed
export type App = typeof app
export interface Api extends App {}
export type { Listed } from './contract.js'
export type { Comment, Grown, Person, Value } from './grown.js'
export type { Scopes } from './scopes.js'
export type { Trees } from './trees.js'
