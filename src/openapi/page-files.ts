import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorCodes } from '../errors/codes.ts'
import { espalier } from '../server/factory.ts'

/** The user interfaces that a page may have, in the order in which they are looked for. */
export const userInterfaces = ['scalar', 'swagger-ui'] as const
export type UserInterface = (typeof userInterfaces)[number]

/** A file of the page. It is loaded when it is first asked for. */
export interface PageFile {
  readonly name: string
  readonly type: string
  readonly load: () => string | Promise<string | Uint8Array>
}

export const packages: Readonly<Record<UserInterface, string>> = {
  scalar: '@scalar/fastify-api-reference',
  'swagger-ui': 'swagger-ui-dist',
}

const script = 'text/javascript; charset=utf-8'

/** The files of a user interface, or undefined if its package is not installed.
 *  @param page the path of the page, for errors */
export function filesOf(ui: UserInterface, page: string): readonly PageFile[] | undefined {
  return ui === 'scalar' ? scalarFiles(page) : swaggerFiles()
}

/** The path of a file in a package, as this package sees it, else as the program does: a program
 *  that has this package linked has the other beside itself. Node's `require` also knows archives
 *  (Yarn Plug'n'Play). */
function find(file: string): string | undefined {
  // In a bundle of CommonJS `import.meta.url` is undefined.
  for (const base of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return createRequire(base).resolve(file)
    } catch {
      continue
    }
  }
  return undefined
}

function scalarFiles(page: string): readonly PageFile[] | undefined {
  const path = find(packages.scalar)
  if (path === undefined) return undefined
  return [{ name: 'scalar.js', type: script, load: () => scalarScript(path, page) }]
}

/** Keeps Zod, which Scalar contains, from trying whether the page may compile code: a browser
 *  reports that as a violation of the policy. */
const withoutEval = 'globalThis.__zod_globalConfig = { jitless: true };\n'

/** The script of Scalar. Its package has it only as a route of its plugin. */
async function scalarScript(path: string, page: string): Promise<string> {
  const loaded: unknown = await import(pathToFileURL(path).href)
  const plugin: unknown = Reflect.get(Object(loaded) as object, 'default')
  const url = '/js/scalar.js'
  if (typeof plugin === 'function') {
    const app = espalier().register((server, _options, done) => {
      const options = { routePrefix: '/', configuration: { url: '/' } }
      Reflect.apply(plugin, undefined, [server, options, done])
    })
    const { statusCode, body } = await app.inject({ method: 'GET', url })
    if (statusCode === 200) return withoutEval + body
  }
  const why = `'${path}' is no plugin with a route '${url}'. Install version 1.72 of it`
  throw new errorCodes.ESP_ERR_OPENAPI_PAGE(page, why)
}

const swaggerTypes = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': script,
  'oauth2-redirect.html': 'text/html; charset=utf-8',
  'oauth2-redirect.js': script,
}

function swaggerFiles(): readonly PageFile[] | undefined {
  const files = Object.entries(swaggerTypes).flatMap(([name, type]) => {
    const path = find(`${packages['swagger-ui']}/${name}`)
    return path === undefined ? [] : [{ name, type, load: () => readFile(path) }]
  })
  if (files.length === 0) return undefined
  return [...files, { name: 'swagger-start.js', type: script, load: () => swaggerStart }]
}

/** Starts Swagger UI with the configuration that stands in the page. */
const swaggerStart = `const place = document.getElementById('swagger-ui')
const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
SwaggerUIBundle({
  domNode: place,
  oauth2RedirectUrl: new URL('oauth2-redirect.html', document.currentScript.src).href,
  ...JSON.parse(place.dataset.configuration),
})
`
