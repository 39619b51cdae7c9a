// Installs what peers need, outside of the project.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install } from '../install.ts'
import { versions } from '../versions.ts'
import type { Framework } from './application.ts'
import { bare } from './frameworks/bare.ts'
import { elysia } from './frameworks/elysia.ts'
import { fastify } from './frameworks/fastify.ts'
import { hono } from './frameworks/hono.ts'
import { orpc } from './frameworks/orpc.ts'
import { trpc } from './frameworks/trpc.ts'
import type { Stand } from './rounds.ts'

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
    const names = [...framework.packages, '@types/node' as const]
    install(folder, Object.fromEntries(names.map((name) => [name, versions[name]])))
    return [{ framework, folder }]
  } catch (error) {
    console.error(`${framework.name} is skipped: ${error instanceof Error ? error.message : error}`)
    return []
  }
}
