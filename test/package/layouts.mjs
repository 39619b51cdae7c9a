// Installs the packed packages with several package managers, and runs one application in each.
// Bundles that application too, and runs it on newer versions of Node.
// Ends with a plain line `N passed, N failed`. Build first.
import { deepEqual, equal } from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { check, end } from '../support/checks.mjs'
import { begin, node, npm, pack, run } from '../support/run.mjs'

const managers = { pnpm: '12.21.0', '@yarnpkg/cli-dist': '4.18.1' }
const bundlers = {
  rollup: '4.68.8',
  '@rollup/plugin-node-resolve': '16.0.3',
  '@rollup/plugin-commonjs': '29.0.3',
  '@rollup/plugin-json': '6.1.0',
  webpack: '5.112.2',
  '@rspack/core': '2.3.3',
}
const nodes = { 22: '22.23.3', 24: '24.21.0' }

/** The applications that are bundled, each with a format. */
const bundled = [
  ['layout-espalier.mjs', 'mjs'],
  ['layout-espalier.mjs', 'cjs'],
  ['layout-fastify.mjs', 'mjs'],
  ['layout-fastify.mjs', 'cjs'],
  ['layout.cjs', 'cjs'],
]

/** What each server of the application answers, in order. */
const statuses = ['200', '400', '400', '500', '404']

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-layouts-'))

const install = (cwd, ...more) =>
  run([...npm, 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...more], cwd)

/** Makes a folder with a manifest. */
function folder(name, manifest) {
  const path = join(scratch, name)
  mkdirSync(path, { recursive: true })
  const given = { name: basename(name), version: '0.0.0', private: true, ...manifest }
  writeJson(join(path, 'package.json'), given)
  return path
}

/** JSON is YAML too. */
const writeJson = (path, value) => writeFileSync(path, JSON.stringify(value))

/** A folder with the application, which depends on both packages. */
function application(name, dependencies, more) {
  const path = folder(name, { type: 'module', dependencies, ...more })
  const consumer = join(root, 'test/package/consumer')
  for (const file of readdirSync(consumer)) {
    if (file.startsWith('layout')) cpSync(join(consumer, file), join(path, file))
  }
  return path
}

/** Whether the application could resolve a package that only Espalier depends on. */
const seesDependencies = (path) => existsSync(join(path, 'node_modules/pino'))

async function layNpm({ own, other }) {
  const path = application('npm', { espalier: own.tarball, fastify: other.tarball })
  await install(path)
  return { path, start: node }
}

/** The folder of one workspace is linked into the other. */
async function layWorkspace({ own, other }) {
  const path = folder('workspace', { workspaces: ['application', 'espalier'] })
  application('workspace/application', { espalier: own.version, fastify: other.tarball })
  for (const file of own.files) {
    cpSync(join(root, file.path), join(path, 'espalier', file.path))
  }
  await install(path)
  const linked = realpathSync(join(path, 'node_modules/espalier'))
  equal(linked, realpathSync(join(path, 'espalier')), 'the folder should be linked')
  return { path: join(path, 'application'), start: node }
}

async function layPnpm({ own, other }, tools, registry) {
  const path = application('pnpm', { espalier: own.tarball, fastify: other.tarball })
  writeJson(join(path, 'pnpm-workspace.yaml'), {
    // The other package depends on a version that is in no registry.
    overrides: { espalier: own.tarball },
    // A dependency that came out today is installed, as npm does it.
    minimumReleaseAge: 0,
    storeDir: join(scratch, 'pnpm-store'),
    cacheDir: join(scratch, 'pnpm-cache'),
    stateDir: join(scratch, 'pnpm-state'),
  })
  const pnpm = join(await tools, 'node_modules/pnpm/bin/pnpm.mjs')
  await run([...node, pnpm, 'install', '--no-frozen-lockfile', '--registry', registry], path)
  equal(seesDependencies(path), false, 'pnpm should hide what the packages depend on')
  return { path, start: node }
}

/** Where Yarn finds packages and certificates, and what it keeps where. */
async function yarnSettings(registry) {
  const authority = (await run([...npm, 'config', 'get', 'cafile'], scratch)).trim()
  const { protocol, hostname } = new URL(registry)
  return {
    npmRegistryServer: registry,
    ...(protocol === 'http:' && { unsafeHttpWhitelist: [hostname] }),
    ...(authority && authority !== 'null' && { httpsCaFilePath: authority }),
    globalFolder: join(scratch, 'yarn-global'),
    enableGlobalCache: false,
    enableTelemetry: false,
    // In CI, Yarn would refuse to write its lock file.
    enableImmutableInstalls: false,
    // A dependency that came out today is installed, as npm does it.
    npmMinimalAgeGate: 0,
  }
}

async function layYarn({ own, other }, tools, registry, nodeLinker) {
  const dependencies = { espalier: own.tarball, fastify: other.tarball }
  const resolutions = { espalier: own.tarball }
  const path = application(`yarn-${nodeLinker}`, dependencies, { resolutions })
  writeJson(join(path, '.yarnrc.yml'), { nodeLinker, ...(await yarnSettings(registry)) })
  // Without a lock file of its own, Yarn looks for the project in the folders above.
  writeFileSync(join(path, 'yarn.lock'), '')
  const yarn = join(await tools, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')
  await run([...node, yarn, 'install'], path)
  equal(seesDependencies(path), nodeLinker === 'node-modules', 'Yarn should lay out as it is told')
  return { path, start: nodeLinker === 'pnp' ? [...node, yarn, 'node'] : node }
}

/** Installs versions of Node as packages, and gives their programs. */
async function layNodes() {
  const windows = process.platform === 'win32'
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const wanted = Object.entries(nodes).map(([major, version]) => [
    `node-${major}`,
    `npm:${name}@${version}`,
  ])
  const path = folder('nodes', { dependencies: Object.fromEntries(wanted) })
  await install(path)
  const file = windows ? 'bin/node.exe' : 'bin/node'
  return (major) => join(path, 'node_modules', `node-${major}`, file)
}

async function layTools() {
  const path = folder('tools', { dependencies: { ...managers, ...bundlers } })
  cpSync(join(root, 'test/package/bundlers.mjs'), join(path, 'bundlers.mjs'))
  await install(path)
  return path
}

/** Bundles the applications of both names, and gives a folder without packages that holds them. */
async function bundle(name, tools, npmLayout) {
  const alone = join(scratch, 'bundles')
  mkdirSync(alone, { recursive: true })
  const { path } = await npmLayout
  await run([...node, 'bundlers.mjs', name, path, alone], await tools)
  return alone
}

/** Runs the application in a layout. */
async function tell(layout, file, program, ...options) {
  const { path, start } = await layout
  const [own, ...more] = start
  return run([program ?? own, ...more, ...options, file], path)
}

/** What the application should print. It is read where npm has installed it. */
async function readExpected(layout) {
  const line = await tell(layout, 'layout.mjs')
  const [own, other, isOneCopy] = JSON.parse(line)
  for (const { answers, log } of [own, other]) {
    deepEqual(
      answers.map((answer) => answer.slice(0, 3)),
      statuses,
    )
    equal(log.filter((entry) => entry.startsWith('request completed')).length, statuses.length)
  }
  equal(isOneCopy, true, 'both names should be one copy')
  return line
}

/** Checks that the application prints in a layout what it prints where npm has installed it. */
const checkRun = (title, expected, ...run) =>
  check(title, async () => equal(await tell(...run), await expected))

async function checkManagers(layouts, expected, programs) {
  const { pnp, ...others } = layouts
  for (const [title, layout] of Object.entries(others)) {
    await checkRun(`${title}: an ES module`, expected, layout, 'layout.mjs')
    await checkRun(`${title}: CommonJS`, expected, layout, 'layout.cjs')
  }
  const title = "Yarn, Plug'n'Play"
  await checkRun(`${title}: an ES module`, expected, pnp, 'layout.mjs')
  // Node 20 asks no loader for what a required ES module imports, so CommonJS has to import there.
  await checkRun(`${title}: CommonJS that imports`, expected, pnp, 'layout-import.cjs')
  for (const major of Object.keys(nodes)) {
    await check(`${title}: CommonJS on Node ${major}`, async () =>
      equal(await tell(pnp, 'layout.cjs', (await programs)(major)), await expected),
    )
  }
}

async function checkBundles(bundles, npmLayout) {
  for (const [bundler, made] of Object.entries(bundles)) {
    for (const [file, extension] of bundled) {
      await check(`${bundler}: ${file} as .${extension}`, async () => {
        const told = await run([...node, `${bundler}-${file}.${extension}`], await made)
        equal(told, await tell(npmLayout, file))
      })
    }
  }
}

async function checkNodes(programs, npmLayout, expected) {
  for (const major of Object.keys(nodes)) {
    for (const file of ['layout.mjs', 'layout.cjs', 'layout.ts']) {
      const options = file.endsWith('.ts') && major === '22' ? ['--experimental-strip-types'] : []
      await check(`Node ${nodes[major]}: ${[...options, file].join(' ')}`, async () =>
        equal(await tell(npmLayout, file, (await programs)(major), ...options), await expected),
      )
    }
  }
}

/** Installs everything at once, and checks each when it is there. */
async function main() {
  const registry = (await run([...npm, 'config', 'get', 'registry'], scratch)).trim()
  const [own, other] = await Promise.all(
    [root, join(root, 'dist-fastify')].map((folder) => pack(folder, scratch)),
  )
  const packed = { own, other }
  const tools = begin(layTools)
  const programs = begin(layNodes)
  const npmLayout = begin(() => layNpm(packed))
  const layouts = {
    npm: npmLayout,
    'npm, workspaces': begin(() => layWorkspace(packed)),
    pnpm: begin(() => layPnpm(packed, tools, registry)),
    'Yarn, node_modules': begin(() => layYarn(packed, tools, registry, 'node-modules')),
    pnp: begin(() => layYarn(packed, tools, registry, 'pnp')),
  }
  const bundles = Object.fromEntries(
    ['rollup', 'webpack', 'rspack'].map((name) => [
      name,
      begin(() => bundle(name, tools, npmLayout)),
    ]),
  )
  const expected = begin(() => readExpected(npmLayout))
  await checkManagers(layouts, expected, programs)
  await checkBundles(bundles, npmLayout)
  await checkNodes(programs, npmLayout, expected)
}

try {
  await main()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

end()
