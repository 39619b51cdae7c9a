// The compilers that programs with the built package are checked by. Those that are written in JavaScript run in the
// process of the test, and keep the declarations that they have read: to start one and to read them takes most of its time.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type * as typescript from 'typescript'

const root = resolve(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)

/** The oldest and the newest. What only the one between them says is seen with `CHECK=all`, as before a release. */
export const compilers: readonly string[] =
  process.env['CHECK'] === 'all'
    ? ['typescript-5.9', 'typescript', 'typescript-7']
    : ['typescript-5.9', 'typescript-7']

/** A compiler that is written in JavaScript. */
export const load = (compiler: string): typeof typescript => require(compiler) as typeof typescript

const registries = new Map<string, typescript.DocumentRegistry>()

/** The files that the services of a compiler have read, which is what editors ask. */
export function registryOf(compiler: string): typescript.DocumentRegistry {
  const registry = registries.get(compiler) ?? load(compiler).createDocumentRegistry()
  registries.set(compiler, registry)
  return registry
}

/** What `tsc -p project --pretty false` prints in a folder. It writes what the project has it write. */
export function compile(compiler: string, project: string, cwd: string = process.cwd()): string {
  if (compiler !== 'typescript-7') return check(compiler, project, cwd).text
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
  const args = [tsc, '-p', resolve(project), '--pretty', 'false']
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout
}

/** The same by a compiler in this process, and how many types were made of generic ones for it. */
export function check(compiler: string, project: string, cwd: string = process.cwd()) {
  const ts = load(compiler)
  const file = resolve(project, 'tsconfig.json')
  const config = ts.getParsedCommandLineOfConfigFile(
    file,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
      },
    },
  )
  if (config === undefined) throw new Error(`${file} cannot be read`)
  const { options, fileNames, errors } = config
  const host = keepFiles(ts, compiler, options)
  const program = ts.createProgram({
    rootNames: fileNames,
    options,
    host,
    configFileParsingDiagnostics: errors,
  })
  const found = ts.getPreEmitDiagnostics(program)
  if (options.noEmit !== true) program.emit()
  return {
    text: ts.formatDiagnostics(found, {
      getCurrentDirectory: () => cwd,
      getCanonicalFileName: (name) => name,
      getNewLine: () => '\n',
    }),
    instantiations: program.getInstantiationCount(),
  }
}

const kept = new Map<string, typescript.SourceFile | undefined>()

/** A host that reads a declaration file once for all programs of the same options, unless the file changes. */
function keepFiles(ts: typeof typescript, compiler: string, options: typescript.CompilerOptions) {
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  const { configFilePath: _, outDir: __, rootDir: ___, ...others } = options
  const settings = `${compiler} ${JSON.stringify(others)}`
  host.getSourceFile = (name, asked, ...rest) => {
    const stat = statSync(name, { throwIfNoEntry: false })
    if (stat === undefined || !/\.d\.[cm]?ts$/.test(name))
      return getSourceFile(name, asked, ...rest)
    const key = [settings, name, stat.mtimeMs, stat.size, JSON.stringify(asked)].join(' ')
    if (!kept.has(key)) kept.set(key, getSourceFile(name, asked, ...rest))
    return kept.get(key)
  }
  return host
}
