// Does what the quick start says: from an empty folder, with the packed package in place of the published one.
// It knows nothing of the page: it writes the files that the page names, runs the commands, and compares what they print
// with the comments behind them. Ends with a plain line `N passed, N failed`. Build first.
import { equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { blocksOf } from '../../docs/.vitepress/blocks.ts'
import { check, end } from '../support/checks.mjs'
import { environment, freePort, pack } from '../support/run.mjs'

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-quick-start-'))
const flags = '--prefer-offline --no-audit --no-fund'
const longest = 120_000

/** The programs that are still running. */
const running = new Set()

/**
 * Runs a line of the shell. Resolves to what it has printed when it has ended, or, if it goes on, when it has printed a
 * line with `mark`. Rejects if it fails.
 */
function run(line, cwd, more = {}, mark) {
  const hosts = 'localhost,127.0.0.1'
  const child = spawn('sh', ['-ec', line], {
    ...{ cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    env: environment({ ...more, NO_PROXY: hosts, no_proxy: hosts }),
  })
  running.add(child)
  const said = { stdout: '', stderr: '' }
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`It took too long: ${line}`)), longest)
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        said[name] += text
        if (mark !== undefined && said.stdout.split('\n').slice(0, -1).join('\n').includes(mark)) {
          clearTimeout(timer)
          done(said.stdout)
        }
      })
    }
    child.on('error', fail)
    child.on('close', (status) => {
      clearTimeout(timer)
      running.delete(child)
      if (status === 0) done(said.stdout)
      else fail(new Error(`${said.stdout}${said.stderr}ended with ${status}`))
    })
  })
}

/** Ends the programs that the page has started, with what these have started. */
async function endRunning() {
  for (const child of running) {
    const ended = once(child, 'close')
    process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}

/** A command as a reader types it, and what it prints, if the page says so. */
function toCommand(line) {
  const [, command, output] = /^(.*?)(?:\s+# (.*))?$/.exec(line)
  return { command, output }
}

/** The command with the tarballs in place of the published packages. */
const withTarballs = (command, { own, creator }) =>
  command
    .replace(
      /^npm create espalier@latest /,
      `npm exec --yes '--package=${creator}' -- create-espalier `,
    )
    // What was made depends on the published package.
    .replace(/^npm install$/, `npm pkg set 'dependencies.espalier=${own}'\nnpm install ${flags}`)
    .replaceAll(/npm i ([^&]*)/g, (_all, names) => {
      const given = names.split(' ').map((name) => (name === 'espalier' ? own : name))
      return `npm i ${flags} ${given.join(' ')}`
    })

/** Runs one command. Gives the folder that it has led to. */
async function follow({ command, output }, cwd, port) {
  const at = join(scratch, 'folder')
  writeFileSync(at, cwd)
  // A server goes on: it is known by its port in what it prints.
  const printed = await run(`${command}\npwd > '${at}'`, cwd, { PORT: port }, `:${port}`)
  if (output !== undefined) equal(printed.trim(), output)
  return readFileSync(at, 'utf8').trim()
}

/** The file that a block is, by the paragraph above it: `name`, and a colon. */
function fileOf(text, { line }) {
  const [above = ''] = text
    .split('\n')
    .slice(0, line - 2)
    .reverse()
    .filter((each) => each !== '')
  return /^`([\w./-]+)`:$/.exec(above)?.[1]
}

const emptyFolder = () => mkdtempSync(join(scratch, 'home-'))

async function main() {
  const given = readFileSync(join(root, 'docs/quick-start.md'), 'utf8').replaceAll('\r', '')
  const [, port] = /\bport: (\d+)/.exec(given) ?? []
  ok(port, 'the page names a port')
  const free = String(await freePort())
  const text = given.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), free)
  const { tarball: own } = await pack(root, scratch)
  const { tarball: creator } = await pack(join(root, 'dist-create'), scratch)
  let folder = emptyFolder()
  const done = { files: 0, commands: 0, outputs: 0 }
  for (const block of blocksOf(text)) {
    const file = fileOf(text, block)
    if (file !== undefined) {
      writeFileSync(join(folder, file), block.text)
      done.files++
    } else if (block.kind === 'sh') {
      for (const line of block.text.trim().split('\n')) {
        const step = toCommand(line)
        // To make a folder is to begin anew.
        if (line.startsWith('mkdir ')) {
          await endRunning()
          folder = emptyFolder()
        }
        await check(line, async () => {
          const command = withTarballs(step.command, { own, creator })
          folder = await follow({ ...step, command }, folder, free)
        })
        done.commands++
        if (step.output !== undefined) done.outputs++
      }
    } else if (block.kind === 'js') {
      await check(`the block at line ${block.line}`, async () => {
        match(block.text, /\brequire\(/)
        writeFileSync(join(folder, 'block.cjs'), block.text)
        await run('node block.cjs', folder)
      })
    }
  }
  await check('the page has files, commands, and what these print', () => {
    for (const [name, number] of Object.entries(done)) ok(number > 2, `${number} ${name}`)
  })
}

try {
  await main()
} finally {
  await endRunning()
  rmSync(scratch, { recursive: true, force: true })
}

end()
