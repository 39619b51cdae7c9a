// The ways in which requests come to a server, for tests that run by a table of them.
import { once } from 'node:events'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { PassThrough } from 'node:stream'
import type { TestContext } from 'node:test'
import { certificate } from './certificate.ts'
import { untyped, type UntypedServer } from './untyped.ts'

/** What a client is given of an answer. */
export interface Answer {
  status: number | undefined
  headers: Record<string, unknown>
  text: string
  trailers: Record<string, unknown>
  /** The headers of status 103. */
  hints: Record<string, unknown> | undefined
  /** Whether the client knows that it has all of it. */
  isWhole: boolean
}

export interface Question {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether more of the body may be written. */
  readonly isOpen?: boolean
}

/** One request of a client. */
export interface Call {
  /** The answer as far as it has come, when the call has ended. */
  readonly ended: Promise<Answer>
  /** Fulfilled when the head and the first bytes of the body are there. */
  readonly begun: Promise<void>
  write(chunk: string | Uint8Array): void
  end(): void
  /** Leaves, whatever is still to come. */
  leave(): void
}

/** A client with a connection of its own, where there are connections. */
export interface Client {
  call(question: Question): Call
  /** Ends the connection, with all that is under way on it. */
  disconnect(): void
}

export interface Transport {
  readonly name: string
  readonly options: object
  readonly isHttp2: boolean
  /** Whether there is a connection: else nothing is cut, idle or kept. */
  readonly isWired: boolean
  connect(app: UntypedServer): Promise<Client>
}

const noAnswer = (): Answer => ({
  status: undefined,
  headers: {},
  text: '',
  trailers: {},
  hints: undefined,
  isWhole: false,
})

/** A promise, and what fulfils it. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

const originOf = (app: UntypedServer): Promise<string> => app.listen({ port: 0 })

function overHttp1(name: string, options: object, request: typeof requestHttp): Transport {
  const connect = async (app: UntypedServer): Promise<Client> => {
    const origin = await originOf(app)
    const open = new Set<{ leave(): void }>()
    return {
      call: (question) => {
        const call = callHttp1(request, origin, question)
        open.add(call)
        return call
      },
      disconnect: () => {
        for (const call of open) call.leave()
      },
    }
  }
  return { name, options, isHttp2: false, isWired: true, connect }
}

function callHttp1(
  request: typeof requestHttp,
  origin: string,
  { path, method = 'GET', headers = {}, body, isOpen = false }: Question,
): Call {
  const answer = noAnswer()
  const begun = gate()
  const sent = request(origin + path, {
    method,
    headers,
    agent: false,
    rejectUnauthorized: false,
  } as object)
  sent.on('error', () => undefined)
  sent.on('information', (info) => (answer.hints = info.headers))
  const ended = new Promise<Answer>((resolve) => {
    sent.on('close', () => {
      resolve(answer)
    })
    sent.on('response', (response: IncomingMessage) => {
      answer.status = response.statusCode
      answer.headers = response.headers
      response.setEncoding('utf8').on('error', () => undefined)
      response.on('data', (chunk: string) => {
        answer.text += chunk
        begun.open()
      })
      response.on('close', () => {
        answer.isWhole = response.complete
        answer.trailers = response.trailers
        resolve(answer)
      })
    })
  })
  void ended.then(begun.open)
  if (body !== undefined) sent.write(body)
  if (isOpen) sent.flushHeaders()
  else sent.end()
  return {
    ended,
    begun: begun.opened,
    write: (chunk) => void sent.write(chunk),
    end: () => void sent.end(),
    leave: () => void sent.destroy(),
  }
}

function overHttp2(name: string, options: object): Transport {
  const connect = async (app: UntypedServer): Promise<Client> => {
    const session = connectHttp2(await originOf(app), { rejectUnauthorized: false })
    session.on('error', () => undefined)
    await once(session, 'connect')
    return {
      call: (question) => callHttp2(session, question),
      disconnect: () => {
        session.destroy()
      },
    }
  }
  return { name, options, isHttp2: true, isWired: true, connect }
}

function callHttp2(session: ClientHttp2Session, question: Question): Call {
  const { path, method = 'GET', headers = {}, body, isOpen = false } = question
  const answer = noAnswer()
  const begun = gate()
  const endStream = !isOpen && body === undefined
  const stream = session.request({ ':path': path, ':method': method, ...headers }, { endStream })
  let hasEnded = false
  stream.setEncoding('utf8').on('error', () => undefined)
  stream.on('headers', (hints) => (answer.hints = hints))
  stream.on('response', ({ ':status': status, ...others }) => {
    answer.status = status
    answer.headers = others
  })
  stream.on('data', (chunk: string) => {
    answer.text += chunk
    begun.open()
  })
  stream.on('trailers', (trailers) => (answer.trailers = trailers))
  stream.on('end', () => (hasEnded = true))
  const ended = new Promise<Answer>((resolve) => {
    stream.on('close', () => {
      answer.isWhole = hasEnded && stream.rstCode === constants.NGHTTP2_NO_ERROR
      resolve(answer)
    })
  })
  void ended.then(begun.open)
  if (body !== undefined) stream.write(body)
  if (!endStream && !isOpen) stream.end()
  return {
    ended,
    begun: begun.opened,
    write: (chunk) => void stream.write(chunk),
    end: () => void stream.end(),
    leave: () => {
      // Node’s client would end its body first, so that it is whole.
      if (isOpen) stream.destroy(new Error('the client leaves'))
      else stream.close(constants.NGHTTP2_CANCEL)
    },
  }
}

const inject: Transport = {
  name: 'inject',
  options: {},
  isHttp2: false,
  isWired: false,
  connect: async (app) => {
    await app.ready()
    const open = new Set<Call>()
    return {
      call: (question) => {
        const call = callInjected(app, question)
        open.add(call)
        return call
      },
      disconnect: () => {
        for (const call of open) call.leave()
      },
    }
  },
}

/** What is sent without a socket comes at once when it has ended: there is no beginning of it. */
function callInjected(app: UntypedServer, question: Question): Call {
  const { path, method = 'GET', headers = {}, body, isOpen = false } = question
  const left = new AbortController()
  const upload = new PassThrough()
  if (body !== undefined) upload.write(body)
  if (!isOpen) upload.end()
  const sends = isOpen || body !== undefined
  const [target, query] = path.split('?')
  const input = {
    headers,
    ...(sends && { body: upload }),
    ...(query !== undefined && { query: Object.fromEntries(new URLSearchParams(query)) }),
  }
  const inject = app.inject.bind(app) as (...args: unknown[]) => ReturnType<UntypedServer['inject']>
  const ended = inject(`${method} ${String(target)}`, input, { signal: left.signal }).then(
    ({ statusCode, headers, body, trailers }) => {
      return { ...noAnswer(), status: statusCode, headers, text: body, trailers, isWhole: true }
    },
    noAnswer,
  )
  return {
    ended,
    begun: ended.then(() => undefined),
    write: (chunk) => void upload.write(chunk),
    end: () => void upload.end(),
    leave: () => {
      left.abort()
    },
  }
}

export const transports: readonly Transport[] = [
  overHttp1('http', {}, requestHttp),
  overHttp1('https', { https: certificate }, requestHttps),
  overHttp2('h2c', { http2: true }),
  overHttp2('h2', { http2: true, https: certificate }),
  inject,
]

/** Those with connections. */
export const wires = transports.filter(({ isWired }) => isWired)

/** A server behind a transport, and a client of it, until a test ends. */
export async function talk(
  context: TestContext,
  { options, connect }: Transport,
  fill: (app: UntypedServer) => unknown,
  more: object = {},
): Promise<Client & { readonly app: UntypedServer }> {
  const app = untyped({ ...options, ...more })
  fill(app)
  const client = await connect(app)
  context.after(async () => {
    client.disconnect()
    await app.close()
  })
  return { app, ...client }
}

/** Asks once, and waits for the whole of the answer. */
export function ask(client: Client, question: Question | string): Promise<Answer> {
  return client.call(typeof question === 'string' ? { path: question } : question).ended
}
