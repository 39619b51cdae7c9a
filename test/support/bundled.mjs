// Makes a few files of the 300 of src/ for tests: `node --import tsx --import ./test/support/bundled.mjs test/run.ts …`.
// A test file runs in a process of its own, and to read the source through tsx takes each of them more than a second.
// The first process bundles. It and those that it starts find there what they import.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { register } from 'node:module'
import { join, relative, resolve as resolvePath } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolvePath(import.meta.dirname, '..', '..')
const source = pathToFileURL(join(root, 'src/')).href

/** Leads an import of a file of src/ to its bundle. */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  const [file] = found.url.split('?')
  if (!file.startsWith(source) || !file.endsWith('.ts')) return found
  const folder = pathToFileURL(`${process.env.BUNDLED_SOURCE}/`).href
  const bundled = `${folder}${file.slice(source.length, -3)}.js`
  if (!existsSync(new URL(bundled))) return found
  return { url: found.url.replace(file, bundled), format: 'module', shortCircuit: true }
}

/** The files of src/ that tests import. Each is an entry point, so that the bundles share their modules. */
function imported() {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(m?ts|mjs)$/.test(path))
    .map((path) => join(root, 'test', path))
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'((?:\.\.\/)+src\/[\w/.-]+\.ts)'/g)]
      .map(([, path]) => relative(root, resolvePath(file, '..', path)))
      .filter((path) => path.startsWith('src') && existsSync(join(root, path))),
  )
  return [...new Set(found)]
}

/** The source of options, with the defaults that another preload wants: pairs of a text and its replacement. */
function withDefaults(text) {
  const changes = JSON.parse(process.env.BUNDLED_DEFAULTS ?? '[]')
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`src/server/options.ts has no ${from}`)
    return changed.replace(from, to)
  }, text)
}

async function bundle(outdir) {
  const { build } = await import('esbuild')
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /packages\/late\.cjs$/ }, () => ({ path: '#late', external: true }))
    onLoad({ filter: /server[\\/]options\.ts$/ }, ({ path }) => ({
      contents: withDefaults(readFileSync(path, 'utf8')),
      loader: 'ts',
    }))
  }
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
    plugins: [{ name: 'source', setup }],
  })
}

// The thread of the hooks loads this file too.
if (!import.meta.url.includes('?hooks')) {
  if (process.env.BUNDLED_SOURCE === undefined) {
    process.env.BUNDLED_SOURCE = mkdtempSync(join(root, '.bundled-'))
    process.on('exit', () => rmSync(process.env.BUNDLED_SOURCE, { recursive: true }))
    await bundle(process.env.BUNDLED_SOURCE)
  }
  register(`${import.meta.url}?hooks`)
}
