// Runs programs for the scripts that install packed packages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'

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

/** Packs what was built, and gives the tarball and the paths that it holds. */
export async function pack(cwd, target) {
  const told = await run([...npm, 'pack', '--json', '--pack-destination', target], cwd)
  const { filename, files, version } = JSON.parse(told)[0]
  return { tarball: `file:${join(target, filename)}`, files, version }
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
