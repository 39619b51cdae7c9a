import { plugin, t } from 'espalier'
import { Problem } from '../problem.ts'
import type { Member } from '../users/auth.ts'

const Task = t.Object({ id: t.Integer(), title: t.String(), done: t.Boolean() })
const Page = t.Object({ items: t.Array(Task), next: t.Optional(t.Integer()) })
const title = t.String({ minLength: 1, maxLength: 200 })
const id = t.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })
const missing = { message: 'there is no such task' }

/** The tasks of the user who asks. */
export const tasks = plugin<Member>()(async (app) =>
  app
    .get(
      '/',
      {
        schema: {
          querystring: {
            after: t.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: 0 }),
            limit: t.Integer({ minimum: 1, maximum: 100, default: 20 }),
          },
          response: { 200: Page },
        },
      },
      async ({ user, query: { after, limit } }) => {
        const found = await app.db.query(
          Task,
          `select id, title, done from tasks where user_id = $1 and id > $2
            order by id limit $3`,
          [user.id, after, limit + 1],
        )
        const items = found.slice(0, limit)
        return found.length > limit ? { items, next: items.at(-1)?.id } : { items }
      },
    )
    .post(
      '/',
      { schema: { body: { title }, response: { 201: Task } } },
      async ({ user, body }, reply) => {
        const task = await app.db.queryOne(
          Task,
          'insert into tasks (user_id, title) values ($1, $2) returning id, title, done',
          [user.id, body.title],
        )
        return reply.code(201).send(task)
      },
    )
    .patch(
      '/:id',
      {
        schema: {
          params: { id },
          body: { title: t.Optional(title), done: t.Optional(t.Boolean()) },
          response: { 200: Task, 404: Problem },
        },
      },
      async ({ user, params, body }, reply) => {
        const [task] = await app.db.query(
          Task,
          `update tasks set title = coalesce($3, title), done = coalesce($4, done)
            where id = $1 and user_id = $2 returning id, title, done`,
          [params.id, user.id, body.title ?? null, body.done ?? null],
        )
        return task ?? reply.code(404).send(missing)
      },
    )
    .delete(
      '/:id',
      { schema: { params: { id }, response: { 204: t.Null(), 404: Problem } } },
      async ({ user, params }, reply) => {
        const [task] = await app.db.query(
          t.Object({}),
          'delete from tasks where id = $1 and user_id = $2 returning id',
          [params.id, user.id],
        )
        if (!task) return reply.code(404).send(missing)
        return reply.code(204).send()
      },
    ),
)
