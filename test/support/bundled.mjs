// Preload: `node --import tsx --import ./test/support/bundled.mjs test/run.ts …`.
// Tests import files of src/. There are some 300 of them, and a process reads each through tsx: 1.5 s for every test file.
// This makes a few files of them once, and leads the imports of tests there.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { register } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..', '..')

/** The files of src/ that tests and examples import. Each is an entry point, so that all of them share their modules. */
function imported() {
  const folders = ['test', 'examples', 'docs/.vitepress'].map((name) => join(root, name))
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.m?ts$/.test(path) && !path.includes('node_modules'))
      .map((path) => join(folder, path)),
  )
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'((?:\.\.\/)+src\/[\w/.-]+\.ts)'/g)].map(([, path]) =>
      relative(root, resolve(file, '..', path)),
    ),
  )
  return [...new Set(found)].filter((path) => path.startsWith('src'))
}

async function bundle(outdir) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: root,
    entryPoints: imported(),
    outbase: 'src',
    outdir,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [
      {
        name: 'late',
        setup: ({ onResolve }) =>
          onResolve({ filter: /packages\/late\.cjs$/ }, () => ({ path: '#late', external: true })),
      },
    ],
  })
}

if (!process.env.BUNDLED_SOURCE) {
  const folder = mkdtempSync(join(root, '.bundled-'))
  process.on('exit', () => rmSync(folder, { recursive: true }))
  await bundle(folder)
  process.env.BUNDLED_SOURCE = folder
}

const hooks = `
import { existsSync } from 'node:fs'
const from = ${JSON.stringify(pathToFileURL(join(root, 'src')).href)}
const to = ${JSON.stringify(pathToFileURL(process.env.BUNDLED_SOURCE).href)}
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  if (!found.url.startsWith(from) || context.parentURL?.startsWith(from)) return found
  const url = new URL(found.url)
  const bundled = new URL(to + url.pathname.slice(new URL(from).pathname.length).replace(/\\.ts$/, '.js'))
  if (!existsSync(bundled)) return found
  return { url: bundled.href + url.search, format: 'module', shortCircuit: true }
}
`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
void fileURLToPath
