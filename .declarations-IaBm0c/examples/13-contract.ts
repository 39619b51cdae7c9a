// Routes that are values, and a contract that says which of them clients may call, and by which keys.
//
// The compiler looks at a route where it is called or edited, and not at all that were declared before it: of use where there
// are many. `satisfies` asks whether the server serves what the contract says.
import espalier, { defineRoute, plugin, t } from 'espalier'
import { client, type Contract } from 'espalier/client'
import { startWhenRun } from './start.ts'

const Book = t.Object({ id: t.Integer(), title: t.String() }, { $id: 'book' })

export interface Needs {
  server: { books: Map<number, string> }
  schemas: { book: typeof Book }
}

const getBook = defineRoute<Needs>()({
  method: 'GET',
  url: '/books/:id',
  schema: { params: { id: t.Integer() }, response: { 200: t.Ref('book#'), 404: t.Null() } },
  handler({ params: { id } }, reply) {
    const title = this.books.get(id)
    return title === undefined ? reply.code(404).send() : { id, title }
  },
})

const addBook = defineRoute<Needs>()({
  method: 'POST',
  url: '/books',
  schema: { body: { title: t.String({ minLength: 1 }) }, response: { 201: t.Ref('book#') } },
  handler({ body: { title } }, reply) {
    const id = this.books.size + 1
    this.books.set(id, title)
    return reply.code(201).send({ id, title })
  },
})

const clearBooks = defineRoute<Needs>()({
  method: 'DELETE',
  url: '/books',
  handler() {
    this.books.clear()
    return { cleared: true }
  },
})

// What clients import, as a type alone. `clearBooks` is not for them.
interface Routes {
  'GET /v1/books/:id': typeof getBook
  'POST /v1/books': typeof addBook
}
export interface Api extends Contract<Routes> {}

const books = plugin<Needs>()(async (scope) => scope.addRoutes([getBook, addBook, clearBooks]))

export const app = espalier()
  .addSchema(Book)
  .decorate('books', new Map([[1, 'Emma']]))
  .register(books, { prefix: '/v1' })
app satisfies Api

/** Adds a book, and gives what the server then says of it. */
export async function lend(url: string, title: string): Promise<string | undefined> {
  const api = client<Api>(url)
  const added = await api('POST /v1/books', { body: { title } })
  const found = await api('GET /v1/books/:id', { params: { id: added.json().id } })
  return found.statusCode === 404 ? undefined : found.json().title
}

await startWhenRun(import.meta.url, app, (url) => [
  `curl ${url}/v1/books/1`,
  `curl -d '{"title":"Persuasion"}' -H 'content-type: application/json' ${url}/v1/books`,
  `curl ${url}/v1/books/2`,
])
