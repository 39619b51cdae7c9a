// Runs the own tests of the packages of Fastify's ecosystem with Espalier in the place of `fastify`, and counts those of
// the ones that pass on Fastify itself.
//
//   npm run build && npm run compat [-- @fastify/cookie fastify --folder=../compat --only=hooks]
//
// `--only` takes files by a part of their name. The folder keeps what passes on Fastify, and what the files printed, in
// `logs/` beside each package.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { choose, filesOf, install, installOwn } from './install.ts'
import { fastify, subjects, type Subject } from './packages.ts'
import { classifyAll, judge, ownRows, row, tellFailed } from './report.ts'
import { runFile, runWhole, type FileRun, type Outcome } from './tap.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: join(tmpdir(), 'espalier-compat') },
    only: { type: 'string', default: '' },
  },
})

type Results = Readonly<Record<string, Outcome>>

function testFiles(folder: string, subject: Subject): string[] {
  const files = filesOf(folder).filter(
    (file) =>
      !/fixture|node_modules|\/types?\//.test(file) && subject.except?.test(`/${file}`) !== true,
  )
  // What looks into Fastify's own files says nothing of its API.
  const foreign = files.filter(
    (file) => !/['"]fastify\/lib\//.test(readFileSync(join(folder, file), 'utf8')),
  )
  const named = foreign.filter(
    (file) => subject.files?.test(file) ?? /\.test\.(c|m)?js$/.test(file),
  )
  return named.length > 0
    ? named
    : foreign.filter((file) => /^test\/[^/]*\.js$|^test\.js$/.test(file))
}

type Run = (file: string) => Promise<FileRun>

async function runAll(files: readonly string[], run: Run): Promise<Record<string, FileRun>> {
  const runs: Record<string, FileRun> = {}
  const waiting = [...files]
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      runs[file] = await run(file)
    }
  }
  await Promise.all([work(), work()])
  return runs
}

/** What passes on Fastify itself. */
async function baseOf(
  folder: string,
  subject: Subject,
  files: readonly string[],
): Promise<Results> {
  const path = join(folder, '../base.json')
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : {}
  const missing = files.filter((file) => known[file] === undefined)
  if (missing.length === 0) return known
  choose(folder, subject, undefined)
  const runs = await runAll(missing, (file) => runFile(folder, file))
  const added = Object.entries(runs).map(([file, run]) => [file, run.outcome] as const)
  const results = { ...known, ...Object.fromEntries(added) }
  writeFileSync(path, JSON.stringify(results))
  return results
}

async function compare(root: string, own: string, subject: Subject): Promise<string[]> {
  const folder = install(root, subject)
  const all = testFiles(folder, subject)
  const base = await baseOf(folder, subject, all)
  choose(folder, subject, own)
  const namesIn = (file: string): string[] =>
    Object.entries(base[file] ?? {}).flatMap(([name, isPassed]) => (isPassed ? name : []))
  const files = all.filter((file) => file.includes(values.only))
  const runs = await runAll(files, (file) =>
    subject === fastify ? runWhole(folder, file, namesIn(file)) : runFile(folder, file),
  )
  keepLogs(join(folder, '../logs'), runs)
  const tests = files.flatMap((file) => judge(file, namesIn(file), runs[file]?.output ?? ''))
  if (subject !== fastify) {
    tellFailed(subject, tests)
    return [row(subject, tests)]
  }
  const classified = classifyAll(folder, tests)
  tellFailed(subject, classified)
  return ownRows(classified)
}

function keepLogs(folder: string, runs: Readonly<Record<string, FileRun>>): void {
  mkdirSync(folder, { recursive: true })
  for (const [file, { output }] of Object.entries(runs)) {
    writeFileSync(join(folder, file.replaceAll('/', '_')), output)
  }
}

const chosen =
  positionals.length === 0
    ? subjects
    : [...subjects, fastify].filter(({ name }) => positionals.includes(name))
const own = installOwn(values.folder)
console.log('| package | version | passed | of | |\n| --- | --- | --: | --: | --: |')
for (const subject of new Set(chosen)) {
  for (const line of await compare(values.folder, own, subject)) console.log(line)
}
