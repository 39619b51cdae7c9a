// Routes as tools of a model: only those that say so, with the guards of their scope. It needs @modelcontextprotocol/server.
import espalier, { t } from 'espalier'
import { mcp } from 'espalier/mcp'
import { startWhenRun } from './start.ts'

const Task = t.Object({ id: t.Integer(), title: t.String(), done: t.Boolean() }, { $id: 'Task' })
const NotFound = t.Object({ message: t.String() })

const owners = new Map([['Bearer ada-1', 'ada']])
const tasks = new Map([[1, { id: 1, title: 'Water the plants', done: false }]])

export const app = espalier()
  .addSchema(Task)
  .get('/', () => ({ tools: '/tasks/mcp' }))
  .register(
    async (scope) =>
      scope
        .derive('onRequest', ({ headers: { authorization = '' } }, reply) => {
          const owner = owners.get(authorization)
          return owner === undefined ? reply.code(401).send({ message: 'Send a token' }) : { owner }
        })
        .register(
          mcp({ name: 'tasks', version: '1.0.0', instructions: 'The tasks of one person.' }),
        )
        .get(
          '/',
          {
            tool: { name: 'list_tasks' },
            schema: {
              description: 'Lists the tasks, those that are done too.',
              querystring: {
                done: t.Optional(t.Boolean({ description: 'Only those, or only the others' })),
              },
              response: { 200: t.Array(t.Ref('Task')) },
            },
          },
          ({ query: { done } }) =>
            [...tasks.values()].filter((task) => done === undefined || task.done === done),
        )
        .post(
          '/',
          {
            tool: { name: 'add_task' },
            schema: {
              summary: 'Add a task',
              body: { title: t.String({ minLength: 3 }) },
              response: { 201: t.Ref('Task') },
            },
          },
          ({ body: { title } }, reply) => {
            const task = { id: tasks.size + 1, title, done: false }
            tasks.set(task.id, task)
            return reply.code(201).send(task)
          },
        )
        .put(
          '/:id/done',
          {
            tool: { name: 'finish_task' },
            schema: {
              summary: 'Mark a task as done',
              params: { id: t.Integer() },
              response: { 200: t.Ref('Task'), 404: NotFound },
            },
          },
          ({ params: { id } }, reply) => {
            const task = tasks.get(id)
            if (task === undefined)
              return reply.code(404).send({ message: `There is no task ${id}` })
            task.done = true
            return task
          },
        )
        // No tool: a model cannot call it.
        .delete(
          '/:id',
          { schema: { params: { id: t.Integer() } } },
          ({ params: { id } }, reply) => {
            tasks.delete(id)
            return reply.code(204).send()
          },
        ),
    { prefix: '/tasks' },
  )

await startWhenRun(import.meta.url, app, (url) => [
  `npx @modelcontextprotocol/inspector --cli ${url}/tasks/mcp --transport http --header 'authorization: Bearer ada-1' --method tools/list`,
  `curl -i -X POST ${url}/tasks/mcp    # 401`,
])
