// The page of those who are here: each says what they do, over a WebSocket.
import { client, ClientError } from 'espalier/client'
import { socket } from 'espalier/socket'
import type { Api } from './api.ts'
import { find, item, say } from './elements.ts'

const doing = find(HTMLInputElement, 'doing')

async function follow(): Promise<void> {
  // A browser tells no page why a WebSocket was refused.
  const me = await client<Api>('')('GET /session')
  if (!me.ok) return say(me.json().message)
  if (me.statusCode === 204) return location.assign('/') // to sign in
  // The server forgets who is cut off, so the page says again what it said.
  const onOpen = (): void => tell()
  const room = await socket<Api>('')('/presence', {}, { reconnect: { limit: 20, onOpen } })
  const tell = (): void =>
    say(room.send({ doing: doing.value }) ? '' : 'No connection at the moment')
  doing.addEventListener('change', tell)
  for await (const { people } of room) {
    const items = people.map(({ name, doing }) => item(doing === '' ? name : `${name}: ${doing}`))
    find(HTMLElement, 'people').replaceChildren(...items)
  }
}

try {
  await follow()
} catch (error) {
  if (!(error instanceof ClientError)) throw error
  say('The server does not answer. Load the page again.')
}
