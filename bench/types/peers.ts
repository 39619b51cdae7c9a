// Installs what peers need, outside of the project.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Framework } from './application.ts'
import { bare } from './frameworks/bare.ts'
import { elysia } from './frameworks/elysia.ts'
import { fastify } from './frameworks/fastify.ts'
import { hono } from './frameworks/hono.ts'
import { orpc } from './frameworks/orpc.ts'
import { trpc } from './frameworks/trpc.ts'
import type { Stand } from './rounds.ts'
import { versions } from './versions.ts'

const peers: readonly Framework[] = [bare, trpc, orpc, fastify, hono, elysia]

/** Runs something with a folder for each peer in which it can be imported, and removes these afterwards. A peer that
 *  cannot be installed is said so and left. */
export function withPeers(measure: (stands: Stand[]) => void): void {
  const root = mkdtempSync(join(tmpdir(), 'espalier-bench-'))
  try {
    measure(peers.flatMap((peer, index) => installed(peer, join(root, `${index}`))))
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  }
}

function installed(framework: Framework, folder: string): Stand[] {
  try {
    mkdirSync(folder)
    install(folder, framework)
    return [{ framework, folder }]
  } catch (error) {
    console.error(`${framework.name} is skipped: ${error instanceof Error ? error.message : error}`)
    return []
  }
}

/** @throws what npm says where it fails */
function install(folder: string, { packages }: Framework): void {
  const names = [...packages, '@types/node' as const]
  const dependencies = Object.fromEntries(names.map((name) => [name, versions[name]]))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
  const args = 'install --no-audit --no-fund --ignore-scripts --loglevel=error'
  const npm = process.env['npm_execpath']
  const options = { cwd: folder, encoding: 'utf8' as const }
  const { status, stderr } = npm
    ? spawnSync(process.execPath, [npm, ...args.split(' ')], options)
    : spawnSync(`npm ${args}`, { ...options, shell: true })
  if (status !== 0) {
    throw new Error(`it cannot be installed.\n${stderr.split('\n').slice(0, 5).join('\n')}`)
  }
}
