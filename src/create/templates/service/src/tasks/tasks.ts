import { httpError, t } from 'espalier'
import type { Database } from '../database/database.ts'

export const Task = t.Object({ id: t.Integer(), title: t.String(), done: t.Boolean() })

/** Functions of any depth may throw it. Routes and scopes declare it as a response. */
export const TaskNotFound = httpError('TaskNotFound', 404, { id: t.Integer() })

interface Changes {
  title?: string
  done?: boolean
}

/** The tasks of a user, after one of them. */
export const listTasks = (db: Database, userId: number, after: number, limit: number) =>
  db.query(
    Task,
    'select id, title, done from tasks where user_id = $1 and id > $2 order by id limit $3',
    [userId, after, limit],
  )

export const addTask = (db: Database, userId: number, title: string) =>
  db.queryOne(
    Task,
    'insert into tasks (user_id, title) values ($1, $2) returning id, title, done',
    [userId, title],
  )

export async function changeTask(db: Database, userId: number, id: number, changes: Changes) {
  const [task] = await db.query(
    Task,
    `update tasks set title = coalesce($3, title), done = coalesce($4, done)
      where id = $1 and user_id = $2 returning id, title, done`,
    [id, userId, changes.title ?? null, changes.done ?? null],
  )
  if (!task) throw new TaskNotFound({ id }, 'there is no such task')
  return task
}

export async function removeTask(db: Database, userId: number, id: number) {
  const [task] = await db.query(
    t.Object({ id: t.Integer() }),
    'delete from tasks where id = $1 and user_id = $2 returning id',
    [id, userId],
  )
  if (!task) throw new TaskNotFound({ id }, 'there is no such task')
}
