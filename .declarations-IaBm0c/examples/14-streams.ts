// Streams: events that browsers hear, and lines of JSON. Each item is typed and serialized by `itemSchema`.
import { EventEmitter, once } from 'node:events'
import espalier, { event, t } from 'espalier'
import { startWhenRun } from './start.ts'

const Message = t.Object({ by: t.String(), text: t.String() }, { $id: 'message' })

interface Said {
  readonly by: string
  readonly text: string
  readonly address: string
}

const said: Said[] = []
const room = new EventEmitter().setMaxListeners(0)

export const app = espalier()
  .addSchema(Message)
  .post(
    '/messages',
    { schema: { body: t.Ref('message#'), response: { 201: t.Ref('message#') } } },
    ({ body, ip }, reply) => {
      said.push({ ...body, address: ip })
      room.emit('message')
      return reply.code(201).send(body)
    },
  )
  // What was said, then what is said from now on. A browser that was cut off says by `last-event-id` what it has.
  // `once` ends when the client leaves, or the server closes. The address stays here: the schema has it not.
  .get(
    '/messages',
    {
      schema: {
        headers: { 'last-event-id': t.Integer({ default: -1 }) },
        response: { 200: { content: { 'text/event-stream': { itemSchema: t.Ref('message#') } } } },
      },
    },
    async function* ({ headers, signal }) {
      for (let next = headers['last-event-id'] + 1; ;) {
        const message = said[next]
        if (message === undefined) await once(room, 'message', { signal })
        else yield event(message, { id: next++ })
      }
    },
  )
  // A line for each message. The next one is asked for when the client has read the one before.
  .get(
    '/messages.jsonl',
    {
      schema: {
        response: { 200: { content: { 'application/jsonl': { itemSchema: t.Ref('message#') } } } },
      },
    },
    function* () {
      yield* said
    },
  )
  // Without a response schema an iterable gives text or bytes.
  .get('/countdown', async function* (_request, reply) {
    reply.type('text/plain')
    for (const word of ['three', 'two', 'one']) yield await Promise.resolve(`${word}\n`)
  })

await startWhenRun(import.meta.url, app, (url) => [
  `curl -N ${url}/messages                   # and in another terminal:`,
  `curl -d '{"by":"Ada","text":"tea?"}' -H 'content-type: application/json' ${url}/messages`,
  `curl -N ${url}/messages -H 'last-event-id: 0'`,
  `curl ${url}/messages.jsonl`,
  `curl ${url}/countdown`,
])
