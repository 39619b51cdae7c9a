// Runs programs for the scripts that install packed packages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import './built.mjs'

export const node = [process.execPath]
export const npm = process.env.npm_execpath ? [...node, process.env.npm_execpath] : ['npm']

/** The environment of this process without its own options. */
export function environment(more = {}) {
  const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...env } = { ...process.env, ...more }
  return env
}

/** Runs a program. Gives what it printed, or throws that. */
export function run([program, ...args], cwd, more = {}) {
  return new Promise((done, fail) => {
    const stdio = ['ignore', 'pipe', 'pipe']
    const env = environment(more)
    const options = { cwd, env, stdio, timeout: 300_000, shell: program === 'npm' }
    const child = spawn(program, args, options)
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => (said[name] += text))
    }
    child.on('error', fail)
    child.on('close', (status) => {
      if (status === 0) done(said.stdout)
      else fail(new Error(`${said.stdout}${said.stderr}ended with ${status}`))
    })
  })
}

/** Packs what was built, and gives the tarball and the paths that it holds. Scripts that share the folder PACKED, as those
 *  of `npm run check` do, take what the first of them has packed. */
export async function pack(cwd, target) {
  const shared = process.env.PACKED
  const known = shared && join(shared, `${basename(cwd)}.json`)
  if (known && existsSync(known)) return JSON.parse(readFileSync(known, 'utf8'))
  const folder = shared ? mkdtempSync(join(shared, 'tarball-')) : target
  const told = await run([...npm, 'pack', '--json', '--pack-destination', folder], cwd)
  const { filename, files, version } = JSON.parse(told)[0]
  const packed = { tarball: `file:${join(folder, filename)}`, files, version }
  if (known) {
    writeFileSync(`${folder}.json`, JSON.stringify(packed))
    renameSync(`${folder}.json`, known)
  }
  return packed
}

/** Starts what is awaited later, by checks that tell of its failure. */
export function begin(body) {
  const promise = body()
  promise.catch(() => {})
  return promise
}

/** A port that nobody listens on now. */
export async function freePort() {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
