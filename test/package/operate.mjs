// Runs examples/operate as a stranger would: installs the packed packages, compiles, restarts under load.
// nginx and Redis are used where they are there (NGINX, REDIS_URL, or the programs on this machine).
// Ends with a plain line `N passed, N failed`. Build first.
import { equal, match, notEqual, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { check, end } from '../support/checks.mjs'
import { environment, freePort, node, npm, pack, run as runIn } from '../support/run.mjs'

const root = resolve(import.meta.dirname, '../..')
const example = join(root, 'examples/operate')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-operate-'))
const children = new Set()

const secret = 'a secret of at least thirty-two characters'
const { REDIS_URL: givenRedis, ...env } = environment()

/** Where a program is, if it is there. */
function find(name) {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

function start([program, ...args], more = {}) {
  const options = { cwd: scratch, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] }
  const child = spawn(program, args, { ...options, shell: program === 'npm' })
  children.add(child)
  const running = { child, said: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      running.said += text
      child.emit('said')
    })
  }
  running.ended = once(child, 'close').then(([code, signal]) => {
    children.delete(child)
    return signal ?? code
  })
  return running
}

/** Runs a program to its end. @returns what it printed */
const run = (command, more) => runIn(command, scratch, { ...more, REDIS_URL: undefined })

/** Waits until a program has said something, as often as is told. */
async function hear(running, text, times = 1) {
  while (running.said.split(text).length <= times) {
    const ended = running.ended.then((code) => {
      throw new Error(`${running.said}ended with ${code}, without "${text}"`)
    })
    await Promise.race([once(running.child, 'said'), ended])
  }
}

/** The example in a folder of its own, with the packages that it names. */
async function install() {
  const manifest = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
  const { tarball: espalier } = await pack(root, scratch)
  const { tarball: fastify } = await pack(join(root, 'dist-fastify'), scratch)
  Object.assign(manifest.dependencies, { espalier, fastify })
  manifest.overrides = { espalier }
  // The compiler and the types of Node are those of the project.
  delete manifest.devDependencies
  cpSync(example, scratch, { recursive: true, filter: (path) => !path.includes('node_modules') })
  writeFileSync(join(scratch, 'package.json'), JSON.stringify(manifest))
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run([...npm, 'install', ...options])
  mkdirSync(join(scratch, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types']) {
    const path = join(scratch, 'node_modules', name)
    if (!existsSync(path)) symlinkSync(join(root, 'node_modules', name), path, 'junction')
  }
}

/** Asks until a port is answered, for 30 seconds. */
async function ask(port, path, options) {
  const end = Date.now() + 30_000
  for (;;) {
    try {
      return await fetch(`http://127.0.0.1:${port}${path}`, options)
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED' || Date.now() > end) throw error
    }
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** Starts a cluster, and ends it. */
async function withCluster(more, body) {
  const port = await freePort()
  const given = { PORT: String(port), WORKERS: '2', DRAIN_MS: '0', SESSION_SECRET: secret, ...more }
  const primary = start([...node, 'dist/cluster.js'], given)
  try {
    await body(primary, port)
  } finally {
    primary.child.kill('SIGTERM')
    await primary.ended
  }
}

async function checkCluster() {
  await check('a restart of all workers under load: no request fails', async () => {
    const told = await run([...node, 'rolling.mjs', 'cluster'], { ROUNDS: '2' })
    console.log(told.trim())
    match(told, /2 rounds, 6 processes, .* 0 failed/)
  })
  await check('a worker that is killed is replaced; SIGTERM ends all', () =>
    withCluster({}, async (primary, port) => {
      await hear(primary, '2 workers listen')
      const { pid } = await (await ask(port, '/me')).json()
      process.kill(pid, 'SIGKILL')
      await hear(primary, `worker ${pid} died (SIGKILL)`)
      const next = await (await ask(port, '/me')).json()
      notEqual(next.pid, pid)
      primary.child.kill('SIGTERM')
      equal(await primary.ended, 0)
    }),
  )
  await check('a program that does not boot is given up', () =>
    withCluster({ SESSION_SECRET: 'short', WORKERS: '1' }, async (primary) => {
      equal(await primary.ended, 1)
      match(primary.said, /giving up/)
    }),
  )
  await check('an instance that ends is alive, and not ready', async () => {
    const port = await freePort()
    const more = { PORT: String(port), DRAIN_MS: '5000', SESSION_SECRET: secret }
    const instance = start([...node, 'dist/main.js'], more)
    equal((await ask(port, '/health/ready')).status, 200)
    instance.child.kill('SIGTERM')
    // The signal comes by another way than the requests.
    let reply = await ask(port, '/health/ready')
    while (reply.status === 200) reply = await ask(port, '/health/ready')
    equal(reply.status, 503)
    equal(reply.headers.get('connection'), 'close')
    equal((await ask(port, '/health/live')).status, 200)
    equal(await instance.ended, 0)
  })
}

async function checkNginx(nginx) {
  await check('nginx: two instances, one restarted after the other: no request fails', async () => {
    const told = await run([...node, 'rolling.mjs', 'nginx'], { ROUNDS: '1', NGINX: nginx })
    console.log(told.trim())
    match(told, /1 rounds, 4 processes, .* 0 failed/)
  })
}

const post = (body, headers = {}) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

async function checkRedis(url) {
  const more = { REDIS_URL: url, TRUST_PROXY: '127.0.0.1', SESSION_SECRET: secret, DRAIN_MS: '0' }
  const ports = [await freePort(), await freePort()]
  const instances = ports.map((port) =>
    start([...node, 'dist/main.js'], { ...more, PORT: String(port) }),
  )
  const [one, other] = ports
  // Nobody else has counted for this address in a Redis that others use too.
  const address = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`
  await check('Redis: a session of one process is read by the other', async () => {
    const login = await ask(one, '/login', post({ name: 'ada' }, { 'x-forwarded-for': address() }))
    equal(login.status, 200)
    const cookie = login.headers.getSetCookie()[0].split(';')[0]
    const me = await (await ask(other, '/me', { headers: { cookie } })).json()
    equal(me.user, 'ada')
    notEqual(me.pid, (await login.json()).pid)
  })
  await check('Redis: two processes count the requests of a client together', async () => {
    const headers = { 'x-forwarded-for': address() }
    const statuses = []
    for (const port of [one, other, one, other, one, other]) {
      statuses.push((await ask(port, '/login', post({ name: 'eve' }, headers))).status)
    }
    equal(statuses.join(' '), '200 200 200 200 200 429')
  })
  for (const { child } of instances) child.kill('SIGTERM')
  await check('Redis: both processes end', async () => {
    for (const { ended } of instances) equal(await ended, 0)
  })
}

/** Uses the Redis that is given, or one that is started and ended here. */
async function withRedis(body) {
  if (givenRedis !== undefined) return body(givenRedis)
  const program = find('redis-server')
  if (program === undefined) {
    console.log('left out: Redis. There is no redis-server; set REDIS_URL')
    return undefined
  }
  const port = await freePort()
  const data = join(scratch, 'redis')
  mkdirSync(data)
  const options = ['--port', port, '--bind', '127.0.0.1', '--dir', data, '--save', '']
  const server = start([program, ...options.map(String)])
  await hear(server, 'Ready to accept connections')
  await body(`redis://127.0.0.1:${port}`)
  server.child.kill('SIGTERM')
  return server.ended
}

async function main() {
  await check('it installs and compiles', async () => {
    await install()
    await run([...node, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'])
    ok(existsSync(join(scratch, 'dist/cluster.js')))
  })
  if (process.platform === 'win32') {
    console.log('left out: restarts. Windows has no signals')
    return
  }
  const nginx = env.NGINX ?? find('nginx')
  if (nginx === undefined) console.log('left out: nginx. There is none; set NGINX')
  // They wait for most of their time.
  const behind = nginx === undefined ? undefined : checkNginx(nginx)
  await Promise.all([behind, checkCluster(), withRedis(checkRedis)])
}

try {
  await main()
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
}

end()
