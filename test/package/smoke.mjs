// Installs the packed tarball in an empty folder and uses it as a stranger would: run, required, compiled.
// Ends with a plain line `N passed, N failed`. Build first.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { compile as compileProject } from '../support/compilers.ts'
import { pack } from '../support/run.mjs'

/** A packed tarball larger than this holds something that it should not. In bytes. */
const largestTarball = 1100 * 1024
/** What a folder has after `npm i espalier` and nothing else: packages, and bytes of their files. */
const mostPackages = 48
const largestTree = 12e6

const root = resolve(import.meta.dirname, '../..')
const count = { passed: 0, failed: 0 }

/** The oldest and the newest compiler, with options for CommonJS: that of the old one reads no `exports`. */
const node10 = { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true }
const commonJs = {
  'typescript-5.9': node10,
  'typescript-7': { module: 'commonjs', moduleResolution: 'bundler' },
}

/** Runs a program without the loaders and options of this process; gives what it printed, or throws it. */
function runNode(args, cwd) {
  const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...env } = process.env
  const run = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8', timeout: 180_000 })
  if (run.status !== 0) throw new Error(`${run.stdout}${run.stderr}${run.error ?? ''}`)
  return run.stdout
}

const install = ['install', '--prefer-offline', '--no-audit', '--no-fund']
const npm = (args, cwd) => {
  if (process.env.npm_execpath) return runNode([process.env.npm_execpath, ...args], cwd)
  const run = spawnSync('npm', args, { cwd, encoding: 'utf8', shell: true, timeout: 180_000 })
  if (run.status !== 0) throw new Error(run.stdout + run.stderr)
  return run.stdout
}

function check(title, body) {
  try {
    body()
    count.passed++
    console.log(`✔ ${title}`)
  } catch (error) {
    count.failed++
    console.log(`✖ ${title}\n${String(error.message).trimEnd().replaceAll(/^/gm, '    ')}`)
  }
}

function compile(folder, compiler, files, options = {}) {
  const config = {
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      ...options,
    },
    files,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  checkProject(compiler, folder)
}

function checkProject(compiler, project) {
  const said = compileProject(compiler, project)
  if (said !== '') throw new Error(said)
}

/** Bundles a program with esbuild, and gives what the bundle prints in a folder without packages, beside what the program
 *  itself prints. */
function bundle(folder, format) {
  const alone = mkdtempSync(join(tmpdir(), 'espalier-bundle-'))
  try {
    const file = join(alone, format === 'cjs' ? 'bundle.cjs' : 'bundle.mjs')
    const entry = join(folder, 'bundled-main.mjs')
    // Bundles of CommonJS have no top-level await.
    const text = readFileSync(join(folder, 'bundled.mjs'), 'utf8')
    const at = text.indexOf('const answers')
    const body = `async function main() {\n${text.slice(at)}}\nvoid main()\n`
    writeFileSync(entry, text.slice(0, at) + body)
    buildSync({
      entryPoints: [entry],
      outfile: file,
      bundle: true,
      platform: 'node',
      format,
      logLevel: 'silent',
    })
    return [runNode([file], alone), runNode(['bundled.mjs'], folder)]
  } finally {
    rmSync(alone, { recursive: true, force: true })
  }
}

/** Bundles a CommonJS program with esbuild, and runs the bundle in a folder without packages. */
function bundleRequired(folder, file) {
  const alone = mkdtempSync(join(tmpdir(), 'espalier-bundle-'))
  try {
    const outfile = join(alone, 'bundle.cjs')
    const entryPoints = [join(folder, file)]
    buildSync({ entryPoints, outfile, bundle: true, platform: 'node', logLevel: 'silent' })
    runNode([outfile], alone)
  } finally {
    rmSync(alone, { recursive: true, force: true })
  }
}

/** Puts what was installed where pnpm does: the consumer sees the package and not what that depends on. */
function isolate(folder) {
  const [modules, store] = [join(folder, 'node_modules'), join(folder, 'node_modules/.store')]
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  mkdirSync(join(store, 'node_modules'), { recursive: true })
  for (const name of names) renameSync(join(modules, name), join(store, 'node_modules', name))
  mkdirSync(join(modules, '@types'))
  symlinkSync(join(store, 'node_modules/espalier'), join(modules, 'espalier'), 'junction')
  for (const name of ['api', 'sdk']) {
    symlinkSync(join(folder, 'contract', name), join(modules, name), 'junction')
  }
}

/** Compiles an application to declarations, against these a package that exports a client, and a front end against both: it
 *  has not even the types of Node. */
function compileContract(folder, compiler) {
  const nodeTypes = join(folder, 'node_modules/@types/node')
  symlinkSync(join(root, 'node_modules/@types/node'), nodeTypes, 'junction')
  const [api, sdk, front] = ['api', 'sdk', 'front'].map((name) => join(folder, 'contract', name))
  for (const each of [api, sdk]) rmSync(join(each, 'dist'), { recursive: true, force: true })
  try {
    checkProject(compiler, api)
  } finally {
    rmSync(nodeTypes)
  }
  checkNames(join(api, 'dist'), ['espalier', 'espalier/client', 'espalier/schema'])
  checkOnce(join(api, 'dist/scopes.d.ts'), ['scoped-user', 'scoped-post', 'scoped-deep'])
  checkNamed(join(api, 'dist/app.d.ts'), './tags.js', 'GET /:tag')
  checkProject(compiler, sdk)
  checkNames(join(sdk, 'dist'), ['api', 'espalier/client'])
  checkProject(compiler, front)
}

/** Declarations name no files of other packages but their doors, and are whole: the compiler leaves out what would have no
 *  end, and says `any` there. */
function checkNames(dist, doors) {
  for (const name of readdirSync(dist).filter((name) => name.endsWith('.d.ts'))) {
    const text = readFileSync(join(dist, name), 'utf8')
    const paths = [...text.matchAll(/(?:import\(|from )["']([^"']+)["']/g)].map(([, path]) => path)
    const inner = paths.filter(
      (path) => !doors.includes(path) && !isBuiltin(path) && !/^\.\/[\w-]+\.js$/.test(path),
    )
    if (inner.length > 0) throw new Error(`${name} names ${inner.join(', ')}`)
    if (text.includes('/*elided*/')) throw new Error(`${name} is cut off`)
  }
}

/** A declaration names a plugin that is an exported function, and does not write its routes. */
function checkNamed(path, module, route) {
  const text = readFileSync(path, 'utf8')
  const isNamed = text.includes(`typeof import("${module}")`)
  if (!isNamed || text.includes(route)) throw new Error(`${path} writes the routes of ${module}`)
}

/** Shared schemas are written once, however many scopes below see them. */
function checkOnce(path, ids) {
  const text = readFileSync(path, 'utf8')
  for (const id of ids) {
    const times = text.split(`$id: "${id}"`).length - 1
    if (times !== 1) throw new Error(`${path} writes the schema ${id} ${times} times`)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'espalier-smoke-'))
try {
  const packed = await pack(root, folder)
  const paths = packed.files.map(({ path }) => path)

  check(
    'the tarball holds the build and its licence, and nothing that is for this folder only',
    () => {
      for (const path of [
        'dist/index.js',
        'dist/index.d.ts',
        'LICENSE',
        'README.md',
        'package.json',
      ]) {
        if (!paths.includes(path)) throw new Error(`${path} is missing`)
      }
      const strange = paths.filter((path) =>
        /^(src|test|types-test|bench|\.)|\.map$|^(?!(dist\/create\/templates|examples\/notes)\/).*\.test\./.test(
          path,
        ),
      )
      if (strange.length > 0) throw new Error(`packed by mistake: ${strange.join(', ')}`)
    },
  )

  check(`the tarball is not larger than ${largestTarball / 1024} KiB`, () => {
    const { size } = statSync(packed.tarball.replace('file:', ''))
    if (size > largestTarball) throw new Error(`${size} bytes`)
  })

  check('what README.md links to is in it', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path)
    const dead = links.filter((path) => !paths.includes(path))
    if (links.length === 0 || dead.length > 0) throw new Error(`dead: ${dead.join(', ')}`)
  })

  cpSync(join(root, 'test/package/consumer'), folder, { recursive: true })
  const manifest = { name: 'consumer', version: '0.0.0', private: true, type: 'module' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))

  check('it installs with run-time dependencies only', () => {
    npm([...install, packed.tarball], folder)
    const installed = join(folder, 'node_modules/espalier/package.json')
    const { version } = JSON.parse(readFileSync(installed, 'utf8'))
    if (version !== packed.version)
      throw new Error(`version ${version} instead of ${packed.version}`)
  })

  check(`it brings ${mostPackages} packages and ${largestTree / 1e6} MB at most`, () => {
    const modules = join(folder, 'node_modules')
    const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
    const bytes = files.reduce(
      (sum, file) => sum + statSync(join(file.parentPath, file.name)).size,
      0,
    )
    console.log(`  ${Object.keys(packages).length} packages, ${(bytes / 1e6).toFixed(1)} MB`)
    if (Object.keys(packages).length > mostPackages) throw new Error('too many packages')
    if (bytes > largestTree) throw new Error('too large')
  })

  check('an ES module imports it and serves requests', () => runNode(['app.mjs'], folder))
  check('a CommonJS module requires it and serves requests', () => runNode(['app.cjs'], folder))
  for (const compiler of Object.keys(commonJs)) {
    const files = ['typed-esm.ts', 'typed-cjs.cts', 'typed-client.ts']
    check(`${compiler} compiles ${files.join(', ')}`, () => compile(folder, compiler, files))
  }
  for (const [compiler, options] of Object.entries(commonJs)) {
    check(`${compiler} compiles old-resolution.ts`, () =>
      compile(folder, compiler, ['old-resolution.ts'], options),
    )
  }

  const alias = await pack(join(root, 'dist-fastify'), folder)
  check('the package that stands for Fastify installs beside it, under that name', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'dist-fastify/package.json'), 'utf8'))
    if (manifest.dependencies.espalier !== packed.version) throw new Error('of another version')
    npm([...install, `fastify@${alias.tarball}`], folder)
  })
  check('a CommonJS module requires it', () => runNode(['fastify.cjs'], folder))
  check('an ES module imports it', () => runNode(['fastify.mjs'], folder))
  for (const file of ['app.cjs', 'fastify.cjs']) {
    check(`a bundle of ${file} runs without packages`, () => bundleRequired(folder, file))
  }
  for (const format of ['cjs', 'esm']) {
    check(`a bundle of both packages runs without them (${format})`, () => {
      const [bundled, plain] = bundle(folder, format)
      if (bundled !== plain || !bundled.includes('here')) throw new Error(`${bundled}${plain}`)
    })
  }
  for (const [compiler, options] of Object.entries(commonJs)) {
    check(`${compiler} compiles typed-fastify.ts`, () =>
      compile(folder, compiler, ['typed-fastify.ts']),
    )
    check(`${compiler} compiles it for CommonJS`, () =>
      compile(folder, compiler, ['typed-fastify.ts'], options),
    )
  }
  isolate(folder)
  for (const compiler of Object.keys(commonJs)) {
    check(`${compiler} compiles a front end of an application's declarations`, () =>
      compileContract(folder, compiler),
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

console.log(`${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.passed > 0 && count.failed === 0 ? 0 : 1
