import { isGivenError } from '../errors/given-error.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { type HookFunction, mapHooks, type RequestHook, requestHooks } from '../context/hooks.ts'
import type { Context } from '../context/context.ts'
import type { GenerateId } from '../lifecycle/request-id.ts'
import type {
  BodyRules,
  CompiledRoute,
  ErrorStep,
  HookDone,
  HookStart,
  HookStep,
  RequestStep,
} from '../lifecycle/compiled-route.ts'
import type { ItemStreams } from '../lifecycle/item-stream.ts'
import { traceHook } from '../lifecycle/channels.ts'
import { Redaction } from '../lifecycle/log/redaction.ts'
import { compileLog, type ServerLog } from '../lifecycle/log/route-log.ts'
import type { RouteRegistration } from './declaration.ts'
import { type DefaultCompilers, isStrict, SchemaCompiler } from './schemas/compiler.ts'
import { SchemaTools } from './schemas/tools.ts'

/** The options that all routes of a server share. */
export interface CompileOptions extends DefaultCompilers {
  readonly dialect: Dialect
  readonly log: ServerLog
  readonly bodyLimit: number
  readonly handlerTimeout: number
  readonly itemStreams: ItemStreams
  readonly exposeErrors: boolean
  readonly problemDetails: boolean
  readonly generateId: GenerateId
}

/** Compiles a route. Everything that requests need from the context tree is looked up here, once.
 *  @throws a boot error that names the plugin, the route, and the part or response entry */
export function compileRoute(
  registration: RouteRegistration,
  options: CompileOptions,
): CompiledRoute {
  const { declaration, context, method, url, is404 } = registration
  const { server, Request, Reply } = context.objects
  const { dialect } = options
  const name = `${method} ${url} in ${context.path}`
  const compiler = new SchemaCompiler(registration, name, options, dialect)
  const validators = compiler.validators()
  const responses = compiler.responses()
  const redaction = redactionOf(compiler, url)
  const routeOptions = readRouteOptions(registration, options)
  return Object.freeze<CompiledRoute>({
    name,
    place: context.path,
    server,
    Request,
    Reply,
    log: compileLog({ name, context, options: declaration.log, redaction }, options.log),
    redaction,
    generateId: context.resolve('genReqId') ?? options.generateId,
    is404,
    routeOptions,
    hooks: compileHooks(registration, dialect),
    ownPreHandlers: toSteps('preHandler', declaration.hooks.preHandler, server, dialect),
    body: readBodyRules(registration, options, compiler, redaction),
    validators,
    // cast: a handler is typed by its route's schema, which says what the request holds
    handler: declaration.handler.bind(server as never) as RequestStep,
    handlerTimeout: routeOptions.handlerTimeout,
    responses,
    itemStreams: options.itemStreams,
    replySerializer: context.resolve('replySerializer')?.bind(server),
    schemas: new SchemaTools(compiler, validators, responses),
    ...readErrorRules(registration, options),
    dialect,
  })
}

function redactionOf({ secrets }: SchemaCompiler, url: string): Redaction | undefined {
  return secrets.length === 0 ? undefined : new Redaction(secrets, url)
}

function compileHooks(
  { declaration, context }: RouteRegistration,
  dialect: Dialect,
): CompiledRoute['hooks'] {
  const shared = stepsOf(context, dialect)
  const own = declaration.hooks
  if (Object.values(own).every((hooks) => hooks.length === 0)) return shared
  const { server } = context.objects
  return mapHooks((hook) => [...shared[hook], ...toSteps(hook, own[hook], server, dialect)])
}

/** The steps of the hooks of a context, which its routes share, and the time of the last hook. */
const stepsByContext = new WeakMap<Context, { now: number; steps: CompiledRoute['hooks'] }>()

function stepsOf(context: Context, dialect: Dialect): CompiledRoute['hooks'] {
  const { hooks, objects } = context
  const known = stepsByContext.get(context)
  if (known?.now === hooks.now) return known.steps
  const steps = mapHooks((hook) => toSteps(hook, hooks.collect(hook), objects.server, dialect))
  stepsByContext.set(context, { now: hooks.now, steps })
  return steps
}

const toSteps = (
  name: RequestHook,
  hooks: readonly HookFunction[],
  server: object,
  dialect: Dialect,
): HookStep[] =>
  hooks.map((hook) => traceHook(toStep(name, hook, server, dialect), name, hook.name))

function readBodyRules(
  registration: RouteRegistration,
  options: CompileOptions,
  compiler: SchemaCompiler,
  redaction: Redaction | undefined,
): BodyRules | undefined {
  const { declaration, context, method, is404, ignoresBody = false } = registration
  if (ignoresBody || !(is404 || options.methods.hasBody(method))) return undefined
  return {
    parsers: context.parsers.choice(),
    ownLimit: declaration.bodyLimit,
    serverLimit: options.bodyLimit,
    mayBeTyped: options.methods.mayBeTyped(method),
    refusesUntyped: is404 || options.methods.refusesUntyped(method),
    isOptional: is404,
    refusesOtherText: isStrict(registration),
    readNumbers: compiler.numberReader(),
    isSensitive: redaction?.hides('body') === true,
  }
}

function readRouteOptions(
  registration: RouteRegistration,
  options: CompileOptions,
): CompiledRoute['routeOptions'] {
  const { declaration, url, is404 } = registration
  const { methods, config, attachValidation, schema, bodyLimit, handler, exposeHeadRoute } =
    declaration
  // The HEAD route beside a GET route has a method that is not in the list.
  const isOneOf = methods.length > 1 && methods.includes(registration.method)
  const method = isOneOf ? methods : registration.method
  return Object.freeze({
    url: is404 ? undefined : url,
    method,
    schema,
    config: is404 ? config : { ...config, url, method },
    attachValidation,
    handler,
    exposeHeadRoute,
    ...declaration.shown,
    bodyLimit: bodyLimit ?? options.bodyLimit,
    handlerTimeout: is404 ? 0 : (declaration.handlerTimeout ?? options.handlerTimeout),
  })
}

function readErrorRules(
  registration: RouteRegistration,
  { exposeErrors, problemDetails }: CompileOptions,
) {
  const { declaration, context } = registration
  const schemaErrorFormatter =
    declaration.schemaErrorFormatter ?? context.resolve('schemaErrorFormatter')
  const errorHandlers = collectErrorHandlers(registration)
  return { errorHandlers, schemaErrorFormatter, exposeErrors, problemDetails }
}

function collectErrorHandlers({ declaration, context }: RouteRegistration): ErrorStep[] {
  const { server } = context.objects
  const own = declaration.errorHandler?.bind(server)
  const all = [...(own === undefined ? [] : [own]), ...context.errorHandlers()]
  // cast: an error handler is typed by its scope, which this route belongs to
  return all as ErrorStep[]
}

type Call = (...args: unknown[]) => unknown

/** Brings async hooks and hooks with `done` into one form. `this` is the server. */
function toStep(
  name: RequestHook,
  hook: HookFunction,
  server: object,
  { boot }: Dialect,
): HookStep {
  // cast: a hook is typed by its scope, which the route belongs to
  const bound = hook.bind(server as never) as Call
  const { arity } = requestHooks[name]
  const mayTakeAny =
    boot.awaitsUnnamed && hook.length === 0 && hook.constructor.name !== 'AsyncFunction'
  const takesDone = hook.length > arity || mayTakeAny
  if (!takesDone) return arity === 1 ? (request) => bound(request) : bound
  // Written out, since spreading a list of arguments would cost more than all other work for a
  // hook.
  const start: HookStart =
    arity === 1
      ? (done, request) => bound(request, done)
      : arity === 2
        ? (done, request, reply) => bound(request, reply, done)
        : (done, request, reply, value) => bound(request, reply, value, done)
  const step: HookStep = (request, reply, value) =>
    runCallback((done) => start(done, request, reply, value))
  return Object.assign(step, { start })
}

/** Makes no promise for a hook that calls back before it returns. */
function runCallback(start: (done: HookDone) => unknown): unknown {
  let outcome: { error: unknown; value: unknown } | undefined
  let settle: (() => void) | undefined
  const returned = start((error, value) => {
    outcome ??= { error, value }
    settle?.()
  })
  if (outcome === undefined) {
    return new Promise((resolve, reject) => {
      settle = () => {
        if (isGivenError(outcome?.error)) reject(outcome.error)
        else resolve(outcome?.value)
      }
      // A hook that takes `done` and returns a promise ends with whichever comes first.
      if (returned instanceof Promise) returned.then(resolve, reject)
    })
  }
  const { error, value } = outcome
  if (isGivenError(error)) throw error
  return returned instanceof Promise ? returned.then(() => value) : value
}
