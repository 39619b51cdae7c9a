// What the mistakes are made in: a scope such as applications have.
import espalier, { t } from 'espalier'

export class Db {
  find(id: number): { id: number; name: string } {
    return { id, name: 'Ada' }
  }
}

export const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })
export const Post = t.Object(
  { id: t.Integer(), title: t.String(), author: t.Ref('user#') },
  { $id: 'post' },
)

/** Has decorators of all kinds and shared schemas. */
export const app = espalier()
  .addSchema(User)
  .addSchema(Post)
  .decorate('db', new Db())
  .decorate('config', { url: '', retries: 3 })
  .decorateRequest('answer', 42)
  .decorateRequest('user', null as { name: string } | null)
  .decorateReply('fail', (message: string) => message !== '')
