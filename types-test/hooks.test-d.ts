// Hooks see what their scope has; the order in which they run is no matter of types.
import espalier, {
  t,
  type BodyStream,
  type HandledError,
  type HookFor,
  type HookReply,
  type HookRequest,
  type RawParams,
  type RawQuery,
  type SentPayload,
} from 'espalier'
import { access } from 'node:fs'
import { PassThrough } from 'node:stream'
import type { IncomingHttpHeaders } from 'node:http'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier()
  .decorate('db', { name: 'x' })
  .decorateRequest('answer', 42)
  .decorateReply('ok', () => true)

// A hook on requests: async, with the decorators of its scope.
app.addHook('onRequest', async function (request, reply) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(request))
  expectType<false>(isAny(reply))
  expectType<{ name: string }>(this.db)
  expectType<{ name: string }>(request.server.db)
  expectType<number>(request.answer)
  expectType<boolean>(reply.ok())
  expectError(request.question)
  expectError(reply.fail())
  expectError(this.redis)
})

// Or sync, with `done`.
app.addHook('preHandler', (request, reply, done) => {
  expectType<false>(isAny(request))
  expectType<false>(isAny(reply))
  expectType<false>(isAny(done))
  expectType<(error?: Error | null) => void>(done)
  expectError(done(1))
  done(new Error('x'))
})

// What it sees of the parts is what there is at its phase. Before parsing there is no body; before
// validation all is as it was sent; after it the parts are those of any route.
app.addHook('onRequest', async (request) => {
  expectType<undefined>(request.body)
  expectType<RawParams>(request.params)
  expectType<RawQuery>(request.query)
  expectError((request.body = {}))
})
app.addHook('preParsing', async (request) => {
  expectType<undefined>(request.body)
  expectType<RawQuery>(request.query)
})
app.addHook('preValidation', async (request) => {
  expectType<RawParams>(request.params)
  expectType<RawQuery>(request.query)
  expectType<unknown>(request.body)
  expectType<IncomingHttpHeaders>(request.headers)
  expectError(request.body.name)
})
app.addHook('preHandler', async (request) => {
  expectType<unknown>(request.params)
  expectType<unknown>(request.query)
  expectType<unknown>(request.body)
  expectError(request.query['q'])
})

// It may set the body and what is decorated, and nothing else.
app.addHook('preValidation', async (request) => {
  request.body = { any: 'thing' }
  request.answer = 43
  expectError((request.params = {}))
  expectError((request.answer = 'x'))
})

// It may reply, with any status.
app.addHook('onRequest', async (request, reply) => {
  if (request.is404) return reply.code(401).header('www-authenticate', 'Bearer').send({})
  expectError(reply.code('401'))
  return undefined
})
app.addHook('onRequest', (request, reply, done) => {
  if (request.is404) return reply.redirect('/x')
  done()
  return undefined
})

// preParsing is given the body as a stream, and gives another or none.
app.addHook('preParsing', async (request, _reply, payload) => {
  expectType<BodyStream>(payload)
  expectType<number>(request.answer)
  return Object.assign(payload.pipe(new PassThrough()), { receivedEncodedLength: 1 })
})
app.addHook('preParsing', (_request, _reply, payload, done) => {
  expectError(done(null, 'text'))
  done(null, payload)
})
expectError(app.addHook('preParsing', async () => 'text'))

// preSerialization is given any payload, and gives any.
app.addHook('preSerialization', async (request, reply, payload) => {
  expectType<unknown>(payload)
  expectType<number>(request.answer)
  expectType<boolean>(reply.ok())
  return { payload }
})
app.addHook('preSerialization', (_request, _reply, payload, done) => {
  done(null, { payload })
})

// onSend is given what is written, and gives what can be.
app.addHook('onSend', async (_request, reply, payload) => {
  expectType<SentPayload>(payload)
  expectType<boolean>(reply.ok())
  return typeof payload === 'string' ? Buffer.from(payload) : new PassThrough()
})
app.addHook('onSend', (_request, _reply, payload, done) => {
  expectError(done(null, { payload }))
  done(null, payload)
})
app.addHook('onSend', async () => {})
expectError(app.addHook('onSend', async () => ({ a: 1 })))

// Those that can change nothing any more.
app.addHook('onResponse', async function (request, reply) {
  expectType<{ name: string }>(this.db)
  expectType<number>(request.answer)
  expectType<number>(reply.elapsedTime)
})
app.addHook('onTimeout', (_request, _reply, done) => {
  done()
})
app.addHook('onError', async (request, reply, error) => {
  expectType<HandledError>(error)
  expectType<number>(request.answer)
  reply.header('x-failed', 1)
})
app.addHook('onRequestAbort', async (request) => {
  expectType<number>(request.answer)
})
app.addHook('onRequestAbort', (request, done) => {
  expectType<(error?: Error | null) => void>(done)
  expectError(request.question)
  done()
})

// A route takes each of them, one or several.
app.get(
  '/hooked',
  {
    onSend: async (request, _reply, payload) => {
      expectType<number>(request.answer)
      expectType<SentPayload>(payload)
      return payload
    },
    onError: [
      (_request, _reply, error, done) => {
        expectType<HandledError>(error)
        done()
      },
    ],
    onRequestAbort: [async (request) => request.log.info(request.url)],
    preParsing: async () => {},
    preSerialization: async () => ({}),
    onTimeout: async () => {},
    onResponse: [async () => {}, async () => {}],
    schemaErrorFormatter(errors, dataVar) {
      expectType<{ name: string }>(this.db)
      return new Error(`${dataVar}${errors.length}`)
    },
  },
  () => 1,
)
expectError(app.get('/x', { onSend: 1 }, () => 1))
expectError(app.get('/x', { onSent: async () => {} }, () => 1))

// Hooks of the server's life.
app.addHook('onReady', async function () {
  expectType<false>(isAny(this))
  expectType<{ name: string }>(this.db)
  expectError(this.redis)
})
app.addHook('onReady', (done) => {
  expectType<(error?: Error | null) => void>(done)
  done()
})
app.addHook('onClose', async (server) => {
  expectType<false>(isAny(server))
  expectType<{ name: string }>(server.db)
  expectError(server.redis)
})
app.addHook('onClose', function (_server, done) {
  expectType<false>(isAny(this))
  expectType<(error?: Error | null) => void>(done)
  expectError(done(1))
  done()
})

// A misspelt name is refused, and what is no function.
expectError(app.addHook('onReqest', async () => {}))
expectError(app.addHook('onRequest', 1))
expectError(app.addHook('onRequest'))

// A hook is chained, and leaves the type as it is.
const chained = app.get('/a', () => 1).addHook('onRequest', async () => {})
expectType<{ name: string }>(chained.db)
expectType<number>((await chained.inject('GET /a')).json())
expectError(chained.redis)

// A hook of a child sees what the child has.
app.register((child) =>
  child.decorateRequest('mine', 'x').addHook('onRequest', async (request) => {
    expectType<string>(request.mine)
    expectType<number>(request.answer)
    expectError(request.question)
  }),
)

// A hook may be written elsewhere, as a function of what it uses.
const log = async (request: HookRequest<unknown>) => request.log.info(request.url)
app.addHook('onRequest', log)
expectAssignable<(request: HookRequest<unknown>) => Promise<void>>(log)
const strict = async (request: { question: string }) => request.question
expectError(app.addHook('onRequest', strict))

// So may one that replies, for any scope, though not for routes that declare what they reply.
const auth = async (request: HookRequest<unknown>, reply: HookReply) =>
  request.headers.authorization === undefined ? reply.code(401).send({}) : undefined
const nothing = (request: HookRequest<unknown>, reply: HookReply) =>
  reply.code(404).header('x', 1).send(request.url)
app.addHook('onRequest', auth)
espalier().addHook('onRequest', auth)
app.get('/x', { preHandler: [auth] }, (_request, reply) => nothing(reply.request, reply))
espalier().setNotFoundHandler({ preHandler: auth }, nothing)
expectError(
  app.get('/x', { schema: { response: { 200: t.Integer() } } }, (_request, reply) =>
    nothing(reply.request, reply),
  ),
)

// A guard of a file of its own that reads headers which Node knows fits any route: one that coerces another header, and
// one whose handler is told what was refused. A route that coerces what the guard reads is refused.
const guard: HookFor<'preHandler'> = async ({ headers }, reply) => {
  expectType<string | undefined>(headers.authorization)
  expectType<string[] | undefined>(headers['set-cookie'])
  return headers.authorization === undefined ? reply.code(401).send() : undefined
}
const counted = { headers: { 'X-Count': t.Integer() } }
const dated = {
  headers: t.Object({
    'x-at': t
      .Transform(t.String())
      .Decode((at) => new Date(at))
      .Encode(String),
  }),
}
const bearer = { headers: t.Object({ authorization: t.String() }, { additionalProperties: false }) }
const basic = { headers: { authorization: t.Integer() } }
app
  .addHook('preHandler', guard)
  .get('/guard', { preHandler: guard }, () => 1)
  .get('/guard/counted', { schema: counted, preHandler: [guard] }, () => 1)
  .get('/guard/dated', { schema: dated, preHandler: guard }, () => 1)
  .get('/guard/bearer', { schema: bearer, preHandler: guard }, () => 1)
  .get(
    '/guard/counted/attached',
    { attachValidation: true, schema: counted, preHandler: guard },
    () => 1,
  )
  .post(
    '/guard',
    { attachValidation: true, schema: { body: { n: t.Integer() } }, preHandler: guard },
    () => 1,
  )
  .post(
    '/guard/old',
    { attachValidation: true, schema: { body: { n: t.Integer() } }, preHandler: auth },
    () => 1,
  )
  .setNotFoundHandler({ preHandler: guard }, () => 1)
expectError(app.get('/guard/basic', { schema: basic, preHandler: guard }, () => 1))
expectError(
  app.get('/guard/basic', { attachValidation: true, schema: basic, preHandler: guard }, () => 1),
)

// What it reads of another header may have been coerced; so it asks, or says what it needs.
const keyed: HookFor<'preHandler'> = async ({ headers }) => {
  expectType<unknown>(headers['x-key'])
  expectError<string | string[] | undefined>(headers['x-key'])
}
type Keyed = { request: { headers: { 'x-key'?: string | string[] } } }
const needing: HookFor<'preHandler', Keyed> = async ({ headers }) => {
  expectType<string | string[] | undefined>(headers['x-key'])
  expectError<string>(headers['x-key'])
}
app.addHook('preHandler', keyed).addHook('preHandler', needing)
app.get('/keyed', { schema: counted, preHandler: [keyed, needing] }, () => 1)
app.get('/keyed', { schema: { headers: { 'x-key': t.String() } }, preHandler: needing }, () => 1)
expectError(
  app.get(
    '/keyed',
    { schema: { headers: { 'x-key': t.Integer() } }, preHandler: needing },
    () => 1,
  ),
)
// Before validation nothing is coerced.
const early: HookFor<'preValidation'> = async ({ headers }) => {
  expectType<string | string[] | undefined>(headers['x-key'])
  expectError<string>(headers['x-key'])
}
app.get('/keyed', { schema: counted, preValidation: early }, () => 1)

// What a guard returns is no verdict: nothing would look at it, and the request would go on.
app.addHook('preHandler', async (request, reply) => {
  if (request.answer === 0) return reply.code(401).send()
})
app.addHook('preHandler', async (request) => {
  if (request.answer === 0) throw new Error('no')
})
app.addHook('onRequest', async () => undefined)
expectError(app.addHook('preHandler', (request) => request.answer === 42))
expectError(app.addHook('preHandler', async (request) => request.answer === 42))
expectError(app.addHook('preHandler', async () => ({ statusCode: 401 })))
expectError(app.addHook('onRequest', async () => new Error('no')))
expectError(app.get('/guarded', { preHandler: async () => false }, () => 1))
expectError(app.get('/guarded', { onRequest: [async () => false] }, () => 1))
expectError(app.addHook('preHandler', async (_request, reply) => reply.code(401)))
expectError(app.get('/guarded', { preHandler: async (_, reply) => reply.code(401) }, () => 1))
expectError<HookFor<'onRequest'>>(async (_request, reply) => reply.code(401))
const apart = async (_request: HookRequest<unknown>, reply: HookReply) => reply.code(401)
expectError(app.addHook('onRequest', apart))
const sending = async (_request: HookRequest<unknown>, reply: HookReply) => reply.code(401).send({})
app.addHook('onRequest', sending)
const deny = (reply: HookReply) => reply.send({ error: 'no' })
app.addHook('onRequest', async (_request, reply) => deny(reply.code(403)))
const answering = async (_request: HookRequest<unknown>, reply: HookReply) => {
  reply.code(401).send({})
  return reply
}
app.addHook('onRequest', answering)
// Behind a response nothing goes on.
app.addHook('onResponse', async (request) => request.answer)

// The callback of Node fits `done`.
app.addHook('preHandler', (_request, _reply, done) => access('x', done))

// The hooks of the application: their server is `this`, and a route that is declared can be changed.
app.addHook('onListen', function (done) {
  expectType<{ name: string }>(this.db)
  done()
})
app.addHook('preClose', async () => {})
app.addHook('onRegister', function (server, options) {
  expectType<{ name: string }>(server.db)
  expectType<string | undefined>(options.prefix)
})
app.addHook('onRoute', function (route) {
  expectType<false>(isAny(route))
  expectType<{ name: string }>(this.db)
  expectType<string | string[]>(route.method)
  expectType<string>(route.url)
  route.config = { ...route.config, tag: 'x' }
  route.schema = { querystring: t.Object({}) }
  route.preHandler = async (request) => expectType<number>(request.answer)
  route.onSend = [async (_request, reply) => void reply.header('x', 1)]
  expectError((route.bodyLimit = 'x'))
  expectError((route.handler = 'x'))
})
expectError(app.addHook('onListen', (server: string) => server))
expectError(app.addHook('onRoutes', () => {}))

// A hook ends once: by the promise that it returns, or by `done`.
expectError(app.addHook('onRequest', async (_request, _reply, done) => done()))
expectError(app.addHook('onSend', async (_request, _reply, payload, _done) => payload))
expectError(app.addHook('onRequestAbort', async (_request, done) => done()))
expectError(app.addHook('onReady', async (done) => done()))
expectError(app.addHook('onClose', async (_server, done) => done()))
app.addHook('onSend', async (_request, _reply, payload) => payload)
app.addHook('onRequest', (_request, _reply, _done) => {
  throw new Error('x')
})
app.addHook('onRequest', async (...args) => {
  expectType<string>(args[0].id)
})
app.addHook('onRequest', async (_request, _reply, _extra?: unknown) => {})

// What says by its type that it returns nothing, or anything, is taken at its word; so is one of a type parameter.
declare const untold: (request: object, reply: object, done: () => void) => any
declare const told: (request: object, reply: object, done: () => void) => void
declare const twiceEnded: (request: object, reply: object, done: () => void) => Promise<void>
app.addHook('onRequest', untold).addHook('onRequest', told)
expectError(app.addHook('onRequest', twiceEnded))
export const addedHook = <Given extends HookFor<'onRequest'>>(hook: Given) =>
  espalier().addHook('onRequest', hook)
app.addHook('onRequest', (_request, reply, _done) => reply.code(401).send({}))

// What a hook may give is what its name allows, also where that is one of several, or where the hook has several signatures.
interface Overloaded {
  (request: FastHookRequest, reply: unknown): Promise<void>
  (request: 'other'): number
}
interface FastHookRequest {
  readonly url: string
}
declare const overloaded: Overloaded
app.addHook('preHandler', overloaded)
for (const name of ['onRequest', 'preHandler'] as const) {
  app.addHook(name, async () => {})
  expectError(app.addHook(name, () => 1))
}
app.addHook('onSend', () => 'text').addHook('onSend', async () => null)
app.addHook('preSerialization', () => 5).addHook('onResponse', async () => 5)
expectError(app.addHook('onSend', () => 5))
expectError(app.addHook('onError', () => 5))
app.addHook('preHandler', (): any => 1)
