// Runs tests with schemas that were compiled ahead of time, in a process that makes no code from strings:
//   COMPILED=write node --import tsx --import ./test/support/compiled.mjs test/run.ts …
//   COMPILED=use node --disallow-code-generation-from-strings --import tsx --import ./test/support/compiled.mjs …
// The first writes a module for each test file, with the schemas of all its servers; the second takes them from there.
import { subscribe } from 'node:diagnostics_channel'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const folder = join(tmpdir(), 'espalier-compiled')
const given = Symbol.for('espalier.test.compiled')

process.env.BUNDLED_DEFAULTS ??= JSON.stringify([
  ["compile: 'lazy'", `compile: 'lazy', compiled: globalThis[Symbol.for('${given.description}')]`],
  ["whenStale: 'fail'", "whenStale: 'warn'"],
])
await import('./bundled.mjs')

/** Writes the schemas of all servers of this process when it ends. */
async function write(file) {
  const { nodeOf } = await import('../../src/server/node.ts')
  const { compileModule, textOfModule } = await import('../../src/server/compiled-module.ts')
  const servers = []
  subscribe('fastify.initialization', ({ fastify }) => servers.push(fastify))
  process.on('exit', () => {
    const functions = new Map()
    for (const server of servers) {
      const { options, compilers } = nodeOf(server).host
      for (const [hash, code] of compileModule(options, compilers).functions) {
        functions.set(hash, code)
      }
    }
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, textOfModule({ functions, others: [], left: [] }))
  })
}

const name = basename(process.argv[1] ?? '')
if (name.endsWith('.test.ts')) {
  const file = join(folder, name.replace('.test.ts', '.mjs'))
  if (process.env.COMPILED === 'write') await write(file)
  else if (existsSync(file)) globalThis[given] = (await import(file)).default
}
