// Makes an application of each template with the packed create-espalier, runs its own checks, and starts it as in a
// container. Ends with a plain line `N passed, N failed`. Build first.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import semver from 'semver'
import { parse } from 'yaml'
import { check, end } from '../support/checks.mjs'
import { withChromium } from '../support/chromium.mjs'
import { begin, environment, node, npm, pack, run } from '../support/run.mjs'

const pnpmVersion = '12.21.0'
/** Windows has no signals: a process that gets one is ended. */
const hasSignals = process.platform !== 'win32'

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-create-'))
const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']

/** A file of the user's, which the rules of eslint in the templates take. */
const problems = `import { plugin } from 'espalier'

export const problems = plugin().shared(async (app) =>
  app.setErrorHandler((error, request, reply) => {
    if (error.code !== 'taken') throw error
    return reply.code(409).send({ message: \`\${request.url} is taken\` })
  }),
)
`

/** As npm writes it, and prettier wants it. */
const jsonText = (value) => `${JSON.stringify(value, null, 2)}\n`

/** Makes an application with the packed package, which depends on the packed framework. */
async function make(name, template, agent, { espalier, creator }) {
  const path = join(scratch, name)
  const command = ['exec', '--yes', `--package=${creator.tarball}`, '--', 'create-espalier', name]
  await run([...npm, ...command, '--template', template], scratch, { npm_config_user_agent: agent })
  const file = join(path, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  equal(manifest.dependencies.espalier, `^${espalier.version}`)
  manifest.dependencies.espalier = espalier.tarball
  writeFileSync(file, jsonText(manifest))
  return path
}

async function installWithNpm(path) {
  await run([...npm, ...install], path)
  return { path, start: npm }
}

async function installWithPnpm(path, tools) {
  const registry = (await run([...npm, 'config', 'get', 'registry'], scratch)).trim()
  const start = [...node, join(await tools, 'node_modules/pnpm/bin/pnpm.mjs')]
  // The store and the cache are those of this run. A dependency that came out today is installed, as npm does it.
  const settings = {
    ...{ storeDir: join(scratch, 'pnpm-store'), cacheDir: join(scratch, 'pnpm-cache') },
    ...{ stateDir: join(scratch, 'pnpm-state'), minimumReleaseAge: 0 },
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key}: ${value}\n`)
  const file = join(path, 'pnpm-workspace.yaml')
  writeFileSync(file, readFileSync(file, 'utf8') + lines.join(''))
  await run([...start, 'install', '--no-frozen-lockfile', '--registry', registry], path)
  return { path, start }
}

async function layTools() {
  const path = join(scratch, 'tools')
  mkdirSync(path)
  const manifest = { private: true, dependencies: { pnpm: pnpmVersion } }
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest))
  await run([...npm, ...install], path)
  return path
}

/** Starts what was built, as a container does, and gives its address and its log. */
async function start(path) {
  const env = environment({ HOST: '0.0.0.0', PORT: '0', NODE_ENV: 'production' })
  const { scripts } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const child = spawn(process.execPath, [scripts.start.replace('node ', '')], {
    ...{ cwd: path, env, timeout: 60_000 },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const waiting = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const entry = JSON.parse(line)
    for (const each of waiting.filter(({ isWanted }) => isWanted(entry))) each.done(entry)
  })
  /** An entry of the log that is read from now on. The entry of an earlier request may be read late. */
  const log = (isWanted) =>
    Promise.race([
      new Promise((done) => waiting.push({ isWanted, done })),
      ended.then(() => Promise.reject(new Error('the server ended'))),
    ])
  const { msg } = await log((entry) => entry.msg.includes('listening at'))
  const [port] = /\d+$/.exec(msg) ?? []
  return { child, ended, log, port: Number(port) }
}

/** Waits until nothing listens on a port. */
async function closed(port) {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
    } catch {
      return
    }
    socket.destroy()
  }
}

/** Sends the head of a request, tells the server to stop, and sends the body. Gives the answer. */
async function stopDuring(server, url, body) {
  const socket = connect(server.port, '127.0.0.1')
  const answer = text(socket)
  const taken = server.log(({ msg, req }) => msg === 'incoming request' && req.method === 'POST')
  const head = [`POST ${url} HTTP/1.1`, 'host: localhost', 'content-type: application/json']
  socket.write(`${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n`)
  await taken
  server.child.kill('SIGTERM')
  await closed(server.port)
  socket.write(body)
  return answer
}

/** Requests what was made, and expects that it ends well after SIGTERM. The requests tell whether they have sent it. */
async function serve(path, requests) {
  const server = await start(path)
  try {
    const isStopped = await requests(server)
    if (!hasSignals) return
    // A second signal would end it at once.
    if (!isStopped) server.child.kill('SIGTERM')
    deepEqual(await server.ended, [0, null])
  } finally {
    server.child.kill('SIGKILL')
  }
}

const get = async ({ port }, url) => {
  const response = await fetch(`http://127.0.0.1:${port}${url}`)
  return [response.status, await response.text()]
}

async function requestMinimal(server) {
  deepEqual(await get(server, '/hello?name=Ada'), [200, '{"greeting":"Hello, Ada!"}'])
  return false
}

/** A browser looks at the page, where there is one. */
async function requestReact(server) {
  const [status, page] = await get(server, '/')
  ok(status === 200 && page.includes('id="root"'))
  equal((await get(server, '/api/nowhere'))[0], 404)
  if (!existsSync(process.env.CHROME_PATH ?? '/usr/bin/chromium') && !process.env.CI_BROWSER) {
    console.log('  left out: the page in Chromium, which is not here')
    return false
  }
  await withChromium(async (browser) => {
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${server.port}/`)
    await tab.getByText('There is nothing to do').waitFor()
    const add = async (title) => {
      await tab.getByLabel('A new task').fill(title)
      await tab.keyboard.press('Enter')
    }
    await add('buy tea')
    await tab.getByLabel('buy tea').click()
    await add('buy tea')
    equal(await tab.getByRole('alert').textContent(), "There is a task 'buy tea' already")
    await tab.reload()
    await tab.locator('input:checked').waitFor()
  })
  return false
}

async function requestService(server) {
  deepEqual(await get(server, '/health/ready'), [200, '{"status":"ok"}'])
  const [status, page] = await get(server, '/docs')
  ok(status === 200 && page.includes('<html'))
  equal((await get(server, '/tasks'))[0], 401)
  if (!hasSignals) return false
  const body = JSON.stringify({ email: 'ada@example.org', password: 'correct horse' })
  const answer = await stopDuring(server, '/users', body)
  ok(/^HTTP\/1\.1 201 .*ada@example\.org/s.test(answer), answer)
  return true
}

/** Runs an application as `npm run dev` does, and expects the lines of a request on the terminal. */
async function develop(path) {
  const { scripts } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  equal(scripts.dev, 'espalier dev src/app.ts')
  const command = ['node_modules/espalier/dist/cli/main.js', 'dev', 'src/app.ts', '--port', '0']
  const child = spawn(process.execPath, command, {
    ...{ cwd: path, env: environment({ NO_COLOR: '1' }), timeout: 60_000 },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const said = async (pattern) => {
    for await (const [chunk] of on(child.stdout, 'data', { close: ['end'] })) {
      output += chunk
      const found = pattern.exec(output)
      if (found !== null) return found
    }
    throw new Error(`it ended without ${pattern}: ${output}`)
  }
  try {
    const [url] = await said(/http:\/\/localhost:\d+(?=\n)/)
    equal((await fetch(`${url}/hello?name=Ada`)).status, 200)
    await said(/INFO: GET \/hello 200 [\d.]+ ms\n/)
  } finally {
    child.kill()
  }
}

/** The packages that take less of Node than the application asks for: npm would warn of EBADENGINE. */
function packagesOfOtherNodes(path) {
  const { engines } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const lock = ['package-lock.json', 'pnpm-lock.yaml'].find((name) => existsSync(join(path, name)))
  const { packages } = parse(readFileSync(join(path, lock), 'utf8'))
  ok(Object.keys(packages).length > 100)
  const taken = Object.entries(packages).map(([name, entry]) => [name, entry.engines?.node ?? '*'])
  return taken.filter(([, range]) => !semver.subset(engines.node, range))
}

/** Checks a worker. `check:worker` bundles and starts one: wrangler, which does it for users, takes newer versions of Node. */
async function checkWorker(path) {
  await check('worker: it installs, and its own checks pass', async () => {
    const file = join(path, 'package.json')
    const { devDependencies, ...others } = JSON.parse(readFileSync(file, 'utf8'))
    const { wrangler: _, ...tools } = devDependencies
    writeFileSync(file, jsonText({ ...others, devDependencies: tools }))
    await run([...npm, ...install], path)
    writeFileSync(join(path, 'src/problems.ts'), problems)
    for (const script of ['compile', 'typecheck', 'lint', 'format:check', 'test']) {
      await run([...npm, 'run', script], path)
    }
  })
}

const filesOf = (folder) => readdirSync(folder, { recursive: true }).sort()

/** Checks what was made by itself, then as a client. */
async function checkApplication(title, application, requests) {
  await check(`${title}: it installs, and its own checks pass`, async () => {
    const { path, start } = await application
    const folder = ['src/server', 'src'].find((name) => existsSync(join(path, name, 'app.ts')))
    writeFileSync(join(path, folder, 'problems.ts'), problems)
    await run([...start, 'run', 'check'], path)
  })
  await check(`${title}: all packages take the Node that it asks for`, async () => {
    deepEqual(packagesOfOtherNodes((await application).path), [])
  })
  await check(`${title}: it serves requests, and stops when it has answered`, async () => {
    const { path } = await application
    await serve(path, requests)
  })
}

async function main() {
  const [espalier, creator] = await Promise.all(
    [root, join(root, 'dist-create')].map((folder) => pack(folder, scratch)),
  )
  const packed = { espalier, creator }

  await check('both packages hold the templates', () => {
    const paths = ({ files }) =>
      files.map(({ path }) => path).filter((path) => path.includes('create/templates/'))
    deepEqual(
      paths(espalier).sort(),
      paths(creator)
        .map((path) => `dist/${path}`)
        .sort(),
    )
    ok(paths(creator).includes('create/templates/service/_gitignore'))
  })

  // One after the other: `npm exec` of the same package uses one folder.
  const paths = [
    await make('by-npm', 'service', 'npm/11.0.0', packed),
    await make('by-pnpm', 'minimal', 'pnpm/12.0.0', packed),
    await make('worker', 'worker', 'npm/11.0.0', packed),
    await make('react', 'react', 'npm/11.0.0', packed),
  ]
  const service = begin(() => installWithNpm(paths[0]))
  const tools = begin(layTools)
  const minimal = begin(() => installWithPnpm(paths[1], tools))
  await Promise.all([
    checkApplication('service, npm', service, requestService),
    checkApplication('minimal, pnpm', minimal, requestMinimal),
    checkWorker(paths[2]),
  ])
  await checkApplication(
    'react, npm',
    begin(() => installWithNpm(paths[3])),
    requestReact,
  )

  await check('minimal, pnpm: it runs while it is developed', async () => {
    await develop((await minimal).path)
  })

  await check('the command of the installed package makes the same', async () => {
    const { path } = await service
    const espalierCommand = join(path, 'node_modules/espalier/dist/cli/main.js')
    const pnpm = { npm_config_user_agent: 'pnpm/12.0.0' }
    for (const template of ['minimal', 'service']) {
      const command = [...node, espalierCommand, 'new', template, '--template', template]
      await run(command, scratch, pnpm)
      await make(`${template}-again`, template, 'pnpm/12.0.0', packed)
      deepEqual(filesOf(join(scratch, template)), filesOf(join(scratch, `${template}-again`)))
    }
  })
}

try {
  await main()
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}

end()
