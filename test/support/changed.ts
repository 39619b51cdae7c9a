// Which tests a change touches, for `test/run.ts --changed`. `.ci/changed.js` says what a change is.
import { resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Metafile } from 'esbuild'

const root = resolve(import.meta.dirname, '../..')

/** What each file of the project imports, from the tests down, as `src/room/file.ts`. */
async function importsOf(files: readonly string[]): Promise<Metafile['inputs']> {
  const contents = files.map((file) => `import '${file.split(sep).join('/')}'\n`).join('')
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    outfile: 'unused',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
  return metafile.inputs
}

/** A file, what it imports, and what that imports. */
function reachedFrom(file: string, inputs: Metafile['inputs']): Set<string> {
  const reached = new Set<string>()
  const walk = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    for (const each of inputs[path]?.imports ?? []) walk(each.path)
  }
  walk(file)
  return reached
}

const roomOf = (path: string) => path.split('/')[1] ?? ''
const isSource = (path: string) => path.startsWith('src/')

/** The tests of the rooms that changed, and of those with a file that imports a changed one; the tests of behaviour that
 *  reach a changed file through what they import; each other test that changed, or that imports what did outside of the
 *  source. */
export async function testsOfChange(tests: readonly string[]): Promise<string[]> {
  const slashed = (path: string) =>
    path
      .slice(root.length + 1)
      .split(sep)
      .join('/')
  const inputs = await importsOf(tests)
  const { changedFiles } = (await import(pathToFileURL(resolve(root, '.ci/changed.js')).href)) as {
    changedFiles: () => string[]
  }
  const changed = new Set(changedFiles())
  const importers = Object.keys(inputs).filter((path) =>
    inputs[path]?.imports.some((each) => isSource(each.path) && changed.has(each.path)),
  )
  const rooms = new Set([...changed, ...importers].filter(isSource).map(roomOf))
  const isDocumented = [...changed].some((path) => path.endsWith('.md'))
  return tests.filter((test) => {
    const path = slashed(test)
    const room = roomOf(path)
    if (rooms.has(room) || (isDocumented && path.startsWith('test/docs'))) return true
    const reached = [...reachedFrom(path, inputs)].filter((each) => changed.has(each))
    return reached.some((each) => room === 'behaviour' || !isSource(each))
  })
}
