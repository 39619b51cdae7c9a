import { errorCodes } from '../../errors/codes.ts'
import { defaultChildLoggerFactory } from '../../http/logger.ts'
import type { ChildLoggerFactory, Logger } from '../../http/logger.ts'
import { describe } from '../../schema/values.ts'
import type { ErrorHandler, Settings } from '../../context/context.ts'
import { readDecorator } from '../../context/decorated.ts'
import type { Reply } from '../../lifecycle/reply.ts'
import type { Request } from '../../lifecycle/request.ts'
import { nearestSerializerCompiler, nearestValidatorCompiler } from '../../route/schemas/nearest.ts'
import type { SerializerCompiler, ValidatorCompiler } from '../../schema/compiler-types.ts'
import { assertFormatter } from '../options/formatter.ts'
import { setController } from '../boot/compilers.ts'
import { open, openLate, plain, seatOf } from '../seat.ts'

/** What a scope has: its decorators, its shared schemas and its settings. */
export class ScopeFace {
  get prefix(): string {
    return seatOf(this).context.prefix
  }

  /** The plugin that this scope was opened for, and the shared plugins that ran in it. */
  get pluginName(): string {
    return seatOf(this).context.pluginName
  }

  get log(): Logger {
    return seatOf(this).host.log.logger
  }

  /** What makes the loggers of this scope's requests. */
  get childLoggerFactory(): ChildLoggerFactory {
    return seatOf(this).context.resolve('childLoggerFactory') ?? defaultChildLoggerFactory
  }

  /** The version of Fastify whose plugins run here. */
  get version(): string {
    return '5.0.0'
  }

  /** For programs of Fastify: types come of the schemas here. */
  withTypeProvider(): this {
    return plain(this)
  }

  addSchema(...args: [unknown] | [string, unknown]): this {
    const { schemas } = open(this, 'addSchema').context
    if (args.length === 2) schemas.add(args[1], args[0])
    else schemas.add(args[0])
    return plain(this)
  }

  getSchema(id: string): unknown {
    return seatOf(this).context.schemas.get(id)
  }

  getSchemas(): unknown {
    return seatOf(this).context.schemas.shown()
  }

  setSchemaController(controller: unknown): this {
    setController(open(this, 'setSchemaController').context, controller)
    return plain(this)
  }

  decorate(name: PropertyKey, value?: unknown, dependencies?: readonly PropertyKey[]): this {
    openLate(this, 'decorate').context.decorators.server.add(name, value, dependencies)
    return plain(this)
  }

  decorateRequest(name: PropertyKey, value?: unknown, dependencies?: readonly PropertyKey[]): this {
    open(this, 'decorateRequest').context.decorators.request.add(name, value, dependencies)
    return plain(this)
  }

  decorateReply(name: PropertyKey, value?: unknown, dependencies?: readonly PropertyKey[]): this {
    open(this, 'decorateReply').context.decorators.reply.add(name, value, dependencies)
    return plain(this)
  }

  hasDecorator(name: PropertyKey): boolean {
    return seatOf(this).context.decorators.server.has(name)
  }

  hasRequestDecorator(name: PropertyKey): boolean {
    return seatOf(this).context.decorators.request.has(name)
  }

  getDecorator(name: PropertyKey): unknown {
    return readDecorator(plain(this), 'server', name)
  }

  hasReplyDecorator(name: PropertyKey): boolean {
    return seatOf(this).context.decorators.reply.has(name)
  }

  setValidatorCompiler(compiler: unknown): this {
    return set(this, 'validatorCompiler', compiler)
  }
  setSerializerCompiler(compiler: unknown): this {
    return set(this, 'serializerCompiler', compiler)
  }
  /** The compiler of this scope: undefined until all plugins have loaded, unless one is set. */
  get validatorCompiler(): ValidatorCompiler | undefined {
    const { host, context } = seatOf(this)
    const own = context.settingsWith('validatorCompiler', 'buildValidator').validatorCompiler
    return own ?? (host.isBooted ? nearestValidatorCompiler(context, host.compilers) : undefined)
  }
  get serializerCompiler(): SerializerCompiler | undefined {
    const { host, context } = seatOf(this)
    const own = context.settingsWith('serializerCompiler', 'buildSerializer').serializerCompiler
    return own ?? (host.isBooted ? nearestSerializerCompiler(context, host.compilers) : undefined)
  }
  setSchemaErrorFormatter(formatter: unknown): this {
    assertFormatter(formatter)
    return set(this, 'schemaErrorFormatter', formatter)
  }
  /** The error handler of this scope, or of the nearest around; where none is set, one that leaves the
   *  error to the reply. */
  get errorHandler(): ErrorHandler {
    return seatOf(this).context.resolve('errorHandler') ?? sendError
  }
  setErrorHandler(handler: unknown): this {
    const { host, context } = open(this, 'setErrorHandler')
    if (!host.options.allowErrorHandlerOverride && context.settings.errorHandler !== undefined) {
      throw new errorCodes.ESP_ERR_ERROR_HANDLER_ALREADY_SET(context.path)
    }
    return set(this, 'errorHandler', handler)
  }
  setChildLoggerFactory(factory: unknown): this {
    return set(this, 'childLoggerFactory', factory)
  }
  setReplySerializer(serializer: unknown): this {
    return set(this, 'replySerializer', serializer)
  }
}

function set<Face extends ScopeFace>(server: Face, key: keyof Settings, value: unknown): Face {
  const { context } = open(server, `set${key.charAt(0).toUpperCase()}${key.slice(1)}`)
  if (typeof value !== 'function') {
    throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED(key, context.path, describe(value))
  }
  Object.assign(context.settings, { [key]: value })
  return plain(server)
}

/** Leaves an error to what answers one that is sent: the next error handler, or the default answer. */
function sendError(error: unknown, _request: Request, reply: Reply): Reply {
  return reply.send(error)
}
