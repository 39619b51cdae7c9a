import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { UsageError } from '../errors/usage-error.ts'
import { isObject } from '../types/objects.ts'

/** The TypeScript of a project, by its command line: TypeScript 7 has no stable API. */
export interface Compiler {
  /** The file of `tsc`, for Node. */
  readonly tsc: string
  readonly version: string
}

/** Finds the TypeScript that a folder sees.
 *  @param name the package, which may be another version under another name
 *  @throws UsageError if it is not installed */
export function findCompiler(folder: string, name = 'typescript'): Compiler {
  const load = createRequire(join(resolve(folder), 'any.js'))
  try {
    const file = load.resolve(`${name}/package.json`)
    const found: unknown = load(file)
    const { version, bin } = isObject(found) ? found : {}
    const tsc = isObject(bin) ? bin['tsc'] : undefined
    if (typeof version === 'string' && typeof tsc === 'string') {
      return { tsc: join(dirname(file), tsc), version }
    }
  } catch {
    // The message below says so.
  }
  throw new UsageError(
    `The package '${name}' is needed for this, and is not installed`,
    `Run: npm install --save-dev ${name}`,
  )
}

/** Programs that are compiled with the options of a project. */
export interface Programs {
  readonly compiler: Compiler
  /** The tsconfig.json of the project. */
  readonly tsconfig: string
  /** Programs that exist for this run, by their paths from the folder of the tsconfig. What they
   *  import is found as if they stood there. */
  readonly sources: Readonly<Record<string, string>>
  /** Files of the project. */
  readonly files?: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
  /** More arguments of `tsc`. What they have it write goes into its folder. */
  readonly flags?: readonly string[]
}

/** What the compiler says of programs. */
export interface Compiled {
  readonly diagnostics: readonly Diagnostic[]
  /** All that it has printed. */
  readonly output: string
}

export interface Diagnostic {
  /** The name of a program, or the path of a file; undefined for a mistake in the options. */
  readonly file: string | undefined
  /** From 1. */
  readonly line: number
  /** The code and the message: `TS2322: Type …`. */
  readonly text: string
}

/** Compiles programs in one process. It writes a folder beside the tsconfig, and removes it: from
 *  another place the compiler would find other packages.
 *  @param look is called with the folder when the compiler has ended
 *  @throws UsageError if there is no tsconfig
 *  @throws an error if the compiler does not run */
export async function compile(
  programs: Programs,
  look: (folder: string) => void = () => undefined,
): Promise<Compiled> {
  const { compiler, sources, tsconfig, files = [], options, flags = [] } = programs
  const project = resolve(tsconfig)
  if (!existsSync(project)) {
    throw new UsageError(`There is no '${tsconfig}'`, 'Name the tsconfig.json of the project')
  }
  const folder = realpathSync(mkdtempSync(join(dirname(project), '.espalier-types-')))
  try {
    const all = Object.entries(sources).map(([name, text]) => [join(folder, name), text] as const)
    for (const [file, text] of all) {
      if (!file.startsWith(folder + sep)) throw outside(dirname(project))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const config = {
      extends: project,
      compilerOptions: {
        ...ownOptions,
        rootDir: parse(folder).root,
        rootDirs: [dirname(project), folder],
        ...options,
      },
      files: [...all.map(([file]) => file), ...files.map((file) => resolve(file))],
      include: [],
      references: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const args = [compiler.tsc, '-p', 'tsconfig.json', '--pretty', 'false', ...flags]
    const output = await run(args, folder)
    look(folder)
    return read(output, folder, Object.keys(sources))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const outside = (folder: string): UsageError =>
  new UsageError(
    `A program stands outside of '${folder}'`,
    'Name it by a path from the folder of the tsconfig, as src/wrong.ts',
  )

/** Nothing is written, and programs that are only checked need not use what they declare. */
const ownOptions = {
  noEmit: true,
  skipLibCheck: true,
  noUnusedLocals: false,
  noUnusedParameters: false,
  ...{ composite: false, incremental: false, tsBuildInfoFile: null },
  ...{ declaration: false, declarationMap: false, emitDeclarationOnly: false },
  isolatedDeclarations: false,
}

function run(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((done, fail) => {
    const options = { cwd, maxBuffer: 2 ** 28 }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      // With mistakes in the programs it ends with 1 or 2.
      if (error === null || /(^|: )error TS\d+: /m.test(stdout)) done(stdout)
      else fail(new Error(`The compiler does not run: ${stdout}${stderr}`, { cause: error }))
    })
  })
}

function read(output: string, folder: string, names: readonly string[]): Compiled {
  const diagnostics: Diagnostic[] = []
  const nameOf = new Map(names.map((name) => [join(folder, name), name]))
  for (const part of output.replaceAll('\r', '').split(/\n(?=\S)/)) {
    const [, path, line = '0', code, message = ''] =
      /^(?:(.+?)\((\d+),\d+\): )?error (TS\d+: )(.*)$/s.exec(part) ?? []
    if (code === undefined) continue
    const full = path === undefined ? undefined : resolve(folder, path)
    const file = full === undefined ? undefined : (nameOf.get(full) ?? full)
    diagnostics.push({ file, line: Number(line), text: code + message.trimEnd() })
  }
  return { diagnostics, output }
}
