import { expectAssignable, expectError, expectType } from 'tsd'
import type { IncomingMessage } from 'node:http'
import pino from 'pino'
import espalier, {
  LogController,
  t,
  type ChildLoggerFactory,
  type EspalierOptions,
  type HandlerMessage,
  type HookReply,
  type HookRequest,
  type LoggedReply,
  type LoggedRequest,
  type Logger,
  type LoggerOptions,
  type LogSerializers,
  type RequestMessage,
  type Server,
} from 'espalier'
import { isAny } from './support.ts'

// A server takes pino's options, a logger of pino, or any other.
espalier({ logger: true, disableRequestLogging: true, requestIdLogLabel: 'traceId' })
espalier({ logger: { level: 'warn', file: 'server.log', redact: ['req.headers.authorization'] } })
espalier({ logger: { transport: { target: 'pino-pretty' }, stream: process.stderr } })
espalier({ logger: pino() })
espalier({ loggerInstance: pino({ level: 'warn' }) })
declare const own: {
  [Level in 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace']: (...line: unknown[]) => void
} & { child(): typeof own }
espalier({ loggerInstance: own })
expectError(espalier({ loggerInstance: console }))
expectError(espalier({ loggerInstance: true }))
expectError(espalier({ logger: 'info' }))
expectError(espalier({ logger: { file: 1 } }))
expectError(espalier({ requestIdLogLabel: 1 }))
expectAssignable<EspalierOptions['logger']>({ level: 'info' } satisfies LoggerOptions)

// Serializers know what they are given; one for a binding of one's own may say it.
espalier({
  logger: {
    serializers: {
      req: (request) => {
        expectType<string>(request.url)
        expectType<false>(isAny(request))
        return { url: request.url }
      },
      res: (reply) => reply.statusCode,
      err: (error) => error.message,
      user: (user: { id: number }) => user.id,
    },
  },
})
expectError(espalier({ logger: { serializers: { req: (request) => request.nothing } } }))
expectError(espalier({ logger: { serializers: { user: 1 } } }))

// Whether requests are logged may depend on them.
espalier({ disableRequestLogging: (request) => request.url === '/health' })
expectError(espalier({ disableRequestLogging: () => 'yes' }))

// The lines of the framework itself may be one's own, in the terms of whichever requests there are.
class Lines extends LogController {
  override incomingRequest(request: HookRequest<unknown>, reply: HookReply): void {
    expectType<Logger>(request.log)
    reply.log.debug({ headers: request.headers }, 'incoming')
  }
  override requestCompleted(error: Error | null, request: LoggedRequest, reply: LoggedReply): void {
    expectType<number>(reply.elapsedTime)
    expectType<false>(isAny(request))
    super.requestCompleted(error, request, reply)
  }
  override isLogDisabled({ url }: { readonly url: string }): boolean {
    return url === '/health'
  }
}
espalier({ logger: true, logController: new Lines({ requestIdLogLabel: 'traceId' }) })
new LogController({ disableRequestLogging: (request) => request.hostname === 'a' })
expectError(espalier({ logController: { incomingRequest: () => undefined } }))
expectError(espalier({ logController: LogController }))
expectError(new LogController({ disableRequestLogging: 'yes' }))
expectError(new LogController({ disableRequestLogging: (request) => request.nothing === 1 }))
expectError(new LogController({ label: 'x' }))
class Wrong extends LogController {
  // @ts-expect-error a line is given a request
  override incomingRequest(request: string): void {
    String(request)
  }
}
new Wrong()

// Levels, serializers and factories of plugins and routes.
const app = espalier()
const logSerializers: LogSerializers = { user: (user: { id: number }) => user.id }
app.register(async (child) => child, { logLevel: 'warn', logSerializers })
app.register(async (child) => child, { prefix: '/a', logLevel: 'own level' })
expectError(app.register(async (child) => child, { logLevel: 30 }))
expectError(app.register(async (child) => child, { logSerializers: { user: 1 } }))
app.get('/a', { logLevel: 'silent', logSerializers }, () => 'a')
expectError(app.get('/a', { logLevel: 30 }, () => 'a'))
app.get('/b', { childLoggerFactory: (logger, bindings) => logger.child(bindings) }, () => 'b')
expectError(app.get('/b', { childLoggerFactory: () => 'no logger' }, () => 'b'))

// A factory has the server as `this`, and the request of Node.
const decorated = espalier().decorate('name', 'tea')
const same = decorated.setChildLoggerFactory(function (logger, bindings, options, raw) {
  expectType<string>(this.name)
  expectType<Logger>(logger)
  expectType<IncomingMessage>(raw)
  return logger.child({ ...bindings, name: this.name }, options)
})
expectType<string>(same.name)
expectError(decorated.setChildLoggerFactory(() => undefined))
expectType<ChildLoggerFactory>(app.childLoggerFactory)
espalier({
  childLoggerFactory(logger, bindings) {
    expectType<string>(this.version)
    return logger.child(bindings)
  },
})

// The loggers of a request and its reply may be replaced.
app.get('/c', { schema: { response: { 200: t.String() } } }, (request, reply) => {
  request.log = reply.log = request.log.child({ user: 'Ada' })
  expectType<Logger>(request.log)
  expectError((request.log = 1))
  return 'c'
})
expectAssignable<Server>(app)

// What the channels publish.
declare const message: RequestMessage
expectType<string | undefined>(message.route.url)
expectType<number>(message.reply.statusCode)
expectType<unknown>(message.error)
declare const handled: HandlerMessage
expectType<boolean>(handled.async)
expectAssignable<RequestMessage>(handled)
expectError(handled.nothing)
