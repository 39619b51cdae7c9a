import type { Context, Faces } from '../context/context.ts'
import { mapHooks } from '../context/hooks.ts'
import type { BodyRules } from '../lifecycle/read-body.ts'
import type { Reply } from '../lifecycle/reply.ts'
import type { Request } from '../lifecycle/request.ts'
import type { GenerateId } from '../lifecycle/request-id.ts'
import type { CompiledRoute, ErrorStep, RequestStep } from '../lifecycle/compiled-route.ts'
import { toStep } from './hook-step.ts'
import { compileLog, type ServerLog } from '../lifecycle/log/route-log.ts'
import { SchemaCompiler, type SchemaOptions, type SchemaSeat } from './schemas/compiler.ts'
import { SchemaTools } from './schemas/tools.ts'

/** The faces of a context whose requests and replies are made by these classes. */
export interface ExchangeFaces extends Faces {
  readonly Request: typeof Request
  readonly Reply: typeof Reply
}

/** What is the same for all routes of a server. */
export interface CompileOptions extends SchemaOptions {
  readonly log: ServerLog
  readonly bodyLimit: number
  readonly handlerTimeout: number
  readonly exposeErrors: boolean
  readonly generateId: GenerateId
}

/** A declared route under one method and full path. */
export interface RouteSeat extends SchemaSeat {
  readonly context: Context<ExchangeFaces>
  readonly is404: boolean
  /** Whether nobody reads the bodies of its requests. @default false */
  readonly ignoresBody?: boolean
}

/** Compiles a route: all that its requests need is looked up in the context tree here, once.
 *  @throws a boot error that names the plugin, the route, and the part or response entry */
export function compileRoute(seat: RouteSeat, options: CompileOptions): CompiledRoute {
  const { declaration, context, method, url, is404 } = seat
  const { server, Request, Reply } = context.faces
  const { dialect } = options
  const name = `${method} ${url} in ${context.path}`
  const compiler = new SchemaCompiler(seat, name, options)
  const validators = compiler.validators()
  const serializers = compiler.serializers()
  const routeOptions = readFacts(seat, options)
  return Object.freeze<CompiledRoute>({
    name,
    place: context.path,
    server,
    Request,
    Reply,
    log: compileLog({ name, context, options: declaration.log }, options.log),
    generateId: context.resolve('genReqId') ?? options.generateId,
    is404,
    routeOptions,
    hooks: mapHooks((hook) => {
      const all = [...context.hooks.collect(hook), ...declaration.hooks[hook]]
      return all.map((each) => toStep(hook, each, server, dialect))
    }),
    ownPreHandlers: declaration.hooks.preHandler.map((hook) =>
      toStep('preHandler', hook, server, dialect),
    ),
    body: readBodyRules(seat, options),
    validators,
    // cast: a handler is typed by its route's schema, which says what the request holds
    handler: declaration.handler.bind(server as never) as RequestStep,
    handlerTimeout: routeOptions.handlerTimeout,
    serializers,
    replySerializer: context.resolve('replySerializer')?.bind(server),
    schemas: new SchemaTools(compiler, validators, serializers),
    errorHandlers: collectErrorHandlers(seat),
    schemaErrorFormatter:
      declaration.schemaErrorFormatter ?? context.resolve('schemaErrorFormatter'),
    exposeErrors: options.exposeErrors,
    dialect,
  })
}

function readBodyRules(
  { declaration, context, method, is404, ignoresBody = false }: RouteSeat,
  options: CompileOptions,
): BodyRules | undefined {
  if (ignoresBody || !(is404 || options.methods.hasBody(method))) return undefined
  return {
    parsers: context.parsers.choice(),
    ownLimit: declaration.bodyLimit,
    serverLimit: options.bodyLimit,
    mayBeTyped: options.methods.mayBeTyped(method),
    refusesUntyped: is404 || options.methods.refusesUntyped(method),
    isOptional: is404,
  }
}

function readFacts(seat: RouteSeat, options: CompileOptions): CompiledRoute['routeOptions'] {
  const { declaration, url, is404 } = seat
  const { methods, config, attachValidation, schema, bodyLimit, handler, exposeHeadRoute } =
    declaration
  // A route for HEAD that stands beside one for GET has a method that is not in the list.
  const isOneOf = methods.length > 1 && methods.includes(seat.method)
  const method = isOneOf ? methods : seat.method
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

function collectErrorHandlers({ declaration, context }: RouteSeat): ErrorStep[] {
  const { server } = context.faces
  const own = declaration.errorHandler?.bind(server)
  const all = [...(own === undefined ? [] : [own]), ...context.errorHandlers()]
  // cast: an error handler is typed by its scope, which this route belongs to
  return all as ErrorStep[]
}
