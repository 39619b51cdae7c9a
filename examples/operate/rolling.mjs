// Restarts all processes under load and counts the requests that fail: node rolling.mjs [cluster] [nginx]
// Runs dist/ if it is there (npm run build), else the TypeScript files by tsx. Ends with 1 if a request failed.
import { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

const here = import.meta.dirname
const nginx = process.env.NGINX ?? '/usr/sbin/nginx'
const clients = Number(process.env.CLIENTS ?? 20)
const rounds = Number(process.env.ROUNDS ?? 3)
/** Seconds that nginx leaves an instance alone: fail_timeout in nginx.conf. */
const failTimeout = 3

const children = new Set()

/** Starts a program of this folder. Its lines can be waited for. */
function start(name, env) {
  const built = join(here, 'dist', `${name}.js`)
  const args = existsSync(built) ? [built] : ['--import', 'tsx', join(here, `${name}.ts`)]
  return run(process.execPath, args, {
    SESSION_SECRET: 'a secret of at least thirty-two characters',
    ...process.env,
    ...env,
  })
}

function run(program, args, env = process.env) {
  const child = spawn(program, args, { cwd: here, env, stdio: ['ignore', 'ignore', 'pipe'] })
  children.add(child)
  const exited = once(child, 'exit').then(([code, signal]) => {
    children.delete(child)
    return signal ?? code
  })
  const lines = createInterface({ input: child.stderr })
  const said = []
  lines.on('line', (line) => said.push(line))
  /** Waits for a line that comes from now on. */
  const hears = (text) =>
    new Promise((resolve, reject) => {
      lines.on('line', (line) => line.includes(text) && resolve())
      const name = args.at(-1)
      exited.then(() => reject(new Error(`${name} ended without "${text}":\n${said.join('\n')}`)))
    })
  return { child, exited, hears }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Sends one request. @returns the status and the body */
function send(port, agent, method, path, body) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = text && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
      let data = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (data += part))
      response.on('end', () => resolve({ status: response.statusCode, data }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

/** Many clients, each with one kept connection, send GET and POST in turn until they are stopped. */
function load(port) {
  const counts = { GET: 0, POST: 0, pids: new Set(), failures: new Map(), slowest: 0 }
  let isOver = false
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let number = 0; !isOver; number += 1) {
      const method = number % 2 === 0 ? 'GET' : 'POST'
      const since = performance.now()
      try {
        const body = method === 'GET' ? undefined : { number }
        const { status, data } = await send(port, agent, method, '/work', body)
        const reply = status === 200 ? JSON.parse(data) : undefined
        if (reply === undefined) throw new Error(`status ${status}`)
        if (method === 'POST' && reply.number !== number) throw new Error('the reply of another')
        counts[method] += 1
        counts.pids.add(reply.pid)
      } catch (error) {
        const what = `${method}: ${error.code ?? error.message}`
        counts.failures.set(what, (counts.failures.get(what) ?? 0) + 1)
        await wait(10)
      }
      counts.slowest = Math.max(counts.slowest, performance.now() - since)
    }
    agent.destroy()
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  return async () => {
    isOver = true
    await all
    return counts
  }
}

/** Waits until a path is answered with 200. */
async function untilReady(port, path = '/health/ready') {
  for (;;) {
    const status = await send(port, undefined, 'GET', path).then(
      (reply) => reply.status,
      () => 0,
    )
    if (status === 200) return
    await wait(50)
  }
}

/** Prints what the clients have counted. @returns the number of failed requests */
function tell(title, { GET, POST, pids, failures, slowest }) {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
  console.log(
    `${title}: ${rounds} rounds, ${pids.size} processes, ${GET} GET, ${POST} POST, ` +
      `${failed} failed, slowest ${Math.round(slowest)} ms`,
  )
  for (const [what, count] of failures) console.log(`  ${count} × ${what}`)
  return failed
}

/** SIGHUP replaces the workers of the cluster one after the other. */
async function rollCluster() {
  const port = await freePort()
  const env = { PORT: String(port), WORKERS: '2', DRAIN_MS: '2000' }
  const primary = start('cluster', env)
  await primary.hears('workers listen')
  const stop = load(port)
  await wait(500)
  for (let round = 0; round < rounds; round += 1) {
    primary.child.kill('SIGHUP')
    await primary.hears('all workers are new')
  }
  const failed = tell('cluster', await stop())
  primary.child.kill('SIGTERM')
  const code = await primary.exited
  if (code !== 0) throw new Error(`the cluster ended with ${code}`)
  return failed
}

/** The configuration beside this file, with other ports, and with all its files in one folder. */
function configure(folder, port, ports) {
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const text = readFileSync(join(here, 'nginx.conf'), 'utf8')
    .replace('http {', `http { access_log off; ${own}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/3001/, ports[0])
    .replace(/3002/, ports[1])
  writeFileSync(join(folder, 'nginx.conf'), text)
  const global = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;`
  return ['-p', folder, '-c', 'nginx.conf', '-g', global]
}

/** Two instances behind nginx are restarted one after the other, as by `systemctl restart`. */
async function rollNginx() {
  const folder = mkdtempSync(join(tmpdir(), 'rolling-'))
  try {
    const [port, ...ports] = [await freePort(), await freePort(), await freePort()]
    const instance = (own) =>
      start('main', {
        PORT: String(own),
        TRUST_PROXY: '127.0.0.1',
        PROXY_REPEATS: '1',
        DRAIN_MS: '2000',
      })
    const instances = ports.map(instance)
    await Promise.all(ports.map((own) => untilReady(own)))
    const proxy = run(nginx, configure(folder, port, ports))
    await untilReady(port, '/work')
    const stop = load(port)
    await wait(500)
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, own] of ports.entries()) {
        instances[index].child.kill('SIGTERM')
        await instances[index].exited
        instances[index] = instance(own)
        await untilReady(own)
        await wait((failTimeout + 1) * 1000)
      }
    }
    const failed = tell('nginx', await stop())
    proxy.child.kill('SIGQUIT')
    for (const { child } of instances) child.kill('SIGTERM')
    await Promise.all([proxy, ...instances].map(({ exited }) => exited))
    return failed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const wanted = process.argv.slice(2)
let failed = 0
try {
  if (wanted.length === 0 || wanted.includes('cluster')) failed += await rollCluster()
  if (wanted.length === 0 ? existsSync(nginx) : wanted.includes('nginx'))
    failed += await rollNginx()
} finally {
  for (const child of children) child.kill('SIGKILL')
}
process.exitCode = failed === 0 ? 0 : 1
