import { httpError, type Output, plugin, t } from 'espalier'

const Task = t.Object({ id: t.Integer(), title: t.String(), isDone: t.Boolean() }, { $id: 'Task' })
const NotFound = httpError('NotFound', 404)
const Taken = httpError('Taken', 409)

/** The tasks are kept in memory: they are gone when the process ends. */
export const tasks = plugin()(async function tasks(app) {
  const all = new Map<number, Output<typeof Task>>()
  return app
    .addSchema(Task)
    .get('/tasks', { schema: { response: { 200: t.Array(Task) } } }, () => [...all.values()])
    .post(
      '/tasks',
      {
        schema: {
          body: { title: t.String({ minLength: 1, maxLength: 100 }) },
          response: { 201: Task, 409: Taken },
        },
      },
      ({ body: { title } }, reply) => {
        if ([...all.values()].some((task) => task.title === title)) {
          throw new Taken(`There is a task '${title}' already`)
        }
        const task = { id: all.size + 1, title, isDone: false }
        all.set(task.id, task)
        return reply.code(201).send(task)
      },
    )
    .patch(
      '/tasks/:id',
      {
        schema: {
          params: { id: t.Integer() },
          body: { isDone: t.Boolean() },
          response: { 200: Task, 404: NotFound },
        },
      },
      ({ params: { id }, body: { isDone } }) => {
        const task = all.get(id)
        if (task === undefined) throw new NotFound(`There is no task ${id}`)
        task.isDone = isDone
        return task
      },
    )
})
