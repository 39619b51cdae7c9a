// What holds itself, and is returned where no response says what it is.
import espalier, { t } from 'espalier'

const Tree = t.Recursive((This) => t.Object({ name: t.String(), kids: t.Array(This) }))
const Filter = t.Recursive((This) =>
  t.Union([t.Object({ all: t.Array(This) }), t.Object({ not: This }), t.String()]),
)
const Json = t.Recursive((This) => t.Union([t.String(), t.Null(), t.Array(This)]))
const Names = t.Recursive((This) => t.Record(t.String(), This))
const Both = t.Recursive((This) =>
  t.Intersect([t.Object({ a: t.Array(This) }), t.Object({ b: t.Optional(This) })]),
)
const Author = t.Object({ books: t.Optional(t.Array(t.Ref('Book#'))) }, { $id: 'Author' })
const Book = t.Object({ title: t.String(), author: t.Ref('Author#') }, { $id: 'Book' })
const Nested = t.Union([t.Integer(), t.Array(t.Ref('Nested#'))], { $id: 'Nested' })

export const trees = espalier()
  .addSchema(Author)
  .addSchema(Book)
  .addSchema(Nested)
  .post('/tree', { schema: { body: Tree } }, ({ body }) => body)
  .post('/deeper', { schema: { body: { tree: Tree } } }, ({ body }) => body.tree.kids)
  .post('/filter', { schema: { body: Filter } }, ({ body }) => ({ filter: body }))
  .post('/json', { schema: { body: Json } }, ({ body }) => [body])
  .post('/names', { schema: { body: Names } }, ({ body }) => body)
  .post('/both', { schema: { body: Both } }, ({ body }) => body)
  .post('/book', { schema: { body: t.Ref('Book#') } }, ({ body }) => body)
  .post('/nested', { schema: { body: { nested: t.Ref('Nested#') } } }, ({ body }) => body)
  .post(
    '/plain',
    {
      schema: {
        body: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            kids: { type: 'array', items: { $ref: '#' } },
            next: { $ref: '#/definitions/next' },
            any: { $ref: '#/definitions/any' },
          },
          definitions: {
            next: {
              type: 'object',
              nullable: true,
              properties: { next: { $ref: '#/definitions/next' } },
            },
            any: { properties: { any: { $ref: '#/definitions/any' } } },
          },
        },
      },
    },
    ({ body }) => body,
  )
  .post('/lists', { schema: { body: { type: 'array', items: { $ref: '#' } } } }, ({ body }) => body)
export interface Trees {
  readonly app: typeof trees
}
export const planted = async () =>
  (await trees.inject('POST /book', { body: { title: '', author: {} } })).json()
