import { plugin } from 'espalier'
import type { WebsocketDecorators } from 'espalier/websocket'
import type { Member } from '../users/session.ts'
import { Here, Said, type Presence } from './presence.ts'

type Needs = Member & WebsocketDecorators & { server: { presence: Presence } }

/** The cookie is `SameSite=Strict`, so no page of another site can open this with the session of a member. */
export const presenceRoutes = plugin<Needs>()(async (app) =>
  app.websocket(
    '/presence',
    { receive: Said, send: Here },
    async (socket, { user, server: { presence } }) => {
      const id = await presence.enter(socket, user.id)
      try {
        for await (const said of socket) await presence.say(id, said)
      } finally {
        await presence.leave(id)
      }
    },
  ),
)
