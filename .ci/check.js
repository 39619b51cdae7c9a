// Runs the checks of the project: `npm run check [-- stage…]`, with those for a release too if `CHECK=all` is set.
// `npm test` is `--only=test`: the phases that need no network and no browser, and take no longer than a person waits.
// `--only=rest` has all others. Installs nothing.
// All stages run, also after a failure; at the end stands a table, and a plain line `N passed, N failed`.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { changedFiles } from './changed.js'

/**
 * What is run, in phases. The stages of a phase are taken in their order, the longest first, by as many runners as there
 * are processors: most are a compiler, which has one thread. The unit tests use all processors themselves.
 *
 * Of a stage: name, command, whether it counts tests. One that counts must end with a line `N passed, N failed`, and
 * fails when that line is missing or when nothing passed. Any other counts as one test.
 */
const test = [
  [
    ['build', 'npm run build', false],
    ['formatting', 'npm run lint:format', false],
  ],
  [['unit and behaviour tests, reference', 'npm run test:unit', true]],
  [
    ['type tests (tsd)', 'npm run test:tsd', true],
    ['lint', 'npm run lint:code', false],
    ['types of the project', 'npm run typecheck:7', false],
    ['direction of dependencies', 'npm run test:architecture', true],
  ],
]
const rest = [
  [
    ['notes application', 'npm run check:notes', true],
    ['built package', 'npm run test:dist', true],
    ['packed tarball', 'npm run check:smoke', true],
    ['Bun and Deno', 'npm run check:runtimes', true],
    ['worker on workerd', 'npm run check:worker', true],
    [
      'requests and replies through app.fetch',
      'npm run test:fetch -- hooks hijack /reply- /stream- /transport- /web- /raw- /request- /body- /error- /fetch.',
      true,
    ],
    ['pages, and what they execute', 'npm run test:pages', true],
    ['type tests on TypeScript 7', 'npm run test:matrix', true],
    ['schemas compiled ahead of time', 'npm run test:compiled', true],
    ['soundness of the types', 'npm run test:soundness', true],
    ['documents, validators and clients', 'npm run check:openapi', true],
    ['documentation page in Chromium', 'npm run check:page', true],
    ['type acceptance', 'npm run test:acceptance', false],
    ['package types (attw)', 'npm run check:attw', false],
    ['example in Chromium', 'npm run check:files', true],
    ['clients in Chromium', 'npm run check:clients', true],
    ['package lint (publint)', 'npm run check:publint', false],
    ['examples', 'npm run test:examples', true],
    ['installed packages', 'npm ls --all', false],
    ['spelling', 'npm run docs:spelling', false],
  ],
]
/** What is for a release: long installs of what other people use, and pages, whose result few changes touch. These stages
 *  run with `CHECK=all`, which `.ci/run` sets for a tag, where they are named, and where a file that they concern differs
 *  from the branch `main`, or on `main` from what was pushed before. What they share with all applications is checked in
 *  each run: the notes application has the packages of the service template and is what the tutorial ends with; the tests
 *  compile the blocks of the pages; the type tests compile what the budget of types measures. */
const forRelease = [
  ['site of the documentation', 'npm run check:site', true, /^docs\/|^test\/browser\/site/],
  [
    'cost of types',
    'npm run test:budget',
    true,
    /^src\/(client|context|lifecycle|plugin|route|schema|server|typed|types)\/|^bench\/types\/|types-budget/,
  ],
  [
    'types of written contracts',
    'npm run test:contracts',
    true,
    /^src\/(cli\/contract|client)\/|contracts\.(test\.)?ts$/,
  ],
  [
    'schemas compiled at boot',
    'npm run test:eager',
    true,
    /^src\/(schema|validation|serialization)\//,
  ],
  [
    'all behaviour through app.fetch',
    'npm run test:fetch',
    true,
    /^src\/(http|lifecycle|server\/transport)\/|\/(run|through)-fetch\.mjs$/,
  ],
  ['quick start', 'npm run check:quick-start', true, /^docs\/quick-start|^src\/create\//],
  ['create-espalier', 'npm run check:create', true, /^src\/(create|cli)\/|^test\/package\/create/],
  [
    'tutorial',
    'npm run check:tutorial',
    true,
    /^docs\/tutorial|^examples\/notes\/|\/tutorial\.mjs$/,
  ],
  ['declarations for front ends', 'npm run test:declarations', true, /^types-test\/declarations/],
  ['package managers and bundlers', 'npm run check:layouts', true, /\/(layout\w*|bundlers)\.\w+$/],
  [
    'beside other packages',
    'npm run check:neighbours',
    true,
    /^src\/packages\/|\/neighbours\.mjs$/,
  ],
  [
    'test runners, CommonJS',
    'npm run check:runners',
    true,
    /common-js[\w-]*\.m?ts$|\/runners\.mjs$/,
  ],
  ['several processes', 'npm run check:operate', true, /^examples\/operate\/|\/operate\.mjs$/],
  [
    'tools, by the inspector',
    'npm run check:mcp',
    true,
    /^src\/mcp\/|^src\/cli\/commands\/mcp|\/mcp\.mjs$/,
  ],
  ['NestJS', 'npm run check:nest', true, /^test\/package\/nest/],
  [
    'other frameworks',
    'npm run check:frameworks',
    true,
    /^docs\/in-other-frameworks|\/frameworks\.mjs$/,
  ],
  [
    'recipes of the pages',
    'npm run check:recipes',
    true,
    /^docs\/(background-jobs|better-auth|database|front-end|orms|testing|type-tests)\.md$|\/recipes\.mjs$/,
  ],
]
/** The last step of the build and the lockfile concern them all. */
const concernsAll = /^package-lock\.json$|^src\/fastify\/finish-build\.mjs$/
/** A browser is no package of npm. `.ci/run` installs one. */
const browser = process.env.CHROME_PATH ?? '/usr/bin/chromium'
const needBrowser = ['page', 'files', 'clients', 'site'].map((name) => `npm run check:${name}`)
const stageTimeout = 15 * 60_000

const root = resolve(import.meta.dirname, '..')
const { name, version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
const args = process.argv.slice(2)
const only = args.find((arg) => arg.startsWith('--only='))?.slice(7)
const wanted = args.filter((arg) => !arg.startsWith('--'))
const phases = { test, rest: [...rest, forRelease] }
const chosen = only === undefined ? Object.values(phases).flat() : phases[only]
if (chosen === undefined) throw new Error(`--only is test or rest, not '${only}'`)
const isPossible = ([title, command]) => {
  const isLeftOut = needBrowser.includes(command) && !existsSync(browser) && !process.env.CI_BROWSER
  if (isLeftOut) console.log(`left out: ${title}. There is no ${browser}; set CHROME_PATH`)
  return !isLeftOut
}
const isNamed = ([title]) => wanted.some((part) => title.includes(part))
const changed = changedFiles()
const isConcerned = ([title, , , concerned]) => {
  const file = changed.find((path) => concerned.test(path) || concernsAll.test(path))
  console.log(`${file ? `${file} concerns` : 'left out, since no change concerns it'}: ${title}`)
  return file !== undefined
}
const isChosen = (stage) => {
  if (wanted.length > 0) return isNamed(stage)
  return process.env.CHECK === 'all' || !forRelease.includes(stage) || isConcerned(stage)
}

/** npm as it was started, so that no shell has to find it. */
function start(command) {
  const env = { ...process.env, PACKED: packed }
  const options = { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: stageTimeout }
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

// The packages are packed once, by the first stage that installs them.
const packed = mkdtempSync(join(tmpdir(), 'espalier-packed-'))
process.on('exit', () => rmSync(packed, { recursive: true, force: true }))

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
for (const phase of chosen) {
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
