import type { IncomingMessage } from 'node:http'
import type { Dialect } from '../dialect/dialect.ts'
import type { ChildLoggerFactory, LogSerializers } from '../http/logger.ts'
import { SharedSchemas } from '../schema/shared-schemas.ts'
import type {
  BuildSerializer,
  BuildValidator,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../schema/compiler-types.ts'
import { Decorators, type DecoratorKind } from './decorators.ts'
import { ContentTypeParsers } from './content-type-parsers.ts'
import { Derivations } from './derive.ts'
import { Hooks } from './hooks.ts'
import { Responses } from './responses.ts'

/** The objects of a context that users see: its server, and the prototypes of its requests and
 *  replies. Those of a child inherit from those of its parent. */
export interface ContextObjects {
  readonly server: object
  readonly request: object
  readonly reply: object
  /** Names of properties that instances have and their prototypes lack. */
  readonly builtIn: Readonly<Record<DecoratorKind, ReadonlySet<string>>>
  readonly dialect: Dialect
  child(): this
}

/** Settings of a context, for its routes and its children. */
export interface Settings {
  validatorCompiler?: ValidatorCompiler
  /** Makes the validator compiler if none is set. */
  buildValidator?: BuildValidator
  buildSerializer?: BuildSerializer
  serializerCompiler?: SerializerCompiler
  schemaErrorFormatter?: SchemaErrorFormatter
  errorHandler?: AnyErrorHandler
  genReqId?: (request: IncomingMessage) => string
  /** Serializes all replies of the context. */
  replySerializer?: (payload: unknown, statusCode: number) => string | Uint8Array
  childLoggerFactory?: ChildLoggerFactory
  /** The level of the loggers of requests. @default that of the server's logger */
  logLevel?: string
  /** Whether nothing is converted or left out silently. */
  strict?: boolean
  /** Added to the serializers of the parent. */
  logSerializers?: LogSerializers
}

/** An error handler of any scope: `(error, request, reply)`. */
export type AnyErrorHandler = (...args: never[]) => unknown

/** A node of the context tree, with all that its routes can see. */
export class Context<Objects extends ContextObjects = ContextObjects> {
  readonly parent: Context<Objects> | undefined
  readonly children: Context<Objects>[] = []
  /** The name in error messages: that of the plugin, or the number of the plugin in its parent. */
  readonly name: string
  readonly prefix: string
  readonly objects: Objects
  readonly settings: Settings = {}
  readonly schemas: SharedSchemas
  readonly responses: Responses
  readonly hooks: Hooks
  readonly derivations: Derivations
  readonly parsers: ContentTypeParsers
  readonly decorators: Readonly<Record<DecoratorKind, Decorators>>
  readonly #plugins = new Set<string>()
  readonly #pluginChain: string[]
  #pluginCount = 0

  private constructor(
    { name, shownName }: { readonly name: string; readonly shownName: string },
    prefix: string,
    objects: Objects,
    parent?: Context<Objects>,
  ) {
    this.parent = parent
    this.name = name
    this.#pluginChain = [shownName]
    this.prefix = prefix
    this.objects = objects
    const place = this.path
    this.schemas = new SharedSchemas(place, parent?.schemas)
    this.responses = new Responses(parent?.responses)
    this.hooks = new Hooks(objects.dialect.boot, parent?.hooks)
    this.derivations = new Derivations(parent?.derivations)
    this.parsers = new ContentTypeParsers(place, parent?.parsers)
    const decorators = (kind: DecoratorKind): Decorators =>
      new Decorators({
        kind,
        target: objects[kind],
        place,
        parent: parent?.decorators[kind],
        builtIn: objects.builtIn[kind],
        mayShadow: objects.dialect.boot.shadowsDecorators,
      })
    this.decorators = {
      server: decorators('server'),
      request: decorators('request'),
      reply: decorators('reply'),
    }
  }

  static root<Objects extends ContextObjects>(objects: Objects, prefix: string): Context<Objects> {
    return new Context({ name: 'root', shownName: 'fastify' }, prefix, objects)
  }

  /** Opens a child. All encapsulated state is linked to the parent here, and nowhere else.
   *  @param prefix the full prefix of the child, with the prefix of the parent
   *  @param shownName the name of the child in `pluginName` */
  child(name: string, prefix: string, shownName: string): Context<Objects> {
    const child = new Context({ name, shownName }, prefix, this.objects.child(), this)
    this.children.push(child)
    return child
  }

  /** Counts the plugins that are registered here: 1 for the first. */
  countPlugin(): number {
    return ++this.#pluginCount
  }

  addPlugin(name: string): void {
    this.#plugins.add(name)
  }

  /** Whether a plugin of this name was registered here or in an ancestor. */
  hasPlugin(name: string): boolean {
    const isHere = this.#plugins.has(name) || this.#pluginChain.includes(name)
    return isHere || this.parent?.hasPlugin(name) === true
  }

  /** Records that a shared plugin has run here. */
  addShared(name: string): void {
    this.#pluginChain.push(name)
  }

  /** The name of the plugin of this context, with the shared plugins that ran in it, in the form
   *  that plugins of Fastify read: `users -> auth`. The root has the name `fastify`. */
  get pluginName(): string {
    return this.#pluginChain.join(' -> ')
  }

  /** The names from the root to this context, for error messages: `root > users > admin`. */
  get path(): string {
    return this.parent === undefined ? this.name : `${this.parent.path} > ${this.name}`
  }

  /** The setting of this context or of its nearest ancestor that has it. */
  resolve<Key extends keyof Settings>(key: Key): Settings[Key] | undefined {
    return this.settings[key] ?? this.parent?.resolve(key)
  }

  /** The settings of the nearest context that has one of these keys. */
  settingsWith(...keys: readonly (keyof Settings)[]): Settings {
    const isHere = keys.some((key) => this.settings[key] !== undefined)
    return isHere || this.parent === undefined ? this.settings : this.parent.settingsWith(...keys)
  }

  /** The error handlers for the routes of this context, the nearest first. Each is bound to the
   *  server that it was set on. */
  errorHandlers(): AnyErrorHandler[] {
    const above = this.parent?.errorHandlers() ?? []
    const own = this.settings.errorHandler
    return own === undefined ? above : [own.bind(this.objects.server), ...above]
  }
}
