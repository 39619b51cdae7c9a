// What can never be sent is an error where it is written: payloads, decorators of requests, needs.
import { expectError } from 'tsd'
import espalier, { plugin, t } from '../src/index.ts'
import type { ErrorHandlerFor, HookFor } from '../src/route/standalone.ts'

declare const big: bigint
declare const sign: symbol
const form = new FormData()
const search = new URLSearchParams('a=1')
const blob = new Blob(['x'])

// Payloads that a handler returns, at once or by a promise.
const app = espalier()
expectError(app.get('/', () => big))
expectError(app.get('/', async () => big))
expectError(app.get('/', () => sign))
expectError(app.get('/', () => () => 1))
expectError(app.get('/', () => blob))
expectError(app.get('/', () => form))
expectError(app.get('/', () => search))
expectError(app.get('/', () => new File(['x'], 'x')))
expectError(app.get('/', { handler: () => big }))
expectError(app.route({ method: 'GET', url: '/', handler: async () => blob }))
// In fields, lists, and one case among others.
expectError(app.get('/', () => ({ a: { b: [big] } })))
expectError(app.get('/', () => [{ blob }]))
expectError(app.get('/', () => ({ form })))
expectError(app.get('/', async () => ({ search })))
expectError(app.get('/', ({ url }) => (url === '/' ? { a: 1 } : { a: big })))
// Payloads of `send`.
expectError(app.get('/', (_request, reply) => reply.send(big)))
expectError(app.get('/', (_request, reply) => reply.code(201).send({ n: big })))
expectError(app.get('/', async (_request, reply) => reply.header('x-a', 'b').send(blob)))

// What says itself what is sent of it, what is sent as it is, and what JSON leaves out.
class Amount {
  readonly #value: bigint
  constructor(value: bigint) {
    this.#value = value
  }
  toJSON(): string {
    return String(this.#value)
  }
}
declare const anything: unknown
declare const open: { [name: string]: unknown }
app.get('/', () => ({ n: String(big), m: Number(big) }))
app.get('/', () => new Amount(1n))
app.get('/', () => ({ total: [new Amount(1n)] }))
app.get('/', () => new Response(blob))
app.get('/', () => new Response(form))
app.get('/', () => ({ a: 1, go: () => 1 }))
app.get('/', () => ({ when: new Date(), none: undefined }))
app.get('/', () => anything)
app.get('/', () => open)
app.get('/', (_request, reply) => reply.send(anything))
app.get('/', (_request, reply) => reply.send())
app.get('/', (_request, reply) => reply.serializer(String).send(big))
interface Tree {
  readonly name: string
  readonly children: readonly Tree[]
}
declare const tree: Tree
app.get('/', () => tree)
export function generic<T>(get: () => T) {
  return espalier()
    .get('/returned', get)
    .get('/sent', (_request, reply) => reply.send(get()))
}
// Declared responses say themselves what may be sent.
expectError(
  app.get('/', { schema: { response: { 200: t.Object({ n: t.Integer() }) } } }, () => big),
)

// An object would be shared by all requests.
expectError(app.decorateRequest('cart', { items: [] as string[] }))
expectError(app.decorateRequest('cart', [] as string[]))
expectError(app.decorateRequest('cart', new Map<string, string>()))
expectError(app.decorateReply('cart', { items: [] as string[] }))
app.decorateRequest('cart', null as { items: string[] } | null)
app.decorateRequest('cart', undefined as string[] | undefined)
app.decorateRequest('cart', { getter: () => ({ items: [] as string[] }) })
app.decorateRequest('cart', () => [])
app.decorateRequest('cart', 1)
app.decorate('cart', { items: [] as string[] })
export function decorating<Value>(value: Value) {
  return espalier().decorateRequest('own', value)
}

// Needs have these parts and phases only.
expectError(plugin<{ server: { db: string }; derivd: { user: 'preHandler' } }>())
expectError(plugin<{ request: { user: string }; derived: { user: 'onRequets' } }>())
expectError(plugin<{ request: { user: string }; derived: { user: string } }>())
plugin<{ request: { user: string }; derived: { user: 'preHandler' } }>()
plugin<{ server: { db: string } }>()
interface Named {
  server: { db: string }
  derived: { user: 'onRequest' }
}
plugin<Named>()
export type Right = ErrorHandlerFor<{ server: { db: string } }>
export type Hook = HookFor<'onRequest', { request: { user: string } }>
// @ts-expect-error needs have no such part
export type Wrong = ErrorHandlerFor<{ sever: { db: string } }>
// @ts-expect-error nor has those of a hook
export type WrongHook = HookFor<'onRequest', { server: object; requests: { user: string } }>
