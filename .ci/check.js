// Runs every check of the project, one after the other: `npm run check [-- stage…]`. Installs nothing.
// All stages run, also after a failure; at the end stands a table, and a plain line `N passed, N failed`.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Name, what is run, and whether it counts tests. A stage that counts must end with a line `N passed, N failed`, and
 * fails when that line is missing or when nothing passed. Any other stage counts as one test.
 */
const stages = [
  ['install', 'npm ls --all', false],
  ['build', 'npm run build', false],
  ['lint', 'npm run lint', false],
  ['direction of dependencies', 'npm run test:architecture', true],
  ['types on TypeScript 5.9', 'npm run typecheck:5.9', false],
  ['types on TypeScript 6', 'npm run typecheck:6', false],
  ['types on TypeScript 7', 'npm run typecheck:7', false],
  ['unit and behaviour tests', 'npm run test', true],
  ['soundness of the types', 'npm run test:soundness', true],
  ['built package', 'npm run test:dist', true],
  ['type tests (tsd)', 'npm run test:tsd', true],
  ['type tests on TypeScript 5.9, 6, 7', 'npm run test:matrix', true],
  ['type acceptance', 'npm run test:acceptance', false],
  ['cost of types', 'npm run test:budget', true],
  ['examples', 'npm run test:examples', true],
  ['package lint (publint)', 'npm run check:publint', false],
  ['package types (attw)', 'npm run check:attw', false],
  ['packed tarball', 'npm run check:smoke', true],
]
const stageTimeout = 8 * 60_000

const root = resolve(import.meta.dirname, '..')
const { name, version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
const wanted = process.argv.slice(2)
const chosen = stages.filter(
  ([title]) => !wanted.length || wanted.some((part) => title.includes(part)),
)

/** npm as it was started, so that no shell has to find it. */
function start(command) {
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout: stageTimeout }
  const npm = process.env.npm_execpath
  if (!npm) return spawn(command, { ...options, shell: true })
  return spawn(process.execPath, [npm, ...command.split(' ').slice(1)], options)
}

/** Runs a command, shows what it prints as it comes, and gives that and the exit status. */
function execute(command) {
  return new Promise((done) => {
    const child = start(command)
    let output = ''
    const keep = (to) => (chunk) => {
      output += chunk
      to.write(chunk)
    }
    child.stdout.on(
      'data',
      command.includes(' ls ') ? (chunk) => (output += chunk) : keep(process.stdout),
    )
    child.stderr.on('data', keep(process.stderr))
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
for (const [title, command, counts] of chosen) {
  console.log(`\n=== ${title}: ${command}`)
  const since = performance.now()
  const { passed, failed } = figures(await execute(command), counts)
  rows.push({ title, passed, failed, time: seconds(since) })
  console.log(`=== ${title}: ${failed === 0 ? 'passed' : 'FAILED'} after ${seconds(since)}`)
}

console.log('\nresult  passed  failed      time  stage')
for (const { title, passed, failed, time } of rows) {
  const cells = [String(passed).padStart(6), String(failed).padStart(6), time.padStart(8)]
  console.log(`${failed === 0 ? 'ok    ' : 'FAILED'}  ${cells.join('  ')}  ${title}`)
}
const sum = (key) => rows.reduce((total, row) => total + row[key], 0)
console.log(`\nall stages took ${seconds(begin)}`)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(rows.length > 0 && sum('failed') === 0 ? 0 : 1)
