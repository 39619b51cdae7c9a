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
  /** Whether it runs on Bun. It is measured where it is named. */
  readonly onBun?: true
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

/** What is done to an application beforehand: `espalier compile`, or a bundle by esbuild. */
export type Form = 'compiled' | 'bundled' | 'compiled and bundled'

/** A peer, and the folder of its modules. */
export interface Stand extends Peer {
  readonly folder: string
  /** The program that starts it, if it is not `serve.mjs`. */
  readonly script?: string
  /** The runtime, if it is not Node. */
  readonly runtime?: string
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
  {
    ...{ name: 'espalier-on-bun', title: 'Espalier on Bun, listen', module: 'espalier' },
    ...{ onBun: true, imports: [] },
  },
  {
    ...{ name: 'espalier-fetch-on-bun', title: 'Espalier on Bun, Bun.serve', onBun: true },
    ...{ module: 'espalier-fetch', without: ['http2'], imports: [] },
  },
  {
    ...{ name: 'elysia-on-bun', title: 'Elysia on Bun', module: 'elysia', onBun: true },
    packages: ['elysia', '@sinclair/typebox', 'zod'],
    without: ['log', 'http2'],
    imports: [],
  },
  {
    ...{ name: 'hono-on-bun', title: 'Hono on Bun', module: 'hono', onBun: true },
    packages: ['hono', '@hono/zod-validator', 'zod'],
    ours: ['ajv'],
    without: ['http2'],
    imports: [],
  },
]

export const supports = ({ without = [] }: Peer, { key }: Scenario): boolean =>
  !without.includes(key)

/** Makes a peer ready to be started: it is installed once, and again when a version changes. One that cannot be
 *  installed is said so and left. */
export function prepare(peer: Peer): Stand[] {
  const folder = join(cache, peer.name)
  try {
    const runtime = peer.onBun && { runtime: installBun() }
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

/** Installs Bun, whose program is in a package for this platform, and gives its path. */
function installBun(): string {
  const folder = join(cache, 'bun')
  installOnce(folder, { bun: versions.bun })
  const packages = join(folder, 'node_modules/@oven')
  const programs = readdirSync(packages).map((name) => join(packages, name, 'bin/bun'))
  const program = programs.find((path) => spawnSync(path, ['--version']).status === 0)
  if (program === undefined) throw new Error('Bun does not run here')
  return program
}

/** Where to write what a run needs. */
export function workFolder(): string {
  const folder = join(cache, 'work')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The peers with these names, or all of them on Node. @throws on a name that none has */
export function choosePeers(names: string | undefined): readonly Peer[] {
  if (names === undefined) return peers.filter(({ onBun }) => onBun === undefined)
  return names.split(',').map((name) => {
    const peer = peers.find((each) => each.name === name)
    if (peer) return peer
    throw new Error(`--peers: there is no "${name}", but ${peers.map((each) => each.name).join()}`)
  })
}
