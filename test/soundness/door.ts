// Asks a server through its public door what it reads of a body, and what leaves of a payload.
import { untyped, type UntypedServer } from '../support/untyped.ts'
import type { WrittenShared } from './cases.ts'
import type { Json } from './sketch.ts'

/** A schema with the shared schemas that it refers to. */
export interface Entry {
  readonly schema: object
  readonly shared: readonly WrittenShared[]
}

/** What a handler read, or what a client parsed. Undefined where it was refused. */
export type Answer = { readonly value: unknown } | undefined

/** Servers that have a route for each entry. */
export interface Door {
  /** What a handler reads of a body. @param exact without coercion and removal */
  read(entry: number, body: Json, exact?: boolean): Promise<Answer>
  /** What a handler reads of a query string. */
  readQuery(entry: number, query: string): Promise<Answer>
  /** What a client parses of a reply with a payload. */
  send(entry: number, payload: unknown): Promise<Answer | 'no JSON'>
  close(): Promise<void>
}

const quiet = { logger: false }
const exactly = { ...quiet, coerceTypes: false, removeAdditional: false }

export interface Schemas {
  readonly bodies: readonly Entry[]
  readonly queries: readonly Entry[]
}

/** Boots the servers. @throws the error of the boot, where a schema does not compile */
export async function openDoor({ bodies, queries }: Schemas): Promise<Door> {
  let seen: unknown
  let payload: unknown
  const receive = (request: { body?: unknown; query?: unknown }, part: 'body' | 'query') => {
    seen = request[part]
    return 'read'
  }
  const readers = (customOptions: object) =>
    serve(customOptions, bodies, (server, body, index) =>
      server.post(`/${index}`, { schema: { body } }, (request) => receive(request, 'body')),
    )
  const reader = await readers(quiet)
  const exactReader = await readers(exactly)
  const sender = await serve(quiet, bodies, (server, schema, index) =>
    server
      .setErrorHandler((_error, _request, reply) => reply.code(500).send('refused'))
      .get(`/${index}`, { schema: { response: { 200: schema } } }, () => payload),
  )
  const searcher = await serve(quiet, queries, (server, querystring, index) =>
    server.get(`/${index}`, { schema: { querystring } }, (request) => receive(request, 'query')),
  )
  return {
    async read(entry, body, exact = false) {
      const headers = { 'content-type': 'application/json' }
      const request = {
        method: 'POST',
        url: `/${entry}`,
        headers,
        payload: JSON.stringify(body),
      } as const
      const { statusCode, payload: text } = await (exact ? exactReader : reader).inject(request)
      return outcome(statusCode, text, () => seen)
    },
    async readQuery(entry, query) {
      const { statusCode, payload: text } = await searcher.inject(`/${entry}?${query}`)
      return outcome(statusCode, text, () => seen)
    },
    async send(entry, given) {
      payload = given
      const { statusCode, payload: text } = await sender.inject(`/${entry}`)
      if (statusCode !== 200) return undefined
      try {
        return { value: JSON.parse(text) as unknown }
      } catch {
        return 'no JSON'
      }
    },
    async close() {
      for (const app of [reader, exactReader, sender, searcher]) await app.close()
    },
  }
}

function outcome(status: number, text: string, read: () => unknown): Answer {
  if (status === 200) return { value: read() }
  if (status === 400) return undefined
  throw new Error(`status ${status}: ${text}`)
}

/** A server with a child for each entry, which has its shared schemas. */
async function serve(
  customOptions: object,
  entries: readonly Entry[],
  declare: (server: UntypedServer, schema: object, index: number) => void,
): Promise<UntypedServer> {
  const app = untyped({ ajv: { customOptions } })
  entries.forEach(({ schema, shared }, index) => {
    app.register((child) => {
      for (const each of shared) child.addSchema(each.schema)
      declare(child, schema, index)
    })
  })
  await app.ready()
  return app
}
