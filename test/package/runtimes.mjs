// Runs Espalier on Bun and Deno, which are installed from npm in a folder of their own.
// `npm run check:runtimes`: the packed package goes through a probe, on Node too, and the tests of the templates run.
// `npm run check:runtimes -- --behaviour [--bun|--deno] [part of a path…]`: the behaviour tests run, on the source. What
// is known to fail is in `runtimes/expected.mjs`, with the reason; a test there that passes is a failure.
// Ends with a plain line `N passed, N failed`. Build first.
import { ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { check, end, fail, pass, passed } from '../support/checks.mjs'
import { begin, environment, node, npm, pack, run } from '../support/run.mjs'
import { expected } from './runtimes/expected.mjs'

const versions = { bun: '1.4.5', deno: '2.9.6' }
/** The tests of each template. Those of the service share a database, so that they run in one process. */
const templates = { minimal: 'test/app.test.ts', service: 'test/all.ts' }
const fileTimeout = 300_000
/** How much of the behaviour must be the same on each runtime. */
const leastShare = 0.99

const root = resolve(import.meta.dirname, '../..')
const parts = join(root, 'test/package/runtimes')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-runtimes-'))
const args = process.argv.slice(2)

/** Makes a folder with what npm installs. */
async function install(name, dependencies) {
  const path = join(scratch, name)
  mkdirSync(path)
  const manifest = { private: true, type: 'module', dependencies }
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest))
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run([...npm, 'install', ...flags], path)
  return path
}

/** The programs. They are in packages for one platform each, and npm may install several of them. */
async function installRuntimes() {
  const path = await install('runtimes', versions)
  const find = async (scope, files) => {
    for (const name of readdirSync(join(path, 'node_modules', scope))) {
      for (const file of files) {
        const program = join(path, 'node_modules', scope, name, file)
        const version = await run([program, '--version'], path).catch(() => undefined)
        if (version !== undefined) return program
      }
    }
    throw new Error(`no program of ${scope} runs here`)
  }
  return {
    bun: await find('@oven', ['bin/bun', 'bin/bun.exe']),
    deno: await find('@deno', ['deno', 'deno.exe']),
  }
}

/** How a runtime runs a program, and tests; and how it tells of a test. */
const runtimesOf = ({ bun, deno }) => ({
  bun: {
    program: [bun],
    tests: [bun, 'test', '--timeout', '60000'],
    line: /^\((?<result>pass|fail)\) (?<name>.*?)(?: \[[\d.]+m?s\])?$/,
  },
  deno: {
    program: [deno, 'run', '-A'],
    tests: [deno, 'test', '-A', '--no-check'],
    line: /^(?:(?<name>\S.*) \.\.\. (?:.*?)(?<result>ok|FAILED) \(|(?<uncaught>\S+ \(uncaught error\))$)/,
  },
})

/** Runs tests of a folder, and gives the names of those that pass and that fail, and what was printed. */
function runTests({ tests, line, skipped = [] }, cwd, ...more) {
  return new Promise((done) => {
    const [program, ...given] = [...tests, ...more]
    const env = environment({ NO_COLOR: '1', SKIPPED_TESTS: skipped.join('\n') })
    const stdio = ['ignore', 'pipe', 'pipe']
    const options = { cwd, env, stdio, timeout: fileTimeout, killSignal: 'SIGKILL' }
    const child = spawn(program, given, options)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => (output += chunk))
    }
    child.on('close', (status, signal) => {
      const [passing, failing] = [new Set(), new Set()]
      for (const text of output.split('\n')) {
        const { name, result, uncaught } = line.exec(text)?.groups ?? {}
        if (uncaught !== undefined) failing.add('an uncaught error')
        else if (result !== undefined) (/pass|ok/.test(result) ? passing : failing).add(name)
      }
      if (signal !== null) failing.add('the file does not end')
      else if (status !== 0 && failing.size === 0) failing.add('the file fails')
      done({ passing: [...passing].filter((name) => !failing.has(name)), failing, output })
    })
  })
}

/** Runs the probe, whose parts are checks. */
async function probe(runtime, program, app) {
  const told = await run([...program, 'probe.mjs'], app).catch((error) => error.message)
  const lines = [...told.matchAll(/^(not )?ok (.+)$/gm)]
  await check(`${runtime}: the probe runs`, () => ok(lines.length >= 25, told))
  for (const [, isFailed, name] of lines) {
    if (isFailed) fail(`${runtime}: ${name.split(': ')[0]}`, name)
    else pass()
  }
}

async function testTemplates(name, runtime, app) {
  for (const [template, file] of Object.entries(templates)) {
    const { passing, failing, output } = await runTests(runtime, join(app, template), `./${file}`)
    await check(`${name}: the ${passing.length} tests of the template ${template}`, () => {
      ok(passing.length > 3 && failing.size === 0, output)
    })
  }
}

/** Installs what the templates and the probe take, and makes an application of each template. */
async function installApplication() {
  const { tarball } = await pack(root, scratch)
  const manifests = Object.keys(templates).map((template) => {
    const path = join(root, 'src/create/templates', template, 'package.json')
    return JSON.parse(readFileSync(path, 'utf8')).dependencies
  })
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const of = (name) => ({ [name]: devDependencies[name] })
  const more = { ...of('@fastify/multipart'), ...of('@fastify/websocket') }
  const app = await install('app', {
    ...Object.assign({}, ...manifests),
    ...more,
    espalier: tarball,
  })
  cpSync(join(parts, 'probe.mjs'), join(app, 'probe.mjs'))
  for (const template of Object.keys(templates)) {
    const command = ['node_modules/espalier/dist/cli/main.js', 'new', template]
    await run([...node, ...command, '--template', template], app)
    // What does not compile is the same on each runtime, and needs a compiler.
    rmSync(join(app, template, 'test/types.test.ts'), { force: true })
    // Deno looks for packages beside the manifest only.
    symlinkSync(join(app, 'node_modules'), join(app, template, 'node_modules'), 'junction')
  }
  return app
}

async function checkPackage(programs) {
  const [app, runtimes] = await Promise.all([
    installApplication(),
    begin(async () => runtimesOf(await programs)),
  ])
  await probe('Node', node, app)
  await Promise.all(
    Object.entries(runtimes).map(async ([name, runtime]) => {
      await probe(name, runtime.program, app)
      await testTemplates(name, runtime, app)
    }),
  )
}

/** Compares the tests of a file with what is expected of them. Gives how many fail as expected. */
function judge(title, known, { passing, failing, output }) {
  const names = new Set(known.flatMap(({ tests }) => tests))
  const skipped = known.filter(({ skip }) => skip === true).flatMap(({ tests }) => tests)
  for (const name of passing) {
    if (names.has(name)) fail(`${title}: ${name}`, 'passes, but stands in runtimes/expected.mjs')
    else pass()
  }
  const unknown = [...failing].filter((name) => !names.has(name))
  for (const name of unknown) fail(`${title}: ${name}`, 'fails')
  if (unknown.length > 0) console.log(output)
  const told = new Set([...passing, ...failing, ...skipped])
  for (const name of names) if (!told.has(name)) fail(`${title}: ${name}`, 'is no test')
  return names.size
}

async function checkBehaviour(name, runtime) {
  const folder = 'test/behaviour'
  const chosen = args.filter((arg) => !arg.startsWith('--'))
  const files = readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => chosen.length === 0 || chosen.some((part) => file.includes(part)))
  const [before, begun] = [passed(), performance.now()]
  let excused = 0
  const waiting = [...files]
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const known = expected[name].filter((each) => each.file === file)
      const skipped = known.filter(({ skip }) => skip).flatMap(({ tests }) => tests)
      const result = await runTests({ ...runtime, skipped }, root, `./${folder}/${file}`)
      excused += judge(`${name}: ${file}`, known, result)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  const own = passed() - before
  const share = own / (own + excused)
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(`${name}: ${own} tests pass, ${excused} fail as expected (${seconds} s)`)
  await check(`${name}: at least ${leastShare * 100} % pass`, () =>
    ok(share >= leastShare || chosen.length > 0),
  )
}

try {
  const programs = begin(installRuntimes)
  if (args.includes('--behaviour')) {
    const { bun, deno } = runtimesOf(await programs)
    const map = `--import-map=${join(parts, 'imports.json')}`
    if (!args.includes('--deno')) await checkBehaviour('bun', bun)
    if (!args.includes('--bun')) {
      await checkBehaviour('deno', { ...deno, tests: [...deno.tests, map] })
    }
  } else {
    await checkPackage(programs)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}

end()
