// Runs a NestJS application on the Fastify that NestJS installs, and on the packed packages in its place, as the
// documentation says. Both give the same answers. Ends with a plain line `N passed, N failed`. Build first.
import { deepEqual, equal } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { check, end } from '../support/checks.mjs'
import { begin, node, npm, pack, run } from '../support/run.mjs'

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-nest-'))

const nest = {
  '@fastify/multipart': '^10.1.0',
  '@nestjs/common': '^12.0.0',
  '@nestjs/core': '^12.0.0',
  '@nestjs/platform-fastify': '^12.0.0',
  'reflect-metadata': '^0.2.0',
  rxjs: '^7.1.0',
}

/** Installs the application into a folder, and gives what it prints. */
async function answers(name, { dependencies = {}, ...manifest } = {}) {
  const path = join(scratch, name)
  mkdirSync(path)
  const own = { private: true, dependencies: { ...nest, ...dependencies }, ...manifest }
  writeFileSync(join(path, 'package.json'), JSON.stringify(own))
  await run([...npm, 'install', '--no-audit', '--no-fund', '--ignore-scripts'], path)
  buildSync({
    entryPoints: [join(root, 'test/package/nest/app.ts')],
    outfile: join(path, 'app.mjs'),
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  })
  return JSON.parse(await run([...node, 'app.mjs'], path))
}

/** The manifest that the page shows, with the packed packages. */
async function manifestOfPage() {
  const page = readFileSync(join(root, 'docs/coming-from-fastify.md'), 'utf8')
  const { overrides, dependencies } = JSON.parse(/```json package\.json\n([^`]*)```/.exec(page)[1])
  const [own, other] = await Promise.all(
    [root, join(root, 'dist-fastify')].map((folder) => pack(folder, scratch)),
  )
  const [alias, version] = dependencies.fastify.split(/@(?=[^@]*$)/)
  equal(alias, 'npm:espalier-fastify')
  equal(version, other.version, 'the page should name the version of the package')
  return {
    dependencies: { espalier: own.tarball, fastify: other.tarball },
    // That version of the package is in no registry.
    overrides: { ...overrides, espalier: '$espalier' },
  }
}

try {
  const genuine = begin(() => answers('fastify'))
  const replaced = begin(async () => answers('espalier', await manifestOfPage()))
  await check('on Fastify the application answers all requests', async () => {
    const { name, requests } = await genuine
    equal(name, 'fastify')
    equal(requests.length > 50, true)
  })
  await check(
    'with the overrides of the page there is one package fastify, and it is Espalier',
    async () => {
      equal((await replaced).name, 'espalier-fastify')
    },
  )
  const [expected, given] = await Promise.allSettled([genuine, replaced])
  for (const [index, [title, ...answer]] of (expected.value?.requests ?? []).entries()) {
    await check(`as on Fastify: ${title}`, () => {
      deepEqual(given.value?.requests[index].slice(1), answer)
    })
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
end()
