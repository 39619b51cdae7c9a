import { AsyncLocalStorage } from 'node:async_hooks'
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type Attributes,
  context,
  type Context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import type { HandlerMessage, HookMessage, RequestMessage } from '../lifecycle/channels.ts'
import { standardMethods } from '../http/methods.ts'
import { version } from '../version.ts'

/** The options of `instrument`: which spans there are beside those of requests. */
export interface InstrumentOptions {
  /** Whether each call of a handler has a span, which is active in the handler. @default false */
  readonly handlers?: boolean
  /** Whether each call of a hook has a span, on servers that become ready afterwards.
   *  @default false */
  readonly hooks?: boolean
}

type Stop = () => void

/** What the instrumentation of Node's HTTP puts into the context of a request. Its key is that of
 *  `getRPCMetadata` in `@opentelemetry/core`. */
type RpcMetadata = { readonly span: Span; route?: string } | undefined
const rpcMetadata = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA')

const knownMethods: ReadonlySet<string> = new Set([...standardMethods, 'CONNECT', 'TRACE', 'QUERY'])

/** Tells OpenTelemetry what the servers of this process do, by its semantic conventions for HTTP.
 *  The span of a request is called by its route, `GET /users/:id`, and has the attribute
 *  `http.route`. It is the span of the instrumentation of Node's HTTP, or else one that is made
 *  here. Errors are recorded in it.
 *  @returns a function that ends this */
export function instrument({ handlers = false, hooks = false }: InstrumentOptions = {}): Stop {
  const tracer = trace.getTracer('espalier', version)
  const stops = [
    ...traceRequests(tracer),
    ...(handlers ? traceHandlers(tracer) : []),
    ...(hooks ? traceHooks(tracer) : []),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function traceRequests(tracer: Tracer): Stop[] {
  const spans = new WeakMap<object, Span>()
  /** The spans that are made here, each with its status for a failed request. */
  const own = new WeakMap<Span, { code: SpanStatusCode; message?: string }>()
  return [
    activate<RequestMessage>('espalier.request.start', (message) => {
      const { request, route } = message
      const method = knownMethods.has(request.method) ? request.method : 'HTTP'
      const name = route.url === undefined ? method : `${method} ${route.url}`
      const active = context.active()
      const metadata = active.getValue(rpcMetadata) as RpcMetadata
      if (metadata !== undefined) {
        // The instrumentation names the span by this when the response ends.
        if (route.url !== undefined) metadata.route = route.url
        const attributes = { ...routeOf(message), ...redactedOf(message, metadata.span) }
        spans.set(request, metadata.span.updateName(name).setAttributes(attributes))
        return active
      }
      const parent = propagation.extract(active, request.headers)
      const attributes = { ...attributesOf(message), ...routeOf(message) }
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
      spans.set(request, span)
      own.set(span, { code: SpanStatusCode.ERROR })
      return trace.setSpan(parent, span)
    }),
    listen<RequestMessage>('espalier.request.error', ({ request, error }) => {
      const span = spans.get(request)
      if (span === undefined) return
      const message = record(span, error)
      Object.assign(own.get(span) ?? {}, { message })
    }),
    listen<RequestMessage>('espalier.request.end', ({ request, reply: { statusCode } }) => {
      const span = spans.get(request)
      const status = span && own.get(span)
      if (span === undefined || status === undefined) return
      span.setAttribute('http.response.status_code', statusCode)
      if (statusCode >= 500) span.setAttribute('error.type', String(statusCode)).setStatus(status)
      span.end()
    }),
  ]
}

function traceHandlers(tracer: Tracer): Stop[] {
  const { begin, end } = createCalls(tracer)
  const of = 'tracing:fastify.request.handler'
  return [
    activate<HandlerMessage>(`${of}:start`, (message) =>
      trace.setSpan(context.active(), begin(message, `handler ${message.route.url ?? ''}`)),
    ),
    listen<HandlerMessage>(`${of}:end`, (message) => message.async || end(message)),
    listen<HandlerMessage>(`${of}:asyncEnd`, end),
  ]
}

/** The spans of hooks are not active in them: a hook with `done` runs all that comes after it. */
function traceHooks(tracer: Tracer): Stop[] {
  const { begin, end } = createCalls(tracer)
  return [
    listen<HookMessage>('espalier.hook.start', (message) =>
      begin(message, `${message.hook} ${message.name}`.trim()),
    ),
    listen<HookMessage>('espalier.hook.end', end),
  ]
}

/** Begins and ends the spans of calls, whose messages are the same object. */
function createCalls(tracer: Tracer) {
  const spans = new WeakMap<RequestMessage, Span>()
  const begin = (message: RequestMessage, name: string): Span => {
    const span = tracer.startSpan(name, { attributes: routeOf(message) })
    spans.set(message, span)
    return span
  }
  const end = (call: RequestMessage): void => {
    const span = spans.get(call)
    if (span === undefined) return
    const { error } = call
    if (error !== undefined)
      span.setStatus({ code: SpanStatusCode.ERROR, message: record(span, error) })
    span.end()
  }
  return { begin, end }
}

function listen<Message>(name: string, call: (message: Message) => unknown): Stop {
  // cast: the framework publishes messages of this type in this channel
  const listener = (message: unknown): unknown => call(message as Message)
  subscribe(name, listener)
  return () => unsubscribe(name, listener)
}

/** Makes the context that is active while what a message begins runs. */
function activate<Message>(name: string, enter: (message: Message) => Context): Stop {
  const store = new ActiveContext()
  // cast: messages as in `listen`
  channel(name).bindStore(store, (message) => enter(message as Message))
  return () => channel(name).unbindStore(store)
}

/** Stands for the storage of the SDK, which is not in its API. Channels call `run` alone. */
class ActiveContext extends AsyncLocalStorage<Context> {
  override run<Result>(active: Context, call: () => Result): Result {
    return context.with(active, call)
  }
}

function record(span: Span, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  span.recordException(error instanceof Error ? error : message)
  return message
}

const routeOf = ({ route: { url } }: RequestMessage): Attributes =>
  url === undefined ? {} : { 'http.route': url }

/** The attributes in which the instrumentation of Node's HTTP has written a URL, for a route that
 *  has sensitive values, by the current conventions and those before. */
function redactedOf({ request, route: { redactUrl } }: RequestMessage, span: object): Attributes {
  const present: unknown = Reflect.get(span, 'attributes')
  if (redactUrl === undefined || typeof present !== 'object' || present === null) return {}
  const target = redactUrl(request.url)
  const [path = '', query = ''] = target.split('?', 2)
  const url = `${request.protocol}://${request.host}${target}`
  const shown = { 'url.path': path, 'url.query': query, 'url.full': url }
  const all = { ...shown, 'http.target': target, 'http.url': url }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in present))
}

const attributesOf = ({ request, route: { redactUrl } }: RequestMessage): Attributes => ({
  'http.request.method': knownMethods.has(request.method) ? request.method : '_OTHER',
  'url.path': (redactUrl?.(request.url) ?? request.url).replace(/\?.*/, ''),
  'url.scheme': request.protocol,
  'server.address': request.hostname,
})
