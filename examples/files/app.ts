// Lists, takes and gives files, and tells what happens to them. The page next to it calls these routes by their types.
import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import espalier, { adopt, plugin, t } from 'espalier'
import { multipart } from 'espalier/multipart'
import type { Disk } from './disk.ts'

const Problem = t.Object({ message: t.String() })
const FileInfo = t.Object({ name: t.String(), size: t.Integer() })
const Upload = t.File({ maxSize: 10_000_000 })
const Change = t.Object({
  change: t.Union([t.Literal('added'), t.Literal('removed')]),
  file: FileInfo,
})

interface Cookies {
  request: { cookies: Readonly<Record<string, string | undefined>> }
}

/** Requires a session. What registers it may answer with 401, also in types.
 *  @param sessions the users who have logged in, by the cookie */
const session = (sessions: ReadonlyMap<string, string>) =>
  plugin<Cookies>().shared(
    async (app) =>
      app.addResponses({ 401: Problem }).derive('onRequest', ({ cookies }, reply) => {
        const user = sessions.get(cookies['session'] ?? '')
        return user === undefined ? reply.code(401).send({ message: 'Log in first' }) : { user }
      }),
    { name: 'session' },
  )

/** @param disk where the files are
 *  @param sessions the users who have logged in, by the cookie */
export const buildApp = (disk: Disk, sessions: Map<string, string>) =>
  espalier()
    .register(adopt<Cookies>(cookie))
    .register(multipart())
    .post(
      '/session',
      { schema: { body: { user: t.String({ minLength: 1 }) }, response: { 204: t.Null() } } },
      ({ body }, reply) => {
        const id = randomUUID()
        sessions.set(id, body.user)
        return reply
          .code(204)
          .header('set-cookie', `session=${id}; HttpOnly; SameSite=Strict; Path=/`)
          .send()
      },
    )
    .register(async (inside) =>
      inside
        .register(session(sessions))
        .get('/files', { schema: { response: { 200: t.Array(FileInfo) } } }, () => disk.list())
        .post(
          '/files',
          {
            schema: {
              body: { content: { 'multipart/form-data': { schema: { file: Upload } } } },
              response: { 201: FileInfo, 413: Problem, 507: Problem },
            },
          },
          async ({ body: { file } }, reply) => {
            // A disk that is full throws an error with status 507.
            const kept = disk.write(file.name, await file.bytes())
            return reply.code(201).send(kept)
          },
        )
        .get(
          '/files/:name',
          {
            schema: {
              response: {
                200: { content: { 'application/octet-stream': { schema: t.Any() } } },
                404: Problem,
              },
            },
          },
          ({ params }, reply) =>
            disk.read(params.name) ??
            reply.code(404).send({ message: `There is no file '${params.name}'` }),
        )
        .get(
          '/changes',
          {
            schema: {
              response: { 200: { content: { 'text/event-stream': { itemSchema: Change } } } },
            },
          },
          ({ signal }) => disk.changes(signal),
        ),
    )

/** The type that the page knows the server by. */
export interface App extends ReturnType<typeof buildApp> {}
