import { errorCodes } from '../errors/codes.ts'
import { once } from '../packages/once.ts'
import type { AddedAgain, Adopted } from '../plugin/plugin-types.ts'
import { markFacts } from '../plugin/plugin.ts'
import { adopt } from '../server/factory.ts'
import { nodeOf } from '../server/node.ts'
import type { Server } from '../server/types/server.ts'
import { cachedReply, type CachedReply } from './cached-reply.ts'
import { createDocument } from './document.ts'
import { checkOptions, type DocumentOptions, type OpenApiOptions } from './options.ts'
import { addPage } from './page.ts'
import type { OpenApiDocument } from './types.ts'

/** What `openapi` adds to the server of its scope. */
export interface OpenApiDecorators {
  readonly server: {
    readonly openapi: ReadDocument
  }
}

/** Gives the document of a scope: the decorator `openapi`. Several scopes on the way to the root
 *  may have documents, and one scope several. */
export interface ReadDocument extends AddedAgain {
  /** The document, once all plugins have loaded: the first of the scope or of its nearest parent
   *  that has one, or the one of a path.
   *  @throws ESP_ERR_OPENAPI_NOT_MADE */
  (path?: string): OpenApiDocument
}

/** The plugin that `openapi` makes. */
export type OpenApiPlugin = Adopted<OpenApiDecorators>

const defaultPath = '/openapi.json'

/** A document of one scope. */
class ScopeDocument {
  readonly options: OpenApiOptions
  readonly #scope: object
  #made: OpenApiDocument | undefined

  constructor(scope: object, options: OpenApiOptions) {
    this.#scope = scope
    this.options = options
  }

  get path(): string {
    return this.options.path ?? defaultPath
  }

  /** Makes the document, once. @throws ESP_ERR_OPENAPI_ROUTE */
  make(): OpenApiDocument {
    const { host, context } = nodeOf(this.#scope)
    this.#made ??= createDocument(host, context, this.options, context.prefix + this.path)
    return this.#made
  }
}

/** The documents of each context, in the order of registration. */
const documents = once('documents', () => new WeakMap<object, ScopeDocument[]>())

function find(server: object, path: string | undefined): ScopeDocument | undefined {
  let { context } = nodeOf(server)
  for (;;) {
    const own = documents.get(context)
    const found = path === undefined ? own?.[0] : own?.find((each) => each.path === path)
    if (found !== undefined || context.parent === undefined) return found
    context = context.parent
  }
}

/** A plugin that serves the OpenAPI document of the scope that it is registered in, and of all
 *  scopes below, with a page for people. It is made when all plugins have loaded, so its place
 *  among them does not matter. Register it twice for two documents.
 *  @example app.register(openapi({ info: { title: 'Albums', version: '1.0.0' } }))
 *  // GET /openapi.json, GET /openapi.yaml, GET /docs
 *  @throws ESP_ERR_OPENAPI_OPTION; at boot ESP_ERR_OPENAPI_ROUTE for a route that cannot be told,
 *  and ESP_ERR_OPENAPI_PAGE where no package for the page is installed */
export function openapi(options: OpenApiOptions): OpenApiPlugin {
  checkOptions(options)
  const facts = { name: 'espalier/openapi' }
  return adopt<OpenApiDecorators>(markFacts((scope: Server) => serve(scope, options), facts))
}

async function serve(scope: Server, options: OpenApiOptions): Promise<void> {
  const { host, context } = nodeOf(scope)
  const document = new ScopeDocument(scope, options)
  documents.set(context, [...(documents.get(context) ?? []), document])
  const { path } = document
  const { onRequest = [], docs = {}, info } = options
  const yaml = await import('yaml')
  const schema = { hide: true }
  const json = later('application/json; charset=utf-8', () => JSON.stringify(document.make()))
  const text = later('application/yaml; charset=utf-8', () => yaml.stringify(document.make()))
  scope.get(path, { schema, onRequest }, json)
  scope.get(path.replace(/(\.json)?$/, '.yaml'), { schema, onRequest }, text)
  if (docs !== false) {
    const { path: page = '/docs', ui, configuration } = docs
    const shown = { path: page, documentPath: path, ui, configuration, title: info.title }
    await addPage(scope, { ...shown, onRequest })
    // One below a parameter has no URL of its own.
    if (!scope.prefix.includes(':')) host.pages.push(scope.prefix + page)
  }
  // Not by `decorate`: scopes above and below may have documents of their own.
  const present: unknown = Reflect.get(scope, 'openapi')
  if (present === undefined) Object.defineProperty(scope, 'openapi', { value: readDocument })
  else if (present !== readDocument) scope.decorate('openapi', readDocument)
  // An error of a route that cannot be told stops the boot.
  scope.addHook('onReady', () => {
    document.make()
  })
}

const readDocument = once('readDocument', () => {
  return function (this: object, path?: string): OpenApiDocument {
    const { host, context } = nodeOf(this)
    const found = find(this, path)
    if (found !== undefined && host.isBooted) return found.make()
    const reason = host.isBooted
      ? 'no openapi plugin here or above has this path'
      : 'it was read before the server was ready. Await app.ready()'
    throw new errorCodes.ESP_ERR_OPENAPI_NOT_MADE(path ?? defaultPath, context.path, reason)
  }
})

/** Answers with a text that is made for the first request. */
function later(type: string, make: () => string): CachedReply {
  let reply: CachedReply | undefined
  return (request, answering) => (reply ??= cachedReply(type, make()))(request, answering)
}

/** Makes the document of a server, and of all scopes below. It loads the plugins and compiles the
 *  routes, but runs no onReady hooks and does not listen. Close the server afterwards.
 *  @param server a server of `espalier()` or `fastify()`
 *  @param options by default those of the document that the server has registered
 *  @throws ESP_ERR_OPENAPI_OPTION, ESP_ERR_OPENAPI_ROUTE, and the errors of the boot
 *  @example
 *  const document = await documentOf(app, { info: { title: 'Albums', version: '1.0.0' } }) */
export async function documentOf(
  server: object,
  options: Partial<DocumentOptions & Pick<OpenApiOptions, 'path'>> = {},
): Promise<OpenApiDocument> {
  const { host, context } = nodeOf(server)
  const { show } = host.dialect.errors
  try {
    await host.prepare()
    const registered = find(server, options.path)?.options
    const all = { ...registered, ...options }
    checkOptions(all as DocumentOptions)
    return createDocument(host, context, all as DocumentOptions, all.path ?? defaultPath)
  } catch (error) {
    throw show(error)
  }
}
