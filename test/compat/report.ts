// Tells what came of the tests, for Fastify's own by topic and by the reason of a failure.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { classify, sentenceTest, type Reason } from './classify.ts'
import { filesOf } from './install.ts'
import { heart, type Subject } from './packages.ts'
import { readResults, type Result } from './tap.ts'

/** A test that passes on Fastify itself, and what came of it here. */
export interface TestRun {
  readonly file: string
  readonly name: string
  /** Undefined where it passed, or had no turn. */
  readonly failure?: Result
  readonly reason?: Reason
}

/** What came of the tests of a file, by what it printed. */
export function judge(file: string, names: readonly string[], output: string): TestRun[] {
  const results = new Map(readResults(output).map((result) => [result.name, result]))
  return names.map((name) => {
    const result = results.get(name)
    if (result?.isPassed === true) return { file, name }
    return { file, name, reason: 'differs', ...(result && { failure: result }) }
  })
}

/** Says of tests of Fastify's own why they failed.
 *  @param folder that of the package, with Fastify's own files */
export function classifyAll(folder: string, tests: readonly TestRun[]): TestRun[] {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const below = (at: string, names: RegExp): string[] =>
    filesOf(at).flatMap((file) => (names.test(file) ? readFileSync(join(at, file), 'utf8') : []))
  const avvio = below(join(folder, 'node_modules/avvio'), /^(lib\/)?\w+\.js$/)
  const router = below(join(folder, 'node_modules/find-my-way'), /^index\.js$/)
  const isTheirs = sentenceTest([...below(folder, /^(lib\/.*|itself)\.js$/), ...avvio, ...router])
  const isOurs = sentenceTest(below(join(import.meta.dirname, '../../src'), /\.ts$/))
  const classified = tests.map((test) => {
    if (test.failure === undefined) return test
    return { ...test, reason: classify(test.failure, { read, isTheirs, isOurs }) }
  })
  const useInternals = new Set(
    classified.flatMap(({ file, reason }) => (reason === 'internals' ? file : [])),
  )
  return classified.map((test) => {
    // It is no test, but an assertion outside of them, which one that failed has not come to.
    const isAssertion = !read(test.file).includes(test.name.replace(/ \(\d+\)$/, ''))
    const isUnreached = test.reason === 'differs' && test.failure === undefined && isAssertion
    return isUnreached && useInternals.has(test.file) ? { ...test, reason: 'internals' } : test
  })
}

const percent = (part: number, all: number): string =>
  all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`

/** A row of the page: a package, its version, and how many of its tests pass. */
export function row({ name, version }: Subject, tests: readonly TestRun[]): string {
  const passed = tests.filter(({ reason }) => reason === undefined).length
  return `| ${name} | ${version} | ${passed} | ${tests.length} | ${percent(passed, tests.length)} |`
}

const reasons = ['wording', 'newer', 'internals', 'differs'] as const

/** The rows of Fastify's own tests: of how many, how many pass, and of those that fail, why. */
export function ownRows(tests: readonly TestRun[]): string[] {
  const isHeart = ({ file }: TestRun): boolean => heart.test(file)
  const topics: [string, readonly TestRun[]][] = [
    ['its heart', tests.filter(isHeart)],
    ['the rest', tests.filter((each) => !isHeart(each))],
    ['all', tests],
  ]
  return [
    '',
    `| topic | of | passed | ${reasons.join(' | ')} | of all | of what can pass |`,
    `| --- | --: | --: | ${reasons.map(() => '--:').join(' | ')} | --: | --: |`,
    ...topics.map(([topic, among]) => ownRow(topic, among)),
  ]
}

function ownRow(topic: string, tests: readonly TestRun[]): string {
  const count = (reason?: Reason): number => tests.filter((test) => test.reason === reason).length
  const [passed, differs] = [count(), count('differs')]
  const shares = [percent(passed, tests.length), percent(passed, passed + differs)]
  return `| ${[topic, tests.length, passed, ...reasons.map(count), ...shares].join(' | ')} |`
}

/** Names the tests that failed, file by file. */
export function tellFailed({ name }: Subject, tests: readonly TestRun[]): void {
  const failed = tests.filter(({ reason }) => reason !== undefined)
  for (const file of new Set(failed.map((test) => test.file))) {
    const among = failed.filter((test) => test.file === file)
    const lines = among.map((test) => `  ✖ ${test.reason} ${test.name}`)
    console.error(`\n${name} ${file}\n${lines.join('\n')}`)
  }
}
