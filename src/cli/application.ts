import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { EspalierError } from '../errors/espalier-error.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import { isThenable } from '../types/promises.ts'
import { nodeOf } from '../server/node.ts'
import { findPackage, importFile, requireIfThere } from './packages.ts'
import { UsageError } from '../errors/usage-error.ts'

type Node = ReturnType<typeof nodeOf>

/** An application. Its plugins have loaded, without its onReady hooks. */
export interface Application {
  readonly server: object
  readonly host: Node['host']
}

const serverNames = ['default', 'app', 'server'] as const
const builderNames = ['buildApp', 'build', 'createApp', 'default'] as const
const wanted =
  'a server as the default export, as `app` or as `server`, or a function `buildApp`, `build` or `createApp` that makes one'
/** How many milliseconds the onClose hooks may take. What they leave open ends with the process. */
const closeTimeout = 3000

/** Loads an application from its module, boots it without listening, and closes it.
 *  @throws UsageError if it does not load or boot */
export async function withApplication<Value>(
  path: string,
  use: (application: Application) => Promise<Value> | Value,
): Promise<Value> {
  checkModule(path)
  const application = await load(path)
  const { host } = application
  try {
    await host.prepare().catch((error: unknown) => {
      throw failure(`'${path}' does not boot`, host.dialect.errors.show(error))
    })
    return await use(application)
  } finally {
    await closeSoon(host)
  }
}

/** @throws UsageError if a module is not there */
export function checkModule(path: string): void {
  if (!existsSync(path)) {
    throw new UsageError(`There is no file '${path}'`, `Name a module that exports ${wanted}`)
  }
  if (statSync(path).isDirectory()) {
    throw new UsageError(`'${path}' is a folder`, `Name a module in it that exports ${wanted}`)
  }
}

/** Closes an application, and waits for a limited time. */
export async function closeSoon(host: Node['host']): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((done) => (timer = setTimeout(done, closeTimeout)))
  // The answer is known: an error while closing changes nothing of it.
  await Promise.race([host.close().catch(() => undefined), late])
  clearTimeout(timer)
}

/** The application that a module exports or makes, before it boots. @throws UsageError */
export async function load(path: string): Promise<Application> {
  await registerTypeScript(path)
  const listening = refuseListening(path)
  try {
    const found = findServer(path)
    const server = await Promise.race([found, listening.refused])
    return { server, host: nodeOf(server).host }
  } finally {
    listening.stop()
  }
}

async function findServer(path: string): Promise<object> {
  const loaded = await importFile(resolve(path)).catch((error: unknown) => {
    throw failure(`'${path}' does not load`, error)
  })
  const module = isObject(loaded) ? loaded : {}
  // CommonJS has its exports as the default export.
  const holders = [module, module['default']].filter(isObject)
  for (const holder of holders) {
    const server = await exportedServer(holder, path)
    if (server !== undefined) return server
  }
  for (const holder of holders) {
    const server = await builtServer(holder, path)
    if (server !== undefined) return server
  }
  throw new UsageError(`'${path}' exports no server: ${exportsText(module)}`, `Export ${wanted}`)
}

async function exportedServer(holder: JsonObject, path: string): Promise<object | undefined> {
  for (const name of serverNames) {
    const value = holder[name]
    // In Fastify's dialect a server is thenable, and awaiting it would boot it.
    const server = isServer(value) || !isThenable(value) ? value : await value
    if (isServer(server)) return server
    refuseForeign(server, path)
  }
  return undefined
}

async function builtServer(holder: JsonObject, path: string): Promise<object | undefined> {
  for (const name of builderNames) {
    const build = holder[name]
    // A default export with parameters is a plugin.
    if (typeof build !== 'function' || (name === 'default' && build.length > 0)) continue
    const server = await callBuilder(build, `'${path}: ${name}()' does not load`)
    if (isServer(server)) return server
    refuseForeign(server, path)
  }
  return undefined
}

async function callBuilder(build: unknown, trouble: string): Promise<unknown> {
  try {
    // A parameter with a default is not counted.
    const made: unknown =
      typeof build === 'function'
        ? Reflect.apply(build, undefined, build.length === 0 ? [] : [{}])
        : undefined
    return isServer(made) ? made : await made
  } catch (error) {
    throw failure(trouble, error)
  }
}

function isServer(value: unknown): value is object {
  try {
    if (!isObject(value)) return false
    nodeOf(value)
    return true
  } catch {
    return false
  }
}

/** @throws UsageError for a server that this copy of the package has not made */
function refuseForeign(value: unknown, path: string): void {
  if (!isObject(value)) return
  const isForeign = ['inject', 'addHook', 'register'].every(
    (name) => typeof value[name] === 'function',
  )
  if (!isForeign) return
  throw new UsageError(
    `The server of '${path}' was made by Fastify, or by another copy of espalier than this command`,
    "Import the factory from 'espalier', and run the espalier that the application has installed: npx espalier",
  )
}

function exportsText(module: JsonObject): string {
  const names = Object.keys(module)
  return names.length === 0 ? 'it exports nothing' : `it exports ${names.join(', ')}`
}

/** Lets servers refuse to listen.
 *  @returns a promise that rejects when one of them is told to listen */
function refuseListening(path: string): { readonly refused: Promise<never>; stop: () => void } {
  let refuse: (error: Error) => void = () => undefined
  const refused = new Promise<never>((_, reject) => (refuse = reject))
  // Nothing awaits it once the application has loaded.
  refused.catch(() => undefined)
  const onServer = (message: unknown): void => {
    const server = isObject(message) ? message['fastify'] : undefined
    if (!isServer(server)) return
    nodeOf(server).host.listen = () => {
      refuse(
        new UsageError(
          `'${path}' listens as soon as it is imported`,
          'Export a function that makes the server, `buildApp`, and call `listen` in a module of its own that imports it',
        ),
      )
      return new Promise(() => undefined)
    }
  }
  const channel = 'fastify.initialization'
  subscribe(channel, onServer)
  return { refused, stop: () => unsubscribe(channel, onServer) }
}

/** Lets the server of a loaded application listen. */
export function allowListening({ host }: Application): void {
  Reflect.deleteProperty(host, 'listen')
}

/** The entry points of this package that have servers behind them. */
const entries = ['espalier', 'espalier/fastify', 'espalier/openapi', 'espalier/schema']

/** Makes Node read TypeScript by tsx, if the application has it. */
async function registerTypeScript(path: string): Promise<void> {
  if (!/^\.[cm]?tsx?$/.test(extname(path))) return
  const folder = dirname(path)
  const tsx = findPackage('tsx', folder) ?? findPackage('tsx', process.cwd())
  if (tsx === undefined) return
  // For CommonJS tsx makes a copy of each ES module, unless Node has loaded it: a second espalier.
  for (const name of entries) requireIfThere(name, folder)
  await importFile(tsx)
}

/** An error of the application, with the place in its own files. */
export function failure(trouble: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error
  const message = error instanceof Error ? error.message : String(error)
  const [, unread] = /^Unknown file extension "\.[cm]?tsx?" for (.*)/.exec(message) ?? []
  if (unread !== undefined) {
    return new UsageError(
      `'${unread}' is TypeScript, which Node ${process.version} does not read`,
      'Run: npm install --save-dev tsx. From 22.18 on Node reads it by itself',
      error,
    )
  }
  const at = placeIn(error)
  const shown = at === undefined ? message : `${message}\n  at ${at}`
  return new UsageError(
    `${trouble}: ${shown}`,
    'Correct it, or see where it was thrown by --stack',
    error,
  )
}

/** The first place of an error that is neither in a package nor in Node. */
function placeIn(error: unknown): string | undefined {
  // The message of a coded error has its place.
  const isCoded = error instanceof EspalierError
  const stack = error instanceof Error && !isCoded ? (error.stack ?? '') : ''
  const places = stack.matchAll(
    /(?:^|\s|\(|file:\/\/)((?:\/|[A-Za-z]:[\\/])[^\s()]+:\d+(?::\d+)?)/g,
  )
  const own = [...places].map(([, found = '']) => found)
  return own.find((each) => !/node_modules|[\\/]espalier[\\/]dist[\\/]/.test(each))
}
