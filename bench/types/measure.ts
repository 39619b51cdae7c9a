// Runs the compilers on a project and reads what they say of it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The compilers of the project, by the names that they have on the command line. */
const packages = { '5.9': 'typescript-5.9', '6': 'typescript', '7': 'typescript-7' }

export type Compiler = keyof typeof packages
export const compilers: readonly Compiler[] = ['5.9', '6', '7']

export const isCompiler = (name: string): name is Compiler => name in packages

export interface Measure {
  readonly instantiations: number
  /** User and system time of the compiler's process, in seconds; NaN where there is no POSIX shell to tell it. */
  readonly cpu: number
  /** What the compiler itself calls "Check time", in seconds. */
  readonly check: number
  /** What the compiler itself calls "Memory used", in MB. */
  readonly memory: number
}

/** Checks a project. @throws when it has a type error */
export function check(compiler: Compiler, folder: string, ...options: string[]): Measure {
  const { output, cpu } = compile(compiler, folder, ['--extendedDiagnostics', ...options])
  const figure = (name: string) =>
    Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)?.[1])
  return {
    instantiations: figure('Instantiations'),
    cpu,
    check: figure('Check time'),
    memory: figure('Memory used') / 1024,
  }
}

/** How often functions of the compiler are called on a project. It is the same in each run, where times are not. NaN for a
 *  compiler that is not written in JavaScript, of which Node counts nothing. */
export function functionCalls(compiler: Compiler, folder: string): number {
  const counts = mkdtempSync(join(tmpdir(), 'espalier-calls-'))
  try {
    compile(compiler, folder, [], { NODE_V8_COVERAGE: counts, NODE_DISABLE_COMPILE_CACHE: '1' })
    const scripts = readdirSync(counts).flatMap((name) => readCoverage(join(counts, name)))
    const own = scripts.filter(({ url }) => url.endsWith('/_tsc.js'))
    if (own.length === 0) return NaN
    const calls = own.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0].count))
    return calls.reduce((sum, count) => sum + count, 0)
  } finally {
    rmSync(counts, { recursive: true, force: true })
  }
}

/** What Node says of a script that ran; the first range of a function is the whole of it. */
interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly [{ readonly count: number }] }[]
}

function readCoverage(file: string): readonly Script[] {
  const { result } = JSON.parse(readFileSync(file, 'utf8')) as { readonly result: Script[] }
  return result
}

/** The size of a project's declaration files, in bytes. NaN where it has none, since a type of it is too long to be written
 *  (TS7056). @throws when it has another error */
export function declarationBytes(compiler: Compiler, folder: string): number {
  const outDir = join(folder, 'declarations')
  try {
    writeDeclarations(compiler, folder, outDir)
    const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' })
    const texts = files.filter((name) => name.endsWith('.d.ts'))
    return texts.reduce((sum, name) => sum + readFileSync(join(outDir, name)).length, 0)
  } catch (error) {
    if (error instanceof Error && error.message.includes('TS7056')) return NaN
    throw error
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

/** Writes the declaration files of a project. @throws when it has a type error */
export function writeDeclarations(compiler: Compiler, folder: string, outDir: string): void {
  const options = '--declaration --emitDeclarationOnly --noEmit false --outDir'.split(' ')
  compile(compiler, folder, [...options, outDir])
}

function compile(
  compiler: Compiler,
  folder: string,
  options: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const tsc = join(root, 'node_modules', packages[compiler], 'bin/tsc')
  const command = [process.execPath, tsc, '-p', folder, '--pretty', 'false', ...options]
  const run = (program: string, args: readonly string[]) =>
    spawnSync(program, args, {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      env: { ...process.env, LC_ALL: 'C', ...env },
    })
  // Node tells no child's times; every POSIX shell does.
  const timed = run('sh', ['-c', '"$@"; status=$?; times; exit $status', 'sh', ...command])
  const { stdout, stderr, status, signal } = timed.error
    ? run(process.execPath, command.slice(1))
    : timed
  if (status !== 0) {
    const lines = `${stdout}${stderr}`.split('\n').slice(0, 6)
    const end = signal ? `, stopped by ${signal}` : ''
    throw new Error(`TypeScript ${compiler} on ${folder}${end}:\n${lines.join('\n')}`)
  }
  return { output: stdout, cpu: timed.error ? NaN : childSeconds(stdout) }
}

/** From the last line that `times` prints: user and system time of the shell's children, as `0m1.25s 0m0.10s`. */
function childSeconds(output: string): number {
  const line = output.trimEnd().split('\n').at(-1) ?? ''
  const times = [...line.matchAll(/(\d+)m([\d.]+)s/g)]
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  )
}
