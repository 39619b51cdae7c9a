// The frameworks that are compared, and where their servers can be started.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { install } from '../install.ts'
import { type PackageName, versions } from '../versions.ts'
import type { Scenario } from './scenarios.ts'

const root = resolve(import.meta.dirname, '../..')
const sources = join(import.meta.dirname, 'peers')
const cache = join(root, '.bench-speed')

export interface Peer {
  readonly name: string
  /** Its module in `peers/`, if its name is not that. */
  readonly module?: string
  /** Where it runs, if not on Node. It is measured where it is named. workerd has a start only, of a bundle. */
  readonly on?: Runtime
  readonly title: string
  /** What is installed for it. Espalier and the server by hand have what the project has. */
  readonly packages?: readonly PackageName[]
  /** The packages of the project that it uses too, in the same versions. */
  readonly ours?: readonly string[]
  /** The keys of scenarios that it has no feature for. */
  readonly without?: readonly string[]
  /** What a server of it imports. */
  readonly imports: readonly string[]
  /** The other forms in which its start is measured. */
  readonly forms?: readonly Form[]
}

export type Runtime = 'bun' | 'deno' | 'workerd'

/** What is done to an application beforehand: `espalier compile`, or a bundle by esbuild. */
export type Form = 'compiled' | 'bundled' | 'compiled and bundled'

/** A peer, and the folder of its modules. */
export interface Stand extends Peer {
  readonly folder: string
  /** The program that starts it, if it is not `serve.mjs`. */
  readonly script?: string
  /** The command that runs a program, if it is not Node's. */
  readonly command?: readonly string[]
}

export const peers: readonly Peer[] = [
  {
    name: 'espalier',
    title: 'Espalier',
    imports: ['espalier'],
    forms: ['compiled', 'bundled', 'compiled and bundled'],
  },
  {
    name: 'espalier-strict',
    title: 'Espalier, strict',
    without: ['zod'],
    imports: ['espalier'],
  },
  {
    name: 'hand',
    title: 'node:http by hand',
    imports: ['node:http', 'ajv', 'fast-json-stringify', 'find-my-way'],
  },
  {
    name: 'fastify',
    title: 'Fastify',
    packages: ['fastify', 'zod'],
    ours: ['ajv', 'fast-json-stringify', 'find-my-way', 'pino'],
    imports: ['fastify'],
    forms: ['bundled'],
  },
  {
    name: 'hono',
    title: 'Hono on node-server',
    packages: ['hono', '@hono/node-server', '@hono/zod-validator', 'zod'],
    ours: ['ajv'],
    imports: ['hono', '@hono/node-server'],
    forms: ['bundled'],
  },
  {
    name: 'h3',
    title: 'h3',
    packages: ['h3', 'zod'],
    ours: ['ajv'],
    without: ['log'],
    imports: ['h3', 'h3/node'],
  },
  {
    name: 'express',
    title: 'Express',
    packages: ['express', 'morgan'],
    ours: ['ajv'],
    without: ['zod', 'http2'],
    imports: ['express'],
  },
  {
    name: 'elysia',
    title: 'Elysia on Node',
    packages: ['elysia', '@elysiajs/node', '@sinclair/typebox', 'zod'],
    without: ['log', 'http2'],
    imports: ['elysia', '@elysiajs/node'],
    forms: ['bundled'],
  },
  ...(['bun', 'deno'] as const).flatMap((on): Peer[] => [
    {
      ...{ name: `espalier-on-${on}`, title: `Espalier on ${on}, listen`, module: 'espalier', on },
      ...{ imports: [], forms: ['compiled', 'bundled', 'compiled and bundled'] },
    },
    {
      ...{ name: `espalier-fetch-on-${on}`, title: `Espalier on ${on}, fetch`, on, imports: [] },
      ...{ module: 'espalier-fetch', without: ['http2'], forms: ['compiled and bundled'] },
    },
    {
      ...{ name: `hono-on-${on}`, title: `Hono on ${on}`, module: 'hono', on, imports: [] },
      packages: ['hono', '@hono/zod-validator', 'zod'],
      ours: ['ajv'],
      without: ['http2'],
      forms: ['bundled'],
    },
  ]),
  {
    ...{ name: 'elysia-on-bun', title: 'Elysia on bun', module: 'elysia', on: 'bun', imports: [] },
    packages: ['elysia', '@sinclair/typebox', 'zod'],
    without: ['log', 'http2'],
    forms: ['bundled'],
  },
  {
    ...{ name: 'espalier-on-workerd', title: 'Espalier on workerd', module: 'espalier' },
    ...{ on: 'workerd', imports: [], forms: ['compiled and bundled'] },
  },
  {
    ...{ name: 'hono-on-workerd', title: 'Hono on workerd', module: 'hono', on: 'workerd' },
    packages: ['hono', '@hono/zod-validator', 'zod'],
    ours: ['ajv'],
    imports: [],
    forms: ['bundled'],
  },
]

export const supports = ({ without = [] }: Peer, { key }: Scenario): boolean =>
  !without.includes(key)

/** Makes a peer ready to be started: it is installed once, and again when a version changes. One that cannot be
 *  installed is said so and left. */
export function prepare(peer: Peer): Stand[] {
  const folder = join(cache, peer.name)
  try {
    const runtime = peer.on && { command: commandOf(peer.on) }
    if (!peer.packages) {
      if (existsSync(join(root, 'dist/index.js'))) return [{ ...peer, ...runtime, folder: sources }]
      throw new Error('dist/ is missing: run `npm run build` first')
    }
    installOnce(folder, dependenciesOf(peer))
    for (const name of readdirSync(sources)) copyFileSync(join(sources, name), join(folder, name))
    return [{ ...peer, ...runtime, folder }]
  } catch (error) {
    console.error(`${peer.title} is left out: ${error instanceof Error ? error.message : error}`)
    rmSync(folder, { recursive: true, force: true })
    return []
  }
}

function dependenciesOf({ packages = [], ours = [] }: Peer): Record<string, string> {
  const own = packages.map((name) => [name, versions[name]] as const)
  return Object.fromEntries([...own, ...ours.map((name) => [name, versionHere(name)] as const)])
}

/** The version of a package that the project has installed. */
function versionHere(name: string): string {
  const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}

function installOnce(folder: string, dependencies: Readonly<Record<string, string>>): void {
  const manifest = join(folder, 'package.json')
  const wanted = JSON.stringify(dependencies)
  const done = join(folder, 'node_modules/.package-lock.json')
  if (existsSync(done) && readFileSync(manifest, 'utf8').includes(wanted)) return
  console.error(`${folder}: npm install…`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  install(folder, dependencies)
}

/** Installs a runtime. The programs of Bun and Deno are in packages for this platform.
 *  @returns the command that runs a program */
function commandOf(runtime: Runtime): readonly string[] {
  const folder = join(cache, runtime)
  if (runtime === 'workerd') {
    installOnce(folder, { miniflare: versions.miniflare })
    return [process.execPath, join(sources, 'workerd.mjs'), folder]
  }
  installOnce(folder, { [runtime]: versions[runtime] })
  const packages = join(folder, 'node_modules', runtime === 'bun' ? '@oven' : '@deno')
  const names = runtime === 'bun' ? ['bin/bun'] : ['deno', 'deno.exe']
  const programs = readdirSync(packages).flatMap((name) =>
    names.map((each) => join(packages, name, each)),
  )
  const program = programs.find((path) => spawnSync(path, ['--version']).status === 0)
  if (program === undefined) throw new Error(`${runtime} does not run here`)
  return runtime === 'bun' ? [program] : [program, 'run', '-A', '--quiet']
}

/** Where to write what a run needs. */
export function workFolder(): string {
  const folder = join(cache, 'work')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The peers with these names, or all of them on Node. @throws on a name that none has */
export function choosePeers(names: string | undefined): readonly Peer[] {
  if (names === undefined) return peers.filter(({ on }) => on === undefined)
  return names.split(',').map((name) => {
    const peer = peers.find((each) => each.name === name)
    if (peer) return peer
    throw new Error(`--peers: there is no "${name}", but ${peers.map((each) => each.name).join()}`)
  })
}
