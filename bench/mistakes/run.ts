// What a compiler finds of the same mistakes in applications of several frameworks, what is sent that no schema has, and
// what an installation takes.
//
//   npm run build && npm run bench:mistakes
//
// The applications stand in `programs/`: routes with schemas as the documentation of each framework writes them, with its
// own validator and its own client where it has one.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { install } from '../install.ts'
import { table } from '../speed/figures.ts'
import { type PackageName, versions } from '../versions.ts'
import { allMistakes, compile, mistakes } from './mistakes.ts'

const root = resolve(import.meta.dirname, '../..')

interface Peer {
  readonly key: string
  readonly title: string
  /** What the server needs. */
  readonly packages: readonly PackageName[]
  /** What its caller and the compiler need besides. */
  readonly others?: readonly PackageName[]
}

const peers: readonly Peer[] = [
  { key: 'espalier', title: 'Espalier', packages: [] },
  {
    key: 'fastify',
    title: 'Fastify, TypeBox provider',
    packages: ['fastify', '@fastify/type-provider-typebox', 'typebox'],
  },
  {
    key: 'hono',
    title: 'Hono, zod-openapi',
    packages: ['hono', '@hono/node-server', '@hono/zod-openapi', 'zod'],
  },
  {
    key: 'elysia',
    title: 'Elysia',
    packages: ['elysia', '@elysiajs/node'],
    others: ['@elysiajs/eden'],
  },
  { key: 'trpc', title: 'tRPC', packages: ['@trpc/server', 'zod'], others: ['@trpc/client'] },
  {
    key: 'nest',
    title: 'NestJS',
    packages: [
      '@nestjs/common',
      '@nestjs/core',
      '@nestjs/platform-express',
      'reflect-metadata',
      'rxjs',
    ],
    others: ['@types/express'],
  },
  {
    key: 'express',
    title: 'Express, zod',
    packages: ['express', 'zod'],
    others: ['@types/express'],
  },
]

const pick = (names: readonly PackageName[]) =>
  Object.fromEntries(names.map((name) => [name, versions[name]]))

/** The package as it is published. */
function ownTarball(folder: string): string {
  const { stdout } = spawnSync('npm pack --json --ignore-scripts', {
    cwd: root,
    encoding: 'utf8',
    shell: true,
    env: { ...process.env, npm_config_pack_destination: folder },
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return `file:${join(folder, filename)}`
}

/** In bytes. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.reduce((sum, file) => {
    const stats = statSync(join(folder, file))
    return stats.isFile() ? sum + stats.size : sum
  }, 0)
}

const packagesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(^|node_modules\/)(@[^/]+\/)?[^@./][^/]*\/package\.json$/.test(path),
  ).length

/** What two routes answer whose handlers return a field more than the schema has. */
function answersOf(folder: string): string {
  const program = `import { list, one } from './program.ts'
console.log(await one(), await list())
process.exit(0)`
  writeFileSync(join(folder, 'answer.mts'), program)
  const loader = join(root, 'node_modules/tsx/dist/loader.mjs')
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `file://${loader}`, 'answer.mts'],
    { cwd: folder, encoding: 'utf8', timeout: 60_000 },
  )
  if (!stdout.includes('Ada')) throw new Error(`the program does not answer: ${stderr}`)
  return stdout
}

function measure({ key, packages, others = [] }: Peer, folder: string) {
  mkdirSync(folder)
  const own = key === 'espalier' ? { espalier: ownTarball(folder) } : {}
  install(folder, { ...pick(packages), ...own })
  const modules = join(folder, 'node_modules')
  // A peer of some, and there in each project that is measured here.
  rmSync(join(modules, 'typescript'), { recursive: true, force: true })
  const size = { bytes: sizeOf(modules), packages: packagesIn(modules) }
  install(folder, { ...pick([...packages, ...others, '@types/node']), ...own })
  const { made, found } = compile(key, folder)
  return { size, made, found, isLeaking: answersOf(folder).includes('secret') }
}

const home = mkdtempSync(join(tmpdir(), 'espalier-bench-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }))

const columns = peers.map((peer) => ({ ...peer, ...measure(peer, join(home, peer.key)) }))
const rows = allMistakes.map((mistake) => [
  mistakes[mistake],
  ...columns.map(({ made, found }) =>
    found.includes(mistake) ? 'found' : made.includes(mistake) ? '–' : '',
  ),
])
const head = ['', ...columns.map(({ title }) => title)]
console.log(
  table(head, [
    ...rows,
    ['found', ...columns.map(({ made, found }) => `${found.length} of ${made.length}`)],
    [
      'fields without a schema',
      ...columns.map(({ isLeaking }) => (isLeaking ? 'sent' : 'left out')),
    ],
    [
      'installed',
      ...columns.map(
        ({ size }) => `${(size.bytes / 1e6).toFixed(1)} MB, ${size.packages} packages`,
      ),
    ],
  ]),
)
