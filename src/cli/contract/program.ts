import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type TypeScript from 'typescript'
import { UsageError } from '../../errors/usage-error.ts'
import { isObject } from '../../types/objects.ts'
import { findPackage, importFile } from '../packages.ts'

type Compiler = typeof TypeScript

/** The types of an application's routes, as the compiler of its project infers them. */
export interface TypedRoutes {
  readonly typescript: Compiler
  readonly program: TypeScript.Program
  readonly checker: TypeScript.TypeChecker
  /** Sorted by path, then by method. */
  readonly routes: readonly TypedRoute[]
}

export interface TypedRoute {
  /** @example 'GET /users/:id' */
  readonly key: string
  readonly request: TypeScript.Type
  readonly response: TypeScript.Type
  /** The messages of a route for WebSockets. */
  readonly messages: TypeScript.Type | undefined
}

/** TypeScript 7 has no stable interface for programs: there the official package of 6 stands beside
 *  it. */
const packages = ['typescript', '@typescript/typescript6'] as const

/** The compiler of a project. @throws UsageError if it has none with an interface for programs */
export async function loadTypeScript(folder: string): Promise<Compiler> {
  for (const at of [folder, process.cwd()]) {
    for (const name of packages) {
      const file = findPackage(name, at)
      const loaded: unknown = file === undefined ? undefined : await importFile(file)
      const typescript = isObject(loaded) ? loaded['default'] : undefined
      if (isCompiler(typescript)) return typescript
    }
  }
  throw new UsageError(
    'A contract is read by the interface for programs of TypeScript 5.9 or 6, which is not installed here',
    'Run: npm install --save-dev @typescript/typescript6. It stands beside TypeScript 7',
  )
}

const isCompiler = (value: unknown): value is Compiler =>
  isObject(value) && 'createProgram' in value

/** Reads the types of the routes of a module. The module is not run.
 *  @throws UsageError if the type of its server has no routes */
export async function readTypes(module: string): Promise<TypedRoutes> {
  const path = resolve(module)
  const typescript = await loadTypeScript(dirname(path))
  const program = programOf(typescript, path)
  const checker = program.getTypeChecker()
  const { requests, responses, messages } = probed(program, checker, probeOf(path))
  const keys = requests.getProperties().map(({ name }) => name)
  if (keys.length === 0) {
    throw new UsageError(
      `The type of the server of '${module}' has no routes`,
      'Export what the last route of a chain gave, or a function that returns it',
    )
  }
  const find = (all: TypeScript.Type, key: string): TypeScript.Type | undefined => {
    const symbol = all.getProperty(key)
    return symbol && checker.getTypeOfSymbol(symbol)
  }
  const routes = keys.sort(byPath).map((key) => ({
    key,
    request: find(requests, key) ?? checker.getUnknownType(),
    response: find(responses, key) ?? checker.getUnknownType(),
    messages: find(messages, key),
  }))
  return { typescript, program, checker, routes }
}

const byPath = (one: string, other: string): number => (pathFirst(one) < pathFirst(other) ? -1 : 1)
const pathFirst = (key: string): string => key.replace(/^(\S+) (.*)$/, '$2 $1')

/** Beside the module, so that its imports are found. The compiler writes all paths with slashes. */
const probeOf = (path: string): string =>
  join(dirname(path), '.espalier-contract.ts').replaceAll('\\', '/')

/** The names of exports are those that the command runs. */
const probeText = (path: string): string => `
import type { InputOf, ResponseOf, RouteKey, Routed } from ${JSON.stringify('espalier/client')}
import type { SocketMessages, SocketPath } from ${JSON.stringify('espalier/socket')}
type Module = typeof import(${JSON.stringify(`./${importedAs(basename(path))}`)})
type Server<Value> = Value extends (...given: never) => infer Made ? Awaited<Made> : Awaited<Value>
type Each<Name extends string> =
  Module extends { [Key in Name]: infer Value } ? Extract<Server<Value>, Routed> : never
type Found = { [Name in 'default' | 'app' | 'server' | 'build' | 'buildApp' | 'createApp']: Each<Name> }
type App = Found['default'] | Found['app'] | Found['server'] | Found['build'] | Found['buildApp'] | Found['createApp']
export declare const requests: { [Key in RouteKey<App>]: InputOf<App, Key> }
export declare const responses: { [Key in RouteKey<App>]: ResponseOf<App, Key> }
export declare const messages: { [Path in SocketPath<App> as \`GET \${Path}\`]: SocketMessages<App, Path> }
`

/** Modules of all resolutions know a file of TypeScript by the name of its output. */
const importedAs = (name: string): string => name.replace(/\.([cm]?)tsx?$/, '.$1js')

/** Declaration files by options and path. `contract diff` reads two applications, and what they
 *  import is most of the work. */
const read = new Map<string, TypeScript.SourceFile | undefined>()

/** A program of the module alone, with the options of its project. */
function programOf(typescript: Compiler, path: string): TypeScript.Program {
  const options = { ...optionsOf(typescript, path), noEmit: true, skipLibCheck: true }
  const host = typescript.createCompilerHost(options)
  const probe = probeOf(path)
  const text = probeText(path)
  const disk = { ...host }
  const settings = JSON.stringify([typescript.version, options])
  host.fileExists = (file) => file === probe || disk.fileExists(file)
  host.getSourceFile = (file, version, ...others) => {
    if (file === probe) return typescript.createSourceFile(file, text, version)
    if (!/\.d\.[cm]?ts$/.test(file)) return disk.getSourceFile(file, version, ...others)
    const key = `${settings} ${file}`
    if (!read.has(key)) read.set(key, disk.getSourceFile(file, version, ...others))
    return read.get(key)
  }
  return typescript.createProgram({ rootNames: [probe], options, host })
}

function optionsOf(typescript: Compiler, path: string): TypeScript.CompilerOptions {
  const file = typescript.findConfigFile(dirname(path), existsSync)
  if (file === undefined) return { strict: true, module: typescript.ModuleKind.NodeNext }
  const read = typescript.readConfigFile(file, (name) => typescript.sys.readFile(name))
  const { options } = typescript.parseJsonConfigFileContent(
    read.config,
    typescript.sys,
    dirname(file),
  )
  return options
}

/** The types that the probe exports. @throws UsageError for an error of the compiler in it */
function probed(
  program: TypeScript.Program,
  checker: TypeScript.TypeChecker,
  probe: string,
): Record<'requests' | 'responses' | 'messages', TypeScript.Type> {
  const file = program.getSourceFile(probe)
  const [wrong] = program.getSemanticDiagnostics(file)
  if (wrong !== undefined) {
    throw new UsageError(
      `The compiler cannot read the routes: ${messageOf(wrong.messageText)}`,
      'Install espalier where the module is, and check the project by tsc',
    )
  }
  const symbol = file && checker.getSymbolAtLocation(file)
  const exported = symbol ? checker.getExportsOfModule(symbol) : []
  const typeOf = (wanted: string): TypeScript.Type => {
    const found = exported.find(({ name }) => name === wanted)
    return found === undefined ? checker.getUnknownType() : checker.getTypeOfSymbol(found)
  }
  return {
    requests: typeOf('requests'),
    responses: typeOf('responses'),
    messages: typeOf('messages'),
  }
}

const messageOf = (text: string | TypeScript.DiagnosticMessageChain): string =>
  typeof text === 'string' ? text : text.messageText
