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

/** What the user touches of a context: its server, and the prototypes of its requests and replies.
 *  Those of a child inherit from those of its parent. */
export interface ContextObjects {
  readonly server: object
  readonly request: object
  readonly reply: object
  /** Names of properties that instances have and their prototypes have not. */
  readonly builtIn: Readonly<Record<DecoratorKind, ReadonlySet<string>>>
  readonly dialect: Dialect
  child(prefix: string): this
}

/** What a context may set for its routes and its children. */
export interface Settings {
  validatorCompiler?: ValidatorCompiler
  /** Makes the validator compiler where none is set. */
  buildValidator?: BuildValidator
  buildSerializer?: BuildSerializer
  serializerCompiler?: SerializerCompiler
  schemaErrorFormatter?: SchemaErrorFormatter
  errorHandler?: ErrorHandler
  /** Makes the ids of requests. */
  genReqId?: (request: IncomingMessage) => string
  /** Serializes all replies of the scope: `(payload, statusCode)`. */
  replySerializer?: (payload: unknown, statusCode: number) => string | Uint8Array
  /** Makes the loggers of requests. */
  childLoggerFactory?: ChildLoggerFactory
  /** The level of the loggers of requests. @default that of the server's logger */
  logLevel?: string
  /** Added to those of the parent. */
  logSerializers?: LogSerializers
}

/** Answers an error: `(error, request, reply)`. */
export type ErrorHandler = (...args: never[]) => unknown

interface ContextName {
  /** What messages call a context: its plugin's name, or its place. */
  readonly name: string
  readonly shownName?: string
}

/** One node of the context tree, and all that it makes visible. */
export class Context<Objects extends ContextObjects = ContextObjects> {
  readonly parent: Context<Objects> | undefined
  readonly children: Context<Objects>[] = []
  readonly name: string
  readonly prefix: string
  readonly objects: Objects
  readonly settings: Settings = {}
  readonly schemas: SharedSchemas
  readonly hooks: Hooks
  readonly derivations: Derivations
  readonly parsers: ContentTypeParsers
  readonly decorators: Readonly<Record<DecoratorKind, Decorators>>
  readonly #plugins = new Set<string>()
  readonly #pluginChain: string[]
  #pluginCount = 0

  private constructor(
    { name, shownName = name }: ContextName,
    prefix: string,
    objects: Objects,
    parent?: Context<Objects>,
  ) {
    this.parent = parent
    this.name = name
    this.#pluginChain = [parent === undefined ? 'fastify' : shownName]
    this.prefix = prefix
    this.objects = objects
    const place = this.path
    this.schemas = new SharedSchemas(place, parent?.schemas)
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
    return new Context({ name: 'root' }, prefix, objects)
  }

  /** Opens a child: everything that is encapsulated is linked to the parent here, and nowhere else.
   *  @param prefix the child's full prefix, the parent's included
   *  @param shownName what `pluginName` calls it */
  child(name: string, prefix: string, shownName: string = name): Context<Objects> {
    const child = new Context({ name, shownName }, prefix, this.objects.child(prefix), this)
    this.children.push(child)
    return child
  }

  /** Counts a plugin that is registered here: 1 for the first. */
  countPlugin(): number {
    this.#pluginCount += 1
    return this.#pluginCount
  }

  /** Remembers the name of a plugin that was registered here. */
  addPlugin(name: string): void {
    this.#plugins.add(name)
  }

  /** Whether a plugin of this name was registered here or above. */
  hasPlugin(name: string): boolean {
    const isHere = this.#plugins.has(name) || this.#pluginChain.includes(name)
    return isHere || (this.parent?.hasPlugin(name) ?? false)
  }

  /** Remembers that a shared plugin has run here. */
  addShared(name: string): void {
    this.#pluginChain.push(name)
  }

  /** The plugin that this context was opened for, with the shared plugins that ran in it, in the form
   *  that plugins of Fastify know: `users -> auth`, and `fastify` for the root. */
  get pluginName(): string {
    return this.#pluginChain.join(' -> ')
  }

  /** The names from the root to here, as error messages show them: `root > users > admin`. */
  get path(): string {
    return this.parent === undefined ? this.name : `${this.parent.path} > ${this.name}`
  }

  /** What this context has set, or the nearest of its ancestors. */
  resolve<Key extends keyof Settings>(key: Key): Settings[Key] | undefined {
    return this.settings[key] ?? this.parent?.resolve(key)
  }

  /** The settings of the nearest context that has one of these. */
  settingsWith(...keys: readonly (keyof Settings)[]): Settings {
    const isHere = keys.some((key) => this.settings[key] !== undefined)
    return isHere || this.parent === undefined ? this.settings : this.parent.settingsWith(...keys)
  }

  /** The error handlers that answer for this context's routes, the nearest first. `this` is the server
   *  that each was set on. */
  errorHandlers(): ErrorHandler[] {
    const above = this.parent?.errorHandlers() ?? []
    const own = this.settings.errorHandler
    return own === undefined ? above : [own.bind(this.objects.server), ...above]
  }
}
