// Installs other frameworks beside the packed package, builds applications with the code of docs/in-other-frameworks.md, and
// calls them. What the page does not show, such as a layout, stands here. Ends with a plain line `N passed, N failed`.
// Build first.
import { deepEqual, equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { check, end } from '../support/checks.mjs'
import { begin, environment, freePort, npm, pack, run } from '../support/run.mjs'

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-frameworks-'))
const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
const typescript = { typescript: '~6.0.3', '@types/node': '^24.0.0' }
const react = { react: '^19.0.0', 'react-dom': '^19.0.0', '@types/react': '^19.0.0' }
const compilerOptions = {
  ...{ target: 'es2023', module: 'esnext', moduleResolution: 'bundler', types: ['node'] },
  ...{ strict: true, skipLibCheck: true, noEmit: true, jsx: 'react-jsx' },
}
const bundled = JSON.stringify({ compilerOptions, include: ['src', 'server'] })
const tsc = ['node_modules/typescript/bin/tsc', '-p', '.']
const vite = ['node_modules/vite/bin/vite.js', 'build']

/** A program that listens by what a module exports. */
const listenWith = (server) => `import { createServer } from 'node:http'
${server}
createServer(async (request, response) => {
  const { method, headers, url } = request
  const body = method === 'POST' ? request : undefined
  const answer = await answerTo(new Request('http://localhost' + url, { method, headers, body, duplex: 'half' }))
  response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
}).listen(process.env.PORT, '127.0.0.1')
`

/**
 * Of each heading of the page: what is installed, where the file `notes.ts` of the page lies, the files that the page does
 * not show, the programs that build and check, and the one that listens at PORT. `page` is what its page has.
 */
const frameworks = {
  'Next.js': {
    dependencies: { next: '^16.0.0', ...react, ...typescript },
    notes: 'notes.ts',
    files: {
      'app/layout.tsx': `import type { ReactNode } from 'react'
export default ({ children }: { children: ReactNode }) => <html><body>{children}</body></html>`,
    },
    build: [['node_modules/next/dist/bin/next', 'build']],
    start: ['node_modules/next/dist/bin/next', 'start'],
    page: /<p>tea</,
  },
  SvelteKit: {
    dependencies: {
      ...{ '@sveltejs/kit': '^3.0.0', '@sveltejs/adapter-node': '^6.0.0', svelte: '^5.0.0' },
      ...{ '@sveltejs/vite-plugin-svelte': '^7.0.0', vite: '^8.0.0', ...typescript },
    },
    notes: 'src/lib/server/notes.ts',
    files: {
      'vite.config.js': `import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
export default { plugins: [sveltekit({ adapter: adapter() })] }`,
      'tsconfig.json': '{ "extends": "$app/tsconfig", "include": ["src"] }',
      'src/app.html': '<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/+page.svelte': '<script>let { data } = $props()</script><p>{data.text}</p>',
    },
    build: [vite, tsc],
    start: ['build/index.js'],
    page: /<p>tea</,
  },
  Astro: {
    dependencies: { astro: '^7.0.0', '@astrojs/node': '^11.0.0', ...typescript },
    notes: 'src/notes.ts',
    files: {
      'astro.config.mjs': `import node from '@astrojs/node'
export default { output: 'server', adapter: node({ mode: 'standalone' }) }`,
      'tsconfig.json': '{ "extends": "astro/tsconfigs/strict" }',
    },
    build: [['node_modules/astro/bin/astro.mjs', 'build'], tsc],
    start: ['dist/server/entry.mjs'],
    page: /<p>tea</,
  },
  Nitro: {
    dependencies: { nitro: '3.0.260903-beta', ...typescript },
    notes: 'server/notes.ts',
    files: {
      'nitro.config.ts': `export default { serverDir: 'server' }`,
      'tsconfig.json': bundled,
    },
    build: [['node_modules/nitro/dist/cli/index.mjs', 'build'], tsc],
    start: ['.output/server/index.mjs'],
    page: /^tea$/,
  },
  Nuxt: {
    dependencies: { h3: '^1.15.0', ...typescript, tsx: '^4.0.0' },
    notes: 'server/notes.ts',
    files: {
      'main.mts': listenWith(`import { createApp, defineEventHandler, toWebHandler } from 'h3'
import handler from './server/routes/api/[...].ts'
const answerTo = toWebHandler(createApp().use('/', defineEventHandler((event) =>
  event.path === '/' ? 'a page' : handler(event))))`),
      'tsconfig.json': bundled,
    },
    build: [tsc],
    start: ['--import', 'tsx', 'main.mts'],
    page: /^a page$/,
  },
  'TanStack Start': {
    dependencies: {
      ...{ '@tanstack/react-start': '^1.169.0', '@tanstack/react-router': '^1.170.0' },
      ...{ vite: '^8.0.0', '@vitejs/plugin-react': '^6.0.0', ...react, ...typescript },
    },
    notes: 'src/notes.ts',
    files: {
      'vite.config.js': `import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
export default { plugins: [tanstackStart(), react()] }`,
      'tsconfig.json': bundled,
      'src/router.tsx': `import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen'
export const getRouter = () => createRouter({ routeTree })`,
      'src/routes/__root.tsx': `import { createRootRoute, Outlet } from '@tanstack/react-router'
export const Route = createRootRoute({ component: () => <html><body><Outlet /></body></html> })`,
      'src/routes/index.tsx': `import { createFileRoute } from '@tanstack/react-router'
import { getNote } from '../note'
export const Route = createFileRoute('/')({
  loader: () => getNote(),
  component: () => <p>{Route.useLoaderData().text}</p>,
})`,
      'main.mjs': listenWith(`import server from './dist/server/server.js'
const answerTo = (request) => server.fetch(request)`),
    },
    build: [vite, tsc],
    start: ['main.mjs'],
    page: /<p>tea</,
  },
  Hono: {
    dependencies: { hono: '^4.0.0', '@hono/node-server': '^2.0.0', ...typescript },
    notes: 'notes.ts',
    files: {
      'main.ts': `import { serve } from '@hono/node-server'
import { pages } from './hono.ts'
serve({ fetch: pages.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' })`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true },
        include: ['*.ts'],
      }),
    },
    build: [tsc],
    start: ['main.ts'],
    page: /^a page$/,
  },
  h3: {
    dependencies: { h3: '^2.0.0', ...typescript },
    notes: 'notes.ts',
    files: {
      'main.ts': `import { serve } from 'h3'
import { pages } from './h3.ts'
serve(pages, { port: Number(process.env['PORT']), hostname: '127.0.0.1', silent: true })`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true },
        include: ['*.ts'],
      }),
    },
    build: [tsc],
    start: ['main.ts'],
    page: /^a page$/,
  },
}

const page = readFileSync(join(root, 'docs/in-other-frameworks.md'), 'utf8').replaceAll('\r', '')
const [, notes] = /^```ts notes\.ts\n(.*?)^```$/ms.exec(page)

/** The files that the page shows under a heading, by the comment in the first line of each. */
function shownFiles(heading) {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
  const blocks = section.matchAll(/^```\w+\n((?:---\n)?\/\/ (\S+)\n.*?)^```$/gms)
  return Object.fromEntries([...blocks].map(([, text, path]) => [path, text]))
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

async function install(name, dependencies) {
  const folder = join(scratch, name.replaceAll(/\W/g, ''))
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies })
  write(folder, { 'package.json': manifest })
  await run([...npm, 'install', ...flags], folder)
  return folder
}

/** Some frameworks need a newer Node than Espalier does. */
async function installNode() {
  const windows = process.platform === 'win32'
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const folder = await install('node', { [name]: '24.21.0' })
  return join(folder, 'node_modules', name, windows ? 'bin/node.exe' : 'bin/node')
}

/** Builds an installed application, and gives its folder. */
async function build(heading, program, installed) {
  const { files, notes: path, build } = frameworks[heading]
  const folder = await installed
  const shown = shownFiles(heading)
  equal(Object.keys(shown).length > 0, true, `the page should have files under '${heading}'`)
  write(folder, { ...files, ...shown, [path]: notes })
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }
  for (const command of build) await run([await program, ...command], folder, quiet)
  return folder
}

/** Starts an application, waits until it answers, and calls it. */
async function withServer({ start }, program, folder, call) {
  const port = await freePort()
  const env = environment({ PORT: String(port), HOST: '127.0.0.1' })
  const child = spawn(program, start, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const ask = async (path, body) => {
    const post = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, body ? post : {})
    return [response.status, await response.text()]
  }
  try {
    for (let tries = 100; ; tries--) {
      const answer = await ask('/').catch(() => undefined)
      if (answer !== undefined) break
      if (tries === 0 || child.exitCode !== null) throw new Error(`It does not listen.\n${said}`)
      await wait(100)
    }
    await call(ask)
  } finally {
    child.kill()
    await ended
  }
}

const calls = [
  ['answers a GET', '/api/notes/1', undefined, 200, { id: 1, text: 'tea' }],
  ['answers a POST', '/api/notes', '{"text":"milk"}', 201, { id: 2, text: 'milk' }],
]

try {
  const own = begin(() => pack(root, scratch))
  const program = begin(installNode)
  const installs = Object.entries(frameworks).map(([heading, { dependencies }]) =>
    begin(async () => install(heading, { ...dependencies, espalier: (await own).tarball })),
  )
  for (const [index, [heading, framework]] of Object.entries(frameworks).entries()) {
    const built = begin(() => build(heading, program, installs[index]))
    await check(`${heading}: builds, with the types of the framework`, () => built)
    const folder = await built.catch(() => undefined)
    if (folder === undefined) continue
    await check(`${heading}: starts, and answers`, async () =>
      withServer(framework, await program, folder, async (ask) => {
        match((await ask('/'))[1], framework.page)
        for (const [title, path, body, status, value] of calls) {
          const [given, text] = await ask(path, body)
          deepEqual([given, JSON.parse(text)], [status, value], title)
        }
        const [refused, reason] = await ask('/api/notes', '{"text":""}')
        equal(refused, 400)
        match(reason, /body\/text/)
        const [missing, told] = await ask('/api/nowhere')
        equal(missing, 404)
        match(told, /Route GET:(\/api)?\/nowhere not found/)
      }),
    )
  }
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}

end()
