// `app.fetch` is a handler of platforms and frameworks as it is.
import { expectAssignable, expectError, expectType } from 'tsd'
import espalier from 'espalier'

const app = espalier()

expectType<Promise<Response>>(app.fetch(new Request('http://localhost')))
expectType<Promise<Response>>(app.fetch('http://localhost', { method: 'POST', body: 'x' }))
expectType<Promise<Response>>(app.fetch(new Request('http://localhost'), { ip: null }))
expectError(app.fetch(new Request('http://localhost'), { adress: '::1' }))

/** Next.js checks its route handlers so. */
interface NextRouteHandlers {
  readonly GET: (
    request: Request,
    context: { params: Promise<{ route?: string[] }> },
  ) => Promise<Response | void> | Response | void
}
const { fetch: GET } = app
expectAssignable<NextRouteHandlers>({ GET })

/** Netlify gives much more than this. */
interface NetlifyContext {
  readonly geo: object
  readonly ip: string
  readonly params: Record<string, string>
  readonly waitUntil: (promise: Promise<unknown>) => void
}
expectAssignable<(request: Request, context: NetlifyContext) => Promise<Response>>(app.fetch)

/** As `mount` of Hono and of h3 takes it. */
expectAssignable<(request: Request, ...args: any[]) => Response | Promise<Response>>(app.fetch)
expectAssignable<{ fetch: (request: Request) => Response | Promise<Response> }>(app)
