import type { TestContext } from 'node:test'
import type { UntypedServer } from './untyped.ts'

/** An answer whose JSON has no type. */
export interface Answer extends Response {
  json(): Promise<any>
}

/** Asks a server for a path of its own. */
export type Ask = (path: string, init?: RequestInit) => Promise<Answer>

/** What can be listened to: a server of any type. */
type Listening = Pick<UntypedServer, 'close' | 'listen'>

/** Has a server listen until a test ends, and gives its origin. */
export async function listening(context: TestContext, app: Listening): Promise<string> {
  context.after(() => app.close())
  return app.listen({ port: 0 })
}

/** Has a server listen until a test ends, and gives what fetches from it. */
export async function serve(context: TestContext, app: Listening): Promise<Ask> {
  const origin = await listening(context, app)
  return (path, init) => fetch(origin + path, init)
}

/** The body of a POST request, as JSON. */
export function posted(payload: unknown, headers: Record<string, string> = {}): RequestInit {
  const type = { 'content-type': 'application/json' }
  return { method: 'POST', body: JSON.stringify(payload), headers: { ...type, ...headers } }
}

/** What a browser sends back of the cookies of an answer. */
export function cookiesOf(response: Response): Record<'cookie', string> {
  const pairs = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return { cookie: pairs.join('; ') }
}
