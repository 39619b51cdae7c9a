import { errorCodes } from '../errors/codes.ts'
import { EspalierError } from '../errors/create-error.ts'
import { hasBody, hasValidatedBody } from '../http/methods.ts'
import type { Logger } from '../http/logger.ts'
import { UnresolvedReference } from '../schema/bundle.ts'
import { lowerCaseHeaderNames } from '../schema/header-names.ts'
import { describe, isObject, isPlainObject, type JsonObject } from '../schema/values.ts'
import { readPartSchema } from '../schema/short-form.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import type { SharedSchemas } from '../schema/shared-schemas.ts'
import type { HttpPart, SerializerCompiler, ValidatorCompiler } from '../schema/compiler-types.ts'
import { ResponseSerializers } from '../serialization/response-serializers.ts'
import type { Context, Faces } from '../context/context.ts'
import { requestHooks, type RequestHook } from '../context/hooks.ts'
import type { Reply } from '../exchange/reply.ts'
import type { Request } from '../exchange/request.ts'
import type { CompiledRoute, ErrorStep, PartValidator, RequestStep } from './compiled-route.ts'
import type { RouteDeclaration } from './declaration.ts'
import { toStep } from './hook-step.ts'

/** The faces of a context whose requests and replies are made by these classes. */
export interface ExchangeFaces extends Faces {
  readonly Request: typeof Request
  readonly Reply: typeof Reply
}

/** What is the same for all routes of a server. */
export interface CompileOptions {
  readonly log: Logger
  readonly bodyLimit: number
  readonly exposeErrors: boolean
  /** The compilers used where no context sets one. */
  readonly validatorCompiler: (schemas: SharedSchemas) => ValidatorCompiler
  readonly serializerCompiler: (schemas: SharedSchemas) => SerializerCompiler
}

/** A declared route under one method and full path. */
export interface RouteSeat {
  readonly declaration: RouteDeclaration
  readonly context: Context<ExchangeFaces>
  readonly method: string
  readonly url: string
  readonly is404: boolean
}

/** Request parts in the order of their validation, with their names in a route's schema. */
const parts: readonly (readonly [HttpPart, ...string[]])[] = [
  ['params', 'params'],
  ['body', 'body'],
  ['querystring', 'querystring', 'query'],
  ['headers', 'headers'],
]

/** Compiles a route: all that its requests need is looked up in the context tree here, once.
 *  @throws a boot error that names the plugin, the route, and the part or response entry */
export function compileRoute(seat: RouteSeat, options: CompileOptions): CompiledRoute {
  const { declaration, context, method, url, is404 } = seat
  const { server, Request, Reply } = context.faces
  const name = `${method} ${url} in ${context.path}`
  const { config, attachValidation, schema } = declaration
  const bodyLimit = declaration.bodyLimit ?? options.bodyLimit
  return Object.freeze<CompiledRoute>({
    name,
    place: context.path,
    server,
    Request,
    Reply,
    log: options.log,
    is404,
    routeOptions: Object.freeze({
      url: is404 ? undefined : url,
      method,
      schema,
      config,
      attachValidation,
      bodyLimit,
    }),
    hooks: compileHooks(seat),
    readsBody: hasBody(method),
    validators: compileValidators(seat, options, name),
    // cast: a handler is typed by its route's schema, which says what the request holds
    handler: declaration.handler.bind(server as never) as RequestStep,
    serializers: compileSerializers(seat, options, name),
    errorHandlers: collectErrorHandlers(seat),
    schemaErrorFormatter: context.resolve('schemaErrorFormatter'),
    exposeErrors: options.exposeErrors,
  })
}

function compileHooks({ declaration, context }: RouteSeat): Record<RequestHook, RequestStep[]> {
  const { server } = context.faces
  const collect = (name: RequestHook): RequestStep[] =>
    [...context.hooks.collect(name), ...declaration.hooks[name]].map((hook) => toStep(hook, server))
  const entries = requestHooks.map((name) => [name, collect(name)] as const)
  // cast: fromEntries forgets the keys, which are the names of the hooks
  return Object.fromEntries(entries) as Record<RequestHook, RequestStep[]>
}

function compileValidators(
  { declaration, context, method, url }: RouteSeat,
  options: CompileOptions,
  name: string,
): PartValidator[] {
  const { schema: schemas, validatorCompiler } = declaration
  const compile =
    validatorCompiler ??
    context.resolve('validatorCompiler') ??
    options.validatorCompiler(context.schemas)
  const validators: PartValidator[] = []
  for (const [httpPart, ...keys] of parts) {
    const given = keys.map((key) => schemas[key]).find((value) => value !== undefined)
    if (given === undefined || (httpPart === 'body' && !hasValidatedBody(method))) continue
    const where = `the ${httpPart} of ${name}`
    const schema = readPart(given, httpPart, where)
    const validate = build({
      compiler: 'validatorCompiler',
      compile: () => compile({ schema, method, url, httpPart }),
      where,
      context,
    })
    validators.push({ part: httpPart, validate })
  }
  return validators
}

function compileSerializers(
  { declaration, context, method, url }: RouteSeat,
  options: CompileOptions,
  name: string,
): ResponseSerializers | undefined {
  const { response } = declaration.schema
  if (response === undefined) return undefined
  const compile =
    declaration.serializerCompiler ??
    context.resolve('serializerCompiler') ??
    options.serializerCompiler(context.schemas)
  if (!isObject(response)) {
    const what = `The response schema of ${name}`
    throw new errorCodes.ESP_ERR_SCH_NOT_OBJECT(what, describe(response))
  }
  return new ResponseSerializers(response, name, (entry) => {
    const where = `response ${entry.httpStatus} of ${name}`
    return build({
      compiler: 'serializerCompiler',
      compile: () => compile({ ...entry, method, url }),
      where,
      context,
    })
  })
}

function collectErrorHandlers({ declaration, context }: RouteSeat): ErrorStep[] {
  const { server } = context.faces
  const own = declaration.errorHandler === undefined ? [] : [declaration.errorHandler]
  return [...own, ...context.errorHandlers()].map(
    // cast: an error handler is typed by its scope, which this route belongs to
    (handler) => handler.bind(server as never) as ErrorStep,
  )
}

interface Build<Made> {
  readonly compiler: keyof typeof buildFailures
  readonly compile: () => Made
  readonly where: string
  readonly context: Context<ExchangeFaces>
}

const buildFailures = {
  validatorCompiler: errorCodes.ESP_ERR_SCH_VALIDATION_BUILD,
  serializerCompiler: errorCodes.ESP_ERR_SCH_SERIALIZATION_BUILD,
} as const

/** Runs a compiler. What it throws, and what it returns that is no function, becomes a boot error
 *  that says where. */
function build<Made>({ compiler, compile, where, context }: Build<Made>): Made {
  const Failure = buildFailures[compiler]
  let made: Made
  try {
    made = compile()
  } catch (error) {
    if (error instanceof EspalierError) throw error
    if (error instanceof UnresolvedReference) {
      const visible = Object.keys(context.schemas.all()).join(', ') || 'none'
      throw new errorCodes.ESP_ERR_SCH_MISSING_REF(error.reference, where, visible, error)
    }
    throw new Failure(where, error instanceof Error ? error.message : describe(error), error)
  }
  if (typeof made === 'function') return made
  throw new Failure(where, `the ${compiler} returned ${describe(made)}, not a function`)
}

/** A part in its full form. Node gives header names in lower case, so the schema's must be; those of
 *  the shared schemas that it refers to are the validator compiler's to lower. */
function readPart(given: unknown, part: HttpPart, where: string): JsonObject | StandardSchema {
  const schema = readPartSchema(given, where)
  return part === 'headers' && isPlainObject(schema) && !isStandardSchema(schema)
    ? lowerCaseHeaderNames(schema)
    : schema
}
