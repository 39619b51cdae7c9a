// Emits the declarations of the examples, the templates and an application with all features, with `composite`, and
// compiles a front end that knows them by these alone: it calls each of their routes by a client and by `inject`. Each
// compiler reads what it has emitted. The front end is another package. It has espalier with its dependencies, zod, and
// nothing else: with @types/node the compiler checks all declarations, and without it only the calls. Build first.
//   node types-test/declarations.mjs [compiler…]
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { check, end } from '../test/support/checks.mjs'
import { npm, run } from '../test/support/run.mjs'

const root = resolve(import.meta.dirname, '..')
const chosen = process.argv.slice(2)
const compilers = chosen.length > 0 ? chosen : ['typescript-5.9', 'typescript', 'typescript-7']
const scratch = mkdtempSync(join(tmpdir(), 'espalier-declarations-'))
const server = join(scratch, 'server')
const front = join(scratch, 'front')
const emitted = join(front, 'node_modules/server')
const templates = readdirSync(join(root, 'src/create/templates'))

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))
const write = (path, content) =>
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))

/** The applications: a module, the type of the server in it, and whether it has no routes to call.
 *  The first steps of the migration are left out: they give a `FastifyInstance`, which tells of no route. */
const apps = [
  ...readdirSync(join(root, 'examples'))
    .filter((name) => /^\d.*\.ts$/.test(name))
    // The chat has a WebSocket alone.
    .map((name) => [`examples/${name}`, 'typeof app', name === '15-websocket.ts']),
  ['files/app.ts', 'ReturnType<typeof createApp>'],
  ['operate/app.ts', 'Awaited<ReturnType<typeof build>>'],
  ['migration/3-typed.ts', 'App'],
  ['notes/app.ts', 'App'],
  ...templates.map((name) => [`${name}/app.ts`, 'App']),
  ['features.ts', 'App'],
]

/** Puts the built types into a folder of packages. */
function placeEspalier(modules) {
  const own = join(modules, 'espalier')
  cpSync(join(root, 'package.json'), join(own, 'package.json'))
  const filter = (path) => !/\.(c?js|map)$/.test(path)
  cpSync(join(root, 'dist'), join(own, 'dist'), { recursive: true, filter })
}

/** Links the packages of a folder that the server does not have yet. */
function link(from) {
  for (const name of readdirSync(from).filter((name) => !name.startsWith('.'))) {
    const members = name.startsWith('@') ? readdirSync(join(from, name)) : ['']
    for (const path of members.map((member) => join(name, member))) {
      const to = join(server, 'node_modules', path)
      mkdirSync(dirname(to), { recursive: true })
      if (!existsSync(to)) symlinkSync(join(from, path), to, 'junction')
    }
  }
}

/** Installs the databases of the applications: without their types the routes are `any`. */
async function installServer() {
  const manifests = [
    ['examples/notes'],
    ['examples/operate'],
    ...templates.map((name) => ['src/create/templates', name]),
  ].map((path) => readJson(...path, 'package.json'))
  const wanted = manifests.flatMap(({ dependencies = {}, devDependencies = {} }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  )
  const dependencies = Object.fromEntries(
    wanted.filter(([name]) => name !== 'espalier' && !existsSync(join(root, 'node_modules', name))),
  )
  const bought = join(scratch, 'bought')
  mkdirSync(bought)
  write(join(bought, 'package.json'), { private: true, dependencies })
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run([...npm, 'install', ...quiet], bought)
  placeEspalier(join(server, 'node_modules'))
  link(join(root, 'node_modules'))
  link(join(bought, 'node_modules'))
}

function copyServer() {
  for (const [path] of apps.filter(([path]) => path.startsWith('examples/'))) {
    cpSync(join(root, path), join(server, path))
  }
  cpSync(join(root, 'examples/start.ts'), join(server, 'examples/start.ts'))
  for (const name of ['files/app.ts', 'files/disk.ts', 'operate/app.ts', 'operate/redis.ts']) {
    cpSync(join(root, 'examples', name), join(server, name))
  }
  cpSync(join(root, 'examples/migration/3-typed.ts'), join(server, 'migration/3-typed.ts'))
  cpSync(join(root, 'examples/notes/src'), join(server, 'notes'), { recursive: true })
  for (const name of templates) {
    cpSync(join(root, 'src/create/templates', name, 'src'), join(server, name), { recursive: true })
  }
  cpSync(join(import.meta.dirname, 'declarations/features.ts'), join(server, 'features.ts'))
  write(join(server, 'package.json'), { type: 'module' })
}

/** A package and all that it depends on, as npm would install them. */
function install(name) {
  const to = join(front, 'node_modules', name)
  if (existsSync(to)) return
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), to, 'junction')
  Object.keys(readJson('node_modules', name, 'package.json').dependencies ?? {}).forEach(install)
}

function installFront() {
  placeEspalier(join(front, 'node_modules'))
  Object.keys(readJson('package.json').dependencies).forEach(install)
  install('zod')
  cpSync(join(import.meta.dirname, 'declarations/client.ts'), join(front, 'client.ts'))
}

const common = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  preserveSymlinks: true,
  strict: true,
}
const emitting = {
  ...common,
  module: 'nodenext',
  types: ['node'],
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  composite: true,
  emitDeclarationOnly: true,
  // Other stages check the sources.
  noCheck: true,
  rootDir: '.',
  outDir: emitted,
}
const reading = { ...common, module: 'esnext', moduleResolution: 'bundler', noEmit: true }

/** Runs a compiler, and throws the errors that it finds. */
function compile(compiler, folder, compilerOptions, more, expected = []) {
  write(join(folder, 'tsconfig.json'), { compilerOptions, ...more })
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [tsc, '-p', folder, '--pretty', 'false'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  const errors = (stdout + stderr)
    .split(/\n(?! )/)
    .filter((error) => error && !expected.some((known) => known.test(error)))
  if (errors.length > 0 || status === null) throw new Error(errors.join('\n').slice(0, 3000))
}

const nameOf = ([path]) => path.replace(/\.ts$/, '').replaceAll(/\W/g, '_')

/** A module of an application, and the type of the server in it. */
const importOf = (app) =>
  `import type * as ${nameOf(app)} from 'server/${app[0].replace(/ts$/, 'js')}'`
const typeOf = (app) =>
  app[1].replace(/(\w+)(>*)$/, (_, name, end) => `${nameOf(app)}.${name}${end}`)

/** The keys of the routes of each application, as the compiler reads them. */
function readKeys() {
  const file = join(front, 'keys.ts')
  const keys = apps.map((app) => `export type ${nameOf(app)}_ = RouteKey<${typeOf(app)}>`)
  const lines = [`import type { RouteKey } from 'espalier/client'`, ...apps.map(importOf), ...keys]
  write(file, lines.join('\n'))
  const given = { ...reading, types: [], skipLibCheck: true }
  const program = ts.createProgram([file], ts.convertCompilerOptionsFromJson(given, front).options)
  const checker = program.getTypeChecker()
  const aliases = program.getSourceFile(file).statements.filter(ts.isTypeAliasDeclaration)
  rmSync(file)
  return aliases.map(({ name }) => {
    const type = checker.getTypeAtLocation(name)
    const members = type.isUnion() ? type.types : [type]
    return members.flatMap((each) => (each.isStringLiteral() ? [each.value] : []))
  })
}

/** Calls each route of one application by a client, and by `inject`. */
function callsOf(app, keys) {
  const lines = keys.flatMap((key) => {
    const call = `(${JSON.stringify(key)}, {} as InputOf<App, ${JSON.stringify(key)}>)`
    return [`known((await api${call}).statusCode)`, `known((await app.inject${call}).statusCode)`]
  })
  return `import { client, type InputOf } from 'espalier/client'
${importOf(app)}
type App = ${typeOf(app)}
declare const app: App
declare function known<Value>(value: 0 extends 1 & Value ? 'any' : Value): void
const api = client<App>('')
${lines.join('\n')}
`
}

/** What declarations say of a package that the front end lacks, and of what that adds to Fastify's types: the page on
 *  monorepos tells of both. */
const lacking = [
  /^node_modules\/server\/.* TS2307: Cannot find module '(drizzle-orm|@fastify)\//,
  /^node_modules\/server\/.* TS2344: Type '[\w" |]+' does not satisfy the constraint 'keyof Fastify/,
]

try {
  copyServer()
  installFront()
  await installServer()
  let count
  for (const compiler of compilers) {
    await check(`${compiler}: the declarations are emitted`, () => {
      rmSync(emitted, { recursive: true, force: true })
      compile(compiler, server, emitting, { exclude: ['node_modules'] })
      write(join(emitted, 'package.json'), { name: 'server', type: 'module' })
    })
    // The keys are the same for all: a declaration that lacks one fails at its call.
    if (count === undefined) {
      const keys = readKeys()
      mkdirSync(join(front, 'calls'))
      count = keys.flat().length
      await check(`${count} routes of ${apps.length} applications`, () => {
        const wrong = apps.filter(
          ([, , isEmpty = false], at) => (keys[at].length === 0) !== isEmpty,
        )
        apps.forEach((app, at) =>
          write(join(front, 'calls', `${nameOf(app)}.ts`), callsOf(app, keys[at])),
        )
        if (wrong.length > 0) throw new Error(`wrong number of routes: ${wrong.join()}`)
      })
      write(join(front, 'all.ts'), apps.map(importOf).join('\n'))
    }
    await check(`${compiler}: all are called, without @types/node`, () => {
      const options = { ...reading, types: [], skipLibCheck: true }
      compile(compiler, front, options, { include: ['calls', 'client.ts'] })
    })
    for (const name of ['@types/node', '@types/ws']) install(name)
    await check(`${compiler}: all declarations are right`, () => {
      const full = { types: ['node'], skipLibCheck: false, skipDefaultLibCheck: true }
      const options = { ...reading, ...full }
      compile(compiler, front, options, { include: ['all.ts'] }, lacking)
    })
    rmSync(join(front, 'node_modules/@types'), { recursive: true })
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
end()
