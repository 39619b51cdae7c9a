// What the door exports, and that each exported type can be used as it is meant to be.
import espalier, {
  errorCodePrefix,
  errorCodes,
  espalier as named,
  plugin,
  shared,
  t,
  version,
  type AjvOptions,
  type Builder,
  type Closed,
  type Ctx,
  type ErrorClass,
  type ErrorCode,
  type EspalierError,
  type EspalierFactory,
  type EspalierModule,
  type EspalierOptions,
  type HandledError,
  type HasCtx,
  type HookRequest,
  type HttpPart,
  type Input,
  type InputOf,
  type ListenOptions,
  type Logger,
  type Needs,
  type NeedsCtx,
  type Output,
  type Plugin,
  type PluginFactory,
  type PluginOptions,
  type Portable,
  type Promoted,
  type RawRequest,
  type Recursion,
  type Registered,
  type ResponseOf,
  type RootCtx,
  type Route,
  type RouteEntry,
  type RouteRequest,
  type RouteResponse,
  type SuccessStatus,
  type SchemaErrorFormatter,
  type Sending,
  type Sent,
  type SerializerCompiler,
  type Server,
  type ServerBase,
  type Shared,
  type SharedFactory,
  type TInteger,
  type TObject,
  type TRef,
  type TSchema,
  type TypedReply,
  type Unfinished,
  type ValidationError,
  type ForeignFailure,
  type ValidationRecord,
  type ValidatorCompiler,
} from 'espalier'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import { isAny, type Equal } from './support.js'

// The factory is the default export, and has a name too.
expectType<EspalierFactory>(espalier)
expectType<EspalierFactory>(named)
expectAssignable<Server>(espalier())
expectError(espalier(1))

// What else is there at run time.
expectType<Builder>(t)
expectType<SharedFactory>(shared)
expectType<PluginFactory>(plugin)
expectType<string>(version)
expectType<'ESP_ERR_'>(errorCodePrefix)
expectError(t.Nope())

// Its schemas have the types of TypeBox, by their names.
expectType<TInteger>(t.Integer())
expectAssignable<TSchema>(t.Object({ a: t.Optional(t.String()) }))
expectType<TObject<{ a: TRef<'a#'> }>>(t.Object({ a: t.Ref('a#') }))
expectError<TInteger>(t.String())

// `require` gives the factory with the rest as its properties.
declare const required: EspalierModule
expectAssignable<Server>(required())
expectAssignable<EspalierFactory>(required.default)
expectAssignable<EspalierFactory>(required.espalier)
expectType<Builder>(required.t)
expectType<PluginFactory>(required.plugin)
expectError(required.nope)

// The options of the factory.
const formatter: SchemaErrorFormatter = (errors, dataVar) =>
  new Error(`${dataVar} ${errors.length}`)
const ajv: AjvOptions = { customOptions: { allErrors: true }, plugins: [] }
const options: EspalierOptions = {
  ajv,
  schemaErrorFormatter: formatter,
  bodyLimit: 1,
  pluginTimeout: 0,
  exposeHeadRoutes: false,
  exposeErrors: true,
}
expectAssignable<Server>(espalier(options))
expectError(espalier({ bodyLimt: 1 }))
expectError(espalier({ bodyLimit: '1' }))
expectError(espalier({ ajv: { customOptions: { allErors: true } } }))

// A server of known decorators can be named.
const withDb: Server<Ctx<'', { db: { name: string } }>> = espalier().decorate('db', { name: 'x' })
expectType<string>(withDb.db.name)
expectType<''>(espalier().prefix)
expectAssignable<Server<RootCtx>>(espalier())
expectError<Server<Ctx<'', { db: string }>>>(withDb)
expectAssignable<ServerBase<RootCtx, {}>>(espalier())

// So can the server that `register` gives.
function build(): Registered<Server> {
  return espalier().register(() => {})
}
expectAssignable<Server>(await build())
expectError((await build()).then)

// A type of an application can be taken from its value.
const app = espalier()
  .decorateRequest('answer', 42)
  .get('/a/:id', { schema: { params: { id: t.Integer() } } }, () => ({ a: 1 }))
type App = typeof app
declare const same: App
expectType<{ a: number }>((await same.inject('GET /a/:id', { params: { id: 1 } })).json())
expectError(same.inject('GET /b'))

// Listening and closing.
const where: ListenOptions = { port: 0, host: 'localhost', backlog: 1 }
expectType<Promise<string>>(app.listen(where))
expectType<void>(app.listen({ path: '/x' }, (_error, address) => expectType<string>(address)))
expectType<Promise<void>>(app.close())
expectType<void>(app.close((error) => expectType<Error | undefined>(error)))
expectType<Promise<string>>(app.listen(0))
expectError(app.listen({ port: {} }))
expectError(app.listen(true))

// What a server tells of itself.
expectType<string>(app.printRoutes())
expectType<string>(app.printContexts())
expectType<boolean>(app.hasRoute({ method: 'GET', url: '/a' }))
expectType<Logger>(app.log)
expectType<string>(app.version)
expectType<false>(isAny(app.server))
expectError(app.hasRoute('/a'))

// Booting.
expectType<void>(app.ready((error) => expectType<Error | null>(error)))
app.after((error, done) => {
  expectType<Error | null>(error)
  expectType<(error?: Error) => void>(done)
  expectError(done(1))
})
expectAssignable<Promise<unknown>>(app.ready())

// A log takes words, or bindings and words.
const log: Logger = app.log.child({ a: 1 })
expectType<void>(log.info('words'))
expectType<void>(log.error({ err: 1 }, 'words'))
expectError(log.shout('words'))

// The types of plugins.
interface Wants extends Needs {
  server: { db: { name: string } }
}
declare const scope: Server<NeedsCtx<Wants>>
expectType<string>(scope.db.name)
expectError(scope.redis)
const users = plugin<Wants, PluginOptions>()((child) => child)
const session = plugin<Wants>().shared((child) => child)
const local = shared((child: Server) => child)
expectAssignable<Plugin<Wants, PluginOptions, Portable<unknown>>>(users)
expectAssignable<Plugin<Wants, PluginOptions, Promoted<unknown>>>(session)
expectAssignable<Shared<Server, PluginOptions, Server>>(local)
expectNotAssignable<Shared<Server, PluginOptions, Server>>(users)
expectError<Plugin<{ server: { redis: object } }, PluginOptions, unknown>>(users)

// The types of schemas.
const User = t.Object({ id: t.Integer({ default: 1 }) })
expectType<Equal<Output<typeof User>, { id: number }>>(true)
expectType<Equal<Input<typeof User>, { id?: number }>>(true)
const tree = t.Recursive((This) => t.Object({ next: t.Array(This) }), { $id: 'tree' })
expectAssignable<Recursion<object>>(tree)
expectError<Recursion<object>>(User)
expectAssignable<Closed>(t.Object({}, { additionalProperties: false }))
expectError<Closed>(User)

// The types of compilers.
const validator: ValidatorCompiler = ({ httpPart }) => {
  expectType<HttpPart>(httpPart)
  return (data) => data === 1
}
const serializer: SerializerCompiler = () => (payload) => JSON.stringify(payload)
app.setValidatorCompiler(validator).setSerializerCompiler(serializer)
app.setSchemaErrorFormatter(formatter)
expectError<ValidatorCompiler>(() => 1)
expectError<SerializerCompiler>(() => () => 1)
declare const record: ValidationRecord
declare const invalid: ValidationError
expectType<string | undefined>(record.message)
expectType<HttpPart>(invalid.validationContext)
expectType<ValidationRecord[] | ForeignFailure>(invalid.validation)

// The types of routes.
type One = Route<{}, number>
type OnlyOne = HasCtx<RootCtx, RouteEntry<'GET /a', {}, number>>
declare const entry: RouteEntry<'GET /a', {}, number>
declare const received: ResponseOf<OnlyOne, 'GET /a'>
expectType<One>(entry['GET /a'])
expectType<RouteResponse<SuccessStatus, number>>(received)
declare const given: InputOf<OnlyOne, 'GET /a'>
expectType<string | number | boolean | undefined>(given.headers?.['x-a'])
expectError(given.body)
expectError(entry['GET /b'])

// The types of requests and replies.
declare const request: RouteRequest<'GET', '/:id', {}, RootCtx> & RawRequest<Server>
declare const hooked: HookRequest<Server>
declare const reply: TypedReply<RootCtx, Server>
expectType<{ id: string }>(request.params)
expectType<unknown>(hooked.params)
expectAssignable<Sent>(reply)
expectType<Sending<1>>(reply.send(1))
expectAssignable<Sending>(reply.send(1))
expectAssignable<Unfinished>(reply.code(404))
expectNotAssignable<Unfinished>(reply)
expectError<Sending>(reply)
expectError(request.params.other)

// The types of errors.
const code: ErrorCode = 'ESP_ERR_VALIDATION'
const failure: EspalierError = new errorCodes[code]('words')
const handled: HandledError = failure
expectAssignable<ErrorClass>(errorCodes[code])
expectType<number | undefined>(failure.statusCode)
expectType<number>(new errorCodes.ESP_ERR_BAD_URL('/%').statusCode)
expectType<unknown>(handled.statusCode)
expectError<ErrorCode>('ESP_ERR_NOPE')

// What a reply says before and behind its body.
espalier().get('/x', (_request, reply) => {
  reply
    .trailer('etag', async (_reply, payload) => {
      expectType<string | Uint8Array | null>(payload)
      return 'x'
    })
    .removeTrailer('etag')
    .code(200)
  expectType<boolean>(reply.hasTrailer('etag'))
  expectError(reply.trailer('etag', 'x'))
  expectError(reply.trailer('etag', () => 7))
  reply.writeEarlyHints({ link: ['</a>; rel=preload'] }, () => {})
  return reply.redirect(301, '/y')
})

// A scope can be asked for its error handler and its compilers, and be given others.
expectType<string>(espalier().pluginName)
espalier()
  .setSchemaController({
    bucket: () => ({ add: () => {}, getSchema: () => undefined, getSchemas: () => ({}) }),
    compilersFactory: { buildValidator: () => () => () => true },
  })
  .setErrorHandler(function (error, request, reply) {
    return this.errorHandler(error, request, reply)
  })
expectError(espalier().setSchemaController({ bucket: 'x' }))
expectError(espalier({ schemaController: { compilersFactory: { buildValidator: 'x' } } }))
espalier().ready((error, done) => {
  expectType<Error | null>(error)
  done()
})
