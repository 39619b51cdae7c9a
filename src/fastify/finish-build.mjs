// The last step of the build: the JavaScript, the package that stands for Fastify, the package `create-espalier`, the entry
// points of `require`, and the types of the module `fastify` for programs without a package of that name.
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'
import { declareForCommonJs } from './common-js-types.mjs'

// Each file costs time when a process starts, so there are few. The JavaScript of TypeBox, 250 files, is part of them.
// Its types are not.
const doors = [
  'client',
  'client/use',
  'client/socket',
  'client/query',
  'schema',
  'openapi',
  'websocket',
  'multipart',
]
doors.push('otel', 'mcp', 'testing', 'fastify')
const entries = ['index', ...doors.map((door) => `${door}/index`), 'fastify/lib', 'fastify/types']
/** What is the same for each build. */
const output = { bundle: true, platform: 'node', target: 'es2022', logLevel: 'warning' }
const { metafile } = await build({
  ...output,
  // A file of its own for what `require` gives, which bundles of ES modules leave out.
  entryPoints: [...entries, 'parts', 'common-js', 'cli/main'].map((name) => `src/${name}.ts`),
  outbase: 'src',
  outdir: 'dist',
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [{ name: 'packages', setup: keepPackages }],
  metafile: true,
})
/** Without spaces and comments. Names stay, for stacks of errors. */
const short = { minifyWhitespace: true, minifySyntax: true, lineLimit: 120 }
await build({
  ...{ logLevel: 'warning', ...short, allowOverwrite: true },
  entryPoints: ['dist/cli/main.js'],
  outfile: 'dist/cli/main.js',
})
await buildCommonJs()
await build({
  ...output,
  entryPoints: ['src/parts-for-workers.ts'],
  outdir: 'dist',
  format: 'esm',
  plugins: [{ name: 'errors', setup: keepErrors }],
})
mkdirSync('dist/packages', { recursive: true })
// The licence of what is part of these files.
copyFileSync('node_modules/@sinclair/typebox/license', 'dist/chunks/LICENSE-typebox')
for (const file of ['late.cjs', 'late-workers.cjs', 'late.d.cts']) {
  copyFileSync(`src/packages/${file}`, `dist/packages/${file}`)
}

/** Leaves packages where they are, but TypeBox, and the file that loads packages later. */
function keepPackages({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path }) =>
    path.startsWith('@sinclair/typebox') ? undefined : { path, external: true },
  )
  onResolve({ filter: /packages\/late\.cjs$/ }, () => ({ path: '#late', external: true }))
  onResolve({ filter: /\/(making|node-only)\.ts$/ }, ({ importer }) =>
    importer.endsWith('parts.ts') ? undefined : { path: '#parts', external: true },
  )
}

/** Takes the errors from the package itself, which has loaded them. */
function keepErrors({ onResolve }) {
  onResolve({ filter: /errors\/codes\.ts$/ }, () => ({ path: 'espalier', external: true }))
}

/** The same files again as CommonJS: what `require` gives. Jest and other loaders cannot require ES modules. Bundlers take
 *  the ES modules by `require` too. */
async function buildCommonJs() {
  const files = new Set()
  const add = (path) => {
    if (files.has(path)) return
    files.add(path)
    const { imports } = metafile.outputs[path]
    for (const { path } of imports.filter(({ external }) => !external)) add(path)
  }
  for (const name of [...entries, 'parts']) add(`dist/${name}.js`)
  await build({
    ...output,
    entryPoints: [...files],
    outbase: 'dist',
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    ...short,
    define: { 'import.meta.url': '__filename' },
    // Jest has no `import()` by default.
    supported: { 'dynamic-import': false },
    plugins: [{ name: 'files', setup: keepFiles }],
  })
  const name = JSON.stringify('module.exports')
  for (const entry of ['index', 'fastify/index']) {
    appendFileSync(`dist/${entry}.cjs`, `module.exports = module.exports[${name}]\n`)
    writeFileSync(
      `dist/${entry}.bundled.cjs`,
      `// For bundlers, not all of which know the name by which Node finds what \`require\` gives.
const namespace = require('./index.js')
module.exports = namespace[${name}] ?? namespace
`,
    )
  }
}

/** Leaves all files and packages where they are, under the names that they have as CommonJS. */
function keepFiles({ onResolve }) {
  onResolve({ filter: /./ }, ({ path, kind }) => {
    if (kind === 'entry-point') return undefined
    const name = path.startsWith('.') ? path.replace(/\.js$/, '.cjs') : path
    return { path: name, external: true }
  })
}

declareForCommonJs(entries.map((entry) => `dist/${entry}`))

cpSync('src/fastify/alias', 'dist-fastify', { recursive: true })
copyFileSync('LICENSE', 'dist-fastify/LICENSE')

// `npm create espalier` installs this package alone, so it has no dependencies.
const { version, license, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
await build({
  ...output,
  entryPoints: ['src/create/main.ts'],
  outdir: 'dist-create/create',
  format: 'esm',
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
