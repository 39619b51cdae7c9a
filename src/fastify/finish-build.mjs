// The last step of the build: the JavaScript, the package that stands for Fastify, the package `create-espalier`, the entry
// points of `require`, and the types of the module `fastify` for programs without a package of that name.
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

// Each file costs time when a process starts, so there are few. The JavaScript of TypeBox, 250 files, is part of them.
// Its types are not.
const entries = [
  'index',
  'common-js',
  'client/index',
  'schema/index',
  'openapi/index',
  'websocket/index',
  'fastify/lib',
  'otel/index',
]
await build({
  entryPoints: [...entries, 'multipart/index', 'fastify/index', 'fastify/types', 'cli/main'].map(
    (name) => `src/${name}.ts`,
  ),
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
  plugins: [{ name: 'packages', setup: keepPackages }],
})
mkdirSync('dist/packages', { recursive: true })
// The licence of what is part of these files.
copyFileSync('node_modules/@sinclair/typebox/license', 'dist/chunks/LICENSE-typebox')
copyFileSync('src/packages/late.cjs', 'dist/packages/late.cjs')
copyFileSync('src/packages/late.d.cts', 'dist/packages/late.d.cts')

/** Leaves packages where they are, but TypeBox, and the file that loads packages later. */
function keepPackages({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path }) =>
    path.startsWith('@sinclair/typebox') ? undefined : { path, external: true },
  )
  onResolve({ filter: /packages\/late\.cjs$/ }, () => ({ path: '#late', external: true }))
}

const alias = 'src/fastify/alias'
cpSync(alias, 'dist-fastify', { recursive: true })
copyFileSync('LICENSE', 'dist-fastify/LICENSE')
for (const folder of ['dist', 'dist/fastify']) {
  copyFileSync(`${alias}/index.cjs`, `${folder}/index.cjs`)
}

// `npm create espalier` installs this package alone, so it has no dependencies.
const { version, license, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
await build({
  entryPoints: ['src/create/main.ts'],
  outdir: 'dist-create/create',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  logLevel: 'warning',
})
for (const folder of ['dist', 'dist-create']) {
  cpSync('src/create/templates', `${folder}/create/templates`, { recursive: true })
}
for (const file of ['LICENSE', 'src/create/README.md']) {
  copyFileSync(file, `dist-create/${basename(file)}`)
}
const manifest = {
  name: 'create-espalier',
  version,
  description: 'Makes an application of Espalier: npm create espalier@latest my-app',
  keywords: ['espalier', 'create', 'server', 'typescript'],
  license,
  type: 'module',
  engines,
  bin: { 'create-espalier': 'create/main.js' },
  files: ['create'],
}
writeFileSync('dist-create/package.json', `${JSON.stringify(manifest, undefined, 2)}\n`)

// The declarations of plugins import types from 'fastify'. Installed packages go before patterns, but not before exact
// names. `fa*stify` matches no other name in use. There are no values, since there would be none to load. `export =` lets
// what plugins declare (`declare module 'fastify'`) reach the interfaces themselves.
const declared = ['fa*stify', 'fastify/types/*'].map(
  (name) => `declare module '${name}' {
  import type * as types from 'espalier/fastify/types' with { 'resolution-mode': 'import' }
  export = types
}
`,
)
writeFileSync('dist/fastify/modules.d.cts', declared.join(''))

// Not in the source: the compiler would write the path of the source file into the declarations, and this project's own
// programs would get the types of the last build.
for (const [file, path] of [
  ['dist/index.d.ts', './fastify/modules.d.cts'],
  ['dist/fastify/index.d.ts', './modules.d.cts'],
]) {
  writeFileSync(file, `/// <reference path="${path}" />\n${readFileSync(file, 'utf8')}`)
}
