// Runs a file of tests in a process of its own, and reads what it prints in the Test Anything Protocol.
import { spawn } from 'node:child_process'

/** The tests of a file by name, and whether they passed. Several of one name are numbered. */
export type Outcome = Readonly<Record<string, boolean>>

export interface FileRun {
  readonly outcome: Outcome
  /** What it printed, to look at what failed. */
  readonly output: string
}

/** A test at the top of a file, with all that is in it. */
export interface Result {
  readonly name: string
  readonly isPassed: boolean
  /** What was printed of it, with its parts, in lines. */
  readonly lines: readonly string[]
}

const limit = 120_000

/** How often a file of `tap` is run again for the tests behind one that ended it. */
const attempts = 12

/** Runs a file of `tap` until each of its tests had its turn: one that ends the process would take those behind it along.
 *  @param names the tests that it has */
export async function runWhole(
  folder: string,
  file: string,
  names: readonly string[],
): Promise<FileRun> {
  let { output } = await runFile(folder, file)
  let missing = names.filter((name) => !Object.hasOwn(readTap(output), name))
  // Assertions outside of tests have a name too, but no turn of their own.
  let fruitless = 0
  for (let attempt = 0; attempt < attempts && missing.length > 0 && fruitless < 2; attempt++) {
    const again = await runFile(folder, file, missing)
    const rest = missing.filter((name) => !Object.hasOwn(again.outcome, name))
    output += `\n${again.output}`
    fruitless = rest.length < missing.length ? 0 : fruitless + 1
    // The first of them ends the process by itself.
    missing = rest.length < missing.length ? rest : rest.slice(1)
  }
  return { outcome: readTap(output), output }
}

/** Runs a file with the tests of `node:test` or of `tap`, for two minutes at most.
 *  @param names the only tests to run, for `tap` */
export function runFile(
  folder: string,
  file: string,
  names: readonly string[] = [],
): Promise<FileRun> {
  const only = names.map((name) => name.replace(/[^\w\s]/g, '\\$&')).join('|')
  const choice = names.length === 0 ? {} : { TAP_GREP: `/^(${only})$/` }
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--test-reporter=tap', file], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'test', NODE_OPTIONS: '', ...choice },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk: Buffer): void => {
      output += String(chunk)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const timer = setTimeout(() => child.kill('SIGKILL'), limit)
    child.on('close', () => {
      clearTimeout(timer)
      resolve({ outcome: readTap(output), output })
    })
  })
}

/** Only tests at the top count: those within one are parts of it. */
export function readTap(output: string): Outcome {
  return Object.fromEntries(readResults(output).map(({ name, isPassed }) => [name, isPassed]))
}

/** The tests at the top that were run. */
export function readResults(output: string): readonly Result[] {
  const results = new Map<string, Result>()
  const lines = output.split('\n')
  let start = 0
  for (const [index, line] of lines.entries()) {
    const match = /^(not )?ok \d+ - (.*?)(?: # time=.*| # (?:SKIP|TODO).*)?(?: \{)?$/.exec(line)
    if (match === null) continue
    const end = endOfReport(lines, index + 1)
    const own = lines.slice(start, end)
    start = end
    if (/ # (SKIP|TODO)/i.test(line)) continue
    const given = match[2] ?? ''
    let name = given
    for (let again = 2; results.has(name); again++) name = `${given} (${again})`
    results.set(name, { name, isPassed: match[1] === undefined, lines: own })
  }
  return [...results.values()]
}

/** Where the diagnosis ends that may follow the line of a test. */
function endOfReport(lines: readonly string[], from: number): number {
  if (lines[from] !== '  ---') return from
  const end = lines.indexOf('  ...', from)
  return end === -1 ? from : end + 1
}
