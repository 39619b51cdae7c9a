import { plugin } from 'espalier'
import type { Member } from '../users/session.ts'
import { Change, type Changes } from './changes.ts'

type Needs = Member & { server: { changes: Changes } }

export const changeRoutes = plugin<Needs>()(async (app) =>
  app.get(
    '/changes',
    {
      schema: {
        summary: 'What happens to my notes, as it happens',
        tags: ['changes'],
        response: { 200: { content: { 'text/event-stream': { itemSchema: Change } } } },
      },
    },
    ({ user, server, signal }) => server.changes.of(user.id, signal),
  ),
)
