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
import { runFile, type FileRun, type Outcome } from './tap.ts'

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

async function runAll(folder: string, files: readonly string[]): Promise<Record<string, FileRun>> {
  const runs: Record<string, FileRun> = {}
  const waiting = [...files]
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      runs[file] = await runFile(folder, file)
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
  const kept = join(folder, '../base.json')
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Results
  choose(folder, subject, undefined)
  const runs = await runAll(folder, files)
  const results = Object.fromEntries(Object.entries(runs).map(([file, run]) => [file, run.outcome]))
  writeFileSync(kept, JSON.stringify(results))
  return results
}

async function compare(root: string, own: string, subject: Subject): Promise<string> {
  const folder = install(root, subject)
  const all = testFiles(folder, subject)
  const base = await baseOf(folder, subject, all)
  choose(folder, subject, own)
  const files = all.filter((file) => file.includes(values.only))
  const runs = await runAll(folder, files)
  const logs = join(folder, '../logs')
  mkdirSync(logs, { recursive: true })
  let [expected, passed] = [0, 0]
  for (const file of files) {
    writeFileSync(join(logs, file.replaceAll('/', '_')), runs[file]?.output ?? '')
    const wanted = Object.entries(base[file] ?? {}).filter(([, isPassed]) => isPassed)
    const failed = wanted
      .filter(([name]) => runs[file]?.outcome[name] !== true)
      .map(([name]) => name)
    expected += wanted.length
    passed += wanted.length - failed.length
    if (failed.length === 0) continue
    console.error(`\n${subject.name} ${file}\n${failed.map((name) => `  ✖ ${name}`).join('\n')}`)
  }
  const share = expected === 0 ? '–' : `${((100 * passed) / expected).toFixed(1)} %`
  return `| ${subject.name} | ${subject.version} | ${passed} | ${expected} | ${share} |`
}

const chosen =
  positionals.length === 0
    ? subjects
    : [...subjects, fastify].filter(({ name }) => positionals.includes(name))
const own = installOwn(values.folder)
console.log('| package | version | passed | of | |\n| --- | --- | --: | --: | --: |')
for (const subject of new Set(chosen)) console.log(await compare(values.folder, own, subject))
