// Emits the declarations of the examples, the templates and an application with all features, with `composite`, and
// compiles a front end that knows them by these alone: it calls each of their routes by a client and by `inject`. Each
// compiler reads what it has emitted. The front end is another package. It has espalier with its dependencies, zod, and
// nothing else: with @types/node the compiler checks all declarations, and without it only the calls. Build first.
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

const root = resolve(import.meta.dirname, '..')
const compilers = ['typescript-5.9', 'typescript', 'typescript-7']
const server = mkdtempSync(join(root, '.declarations-'))
const front = mkdtempSync(join(tmpdir(), 'espalier-front-'))
const modules = join(front, 'node_modules')
const write = (path, content) =>
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))

/** Runs a compiler, and throws what it says. */
function compile(compiler, folder, compilerOptions, more) {
  write(join(folder, 'tsconfig.json'), { compilerOptions, ...more })
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
  const run = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error((run.stdout + run.stderr).slice(0, 3000))
}

/** The applications: a module, and the type of the server in it. */
const apps = [
  ...readdirSync(join(root, 'examples')).filter((name) => /^\d.*\.ts$/.test(name)),
  'start.ts',
].map((name) => [`examples/${name}`, name === 'start.ts' ? undefined : 'typeof app'])
apps.push(['notes/app.ts', 'ReturnType<typeof createApp>'])
for (const name of readdirSync(join(root, 'src/create/templates'))) {
  apps.push([`${name}/app.ts`, 'ReturnType<typeof buildApp>'])
}
apps.push(['features.ts', 'App'])

function copyServer() {
  mkdirSync(join(server, 'examples'))
  for (const [path] of apps.filter(([path]) => path.startsWith('examples/'))) {
    cpSync(join(root, path), join(server, path))
  }
  cpSync(join(root, 'examples/notes/src'), join(server, 'notes'), { recursive: true })
  for (const name of readdirSync(join(root, 'src/create/templates'))) {
    cpSync(join(root, 'src/create/templates', name, 'src'), join(server, name), { recursive: true })
  }
  cpSync(join(import.meta.dirname, 'declarations/features.ts'), join(server, 'features.ts'))
}

/** A package and all that it depends on, as npm would install them. */
function install(name) {
  const [from, to] = [join(root, 'node_modules', name), join(modules, name)]
  if (existsSync(to) || !existsSync(from)) return
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(from, to, 'junction')
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  Object.keys(dependencies).forEach(install)
}

function installFront() {
  const own = join(modules, 'espalier')
  cpSync(join(root, 'package.json'), join(own, 'package.json'))
  const filter = (path) => !/\.(c?js|map)$/.test(path)
  cpSync(join(root, 'dist'), join(own, 'dist'), { recursive: true, filter })
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  Object.keys(dependencies).forEach(install)
  install('zod')
  cpSync(join(import.meta.dirname, 'declarations/client.ts'), join(front, 'client.ts'))
}

const emitting = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  composite: true,
  emitDeclarationOnly: true,
  // The packages of databases are not installed here.
  noCheck: true,
  rootDir: '.',
  outDir: join(modules, 'server'),
}
const reading = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  preserveSymlinks: true,
  strict: true,
  noEmit: true,
}

const nameOf = (path) => path.replaceAll(/\W/g, '_').replace(/_ts$/, '')

/** The keys of the routes of each application, as the compiler reads them. */
function keysOf(read) {
  const file = join(front, 'keys.ts')
  write(
    file,
    `import type { RouteKey } from 'espalier/client'\n` +
      read
        .map(
          ([path, type]) =>
            `import type * as ${nameOf(path)} from 'server/${path.replace(/ts$/, 'js')}'\n` +
            `export type K_${nameOf(path)} = RouteKey<${inModule(type, nameOf(path))}>\n`,
        )
        .join(''),
  )
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...reading, types: [], skipLibCheck: true },
    front,
  )
  const program = ts.createProgram([file], options)
  const checker = program.getTypeChecker()
  return program
    .getSourceFile(file)
    .statements.filter(ts.isTypeAliasDeclaration)
    .map((each) => {
      const type = checker.getTypeAtLocation(each.name)
      return (type.isUnion() ? type.types : [type]).flatMap((each) =>
        each.isStringLiteral() ? [each.value] : [],
      )
    })
}

/** A type of a module that was imported as a namespace. */
const inModule = (type, name) => type.replace(/(app|App|createApp|buildApp)\b/, `${name}.$1`)

/** Calls each route of one application by a client, and by `inject`. */
function callsOf([path, type], keys) {
  const name = nameOf(path)
  const lines = keys.flatMap((key) => {
    const call = `(${JSON.stringify(key)}, {} as InputOf<App, ${JSON.stringify(key)}>)`
    return [`known((await api${call}).statusCode)`, `known((await app.inject${call}).statusCode)`]
  })
  return `import { client, type InputOf } from 'espalier/client'
import type * as ${name} from 'server/${path.replace(/ts$/, 'js')}'
type App = ${inModule(type, name)}
declare const app: App
declare function known<Value>(value: 0 extends 1 & Value ? 'any' : Value): void
const api = client<App>('')
${lines.join('\n')}
`
}

try {
  copyServer()
  installFront()
  for (const compiler of compilers) {
    await check(`${compiler}: the declarations are emitted`, () => {
      rmSync(join(modules, 'server'), { recursive: true, force: true })
      const include = ['features.ts', 'examples', 'notes', ...readdirSync(server)]
      compile(compiler, server, emitting, {
        include: [...new Set(include)].filter((name) => !/json/.test(name)),
      })
      write(join(modules, 'server/package.json'), { name: 'server', type: 'module' })
    })
    const read = apps.filter(([, type]) => type !== undefined)
    const keys = keysOf(read)
    read.forEach((app, index) =>
      write(join(front, `${nameOf(app[0])}.ts`), callsOf(app, keys[index])),
    )
    const include = ['*.ts']
    await check(`${compiler}: ${keys.flat().length} routes are called, without @types/node`, () => {
      compile(compiler, front, { ...reading, types: [], skipLibCheck: true }, { include })
      // That of the chat has no route but its WebSocket.
      const without = read.filter((_, index) => keys[index].length === 0).map(([path]) => path)
      if (without.length > 1) throw new Error(`without routes: ${without.join()}`)
    })
    for (const name of ['@types/node', '@types/ws']) install(name)
    await check(`${compiler}: all declarations are right`, () => {
      compile(compiler, front, { ...reading, types: ['node'], skipLibCheck: false }, { include })
    })
    rmSync(join(modules, '@types'), { recursive: true })
  }
} finally {
  rmSync(server, { recursive: true, force: true })
  rmSync(front, { recursive: true, force: true })
}
end()
