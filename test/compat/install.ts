// Brings packages with their tests into a folder outside of the project, where `fastify` can be exchanged.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { fastify, type Subject } from './packages.ts'

const project = resolve(import.meta.dirname, '../..')

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

const npm = (folder: string, ...args: string[]): string =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
  })

/** The folder of a package with what its tests need; installed once. */
export function install(root: string, subject: Subject): string {
  const home = join(root, subject.name.replace(/[@/]/g, '_'))
  const folder = join(home, 'package')
  if (existsSync(join(home, 'installed'))) return folder
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const archive = npm(home, 'pack', `${subject.name}@${subject.version}`).trim().split('\n').at(-1)
  execFileSync('tar', ['xzf', archive ?? ''], { cwd: home })
  keepNeeded(folder)
  npm(folder, 'install', '--ignore-scripts', '--legacy-peer-deps')
  if (subject === fastify) {
    renameSync(join(folder, 'fastify.js'), join(folder, 'itself.js'))
  } else {
    const real = join(folder, 'node_modules/fastify')
    if (existsSync(real)) renameSync(real, join(folder, 'node_modules/.fastify'))
  }
  writeFileSync(join(home, 'installed'), '')
  return folder
}

/** Versions of packages for development that their users ask for in a version that was never published. */
const published: Readonly<Record<string, string>> = { '@matteo.collina/snap': '0.3.0' }

/** Of the packages for its development, those that a test names, and the runners of tests. */
function keepNeeded(folder: string): void {
  const path = join(folder, 'package.json')
  const manifest = manifestOf(folder)
  const texts = filesOf(folder)
    .filter((file) => /\.(c|m)?[jt]s$/.test(file) && !/bench/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const kept = Object.entries({ ...manifest.devDependencies })
    .filter(
      ([name]) => texts.includes(`'${name}`) || texts.includes(`"${name}`) || name === 'fastify',
    )
    .map(([name, version]) => [name, published[name] ?? version])
  const needed = { ...manifest, scripts: {}, devDependencies: Object.fromEntries(kept) }
  writeFileSync(path, JSON.stringify(needed, null, 2))
}

/** The files of a package below its folder, by their paths. */
export function filesOf(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    if (!entry.isDirectory()) return [path]
    return entry.name === 'node_modules' ? [] : filesOf(folder, path)
  })
}

/** Installs the package of this project, and the one that stands for Fastify, as their users get them. */
export function installOwn(root: string): string {
  const home = join(root, 'espalier')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const pack = (folder: string): string => {
    const told = npm(folder, 'pack', '--ignore-scripts', '--pack-destination', home).trim()
    return `./${told.split('\n').at(-1) ?? ''}`
  }
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  npm(home, 'install', '--no-save', pack(project), `fastify@${pack(join(project, 'dist-fastify'))}`)
  return join(home, 'node_modules')
}

/** Lets a package have one or the other for `fastify`.
 *  @param own where the package of this project is installed; undefined for Fastify itself */
export function choose(folder: string, subject: Subject, own: string | undefined): void {
  const modules = join(folder, 'node_modules')
  const target = join(modules, 'fastify')
  for (const name of [target, join(modules, 'espalier')])
    rmSync(name, { recursive: true, force: true })
  if (own !== undefined) place(own, modules)
  else if (subject !== fastify) symlinkSync('.fastify', target)
  if (subject !== fastify) return
  const main = own === undefined ? './itself.js' : './node_modules/fastify/index.js'
  // The second line lets modules import it by name.
  const lines = [`module.exports = require('${main}')`, 'exports.fastify = module.exports.fastify']
  writeFileSync(join(folder, 'fastify.js'), `${lines.join('\n')}\n`)
}

/** Puts the packages of this project beside others, with whose dependencies it shares what it can, as npm has it: plugins of
 *  ajv work with one copy of ajv only. */
function place(own: string, modules: string): void {
  const target = join(modules, 'espalier')
  cpSync(join(own, 'espalier'), target, { recursive: true })
  cpSync(join(own, 'fastify'), join(modules, 'fastify'), { recursive: true })
  for (const name of Object.keys(manifestOf(target).dependencies ?? {})) {
    // It brings along what is there in another version for others.
    if (existsSync(join(target, 'node_modules', name))) continue
    if (existsSync(join(modules, name)) && major(join(modules, name)) === major(join(own, name)))
      continue
    const place = join(target, 'node_modules', name)
    if (existsSync(place)) continue
    mkdirSync(join(place, '..'), { recursive: true })
    symlinkSync(join(own, name), place)
  }
}

/** What a caret range keeps of a version. */
const major = (folder: string): string | undefined =>
  /^(0\.)?\d+/.exec(manifestOf(folder).version)?.[0]
