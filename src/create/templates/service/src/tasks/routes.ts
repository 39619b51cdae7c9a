import { plugin, t } from 'espalier'
import type { Member } from '../users/auth.ts'
import { addTask, changeTask, listTasks, removeTask, Task, TaskNotFound } from './tasks.ts'

const Page = t.Object({ items: t.Array(Task), next: t.Optional(t.Integer()) })
const title = t.String({ minLength: 1, maxLength: 200 })
const id = t.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })

/** The tasks of the user who asks. */
export const tasks = plugin<Member>()(
  async (app) =>
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
          const found = await listTasks(app.db, user.id, after, limit + 1)
          const items = found.slice(0, limit)
          return found.length > limit ? { items, next: items.at(-1)?.id } : { items }
        },
      )
      .post(
        '/',
        { schema: { body: { title }, response: { 201: Task } } },
        async ({ user, body }, reply) =>
          reply.code(201).send(await addTask(app.db, user.id, body.title)),
      )
      .patch(
        '/:id',
        {
          schema: {
            params: { id },
            body: { title: t.Optional(title), done: t.Optional(t.Boolean()) },
            response: { 200: Task, 404: TaskNotFound },
          },
        },
        ({ user, params, body }) => changeTask(app.db, user.id, params.id, body),
      )
      .delete(
        '/:id',
        { schema: { params: { id }, response: { 204: t.Null(), 404: TaskNotFound } } },
        async ({ user, params }, reply) => {
          await removeTask(app.db, user.id, params.id)
          return reply.code(204).send()
        },
      ),
  { name: 'tasks' },
)
