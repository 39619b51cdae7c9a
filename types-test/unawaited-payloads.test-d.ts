// A promise inside of what a handler gives, where no response is declared, would be sent as `{}`.
import { Readable } from 'node:stream'
import espalier, { type Handler } from 'espalier'
import { expectError } from 'tsd'

const app = espalier()
const find = async (id: number) => ({ id })

expectError(app.get('/field', () => ({ user: find(1) })))
expectError(app.get('/async', async () => ({ user: find(1) })))
expectError(app.get('/list', async () => [1, 2].map((id) => find(id))))
expectError(app.get('/sync-list', () => [find(1)]))
expectError(app.get('/tuple', () => [1, find(1)] as const))
expectError(app.get('/maybe', async ({ is404 }) => (is404 ? { user: find(1) } : null)))
expectError(app.get('/schema', { schema: { querystring: {} } }, async () => ({ user: find(1) })))
expectError(app.get('/option', { handler: async () => ({ user: find(1) }) }))
expectError(app.route({ method: 'GET', url: '/', handler: () => ({ user: find(1) }) }))
expectError(app.setErrorHandler(() => ({ user: find(1) })))
expectError(app.setNotFoundHandler(async () => [find(1)]))
expectError(app.get('/list-in-field', () => ({ users: [1, 2].map((id) => find(id)) })))
expectError(app.get('/object-in-field', async () => ({ first: { user: find(1) } })))
expectError(app.get('/field-in-list', () => [{ user: find(1) }]))
expectError(app.get('/list-in-list', () => [[find(1)]]))

// One that is the payload is awaited, and so is what a handler waits for itself.
app.get('/whole', () => find(1))
app.get('/all', () => Promise.all([find(1), find(2)]))
app.get('/awaited', async () => ({ user: await find(1) }))

// What is not known is not asked, nor what says itself what it is as JSON, nor methods.
declare const anything: any
declare const unknown: unknown
class Service {
  name = 'a'
  find() {
    return find(1)
  }
}
class Lazy {
  user = find(1)
  toJSON() {
    return { id: 1 }
  }
}
class Job extends Readable {
  done = find(1)
}
class Query {
  ready = find(1)
  then(take: (value: { id: number }) => void) {
    take({ id: 1 })
  }
}
declare const rendered: ReadableStream & { readonly allReady: Promise<void> }
declare const mark: unique symbol
app.get('/any', () => ({ a: anything, b: [anything] }))
app.get('/unknown', () => ({ a: unknown, b: [unknown] }))
app.get('/service', () => new Service())
app.get('/lazy', () => new Lazy())
app.get('/response', () => new Response('x'))
app.get('/stream', () => new Job())
app.get('/web', () => rendered)
app.get('/symbol', () => ({ id: 1, [mark]: find(1) }))
app.get('/thenable', () => new Query())
app.get('/sent', async (_request, reply) => reply.send({ id: 1 }))
function generic<T>(get: () => T, load: () => Promise<T>) {
  app.get('/get', get)
  app.get('/load', load)
  app.get('/in', async () => ({ value: get() }))
  return app.get('/each', async () => [get()])
}
generic(String, async () => '')
const handler: Handler<{}> = async () => ({ user: await find(1) })
app.get('/handler', handler)

type Tree = { name: string; children: Tree[]; parent?: Tree }
declare const tree: Tree
type Any = string | number | boolean | null | Any[] | { [name: string]: Any }
declare const json: Any
app.get('/nested', () => ({ job: new Job(), lazy: new Lazy(), query: new Query(), at: new Date() }))
app.get('/methods', () => ({ find, service: new Service(), all: [new Service(), find] }))
app.get('/unknown', () => ({ anything, unknown, list: [anything], map: new Map([[1, find(1)]]) }))
app.get('/recursive', () => ({ tree, json }))
