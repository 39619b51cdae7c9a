// What holds itself by a type of the application's own, where no response is declared.
import espalier from 'espalier'
export interface Comment {
  text: string
  at: Date
  replies: Comment[]
}
export type Value = string | null | Value[] | { [name: string]: Value }
export interface Person {
  name: string
  boss: Person | null
  team: { lead: Person; all: readonly Person[] }
}
const grown = espalier()
  .get('/comments', () => [] as Comment[])
  .get('/value', () => null as Value)
  .get('/person', async () => ({}) as Person)
export interface Grown {
  readonly app: typeof grown
}
export const asked = async () => (await grown.inject('GET /comments')).json()
