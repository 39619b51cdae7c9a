// Follows docs/tutorial.md and its steps literally, in an empty folder, with the packed tarball as `espalier`. It knows
// nothing of what the pages say. Ends with a plain line `N passed, N failed`. Build first.
//   node test/package/tutorial.mjs
//
// What stands behind the three backticks of a block says what is done with it:
//
//   typescript [src/app.ts]           the file is written. Any language does; the line before the block names the file
//   diff [src/app.ts]                 the file is changed: lines `@@` separate places, each of which it has once
//   diff mistake [src/app.ts]         the same, and undone behind the next output
//   typescript excerpt [src/app.ts]   the file has these lines
//   sh                                its lines are run, one by one
//   sh server                         its line is run until the step ends
//   sh by-hand                        it is not run
//   text, json                        what the block before printed. `…` stands for any text
//
// Each step is a page, and ends with the compiler. docs/tutorial.md has links to the steps, in their order.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { check, end } from '../support/checks.mjs'
import { environment, freePort, pack } from '../support/run.mjs'

const root = resolve(import.meta.dirname, '../..')
const example = join(root, 'examples/notes')
const textOf = (name) => readFileSync(join(root, 'docs', name), 'utf8').replaceAll('\r', '')
const first = textOf('tutorial.md')
const steps = [...first.matchAll(/^\| \[[^\]]+\]\((tutorial-[\w-]+\.md)\)/gm)].map(
  ([, name]) => name,
)
const pages = [{ name: 'tutorial.md', text: first }].concat(
  steps.map((name) => ({ name, text: textOf(name) })),
)
const scratch = mkdtempSync(join(tmpdir(), 'espalier-tutorial-'))
const inherited = environment()
const hosts = 'localhost,127.0.0.1'
const run = promisify(execFile)

/** The folder in which the reader stands. */
let folder = scratch
/** What the reader changes: all but what was installed or made. */
const isOwn = (path) => !['node_modules', 'dist', 'data'].includes(basename(path))

/** A command `npm` that installs the tarball as `espalier`, and asks the network for little. */
function writeNpm(tarball) {
  const bin = join(scratch, 'bin')
  const real = process.env.npm_execpath
  const npm = real ? `"${process.execPath}" "${real}"` : `PATH="$OLD_PATH" npm`
  mkdirSync(bin)
  const lines = [
    '#!/bin/sh',
    'case "$1" in',
    `  i|install) shift; ${npm} install --prefer-offline --no-audit --no-fund "$@" "${tarball}" ;;`,
    `  *) ${npm} "$@" ;;`,
    'esac\n',
  ]
  writeFileSync(join(bin, 'npm'), lines.join('\n'))
  chmodSync(join(bin, 'npm'), 0o755)
  return bin
}

const port = String(await freePort())
const env = {
  ...inherited,
  EXAMPLE: 'node_modules/espalier/examples/notes',
  PORT: port,
  OLD_PATH: process.env.PATH,
  PATH: `${join(scratch, 'bin')}${delimiter}${process.env.PATH}`,
  NO_COLOR: '1',
  NO_PROXY: hosts,
  no_proxy: hosts,
}

/** Commands name the port that the page shows. */
const withPort = (text) => text.replaceAll('localhost:3000', `localhost:${port}`)

/** Runs a line as a shell does. A command that fails also says what it has to say. */
async function shell(line) {
  const place = join(scratch, 'place')
  const script = `${withPort(line)}\ncode=$?; pwd > "${place}"; exit $code`
  let output
  try {
    output = await run('sh', ['-c', script], { cwd: folder, env, timeout: 120_000 })
  } catch (error) {
    if (error.killed) throw error
    output = error
  }
  if (existsSync(place)) folder = readFileSync(place, 'utf8').trim()
  return output
}

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim()

function patternOf(shown) {
  const parts = oneLine(shown).split('…')
  return parts.map((part) => part.trim().replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('.*')
}

/** Whether an output is the one that a block shows. */
const compare = (output, shown) => match(oneLine(output), new RegExp(`^${patternOf(shown)}$`))

/** The text of a file after a change. */
function changed(text, diff) {
  let result = text
  for (const place of diff.split(/^@@.*\n/m).filter((part) => part.trim() !== '')) {
    const lines = place.replace(/\n$/, '').split('\n')
    const side = (sign) =>
      lines
        .filter((line) => line === '' || ` ${sign}`.includes(line[0]))
        .map((line) => `${line.slice(1)}\n`)
        .join('')
    const [before, after] = [side('-'), side('+')]
    const parts = `\n${result}`.split(`\n${before}`)
    equal(parts.length - 1, 1, `${parts.length - 1} times in the file:\n${before}`)
    result = parts.join(`\n${after}`).slice(1)
  }
  return result
}

let server

async function startServer(line, shown) {
  await stopServer()
  const child = spawn('sh', ['-c', line], { cwd: folder, env, detached: true })
  server = child
  let output = ''
  const pattern = new RegExp(patternOf(withPort(shown).replaceAll(':3000', `:${port}`)))
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not shown:\n${output}`)), 60_000)
    const read = (chunk) => {
      output += chunk
      if (!pattern.test(oneLine(output))) return
      clearTimeout(late)
      resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', () => reject(new Error(`it ended:\n${output}`)))
  })
}

/** Ends the server as Ctrl+C does. */
async function stopServer() {
  if (server === undefined) return
  const child = server
  server = undefined
  if (child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, 'SIGINT')
  await once(child, 'exit')
}

/** The blocks of a page, in their order. */
function partsOf(text) {
  const found = text.matchAll(/^```(\S[^\n]*)\n(.*?)^```$/gms)
  return [...found].map(({ 1: info, 2: body, index }) => {
    const [, kind, file] = /^([\w-]+(?: [\w-]+)?)(?: \[([^\]]+)\])?$/.exec(info) ?? []
    const above = text.slice(0, index).trimEnd().split('\n').at(-1)
    return { kind, file, body, above, line: text.slice(0, index).split('\n').length }
  })
}

const read = (file) => readFileSync(join(folder, file), 'utf8')

function write(file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

let output = ''
/** Undoes a mistake. */
let undo = () => undefined

/** Does what a block says. `next` is the part behind it. */
async function follow({ kind, file, body, above }, next) {
  if (file !== undefined)
    ok(above.includes(`\`${file}\``), `the line before names ${file}: ${above}`)
  const [language, mark] = kind.split(' ')
  if (language === 'diff') {
    const before = read(file)
    write(file, changed(before, body))
    if (mark === 'mistake') undo = () => write(file, before)
  } else if (mark === 'excerpt') {
    ok(`\n${read(file)}`.includes(`\n${body}`), `${file} has these lines`)
  } else if (file !== undefined) {
    equal(mark, undefined, kind)
    write(file, body)
  } else if (kind === 'sh') {
    const isShown = next?.kind === 'text' || next?.kind === 'json'
    const outputs = []
    for (const line of body.replaceAll('\\\n', '').trimEnd().split('\n')) {
      const { stdout, stderr, code = 0 } = await shell(line)
      if (!isShown) equal(code, 0, `${line}\n${stdout}${stderr}`)
      outputs.push(stdout)
    }
    output = outputs.join('\n').replaceAll(`:${port}`, ':3000')
  } else if (kind === 'sh server') {
    await startServer(body.trim(), next.body)
    output = next.body
  } else if (kind === 'text' || kind === 'json') {
    undo()
    undo = () => undefined
    compare(output, body)
  } else equal(kind, 'sh by-hand')
}

/** Checks that fail make no sense of what follows. */
let isBroken = false
async function step(title, body) {
  if (isBroken) return
  await check(title, async () => {
    try {
      await body()
    } catch (error) {
      isBroken = true
      throw error
    }
  })
}

const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
const compilations = []

/** Compiles a copy of what there is, beside the next steps, by the newest compiler: it is the fastest. */
function compile(name) {
  const copy = join(scratch, `step-${compilations.length}`)
  cpSync(folder, copy, { recursive: true, filter: isOwn })
  symlinkSync(join(folder, 'node_modules'), join(copy, 'node_modules'))
  const projects = ['.', ...readdirSync(copy)].filter((path) =>
    existsSync(join(copy, path, 'tsconfig.json')),
  )
  const compiled = projects.map((path) =>
    run(process.execPath, [compiler, '-p', path], { cwd: copy, env }).catch((error) => error),
  )
  compilations.push({ name, compiled: Promise.all(compiled) })
}

const filesOf = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1))

try {
  await step('the package is packed', async () => {
    const { tarball } = await pack(root, scratch)
    writeNpm(tarball)
  })

  ok(steps.length > 0)
  for (const { name, text } of pages) {
    const parts = partsOf(text)
    for (const [index, part] of parts.entries()) {
      const { kind, file, body, line } = part
      const what = file ?? (/^sh/.test(kind) ? body.split('\n')[0] : 'the output')
      await step(`docs/${name}:${line} ${kind}: ${what}`, () => follow(part, parts[index + 1]))
    }
    await stopServer()
    if (!isBroken && existsSync(join(folder, 'package.json'))) compile(name)
  }
  for (const { name, compiled } of compilations) {
    await step(`it compiles behind docs/${name}`, async () => {
      const printed = (await compiled).map(({ stdout, stderr }) => stdout + stderr)
      equal(printed.join(''), '')
    })
  }

  await step('it compiles at the end, by its own compiler', async () => {
    const { stdout, stderr, code = 0 } = await shell('npm run types')
    equal(code, 0, stdout + stderr)
  })
  await step('its packages are those of examples/notes', () => {
    const own = JSON.parse(read('package.json'))
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(example, 'package.json'), 'utf8'),
    )
    const { espalier: _, ...others } = { ...own.dependencies, ...own.devDependencies }
    const known = { ...dependencies, ...devDependencies }
    const expected = Object.keys(others).map((name) => [name, known[name]])
    deepEqual(others, Object.fromEntries(expected))
  })
  await step('what it takes from examples/notes is the same at the end', () => {
    const same = filesOf(folder).filter(
      (file) =>
        !/^(node_modules|dist|data)\//.test(file) &&
        existsSync(join(example, file)) &&
        read(file) === readFileSync(join(example, file), 'utf8'),
    )
    const taken = [
      ...pages
        .map(({ text }) => text)
        .join('')
        .matchAll(/\$EXAMPLE\/([\w./-]*\w)/g),
    ].map(([, file]) => file)
    ok(taken.length > 0)
    deepEqual(
      taken.filter((file) => !same.includes(file)),
      [],
    )
    console.log(`  ${same.length} files are those of examples/notes: ${same.sort().join(', ')}`)
  })
} finally {
  await stopServer()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}
end()
