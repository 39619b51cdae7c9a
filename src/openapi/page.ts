import { posix } from 'node:path'
import { errorCodes } from '../errors/codes.ts'
import type { OneOrMore } from '../route/hook-types.ts'
import type { HookFor } from '../route/standalone.ts'
import type { Server } from '../server/types/server.ts'
import type { Sent } from '../typed/sent.ts'
import { cachedReply, type Answering, type Asking, type CachedReply } from './cached-reply.ts'
import { filesOf, packages, userInterfaces } from './page-files.ts'
import type { PageFile, UserInterface } from './page-files.ts'
import { renderPage } from './page-html.ts'

/** The documentation page, below the prefix of its scope. */
export interface Page {
  /** @example '/docs' */
  readonly path: string
  /** The path of the document that it shows. @example '/openapi.json' */
  readonly documentPath: string
  /** @default the one that is installed; Scalar, if both are */
  readonly ui?: UserInterface | undefined
  /** The user interface's own options, as JSON. They win over those of this package. */
  readonly configuration?: Readonly<Record<string, unknown>> | undefined
  /** The title of the page. */
  readonly title: string
  /** Guards the page and its files. */
  readonly onRequest?: OneOrMore<HookFor<'onRequest'>> | undefined
}

/** Adds the routes of a documentation page to a scope: the page, and below it the files that it
 *  loads. It works under a Content-Security-Policy that allows scripts of the same origin and
 *  inline styles, and loads nothing from elsewhere.
 *  @throws ESP_ERR_OPENAPI_PAGE if no package for the page is installed, or if its configuration
 *  has a function */
export async function addPage(scope: Server, page: Page): Promise<void> {
  const path = page.path.replace(/\/+$/, '')
  const { ui, files } = installed(scope.prefix + path, page.ui)
  const configuration = checked(scope.prefix + path, page.configuration ?? {})
  const toDocument = posix.relative(path || '/', page.documentPath)

  await scope.register(
    function documentationPage(inside) {
      const add = (url: string, type: string, handler: Handler) =>
        inside.route({
          method: 'GET',
          url,
          schema: { hide: true, response: responses(type) },
          onRequest: page.onRequest ?? [],
          handler,
        })

      add('/', html, (request, reply) => {
        const { title } = page
        const at = below(request.originalUrl)
        const content = { title, configuration, document: at(toDocument), file: at }
        return cachedReply(html, renderPage(ui, content))(request, reply)
      })
      for (const file of files) add(`/${file.name}`, file.type, handlerOf(file))
    },
    { prefix: path },
  )
}

type Handler = (
  request: Asking & { readonly originalUrl: string },
  reply: Answering,
) => Promise<Sent>

const html = 'text/html; charset=utf-8'

/** What a text of one type is sent as, for documents of another plugin: this one shows no page. */
function responses(type: string): object {
  const [essence = type] = type.split(';')
  return {
    200: { description: 'The text', content: { [essence]: { schema: { type: 'string' } } } },
    304: { description: 'The client has the text' },
  }
}

/** The files of a user interface: of the wanted one, else of the first that is installed. */
function installed(full: string, wanted: UserInterface | undefined) {
  for (const ui of userInterfaces) {
    const files = wanted === undefined || ui === wanted ? filesOf(ui, full) : undefined
    if (files) return { ui, files }
  }
  const name = packages[wanted ?? 'scalar']
  throw new errorCodes.ESP_ERR_OPENAPI_PAGE(
    full,
    `the package ${name} is found neither from this package nor from '${process.cwd()}'. Run 'npm install ${name}', or set 'docs: false'`,
  )
}

/** The configuration, if JSON leaves nothing out of it. */
function checked<Value>(full: string, configuration: Value): Value {
  const check = (key: string, value: unknown) => {
    if (typeof value !== 'function') return value
    const why = `its configuration is sent as JSON, but has the function '${key}'`
    throw new errorCodes.ESP_ERR_OPENAPI_PAGE(full, why)
  }
  JSON.stringify(configuration, check)
  return configuration
}

/** The handler of a file, which is loaded once. */
function handlerOf(file: PageFile): CachedReply {
  let loaded: Promise<CachedReply> | undefined
  const load = async () => {
    try {
      return cachedReply(file.type, await file.load())
    } catch (error) {
      // The next request tries again.
      loaded = undefined
      throw error
    }
  }
  return async (request, reply) => (await (loaded ??= load()))(request, reply)
}

/** Makes URLs relative to a page from paths that are relative to the folder of its files. A proxy
 *  may have another prefix than this server: only the last segment of the URL is the same. */
function below(url: string): (path: string) => string {
  const [path = ''] = url.split(/[?#]/, 1)
  const last = path.slice(path.lastIndexOf('/') + 1)
  return (name) => `./${posix.join(last, name)}`
}
