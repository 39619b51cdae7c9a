// `app.fetch` takes what platforms give, and is the `fetch` of a client in the same process.
import espalier, { type FetchFunction, t } from 'espalier'
import { client } from 'espalier/client'
import { expectAssignable, expectError, expectType } from 'tsd'

const app = espalier().get(
  '/users/:id',
  { schema: { params: { id: t.Integer() }, response: { 200: { id: t.Integer() } } } },
  ({ params }) => ({ id: params.id }),
)
const request = new Request('http://localhost/users/1')

expectType<FetchFunction>(app.fetch)
expectType<Promise<Response>>(app.fetch(request))
expectType<Promise<Response>>(app.fetch('http://localhost', { method: 'POST', body: '' }))
expectType<Promise<Response>>(app.fetch(new URL('http://localhost')))

// Who the client is, and what may go on behind the reply.
app.fetch(request, { ip: '10.0.0.1', waitUntil: (work: Promise<unknown>) => work })
app.fetch(request, { ip: request.headers.get('x-real-ip') })
expectError(app.fetch(request, { ip: 1 }))
expectError(app.fetch(request, { address: '10.0.0.1' }))
expectError(app.fetch('http://localhost', { ip: '10.0.0.1' }))
expectError(app.fetch())

// The servers of Bun and of Deno, and a module of Workers, as their types have them.
interface BunServer {
  requestIP(request: Request): { address: string; family: 'IPv4' | 'IPv6'; port: number } | null
  upgrade(request: Request): boolean
}
interface DenoInfo {
  remoteAddr: { transport: 'tcp' | 'udp'; hostname: string; port: number }
  completed: Promise<void>
}
interface Env {
  KV: { get(key: string): Promise<string | null> }
}
interface ExecutionContext {
  waitUntil(promise: Promise<any>): void
  passThroughOnException(): void
}
expectAssignable<(request: Request, server: BunServer) => Response | Promise<Response>>(app.fetch)
expectAssignable<(request: Request, info: DenoInfo) => Response | Promise<Response>>(app.fetch)
expectAssignable<(request: Request, env: Env, context: ExecutionContext) => Promise<Response>>(
  app.fetch,
)

// Route handlers of Next.js, functions of Netlify, and what `mount` of Hono and of h3 takes.
interface NextRouteHandlers {
  readonly GET: (
    request: Request,
    context: { params: Promise<{ route?: string[] }> },
  ) => Promise<Response | void> | Response | void
}
interface NetlifyContext {
  readonly ip: string
  readonly params: Record<string, string>
  readonly waitUntil: (promise: Promise<unknown>) => void
}
expectAssignable<NextRouteHandlers>({ GET: app.fetch })
expectAssignable<(request: Request, context: NetlifyContext) => Promise<Response>>(app.fetch)
expectAssignable<(request: Request, ...args: any[]) => Response | Promise<Response>>(app.fetch)
expectAssignable<{ fetch: (request: Request) => Response | Promise<Response> }>(app)

// A client of the server itself, and one with its `fetch`: typed by the routes.
const api = client(app)
expectType<number>((await api('GET /users/:id', { params: { id: 1 } })).json().id)
expectError(api('GET /posts'))
expectError(api('GET /users/:id', { params: { id: 'x' } }))
const other = client<typeof app>('http://localhost', { fetch: app.fetch })
expectType<number>((await other('GET /users/:id', { params: { id: 1 } })).json().id)
expectError(client({ fetch: app.fetch }))
