// Whatever a function that an application gives does, a request is answered, the next one too, and the
// process lives.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import http2 from 'node:http2'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import tls from 'node:tls'
import { types } from 'node:util'
import { optionRules } from '../../src/server/options.ts'
import { LogController, type EspalierOptions } from '../../src/index.ts'
import { certificate } from '../support/certificate.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

type Loose = any
type AnyFunction = (this: unknown, ...args: Loose[]) => unknown

/** What would end the process. */
const unhandled: unknown[] = []
const keep = (error: unknown): void => void unhandled.push(error)
before(() => process.on('unhandledRejection', keep).on('uncaughtException', keep))
after(() => process.off('unhandledRejection', keep).off('uncaughtException', keep))

/** An object nothing of which can be read. */
const closed = () => {
  const fail = (): never => {
    throw new Error('nothing of this can be read')
  }
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail })
}

const raise = (error: unknown): never => {
  throw error
}

/** What a function may do in the place of its work. Those that answer a request themselves do it before. */
const faults: Readonly<Record<string, (work: () => unknown) => unknown>> = {
  throws: () => raise(new Error('thrown')),
  'throws behind its work': (work) => {
    work()
    return raise(new Error('thrown late'))
  },
  'throws text': () => raise('text'),
  'throws undefined': () => raise(undefined),
  'throws null': () => raise(null),
  'throws an object that cannot be read': () => raise(closed()),
  rejects: () => Promise.reject(new Error('rejected')),
  'rejects with text': () => Promise.reject('text'),
  'rejects with undefined': () => Promise.reject(undefined),
  'rejects with null': () => Promise.reject(null),
  'rejects with an object that cannot be read': () => Promise.reject(closed()),
  'rejects behind its work': async (work) => {
    work()
    return raise(new Error('rejected late'))
  },
  'returns undefined': (work) => void work(),
  'returns null': (work) => (work(), null),
  'returns a number': (work) => (work(), 7),
  'returns text': (work) => (work(), 'text'),
  'returns a symbol': (work) => (work(), Symbol('s')),
  'returns a function': (work) => (work(), () => raise(new Error('called'))),
  'returns an object that cannot be read': (work) => (work(), closed()),
  'returns a promise of nothing': async (work) => void work(),
}

interface Case {
  /** The options with the function in its place. */
  readonly options: (fn: AnyFunction) => object
  /** The function as it works. */
  readonly works: AnyFunction
  /** What its requests ask for. @default '/' */
  readonly paths?: readonly string[]
  /** Whether it is called at boot, which it may stop. */
  readonly atBoot?: boolean
  /** Declares a route. */
  readonly declare?: (app: UntypedServer, fn: AnyFunction) => unknown
}

/** The options whose type has a function in it. */
type FunctionOption = {
  [Name in keyof EspalierOptions]-?: Extract<
    EspalierOptions[Name],
    (this: Loose, ...args: Loose) => unknown
  > extends never
    ? never
    : Name
}[keyof EspalierOptions]

const withLogger = { logger: { level: 'trace', stream: { write: () => undefined } } }
const bad = '/%E0%A4%A'
const long = `/long/${'x'.repeat(101)}`

/** The options that are functions: an option without a case does not compile. */
const own: Readonly<Record<FunctionOption, Case>> = {
  querystringParser: {
    options: (querystringParser) => ({ querystringParser }),
    works: (text: string) => Object.fromEntries(new URLSearchParams(text)),
    paths: ['/?a=1', '/none?a=1'],
  },
  defaultRoute: {
    options: (defaultRoute) => ({ defaultRoute }),
    works: (_request, response) => response.end('none'),
    paths: ['/none'],
  },
  onBadUrl: {
    options: (onBadUrl) => ({ onBadUrl }),
    works: (_path, _request, response) => response.end('bad'),
    paths: [bad],
  },
  onMaxParamLength: {
    options: (onMaxParamLength) => ({ onMaxParamLength }),
    works: (_path, _request, response) => response.end('long'),
    paths: [long],
  },
  buildPrettyMeta: {
    options: (buildPrettyMeta) => ({ buildPrettyMeta }),
    works: () => ({}),
    // It is called for the developer, who asks for it.
    declare: (app) => app.get('/print', () => (app as Loose).printRoutes({ includeMeta: true })),
    paths: ['/print'],
  },
  rewriteUrl: { options: (rewriteUrl) => ({ rewriteUrl }), works: ({ url }) => url },
  frameworkErrors: {
    options: (frameworkErrors) => ({ frameworkErrors }),
    works: (error, _request, reply) => void reply.send(error),
    paths: [bad, long],
  },
  serverFactory: {
    options: (serverFactory) => ({ serverFactory }),
    works: (handler) => createServer(handler),
    atBoot: true,
  },
  clientErrorHandler: {
    options: (clientErrorHandler) => ({ clientErrorHandler }),
    works: (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    paths: ['NOTHING'],
  },
  trustProxy: { options: (trustProxy) => ({ trustProxy, ...withLogger }), works: () => true },
  genReqId: { options: (genReqId) => ({ genReqId, ...withLogger }), works: () => 'id' },
  schemaErrorFormatter: {
    options: (schemaErrorFormatter) => ({ schemaErrorFormatter }),
    works: () => new Error('formatted'),
    paths: ['/valid?n=x'],
  },
  childLoggerFactory: {
    options: (childLoggerFactory) => ({ childLoggerFactory, ...withLogger }),
    works: (logger, bindings, options) => logger.child(bindings, options),
    paths: ['/', '/none', '/fails', bad],
  },
  disableRequestLogging: {
    options: (disableRequestLogging) => ({ disableRequestLogging, ...withLogger }),
    works: () => false,
    paths: ['/', '/none', '/fails'],
  },
}

const strategy = (members: object) => {
  const store = new Map<unknown, unknown>()
  return {
    constraints: {
      tenant: {
        name: 'tenant',
        storage: () => ({
          get: (key: unknown) => store.get(key),
          set: (key: unknown, value: unknown) => void store.set(key, value),
        }),
        deriveConstraint: ({ headers }: Loose) => headers['tenant'] ?? 'a',
        ...members,
      },
    },
  }
}
const constrained = (app: UntypedServer) =>
  app.get('/own', { constraints: { tenant: 'a' } }, () => 'own')

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace']
const logger = (members: object): object => {
  const self: Loose = Object.fromEntries(levels.map((level) => [level, () => undefined]))
  return Object.assign(self, { child: () => self, level: 'trace' }, members)
}
const everything = ['/', '/none', '/fails', bad, 'NOTHING']
const pinoOption = (place: (fn: AnyFunction) => object, works: AnyFunction): Case => ({
  options: (fn) => ({
    logger: { level: 'trace', stream: { write: () => undefined }, ...place(fn) },
  }),
  works,
  paths: everything,
  // Some are called when a logger is made.
  atBoot: true,
})

const lines = Object.getOwnPropertyNames(LogController.prototype).filter(
  (name) => name !== 'constructor',
)

/** The functions inside of options that are objects. */
const inside: Readonly<Record<string, Case>> = {
  'constraints.deriveConstraint': {
    options: (fn) => strategy({ deriveConstraint: (request: Loose) => fn(request) }),
    works: () => 'a',
    declare: constrained,
    paths: ['/own', '/none'],
  },
  'constraints.deriveConstraint that calls back': {
    options: (fn) =>
      strategy({
        deriveConstraint: (request: Loose, at: Loose, done: Loose) => fn(request, at, done),
      }),
    works: (_request, _context, done) => done(null, 'a'),
    declare: constrained,
    paths: ['/own', '/none'],
  },
  'constraints.validate': {
    options: (fn) => strategy({ validate: fn }),
    works: () => undefined,
    declare: constrained,
    paths: ['/own'],
    atBoot: true,
  },
  'constraints.storage': {
    options: (fn) => strategy({ storage: fn }),
    works: () => new Map(),
    declare: constrained,
    paths: ['/own'],
    atBoot: true,
  },
  ...Object.fromEntries(
    ['get', 'set'].map((name) => {
      const placed: Case = {
        options: (fn) =>
          strategy({
            storage: () => {
              const map = new Map<unknown, unknown>()
              const store: Loose = {
                get: (key: unknown) => map.get(key),
                set: (key: unknown, value: unknown) => map.set(key, value),
              }
              return { ...store, [name]: (...args: Loose[]) => fn(store[name], ...args) }
            },
          }),
        works: (own, ...args) => own(...args),
        declare: constrained,
        paths: ['/own', '/none'],
        atBoot: true,
      }
      return [`constraints.storage().${name}`, placed]
    }),
  ),
  'versioning.deriveVersion': {
    options: (fn) => ({
      versioning: { storage: () => new Map(), deriveVersion: (r: Loose) => fn(r) },
    }),
    works: ({ url }) => (url === '/own' ? '1.0.0' : undefined),
    declare: (app) => app.get('/own', { constraints: { version: '1.0.0' } }, () => 'own'),
    paths: ['/own', '/'],
  },
  'logger.stream.write': {
    options: (fn) => ({ logger: { level: 'trace', stream: { write: fn } } }),
    works: () => true,
    paths: everything,
  },
  ...Object.fromEntries(
    ['req', 'res', 'err'].map((name) => [
      `logger.serializers.${name}`,
      pinoOption(
        (fn) => ({ serializers: { [name]: fn } }),
        () => ({}),
      ),
    ]),
  ),
  'logger.mixin': pinoOption(
    (mixin) => ({ mixin }),
    () => ({}),
  ),
  'logger.timestamp': pinoOption(
    (timestamp) => ({ timestamp }),
    () => ',"time":1',
  ),
  'logger.onChild': pinoOption(
    (onChild) => ({ onChild }),
    () => undefined,
  ),
  'logger.hooks.logMethod': pinoOption(
    (logMethod) => ({ hooks: { logMethod } }),
    function (this: unknown, args, method) {
      return Reflect.apply(method, this, args)
    },
  ),
  ...Object.fromEntries(
    ['level', 'bindings', 'log'].map((name) => [
      `logger.formatters.${name}`,
      pinoOption(
        (fn) => ({ formatters: { [name]: fn } }),
        () => ({}),
      ),
    ]),
  ),
  ...Object.fromEntries(
    [...levels, 'child', 'isLevelEnabled'].map((name) => {
      const placed: Case = {
        options: (fn) => ({ loggerInstance: logger({ [name]: fn }) }),
        works: name === 'child' ? () => logger({}) : () => true,
        paths: everything,
      }
      return [`loggerInstance.${name}`, placed]
    }),
  ),
  ...Object.fromEntries(
    lines.map((name) => {
      class Own extends LogController {}
      const placed: Case = {
        options: (fn) => {
          class Broken extends Own {}
          Reflect.set(Broken.prototype, name, fn)
          return { ...withLogger, logController: new Broken() }
        },
        works: () => undefined,
        paths: everything,
      }
      return [`logController.${name}`, placed]
    }),
  ),
  'ajv.onCreate': {
    options: (onCreate) => ({ ajv: { onCreate } }),
    works: () => undefined,
    atBoot: true,
  },
  'ajv.plugins': {
    options: (fn) => ({ ajv: { plugins: [fn] } }),
    works: (ajv) => ajv,
    atBoot: true,
  },
  'schemaController.bucket': {
    options: (bucket) => ({ schemaController: { bucket } }),
    works: () => ({ add: () => undefined, getSchema: () => undefined, getSchemas: () => ({}) }),
    declare: (app) => app.addSchema({ $id: 'shared', type: 'object' }),
    atBoot: true,
  },
  ...Object.fromEntries(
    (['buildValidator', 'buildSerializer'] as const).flatMap((name) => {
      const works = name === 'buildValidator' ? () => true : () => '{}'
      const make = (compilersFactory: object) => ({ schemaController: { compilersFactory } })
      const at: Case[] = [
        { options: (fn) => make({ [name]: fn }), works: () => () => works, atBoot: true },
        { options: (fn) => make({ [name]: () => fn }), works: () => works, atBoot: true },
        { options: (fn) => make({ [name]: () => () => fn }), works },
      ]
      return at.map((each, depth) => [
        `schemaController.compilersFactory.${name}${'()'.repeat(depth)}`,
        { ...each, paths: ['/valid?n=1'] },
      ])
    }),
  ),
}

/** The names of hooks, as the error of a wrong one tells them. */
function hookNames(): string[] {
  try {
    untyped().addHook('none', () => undefined)
  } catch (error) {
    return String(error).split('There are: ')[1]?.split(', ') ?? []
  }
  return []
}

const inScope = (
  declare: (app: UntypedServer, fn: AnyFunction) => unknown,
  works: AnyFunction,
) => ({
  options: () => withLogger,
  // A scope of its own leaves the other routes as they are.
  declare: (app: UntypedServer, fn: AnyFunction) =>
    app.register(
      async (child: UntypedServer) => {
        declare(child, fn)
        child.get('/', () => ({ a: 1 })).post('/', ({ body }) => ({ body }))
      },
      { prefix: '/in' },
    ),
  works,
  paths: ['/in', '/in/none', 'POST /in HTTP/1.1\r\ncontent-type: a/b\r\ncontent-length: 1'],
})
const onRoute = (route: (fn: AnyFunction) => object, works: AnyFunction): Case => ({
  options: () => withLogger,
  declare: (app, fn) =>
    app.route({ method: 'GET', url: '/own', handler: () => ({ n: 1 }), ...route(fn) }),
  works,
  paths: ['/own', '/own?n=x'],
})
const typed = (properties: object = { n: { type: 'integer' } }) => ({
  querystring: { type: 'object', properties },
  response: { 200: { type: 'object', properties } },
})
/** Hooks of the application stop its boot, or are only reported. */
const ofApplication = ['onReady', 'onListen', 'preClose', 'onClose', 'onRoute', 'onRegister']

/** The functions that scopes and routes are given. */
const declared: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    hookNames().map((name) => [
      `addHook('${name}')`,
      {
        ...inScope(
          (app, fn) => app.addHook(name, async (...args: Loose[]) => fn(...args)),
          () => undefined,
        ),
        atBoot: ofApplication.includes(name),
      },
    ]),
  ),
  ...Object.fromEntries(
    hookNames()
      .filter((name) => !ofApplication.includes(name))
      .map((name) => [
        `addHook('${name}') with done`,
        inScope(
          (app, fn) =>
            app.addHook(
              name,
              /^(onSend|preSerialization|onError|preParsing)$/.test(name)
                ? (((request: Loose, reply: Loose, _value: unknown, done: Loose) =>
                    fn(request, reply, done)) as Loose)
                : name === 'onRequestAbort'
                  ? (request: Loose, done: Loose) => fn(request, undefined, done)
                  : (request: Loose, reply: Loose, done: Loose) => fn(request, reply, done),
            ),
          (_request, _reply, done) => done(),
        ),
      ]),
  ),
  ...Object.fromEntries(
    ['onRequest', 'preValidation', 'preHandler'].map((phase) => [
      `derive('${phase}')`,
      inScope(
        (app, fn) => app.derive(phase, (request) => fn(request)),
        () => ({}),
      ),
    ]),
  ),
  setErrorHandler: inScope(
    (app, fn) => app.setErrorHandler(fn).get('/fails', () => raise(new Error('of the handler'))),
    (error, _request, reply) => void reply.send(error),
  ),
  setNotFoundHandler: inScope(
    (app, fn) => app.setNotFoundHandler(fn),
    (_request, reply) => void reply.send('none'),
  ),
  setReplySerializer: inScope(
    (app, fn) => app.setReplySerializer(fn),
    () => '{}',
  ),
  setGenReqId: inScope(
    (app: Loose, fn) => app.setGenReqId(fn),
    () => 'id',
  ),
  setChildLoggerFactory: inScope(
    (app: Loose, fn) => app.setChildLoggerFactory(fn),
    (own, bindings, options) => own.child(bindings, options),
  ),
  ...Object.fromEntries(
    [undefined, 'string', 'buffer'].map((parseAs) => [
      `addContentTypeParser by ${parseAs ?? 'stream'}`,
      inScope(
        (app, fn) => app.addContentTypeParser('a/b', parseAs ? { parseAs } : {}, fn),
        (_request, body, done) => {
          if (parseAs === undefined) body.resume()
          done(null, {})
        },
      ),
    ]),
  ),
  'decorateRequest({ getter })': inScope(
    (app, fn) =>
      app
        .decorateRequest('got', { getter: fn })
        .get('/none', async (request) => ({ got: await request.got })),
    () => 1,
  ),
  handler: onRoute(
    (handler) => ({ handler }),
    (_request, reply) => void reply.send({}),
  ),
  'what a handler gives': onRoute(
    (fn) => ({ handler: async () => fn() }),
    () => ({}),
  ),
  'reply.serializer': onRoute(
    (fn) => ({ handler: (_request: Loose, reply: Loose) => reply.serializer(fn).send({}) }),
    () => '{}',
  ),
  'reply.trailer': onRoute(
    (fn) => ({ handler: (_request: Loose, reply: Loose) => reply.trailer('etag', fn).send({}) }),
    () => 'a',
  ),
  errorHandler: onRoute(
    (errorHandler) => ({ errorHandler, handler: () => raise(new Error('of the handler')) }),
    (error, _request, reply) => void reply.send(error),
  ),
  schemaErrorFormatter: onRoute(
    (schemaErrorFormatter) => ({ schemaErrorFormatter, schema: typed() }),
    () => new Error('formatted'),
  ),
  validatorCompiler: {
    ...onRoute(
      (validatorCompiler) => ({ validatorCompiler, schema: typed() }),
      () => () => true,
    ),
    atBoot: true,
  },
  'validatorCompiler()': onRoute(
    (fn) => ({ validatorCompiler: () => fn, schema: typed() }),
    () => true,
  ),
  serializerCompiler: {
    ...onRoute(
      (serializerCompiler) => ({ serializerCompiler, schema: typed() }),
      () => () => '{}',
    ),
    atBoot: true,
  },
  'serializerCompiler()': onRoute(
    (fn) => ({ serializerCompiler: () => fn, schema: typed() }),
    () => '{}',
  ),
  childLoggerFactory: onRoute(
    (childLoggerFactory) => ({ childLoggerFactory }),
    (own, bindings, options) => own.child(bindings, options),
  ),
  logSerializers: onRoute(
    (fn) => ({ logSerializers: { req: fn, res: fn } }),
    () => ({}),
  ),
}

/** The options that have no function in them, and those of Node's own servers. */
const without = [
  ...['caseSensitive', 'ignoreTrailingSlash', 'ignoreDuplicateSlashes', 'maxParamLength'],
  ...['allowUnsafeRegex', 'useSemicolonDelimiter', 'exposeHeadRoutes', 'http2', 'bodyLimit'],
  ...['http2SessionTimeout', 'connectionTimeout', 'keepAliveTimeout', 'requestTimeout'],
  ...['maxRequestsPerSocket', 'forceCloseConnections', 'return503OnClosing', 'requestIdHeader'],
  ...['allowErrorHandlerOverride', 'handlerTimeout', 'onProtoPoisoning', 'pluginTimeout'],
  ...['onConstructorPoisoning', 'exposeErrors', 'requestIdLogLabel'],
  ...[
    'jsonShorthand',
    'strict',
    'responses',
    'problemDetails',
    'serializerOpts',
    'heartbeatInterval',
    'streamGracePeriod',
  ],
  ...['compile', 'whenStale', 'compiled'],
  ...['http', 'https', 'routerOptions'],
]

test('each option is tried with functions that fail, or has none', () => {
  const names = Object.keys(optionRules)
  const tried = [...Object.keys(own), ...Object.keys(inside)].map((path) => path.split('.')[0])
  assert.deepEqual([...new Set([...tried, ...without])].sort(), names.sort())
})

/** Answers over a socket: a status, or 'cut' where there is none. */
function ask(port: number, path: string): Promise<number | 'cut'> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setTimeout(4000, () => {
      socket.destroy(new Error(`${path} hangs`))
    })
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', reject).on('close', () => {
      resolve(Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0) || 'cut')
    })
    const line = path.startsWith('/') ? `GET ${path} HTTP/1.1` : path
    socket.write(
      `${line}\r\nhost: localhost\r\nconnection: close\r\n\r\n${path.startsWith('POST') ? 'x' : ''}`,
    )
  })
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

function build({ options, declare }: Case, fn: AnyFunction): UntypedServer {
  const app = untyped(options(fn))
  const n = { type: 'integer' }
  const schema = { querystring: { n }, response: { 200: { type: 'object', properties: { n } } } }
  app
    .get('/', async ({ id, ip, host, log, query }) => {
      await log.info({ id, ip, host }, 'mine')
      return { query }
    })
    .get('/valid', { schema }, ({ query }) => query)
    .get('/fails', () => raise(new Error('of the handler')))
    .get('/long/:p', ({ params }) => params)
  declare?.(app, fn)
  return app
}

/** Lets the function of a case do all of some things, one after the other, in one server. */
async function check(given: Case, tried: readonly (keyof typeof faults)[]): Promise<void> {
  const { works, paths = ['/'], atBoot = false } = given
  let fault = atBoot ? faults[String(tried[0])] : undefined
  const fn: AnyFunction = function (...args) {
    const work = () => Reflect.apply(works, this, args)
    return fault === undefined ? work() : fault(work)
  }
  let app: UntypedServer | undefined
  try {
    app = build(given, fn)
    const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' } as Loose)).port)
    for (const what of tried) {
      fault = faults[what]
      for (const path of [...paths, ...paths]) {
        const status = await ask(port, path)
        const isAnswered = status === 'cut' ? path === 'NOTHING' : status >= 200
        assert.ok(isAnswered, `${what}, ${path}: ${status}`)
      }
      fault = undefined
      assert.equal(await ask(port, '/'), 200, `the next request works, after one that ${what}`)
    }
  } catch (error) {
    const isOwn = types.isNativeError(error) && error.name === 'AssertionError'
    if (!atBoot || isOwn) throw error
  } finally {
    fault = undefined
    await app?.close().catch(() => undefined)
    await turn()
  }
  assert.deepEqual(unhandled.splice(0), [], tried.join())
}

const all = [own, inside, declared].flatMap((cases) => Object.entries(cases))
for (const [path, given] of all) {
  test(`${path} may be a function that fails`, async () => {
    const names = Object.keys(faults)
    // One that fails at boot may stop it, so each of its faults has a server of its own.
    const runs = given.atBoot === true ? names.map((name) => [name]) : [names]
    for (const tried of runs) await silenced(() => check(given, tried))
  })
}

test('what is thrown before a request has a route goes to the hooks and the error handler of the root, and to the log', async () => {
  const lines: string[] = []
  const app = untyped({
    logger: { stream: { write: (line: string) => lines.push(line) } },
    querystringParser: (text: string) =>
      Object.fromEntries(text.split('&').map((pair) => pair.split('=').map(decodeURIComponent))),
  }).get('/', ({ query }) => query)
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-hook', 'ran'))
  const response = await app.inject('/?a=%')
  assert.deepEqual([response.statusCode, response.headers['x-hook']], [500, 'ran'])
  assert.ok(!response.body.includes('URI'), 'the client is not told')
  assert.ok(lines.some((line) => /"level":50.*URI (malformed|error)/.test(line)))
  assert.deepEqual((await app.inject('/?a=1')).json(), { a: '1' })
})

test('an error before a route that has a status is answered with it', async () => {
  const app = untyped({
    querystringParser: (): never => {
      throw Object.assign(new Error('no such query'), { statusCode: 400 })
    },
  }).get('/', () => 1)
  const { statusCode, body } = await app.inject('/')
  assert.equal(statusCode, 400)
  assert.match(body, /no such query/)
})

test('a rewriteUrl that throws is answered over HTTP/2 too', async () => {
  const app = untyped({
    http2: true,
    rewriteUrl: ({ url }: Loose) => (url === '/a' ? raise(new Error('cannot')) : url),
  }).get('/', () => 'ok')
  const session = http2.connect(await app.listen({ port: 0 }))
  const status = async (path: string) => {
    const stream = session.request({ ':path': path })
    stream.resume()
    const [headers] = await once(stream, 'response')
    return headers[':status']
  }
  const [statuses] = await silenced(async () => [await status('/a'), await status('/')])
  session.close()
  await app.close()
  assert.deepEqual([statuses, unhandled.splice(0)], [[500, 200], []])
})

test('callbacks of a server with TLS may throw and reject', async () => {
  for (const name of ['SNICallback', 'ALPNCallback']) {
    for (const what of ['throws', 'rejects', 'rejects with undefined']) {
      const events = new EventEmitter()
      const fail = () => {
        events.emit('called')
        return faults[what]?.(() => undefined)
      }
      const app = untyped({ https: { ...certificate, [name]: fail } }).get('/', () => 'ok')
      const port = Number(new URL(await app.listen({ port: 0 })).port)
      const [, text] = await silenced(async () => {
        const called = once(events, 'called')
        const options = {
          servername: 'a.test',
          ALPNProtocols: ['http/1.1'],
          rejectUnauthorized: false,
        }
        const socket = tls.connect({ port, ...options }).on('error', () => undefined)
        await called
        await turn()
        socket.destroy()
      })
      if (what !== 'throws') assert.match(text, new RegExp(`^${name}: `))
      await app.close()
      assert.deepEqual(unhandled.splice(0), [], `${name} ${what}`)
    }
  }
})
