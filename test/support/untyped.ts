import type { InjectOptions, Response } from 'light-my-request'
import espalier, { fastify, type EspalierOptions } from '../../src/index.ts'

/** What a test reads of a request and a reply whose types do not matter to it. */
export type AnyHandler = (this: any, request: any, reply: any) => unknown

/** A plugin of a package, whose types are those of another server. */
type AnyPlugin = (server: never, options: never, done: never) => unknown

type Route = readonly [handler: AnyHandler] | readonly [options: object, handler?: AnyHandler]
type Verb = (path: string, ...route: Route) => UntypedServer

/** A server without the checks of the compiler, for what it refuses and for schemas in loops. */
export interface UntypedServer {
  get: Verb
  head: Verb
  post: Verb
  put: Verb
  patch: Verb
  delete: Verb
  options: Verb
  all: Verb
  route(options: object): UntypedServer
  addRoutes(routes: unknown): UntypedServer
  addSchema(...schema: unknown[]): UntypedServer
  getSchema(id: string): unknown
  getSchemas(): Record<string, unknown>
  derive(phase: string, hook: AnyHandler): UntypedServer
  addHook(name: string, hook: AnyHandler): UntypedServer
  decorate(name: string, value: unknown): UntypedServer
  decorateRequest(name: string, value: unknown): UntypedServer
  decorateReply(name: string, value: unknown): UntypedServer
  getDecorator(name: string): unknown
  hasRequestDecorator(name: string): boolean
  readonly errorHandler: (...args: any[]) => unknown
  addContentTypeParser(types: unknown, ...parser: unknown[]): UntypedServer
  hasContentTypeParser(type: unknown): boolean
  removeContentTypeParser(types: unknown): UntypedServer
  removeAllContentTypeParsers(): UntypedServer
  getDefaultJsonParser(onProtoPoisoning?: string, onConstructorPoisoning?: string): AnyHandler
  readonly defaultTextParser: AnyHandler
  hasPlugin(name: string): boolean
  printPlugins(): string
  register(
    plugin: (server: UntypedServer, options: any) => unknown,
    options?: object,
  ): UntypedServer & PromiseLike<UntypedServer>
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- a union types no parameters
  register(plugin: AnyPlugin, options?: object): UntypedServer & PromiseLike<UntypedServer>
  setErrorHandler(
    handler: (this: any, error: any, request: any, reply: any) => unknown,
  ): UntypedServer
  setNotFoundHandler(...handler: [AnyHandler] | [object, AnyHandler]): UntypedServer
  setReplySerializer(serializer: unknown): UntypedServer
  setValidatorCompiler(compiler: unknown): UntypedServer
  setSerializerCompiler(compiler: unknown): UntypedServer
  setSchemaErrorFormatter(formatter: unknown): UntypedServer
  inject(target: string | InjectOptions): Promise<Response>
  listen(options: { readonly port: number }): Promise<string>
  ready(): Promise<unknown>
  close(): Promise<void>
}

/** Makes a server whose calls are not checked by the compiler. */
export function untyped(options: object = {}): UntypedServer {
  return espalier(options as EspalierOptions) as unknown as UntypedServer
}

/** The same in Fastify's dialect. */
export function untypedFastify(options: object = {}): UntypedServer {
  return fastify(options) as unknown as UntypedServer
}

/** Freezes an object and all that it holds, so that whoever changes it fails. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key of Reflect.ownKeys(value)) deepFreeze(Reflect.get(value, key))
  return value
}
