// A chat over WebSockets: the schemas of messages type what a handler reads and sends, and a hook asks for a name before the
// connection is upgraded. It needs @fastify/websocket.
import espalier, { t } from 'espalier'
import { websocket, type TypedSocket } from 'espalier/websocket'
import { startWhenRun } from './start.ts'

const Said = t.Object({ text: t.String({ minLength: 1, maxLength: 1000 }) })
const Told = t.Object({ from: t.String(), text: t.String(), at: t.String({ format: 'date-time' }) })

/** What can be told to a client, whatever it says itself. */
type Listener = TypedSocket<unknown, { from: string; text: string; at: string | Date }>

const rooms = new Map<string, Set<Listener>>()

function join(name: string, socket: Listener): Set<Listener> {
  const room = rooms.get(name) ?? new Set()
  rooms.set(name, room.add(socket))
  void socket.closed.then(() => {
    room.delete(socket)
    if (room.size === 0) rooms.delete(name)
  })
  return room
}

export const app = espalier()
  .register(websocket())
  .derive('onRequest', (request, reply) => {
    const user = request.query['user']
    if (typeof user !== 'string')
      return reply.code(401).send({ message: 'Say who you are: ?user=…' })
    return { user }
  })
  .websocket('/chat/:room', { receive: Said, send: Told }, async (socket, { params, user }) => {
    const room = join(params.room, socket)
    for await (const { text } of socket) {
      const message = { from: user, text, at: new Date() }
      for (const each of room) {
        // A client that does not read must not fill the memory, or hold up the others.
        if (each.raw.bufferedAmount > 1_000_000) each.raw.terminate()
        else void each.send(message)
      }
    }
  })

await startWhenRun(import.meta.url, app, (url) => [
  `npx wscat -c '${url.replace('http', 'ws')}/chat/lobby?user=ada'    # and then: {"text":"hello"}`,
  `curl -i '${url}/chat/lobby'`,
])
