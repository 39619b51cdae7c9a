import { t } from 'espalier/schema'
export const User = t.Object(
  { id: t.Integer(), name: t.String(), email: t.Optional(t.String()) },
  { $id: 'user' },
)
export class Db {
  find(id: number) {
    return { id, name: 'x' }
  }
}
export interface Needs {
  server: { db: Db }
  request: { answer: number }
  schemas: { user: typeof User }
}
