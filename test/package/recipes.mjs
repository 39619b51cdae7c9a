// Installs the packed package beside what pages recommend, type-checks the code of these pages, and calls it. What a page
// does not show, such as a program that starts its plugin, stands here. Redis is used where it is there (REDIS_URL, or the
// program on this machine). Ends with a plain line `N passed, N failed`. Build first.
import { deepEqual, equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { check, end } from '../support/checks.mjs'
import { environment, freePort, node, npm, pack, run } from '../support/run.mjs'

const dependencies = {
  '@types/node': '^24.0.0',
  ...{ bullmq: '^6.7.0', ioredis: '^6.0.0' },
  ...{ pg: '^8.0.0', '@types/pg': '^8.0.0', kysely: '^0.28.19', 'drizzle-orm': '^0.45.4' },
  'better-auth': '^1.7.25',
  ...{
    vitest: '^4.1.0',
    jest: '^30.0.0',
    '@jest/globals': '^30.0.0',
    '@swc/core': '^1.0.0',
    '@swc/jest': '^0.2.0',
  },
  // Vite 8 has native code, which npm may leave out (npm/cli#4828).
  ...{ vite: '^7.0.0', '@fastify/static': '^10.1.11', '@fastify/middie': '^9.3.6' },
  ...{ prisma: '7.10.0', '@prisma/client': '7.10.0', '@prisma/adapter-pg': '7.10.0' },
  ...{ '@electric-sql/pglite': '0.4.3', '@electric-sql/pglite-socket': '0.1.3' },
}
const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-recipes-'))
const tsx = import.meta.resolve('tsx')
const tsc = join(root, 'node_modules/typescript-7/bin/tsc')
const compilerOptions = {
  ...{ target: 'es2023', module: 'nodenext', types: ['node'], strict: true, noEmit: true },
  ...{ skipLibCheck: true, allowImportingTsExtensions: true, jsx: 'react-jsx' },
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The blocks of a page that are files: `ts name.ts`, or with a comment in the first line that has the path. */
function filesOf(page) {
  const text = readFileSync(join(root, 'docs', `${page}.md`), 'utf8').replaceAll('\r', '')
  const blocks = [
    ...text.matchAll(
      /^```(\S+)(?: (\S+\.ts))?\n(?:(?:\/\/|#|<!--) (\S+\.\w+)(?: -->)?\n)?(.*?)^```$/gms,
    ),
  ]
  const named = blocks.map(([, , name, path, body]) => [name ?? path, body])
  return Object.fromEntries(named.filter(([path]) => path !== undefined))
}

/** The first block of a language in a page. */
function blockOf(page, language) {
  const text = readFileSync(join(root, 'docs', `${page}.md`), 'utf8').replaceAll('\r', '')
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(text)[1]
}

/** Writes files into a folder of their own, and type-checks them. */
async function compile(name, files) {
  const folder = join(scratch, name)
  write(folder, { 'tsconfig.json': JSON.stringify({ compilerOptions }), ...files })
  await run([...node, tsc, '-p', '.'], folder)
  return folder
}

/** Runs a program of TypeScript to its end, and gives the lines that it prints. */
const lines = async (folder, file, env) =>
  (await run([...node, '--import', tsx, file], folder, env)).trimEnd().split('\n')

/** Starts a program that prints its address, and then gives what it prints. */
async function start(folder, file, env = {}) {
  const port = await freePort()
  const child = spawn(process.execPath, ['--import', tsx, file], {
    ...{ cwd: folder, env: environment({ PORT: String(port), ...env }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => (await said.next()).value
  let url = await next()
  while (url !== undefined && !/^\w+:\/\//.test(url)) url = await next() // Vite says something before
  const ask = async (path, { json, ...init } = {}) => {
    const post = { method: 'POST', body: JSON.stringify(json) }
    const typed = { 'content-type': 'application/json', origin: url }
    const headers = { ...(json && typed), ...init.headers }
    return fetch(url + path, { ...(json && post), redirect: 'manual', ...init, headers })
  }
  const kill = async (signal = 'SIGTERM') => {
    child.kill(signal)
    const [code] = await ended
    return process.platform === 'win32' ? 0 : code // Windows has no signals
  }
  return { url, ask, next, kill }
}

/** Checks that share a program: it is ended, whatever happens. */
async function withProgram(folder, file, env, body) {
  const program = await start(folder, file, env)
  try {
    return await body(program)
  } finally {
    await program.kill('SIGKILL')
  }
}

/** The program of the page, whose job goes on until the server is told to end. */
function slowly(main) {
  const print = 'console.log(`to ${to}`)'
  const wait = `{ console.log('begun'); await once(process, 'SIGTERM'); ${print} }`
  return `import { once } from 'node:events'\n${main.replace(print, () => wait)}`
}

async function checkOutbox() {
  const shown = filesOf('background-jobs')
  const files = {
    'database.ts': filesOf('database')['database.ts'],
    ...shown,
    'slow-main.ts': slowly(shown['bull-main.ts']),
    'main.ts': `import { PGlite } from '@electric-sql/pglite'
import { withJobs } from './outbox-app.ts'
const db = new PGlite()
await db.exec(process.env['TABLES'] ?? '')
const tried: string[] = []
let done = () => {}
const sent = new Promise<void>((resolve) => (done = resolve))
const app = withJobs(async () => db, async (email) => {
  tried.push(email)
  if (email === 'lost@example.org') throw new Error('no such mailbox')
  done()
})
for (const email of ['lost@example.org', 'ada@example.org', 'ada@example.org']) {
  console.log((await app.inject('POST /users', { body: { email } })).statusCode)
}
await sent
const close = db.close.bind(db)
db.close = async () => {}
await app.close() // waits for the run
const left = await db.query<object>('SELECT email, attempts FROM jobs')
console.log(tried.join(), JSON.stringify(left.rows))
await close()
`,
  }
  const folder = await compile('jobs', files)
  await check('a queue in the database: sends what was committed, keeps what failed', async () => {
    deepEqual(await lines(folder, 'main.ts', { TABLES: blockOf('background-jobs', 'sql') }), [
      '201',
      '201',
      '500',
      'lost@example.org,ada@example.org [{"email":"lost@example.org","attempts":1}]',
    ])
  })
  return folder
}

async function checkBullMQ(folder, url) {
  const env = { REDIS_URL: url }
  const add = async ({ ask }, email) => (await ask('/users', { json: { email } })).json()
  await check('BullMQ: a job is kept when the process dies, and done by the next one', async () => {
    const job = await withProgram(
      folder,
      'bull-main.ts',
      { ...env, WORKER: 'no' },
      async (program) => {
        const { job } = await add(program, 'ada@example.org')
        deepEqual(await (await program.ask(`/jobs/${job}`)).json(), { state: 'waiting' })
        await program.kill('SIGKILL')
        return job
      },
    )
    await withProgram(folder, 'bull-main.ts', env, async (program) => {
      equal(await program.next(), 'to ada@example.org')
      await add(program, 'eve@example.org')
      equal(await program.next(), 'to eve@example.org')
      deepEqual(await (await program.ask(`/jobs/${job}`)).json(), { state: 'completed' })
      equal(await program.kill(), 0)
    })
  })
  await check('BullMQ: a server that ends waits for the job that runs', () =>
    withProgram(folder, 'slow-main.ts', env, async (program) => {
      await add(program, 'bob@example.org')
      equal(await program.next(), 'begun')
      equal(await program.kill(), 0)
      equal(await program.next(), 'to bob@example.org')
    }),
  )
  await check('BullMQ: without Redis, the boot fails and names the plugin', async () => {
    const nowhere = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
    const said = await lines(folder, 'bull-main.ts', nowhere).catch(({ message }) => message)
    match(said, /Plugin 'root > mails' did not load/)
  })
}

/** Uses the Redis that is given, or one that is started and ended here. */
async function withRedis(body) {
  if (process.env.REDIS_URL) return body(process.env.REDIS_URL)
  const port = await freePort()
  const given = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', scratch]
  const server = spawn('redis-server', given, { stdio: ['ignore', 'pipe', 'ignore'] })
  const isThere = await new Promise((done) => {
    server.on('error', () => done(false))
    server.stdout.on('data', (text) => String(text).includes('Ready to accept') && done(true))
  })
  if (!isThere) {
    console.log('left out: BullMQ. There is no redis-server; set REDIS_URL')
    return
  }
  try {
    await body(`redis://127.0.0.1:${port}`)
  } finally {
    server.kill()
    await once(server, 'close')
  }
}

/** Listens as PostgreSQL does, for programs that take a URL. */
const postgres = `import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
const db = await PGlite.create()
await db.exec(process.env['TABLES'] ?? '')
const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 10 })
server.addEventListener('listening', (event) => {
  console.log(\`postgres://postgres@127.0.0.1:\${(event as CustomEvent<{ port: number }>).detail.port}/postgres\`)
})
await server.start()
`

async function checkOrm(folder, orm) {
  const database = await start(folder, 'postgres.ts', { TABLES: blockOf('orms', 'sql') })
  const env = { DATABASE_URL: database.url }
  const call = async ({ ask }, path, json) => {
    const response = await ask(path, { json })
    return [response.status, await response.text()]
  }
  try {
    await withProgram(folder, `${orm}-main.ts`, env, async (program) => {
      const [status, created] = await call(program, '/accounts', { owner: 'Ada', balance: '0.30' })
      equal(status, 201)
      match(
        created,
        /^{"id":1,"owner":"Ada","balance":"0.30","createdAt":"20\d\d-[\d-]+T[\d:.]+Z"}$/,
      )
      for (const owner of ['Eve', 'Bob'])
        await call(program, '/accounts', { owner, balance: '1.00' })
      const [, first] = await call(program, '/accounts?limit=2')
      deepEqual(
        [JSON.parse(first).items.map(({ owner }) => owner), JSON.parse(first).next],
        [['Ada', 'Eve'], 2],
      )
      const [, last] = await call(program, '/accounts?limit=2&after=2')
      deepEqual(
        [JSON.parse(last).items.map(({ id }) => id), JSON.parse(last).next],
        [[3], undefined],
      )
      const transfer = (to, amount) => call(program, '/transfers', { from: 1, to, amount })
      equal((await transfer(2, '0.10'))[0], 204)
      const [tooMuch, why] = await transfer(2, '0.21')
      deepEqual([tooMuch, JSON.parse(why).message], [409, 'there is not as much'])
      const [nobody, reason] = await transfer(9, '0.20')
      deepEqual([nobody, JSON.parse(reason).message], [409, 'no such account'])
      const { items } = JSON.parse((await call(program, '/accounts'))[1])
      deepEqual(
        items.map(({ balance }) => balance),
        ['0.20', '1.10', '1.00'],
      )
      equal(await program.kill(), 0)
    })
  } finally {
    await database.kill('SIGKILL')
  }
}

async function orms() {
  const shown = filesOf('orms')
  // `prisma generate` asks for an engine that only migrations use, and would download it.
  const noEngine = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }
  const prisma = [...node, join(scratch, 'node_modules/prisma/build/index.js')]
  const names = ['kysely', 'drizzle', 'prisma']
  const mains = names.map((orm) => [
    `${orm}-main.ts`,
    shown['main.ts']
      .replace('./drizzle.ts', `./${orm}.ts`)
      .replace('await app.listen', 'console.log(await app.listen')
      .replace(/\n$/, ')\n'),
  ])
  write(join(scratch, 'orms'), shown)
  await check('Prisma: the client is generated', () =>
    run([...prisma, 'generate'], join(scratch, 'orms'), noEngine),
  )
  const folder = await compile('orms', {
    ...shown,
    ...Object.fromEntries(mains),
    'postgres.ts': postgres,
  })
  for (const orm of names) {
    await check(`${orm}: inserts, lists by a cursor, rolls back`, () => checkOrm(folder, orm))
  }
}

/** Stands in for GitHub: what better-auth asks of it is answered in the process. */
const github = `import { getMigrations } from 'better-auth/db/migration'
import pg from 'pg'
import { createAuth } from './auth.ts'

const ada = { id: 7, login: 'ada', name: 'Ada', email: 'ada@example.org', avatar_url: '' }
const answers: Record<string, object> = {
  'https://github.com/login/oauth/access_token': { access_token: 'x', token_type: 'bearer', scope: 'user:email' },
  'https://api.github.com/user': ada,
  'https://api.github.com/user/emails': [{ email: ada.email, primary: true, verified: true }],
}
globalThis.fetch = async (input) => {
  const url = input instanceof Request ? input.url : String(input)
  const answer = answers[url]
  if (answer === undefined) throw new Error('nobody should ask for ' + url)
  return Response.json(answer)
}
const { BASE_URL = '', DATABASE_URL } = process.env
const database = new pg.Pool({ connectionString: DATABASE_URL })
const auth = createAuth({ baseURL: BASE_URL, secret: '', database, github: { clientId: '', clientSecret: '' } })
const { runMigrations } = await getMigrations(auth.options)
await runMigrations()
await database.end()
await import('./main.ts')
console.log(BASE_URL)
`

/** The cookies that a response sets, as a browser sends them. */
const cookiesOf = (response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

async function auth() {
  const files = { ...filesOf('better-auth'), 'postgres.ts': postgres, 'github.ts': github }
  const folder = await compile('auth', files)
  const database = await start(folder, 'postgres.ts')
  try {
    const port = String(await freePort())
    const env = {
      ...{ PORT: port, BASE_URL: `http://127.0.0.1:${port}`, DATABASE_URL: database.url },
      ...{ GITHUB_ID: 'the-id', GITHUB_SECRET: 'the-secret', AUTH_SECRET: 'x'.repeat(32) },
    }
    await withProgram(folder, 'github.ts', env, async ({ url, ask, kill }) => {
      const me = async (cookie) => {
        const response = await ask('/api/me', { headers: { cookie } })
        return [response.status, await response.json()]
      }
      await check('better-auth: without a session, 401', async () => {
        equal((await me(''))[0], 401)
        equal(await (await ask('/')).text(), 'open to all')
      })
      await check('better-auth: sign-up gives a session, sign-out ends it', async () => {
        const json = { name: 'Eve', email: 'eve@example.org', password: 'correct horse' }
        const signed = await ask('/api/auth/sign-up/email', { json })
        equal(signed.status, 200)
        const cookie = cookiesOf(signed)
        deepEqual(await me(cookie), [200, { name: 'Eve', email: 'eve@example.org' }])
        const out = await ask('/api/auth/sign-out', { json: {}, headers: { cookie } })
        equal(out.status, 200)
        equal((await me(cookie))[0], 401)
      })
      await check('better-auth: a body that does not fit is refused by it', async () => {
        const refused = await ask('/api/auth/sign-in/email', {
          json: { email: 'eve@example.org', password: 'no' },
        })
        equal(refused.status, 401)
        equal((await ask('/api/auth/sign-in/email', { json: { email: 1 } })).status, 400)
      })
      await check('better-auth: signs in by GitHub', async () => {
        const json = { provider: 'github', callbackURL: '/' }
        const begun = await ask('/api/auth/sign-in/social', { json })
        const { searchParams, origin } = new URL((await begun.json()).url)
        equal(origin, 'https://github.com')
        equal(searchParams.get('client_id'), 'the-id')
        equal(searchParams.get('redirect_uri'), `${url}/api/auth/callback/github`)
        const back = `/api/auth/callback/github?code=c&state=${searchParams.get('state')}`
        const returned = await ask(back, { headers: { cookie: cookiesOf(begun) } })
        equal(returned.status, 302)
        equal(new URL(returned.headers.get('location'), url).pathname, '/')
        deepEqual(await me(cookiesOf(returned)), [200, { name: 'Ada', email: 'ada@example.org' }])
        const forged = await ask('/api/auth/callback/github?code=c&state=forged', {
          headers: { cookie: cookiesOf(begun) },
        })
        match(forged.headers.get('location'), /error=/)
        equal(await kill(), 0)
      })
    })
  } finally {
    await database.kill('SIGKILL')
  }
}

const web = {
  'web/index.html': `<html><body><div id="app"><!--app--></div><script type="module" src="/src/main.ts"></script></body></html>`,
  'web/src/main.ts': `console.log('the page')`,
  'web/src/entry-server.ts': `export const render = async (url: string) => '<p>$& at ' + url + '</p>'`,
}
const vite = [...node, join(scratch, 'node_modules/vite/bin/vite.js')]

/** What a browser gets for a page, and for a script. */
async function pageOf(ask, path) {
  const response = await ask(path, { headers: { accept: 'text/html' } })
  return [response.status, response.headers.get('cache-control'), await response.text()]
}

async function checkProxy(folder, url) {
  // The config of the page, with the ports of this run.
  const port = await freePort()
  const config = readFileSync(join(folder, 'web/vite.config.js'), 'utf8')
  write(folder, { 'web/vite.config.js': config.replace('http://127.0.0.1:3000', url) })
  const given = ['web', '--port', String(port), '--strictPort', '--host', '127.0.0.1']
  const [program, ...args] = [...vite, ...given]
  const child = spawn(program, args, {
    cwd: folder,
    env: environment({ NO_COLOR: '1' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  try {
    for await (const line of createInterface({ input: child.stdout }))
      if (line.includes('Local:')) break
    const page = `http://127.0.0.1:${port}`
    match(await (await fetch(page)).text(), /@vite\/client/)
    const first = await fetch(`${page}/api/visits`)
    deepEqual(await first.json(), { count: 1 })
    const second = await fetch(`${page}/api/visits`, { headers: { cookie: cookiesOf(first) } })
    deepEqual(await second.json(), { count: 2 })
  } finally {
    child.kill()
    await ended
  }
}

async function checkFiles(folder, ask) {
  const [status, cache, html] = await pageOf(ask, '/')
  deepEqual([status, cache], [200, 'no-cache'])
  const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(html)
  const file = await ask(script)
  deepEqual(
    [file.status, file.headers.get('cache-control')],
    [200, 'public, max-age=31536000, immutable'],
  )
  match(file.headers.get('content-type'), /javascript/)
  deepEqual((await pageOf(ask, '/notes/1')).slice(0, 2), [200, 'no-cache'])
  equal((await ask('/assets/index-old.js')).status, 404)
  const missing = await ask('/api/nowhere', { headers: { accept: 'text/html' } })
  deepEqual([missing.status, await missing.json()], [404, { message: 'no such route' }])
}

/** Both kinds of a server that renders: each says where its script is, and answers it. */
async function checkRendered(folder, env, script) {
  await withProgram(folder, 'ssr-main.ts', env, async ({ ask, kill }) => {
    const [status, cache, html] = await pageOf(ask, '/notes/1?a=b')
    deepEqual([status, cache], [200, 'no-cache'])
    match(html, /<div id="app"><p>\$& at \/notes\/1\?a=b<\/p><\/div>/)
    const [, path] = script.exec(html)
    const file = await ask(path)
    equal(file.status, 200)
    match(file.headers.get('content-type'), /javascript/)
    deepEqual(await (await ask('/api/visits')).json(), { count: 1 })
    deepEqual((await pageOf(ask, '/api/nowhere'))[0], 404)
    equal(await kill(), 0)
  })
}

async function frontEnd() {
  const {
    'web/vite.config.js': config,
    'main.ts': main,
    'ssr-main.ts': ssrMain,
    ...shown
  } = filesOf('front-end')
  const printed = (text) =>
    text.replace('await app.listen', 'console.log(await app.listen').replace(/\n$/, ')\n')
  const files = {
    ...shown,
    ...web,
    'web/vite.config.js': config,
    'src/main.ts': printed(main).replace("'./app", "'../app"),
  }
  const folder = await compile('front', files)
  const build = (where, ...args) =>
    run([...vite, 'build', 'web', '--outDir', ...args], where, { NODE_ENV: 'production' })
  await build(folder, 'dist')
  await withProgram(folder, 'src/main.ts', {}, async ({ ask, url }) => {
    await check('front end: files of a build, with fallback and cache', () =>
      checkFiles(folder, ask),
    )
    await check('front end: Vite passes the API on, with cookies', () => checkProxy(folder, url))
  })
  const rendered = await compile('rendered', { ...shown, ...web, 'ssr-main.ts': printed(ssrMain) })
  await check('front end: pages are rendered in development', () =>
    checkRendered(rendered, { NODE_ENV: 'development' }, /src="(\/src\/main\.ts)"/),
  )
  await build(rendered, 'dist/client')
  await build(rendered, 'dist/server', '--ssr', 'src/entry-server.ts')
  await check('front end: pages are rendered in production', () =>
    checkRendered(rendered, { NODE_ENV: 'production' }, /src="(\/assets\/[^"]+)"/),
  )
}

async function testRunners() {
  const { 'jest.config.mjs': config, 'app.test.ts': tests } = filesOf('testing')
  const vitest = await compile('vitest', {
    'app.ts': filesOf('type-tests')['app.ts'],
    'app.test.ts': tests,
  })
  await check('Vitest runs the tests of the page', async () => {
    const program = join(scratch, 'node_modules/vitest/vitest.mjs')
    const said = await run([...node, program, 'run', '--reporter=json'], vitest)
    deepEqual(JSON.parse(said).numPassedTests, 3)
  })
  const jest = await compile('jest', {
    'app.ts': filesOf('type-tests')['app.ts'],
    'app.test.ts': tests.replace(`'vitest'`, `'@jest/globals'`),
    'jest.config.mjs': config,
    'package.json': '{ "type": "module" }',
  })
  await check('Jest runs the same', async () => {
    const program = join(scratch, 'node_modules/jest/bin/jest.js')
    const said = await run([...node, program, '--ci', '--json'], jest)
    deepEqual(JSON.parse(said).numPassedTests, 3)
  })
}

const recipes = {
  async jobs() {
    const folder = await checkOutbox()
    await withRedis((url) => checkBullMQ(folder, url))
  },
  orms,
  auth,
  frontEnd,
  testRunners,
}

try {
  const { tarball } = await pack(root, scratch)
  await check('it installs', async () => {
    write(scratch, {
      'package.json': JSON.stringify({
        private: true,
        type: 'module',
        dependencies: { ...dependencies, espalier: tarball },
      }),
    })
    // Without its own peers: to find a set of those that fits all takes npm minutes.
    const flags = [
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--legacy-peer-deps',
    ]
    await run([...npm, 'install', ...flags], scratch)
  })
  const wanted = process.argv.slice(2)
  for (const [name, recipe] of Object.entries(recipes)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    await check(`${name}: ends`, recipe)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}

end()
