import files from '@fastify/static'
import { adopt, plugin } from 'espalier'
import type { FastifyReply } from 'fastify'

const forever = 'public, max-age=31536000, immutable'

/** The files that `vite build` has written, and index.html for the addresses that the page itself knows. */
export const pages = plugin()(async (app, { root }: { root: string }) =>
  app
    .register(adopt<{ reply: Pick<FastifyReply, 'sendFile'> }>()(files), {
      root,
      wildcard: false,
      cacheControl: false,
      // The name of a file in `assets` changes with its content.
      setHeaders: (reply: FastifyReply, path: string) => {
        reply.header('cache-control', /[/\\]assets[/\\]/.test(path) ? forever : 'no-cache')
      },
    })
    .setNotFoundHandler((request, reply) => {
      const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
      if (isPage) return reply.code(200).sendFile('index.html')
      return reply.code(404).send({ message: 'not found' })
    }),
)
