// Runs the checks of the project: `npm run check [-- stage…]`, with those for a release too if `CHECK=all` is set.
// Installs nothing.
// All stages run, also after a failure; at the end stands a table, and a plain line `N passed, N failed`.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

/**
 * What is run, in phases. The stages of a phase are taken in their order, the longest first, by as many runners as there
 * are processors: most are a compiler, which has one thread. The unit tests use all processors themselves.
 *
 * Of a stage: name, command, whether it counts tests. One that counts must end with a line `N passed, N failed`, and
 * fails when that line is missing or when nothing passed. Any other counts as one test.
 */
const phases = [
  [['install', 'npm ls --all', false]],
  [['build', 'npm run build', false]],
  [['unit and behaviour tests', 'npm run test', true]],
  [
    ['notes application', 'npm run check:notes', true],
    ['built package', 'npm run test:dist', true],
    ['packed tarball', 'npm run check:smoke', true],
    ['lint', 'npm run lint', false],
    ['type tests (tsd)', 'npm run test:tsd', true],
    ['site of the documentation', 'npm run check:site', true],
    ['cost of types', 'npm run test:budget', true],
    ['create-espalier', 'npm run check:create', true],
    ['type tests on TypeScript 6 and 7', 'npm run test:matrix', true],
    ['schemas compiled ahead of time', 'npm run test:compiled', true],
    ['schemas compiled at boot', 'npm run test:eager', true],
    ['soundness of the types', 'npm run test:soundness', true],
    ['documents, validators and clients', 'npm run check:openapi', true],
    ['documentation page in Chromium', 'npm run check:page', true],
    ['types of the project', 'npm run typecheck:7', false],
    ['quick start', 'npm run check:quick-start', true],
    ['tutorial', 'npm run check:tutorial', true],
    ['type acceptance', 'npm run test:acceptance', false],
    ['package types (attw)', 'npm run check:attw', false],
    ['example in Chromium', 'npm run check:files', true],
    ['package lint (publint)', 'npm run check:publint', false],
    ['examples', 'npm run test:examples', true],
    ['direction of dependencies', 'npm run test:architecture', true],
    ['spelling', 'npm run docs:spelling', false],
  ],
]
/** What is for a release: long installs of what other people use, whose result few changes touch. These stages run with
 *  `CHECK=all`, which `.ci/run` sets for a tag, and where they are named. */
const forRelease = [
  ['declarations for front ends', 'npm run test:declarations', true],
  ['package managers and bundlers', 'npm run check:layouts', true],
  ['beside other packages', 'npm run check:neighbours', true],
  ['test runners, CommonJS', 'npm run check:runners', true],
  ['several processes', 'npm run check:operate', true],
  ['NestJS', 'npm run check:nest', true],
]
/** A browser is no package of npm. `.ci/run` installs one. */
const browser = process.env.CHROME_PATH ?? '/usr/bin/chromium'
const needBrowser = ['check:page', 'check:files', 'check:site'].map((name) => `npm run ${name}`)
const stageTimeout = 15 * 60_000

const root = resolve(import.meta.dirname, '..')
const { name, version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
const wanted = process.argv.slice(2)
const isPossible = ([title, command]) => {
  const isLeftOut = needBrowser.includes(command) && !existsSync(browser) && !process.env.CI_BROWSER
  if (isLeftOut) console.log(`left out: ${title}. There is no ${browser}; set CHROME_PATH`)
  return !isLeftOut
}
const isNamed = ([title]) => wanted.some((part) => title.includes(part))
const isChosen = (stage) => {
  const isWanted = process.env.CHECK === 'all' || !forRelease.includes(stage)
  return wanted.length > 0 ? isNamed(stage) : isWanted
}

/** npm as it was started, so that no shell has to find it. */
function start(command) {
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout: stageTimeout }
  const npm = process.env.npm_execpath
  if (!npm) return spawn(command, { ...options, shell: true })
  return spawn(process.execPath, [npm, ...command.split(' ').slice(1)], options)
}

/** Runs a command, and gives what it prints and the exit status. */
function execute(command) {
  return new Promise((done) => {
    const child = start(command)
    let output = ''
    const keep = (chunk) => (output += chunk)
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep)
    child.on('error', (error) => done({ status: 1, output: String(error) }))
    child.on('close', (status) => done({ status: status ?? 1, output }))
    // Stopped for its time: what it started may hold the pipes open, so 'close' is not waited for.
    child.on('exit', (_, signal) => signal && done({ status: 1, output }))
  })
}

/** The figures of a stage. A stage that should have counted and did not has failed. */
function figures({ status, output }, counts) {
  if (!counts) return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  const line = [...output.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1)
  const [passed, failed] = line ? [Number(line[1]), Number(line[2])] : [0, 0]
  if (passed + failed === 0) console.error('this stage ran no test')
  const isLost = failed === 0 && (status !== 0 || passed === 0)
  return { passed, failed: isLost ? 1 : failed }
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

console.log(`${name} ${version} on Node ${process.version}, ${process.platform} ${process.arch}`)
const begin = performance.now()
const rows = []

/** What a stage prints is shown at its end, since that of another would stand between. */
async function runStage([title, command, counts]) {
  console.log(`\n=== ${title}: ${command}`)
  const since = performance.now()
  const result = await execute(command)
  if (result.status !== 0 || !command.includes(' ls ')) process.stdout.write(result.output)
  const { passed, failed } = figures(result, counts)
  rows.push({ title, passed, failed, time: seconds(since), output: result.output })
  console.log(`=== ${title}: ${failed === 0 ? 'passed' : 'FAILED'} after ${seconds(since)}`)
}

/** Takes stages from the front of a list, until there are none. */
async function takeStages(stages) {
  for (let stage = stages.shift(); stage; stage = stages.shift()) await runStage(stage)
}

const runners = Math.min(4, Math.max(2, availableParallelism()))
for (const phase of [...phases, forRelease]) {
  const stages = phase.filter(isChosen).filter(isPossible)
  await Promise.all(Array.from({ length: runners }, () => takeStages(stages)))
}

console.log('\nresult  passed  failed      time  stage')
for (const { title, passed, failed, time } of rows) {
  const cells = [String(passed).padStart(6), String(failed).padStart(6), time.padStart(8)]
  console.log(`${failed === 0 ? 'ok    ' : 'FAILED'}  ${cells.join('  ')}  ${title}`)
}
// A reader of the end of a long log finds what failed.
for (const { title, output } of rows.filter(({ failed }) => failed > 0)) {
  const lines = output.split('\n').filter((line) => line.trim() && !/^\s*(✔|ok )/.test(line))
  console.log(`\n=== ${title}: FAILED. The last lines of what it printed:`)
  console.log(lines.slice(-20).join('\n').slice(-2000))
}
const sum = (key) => rows.reduce((total, row) => total + row[key], 0)
console.log(`\nall stages took ${seconds(begin)}`)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(rows.length > 0 && sum('failed') === 0 ? 0 : 1)
