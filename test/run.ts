// Runs test files under node:test: `node --import tsx test/run.ts [choice…] [--except=part…] [--together=20] [--changed]`.
// A choice is a file, a folder, or a part of a path (`encapsulation`); without one every `test/**/*.test.ts` runs.
// With `--changed`, those of them run that the change since `main` touches (test/support/changed.ts).
// Each file has a process of its own. With `--together=20`, up to 20 files of a folder share one. It takes half the time.
// Ends with a plain line `N passed, N failed`, and with status 1 when a test failed or none ran.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'

/** After this time a file is stopped and fails: a test waits for ever, or left a timer or a server open. */
const fileTimeout = Number(process.env['TEST_TIMEOUT'] ?? 300_000)

const root = resolve(import.meta.dirname, '..')
const args = process.argv.slice(2)
const exceptions = args.flatMap((arg) => (arg.startsWith('--except=') ? [arg.slice(9)] : []))
const together = Number(args.find((arg) => arg.startsWith('--together='))?.slice(11) ?? 1)
const choices = args.filter((arg) => !arg.startsWith('--'))
const count = { passed: 0, failed: 0, skipped: 0 }

const slashed = (file: string) => relative(root, file).split(sep).join('/')

function listTestFiles(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(folder, path))
    .sort()
}

/** The files that one choice stands for. One that names none is a failure, so that a slip is noticed. */
function chooseFiles(choice: string): string[] {
  const path = resolve(root, choice)
  const found = !existsSync(path)
    ? listTestFiles(join(root, 'test')).filter((file) => slashed(file).includes(choice))
    : statSync(path).isDirectory()
      ? listTestFiles(path)
      : [path]
  if (found.length === 0) {
    console.error(`no test file is named by "${choice}"`)
    count.failed++
  }
  return found
}

interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name: string
    readonly nesting: number
    /** The file that called `test`. */
    readonly file?: string
    readonly skip?: string | boolean
    readonly todo?: string | boolean
    readonly details: { readonly type?: string; readonly error?: { readonly failureType?: string } }
  }
}

/** Files that share a process are imported by a file in this folder. */
const shared = mkdtempSync(join(root, '.bundled-'))
process.on('exit', () => rmSync(shared, { recursive: true }))

/** The files in groups: each is of one folder, and shares a process. */
function group(files: string[]): string[][] {
  const groups: string[][] = []
  for (const file of files) {
    const last = groups.at(-1)
    const isFitting =
      last !== undefined && last.length < together && dirname(last[0] ?? '') === dirname(file)
    if (isFitting) last.push(file)
    else groups.push([file])
  }
  return groups
}

/** Runs files in one process, with the loader that this one was started with. */
async function runGroup(files: string[], number: number): Promise<TestEvent[]> {
  const [first = ''] = files
  const path = files.length === 1 ? first : join(shared, `${number}.test.ts`)
  if (path !== first) {
    writeFileSync(path, files.map((file) => `import '${pathToFileURL(file).href}'\n`).join(''))
  }
  const events: TestEvent[] = []
  for await (const event of run({ files: [path], signal: AbortSignal.timeout(fileTimeout) })) {
    events.push(event as TestEvent)
  }
  for (const file of files) {
    if (events.some(({ data }) => data.file === file && data.name !== file)) continue
    console.error(`${file} has no test`)
    count.failed++
  }
  return events
}

/** Children report before their parent: `reported[n]` says that a test at depth n did so since its parent began. */
const reported: boolean[] = []

/**
 * Counts leaf tests. A parent counts only when it failed by itself, a file only when it did not run to its end: it reports
 * itself only when nothing in it did.
 */
function tally({ type, data }: TestEvent): void {
  if (type !== 'test:pass' && type !== 'test:fail') return
  const isParent = reported[data.nesting + 1] === true || data.details.type === 'suite'
  const isFile = data.nesting === 0 && data.name.endsWith('.test.ts') && existsSync(data.name)
  reported.length = data.nesting + 1
  reported[data.nesting] = true
  const excused = data.skip !== undefined || data.todo !== undefined
  if (type === 'test:fail' && !excused) {
    if (data.details.error?.failureType !== 'subtestsFailed') count.failed++
  } else if (!isParent && !isFile) {
    count[excused ? 'skipped' : 'passed']++
  }
}

const waiting: (() => void)[] = []
let free = availableParallelism()

/** Lets as many run at a time as there are processors. The others wait. */
async function inTurn<Result>(body: () => Promise<Result>): Promise<Result> {
  if (free > 0) free--
  else await new Promise<void>((start) => waiting.push(start))
  const result = await body()
  const next = waiting.shift()
  if (next) next()
  else free++
  return result
}

/** The events of all files, file by file, while others are already running. */
async function* runFiles(files: string[]): AsyncGenerator<TestEvent> {
  const results = group(files).map((each, index) => inTurn(() => runGroup(each, index)))
  for (const result of results) {
    for (const event of await result) {
      // Every file ends with figures of its own; the closing line has those of all.
      if (event.type === 'test:summary' || event.type === 'test:diagnostic') continue
      tally(event)
      yield event
    }
  }
}

/** Whether a test takes the built package, by its name or by what it imports. */
const takesBuilt = (file: string) =>
  slashed(file).startsWith('test/dist') ||
  /^[^/\n]* from '(espalier['/]|.*\/place-built\.ts'|(\.\.\/)+(examples|bench)\/)/m.test(
    readFileSync(file, 'utf8'),
  )

const chosen = [...new Set((choices.length ? choices : ['test']).flatMap(chooseFiles))].filter(
  (file) => !exceptions.some((part) => slashed(file).includes(part)),
)
const files = args.includes('--changed')
  ? await (await import('./support/changed.ts')).testsOfChange(chosen)
  : chosen
if (files.some(takesBuilt)) await import(new URL('./support/built.mjs', import.meta.url).href)
await pipeline(Readable.from(runFiles(files)), new spec(), process.stdout, { end: false })

if (args.includes('--changed') && files.length === 0) {
  console.log('The change touches no test')
  process.exit()
}
const { passed, failed, skipped } = count
if (passed + failed === 0) console.error('no test ran')
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
process.exitCode = passed > 0 && failed === 0 ? 0 : 1
