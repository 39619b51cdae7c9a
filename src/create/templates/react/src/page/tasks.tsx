import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { server } from './server.ts'

export function Tasks() {
  const cache = useQueryClient()
  const onSuccess = () => cache.invalidateQueries({ queryKey: server.key('GET /api/tasks') })
  const tasks = useQuery(server.queryOptions('GET /api/tasks'))
  const add = useMutation({ ...server.mutationOptions('POST /api/tasks'), onSuccess })
  const change = useMutation({ ...server.mutationOptions('PATCH /api/tasks/:id'), onSuccess })
  const [title, setTitle] = useState('')

  const submit = () => {
    add.mutate(
      { body: { title } },
      {
        onSuccess: ({ ok }) => {
          if (ok) setTitle('')
        },
      },
    )
  }

  return (
    <main>
      <h1>Tasks</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <input
          aria-label="A new task"
          placeholder="What is to be done?"
          required
          maxLength={100}
          value={title}
          onChange={(event) => {
            setTitle(event.target.value)
          }}
        />
        <button disabled={add.isPending}>Add</button>
      </form>
      {/* A declared error is an answer with a type. All others are errors of the query. */}
      {add.data?.ok === false && <p role="alert">{add.data.body.message}</p>}
      {(tasks.error ?? add.error ?? change.error) && (
        <p role="alert">The server does not answer.</p>
      )}
      {tasks.data?.body.length === 0 && <p>There is nothing to do.</p>}
      <ul>
        {tasks.data?.body.map(({ id, title, isDone }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={change.isPending && change.variables.params.id === id ? !isDone : isDone}
                onChange={(event) => {
                  change.mutate({ params: { id }, body: { isDone: event.target.checked } })
                }}
              />
              <span>{title}</span>
            </label>
          </li>
        ))}
      </ul>
    </main>
  )
}
