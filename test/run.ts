// Runs test files under node:test: `node --import tsx test/run.ts [choice…] [--except=part…]`.
// A choice is a file, a folder, or a part of a path (`encapsulation`); without one every `test/**/*.test.ts` runs.
// Ends with a plain line `N passed, N failed`, and with status 1 when a test failed or none ran.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** After this time a file is stopped and fails: a test waits for ever, or left a timer or a server open. */
const fileTimeout = Number(process.env['TEST_TIMEOUT'] ?? 300_000)

const root = resolve(import.meta.dirname, '..')
const args = process.argv.slice(2)
const exceptions = args.flatMap((arg) => (arg.startsWith('--except=') ? [arg.slice(9)] : []))
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
    readonly skip?: string | boolean
    readonly todo?: string | boolean
    readonly details: { readonly type?: string; readonly error?: { readonly failureType?: string } }
  }
}

/** Runs one file in a process of its own, with the loader that this one was started with. */
async function runFile(file: string): Promise<TestEvent[]> {
  const events: TestEvent[] = []
  for await (const event of run({ files: [file], signal: AbortSignal.timeout(fileTimeout) })) {
    events.push(event as TestEvent)
  }
  return events
}

/** Children report before their parent: `reported[n]` says that a test at depth n did so since its parent began. */
const reported: boolean[] = []

/** Counts leaf tests. A parent counts only when it failed by itself, a file only when it did not run to its end. */
function tally({ type, data }: TestEvent): void {
  if (type !== 'test:pass' && type !== 'test:fail') return
  const isParent = reported[data.nesting + 1] === true || data.details.type === 'suite'
  const isFile = data.nesting === 0 && data.name.endsWith('.test.ts') && existsSync(data.name)
  reported.length = data.nesting + 1
  reported[data.nesting] = true
  const excused = data.skip !== undefined || data.todo !== undefined
  if (type === 'test:fail' && !excused) {
    if (data.details.error?.failureType !== 'subtestsFailed') count.failed++
  } else if (isFile) {
    // A file reports itself only when nothing in it did.
    console.error(`${data.name} has no test`)
    count.failed++
  } else if (!isParent) {
    count[excused ? 'skipped' : 'passed']++
  }
}

/** The events of all files, file by file, while the next ones are already running. */
async function* runFiles(files: string[]): AsyncGenerator<TestEvent> {
  const results: Promise<TestEvent[]>[] = []
  for (const index of files.keys()) {
    for (const file of files.slice(results.length, index + availableParallelism())) {
      results.push(runFile(file))
    }
    for (const event of (await results[index]) ?? []) {
      // Every file ends with figures of its own; the closing line has those of all.
      if (event.type === 'test:summary' || event.type === 'test:diagnostic') continue
      tally(event)
      yield event
    }
  }
}

const files = [...new Set((choices.length ? choices : ['test']).flatMap(chooseFiles))].filter(
  (file) => !exceptions.some((part) => slashed(file).includes(part)),
)
await pipeline(Readable.from(runFiles(files)), new spec(), process.stdout, { end: false })

const { passed, failed, skipped } = count
if (passed + failed === 0) console.error('no test ran')
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
process.exitCode = passed > 0 && failed === 0 ? 0 : 1
