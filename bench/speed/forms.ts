// Other forms of an application whose start is measured: bundled by esbuild, as a serverless function is, and with the
// schemas that `espalier compile` has compiled. They are made before anything is measured.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { build } from 'esbuild'
import { checkAnswer } from './client.ts'
import { type Form, type Stand, workFolder } from './peers.ts'
import { lastRoute, type OwnSize } from './scenarios.ts'
import { withServer } from './server.ts'

// What is CommonJS in a bundle of modules asks for Node's own modules by a `require`, which modules lack.
const banner =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

const command = resolve(import.meta.dirname, '../../dist/cli/main.js')

/** The other forms of a peer, for an application of this size. One that does not answer is said so and left.
 *  @param node the program of Node that starts them */
export async function formsOf(stand: Stand, size: OwnSize, node: string): Promise<Stand[]> {
  const { forms = [] } = stand
  if (forms.length > 0) console.error(`${stand.title}: ${forms.join(', ')}…`)
  const compiled = forms.includes('compiled') ? compile(stand, size) : undefined
  const found: Stand[] = []
  for (const form of forms) {
    const title = `${stand.title}, ${form}`
    try {
      const script = await programOf(stand, form, form === 'bundled' ? undefined : compiled)
      const made = { ...stand, title, script }
      await withServer(made, { node, options: size, free: true }, ({ port }) =>
        checkAnswer(lastRoute(size), port, title),
      )
      found.push(made)
    } catch (error) {
      console.error(`${title} is left out: ${error instanceof Error ? error.message : error}`)
    }
  }
  return found
}

/** Writes the functions of an application's schemas. @returns the module */
function compile(stand: Stand, { routes, contexts }: OwnSize): string {
  const application = write(`${stand.name}-${routes}-${contexts}.mjs`, [
    importOf('{ createOwn }', join(stand.folder, `${stand.name}.mjs`)),
    `export const build = () => createOwn({ routes: ${routes}, contexts: ${contexts} })`,
  ])
  const file = application.replace(/\.mjs$/, '-compiled.mjs')
  const args = [command, 'compile', application, '-o', file]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status === 0) return file
  throw new Error(`espalier compile ended with status ${status}: ${stderr}`)
}

/** Writes the program that starts a server in one of these forms. */
async function programOf(stand: Stand, form: Form, compiled?: string): Promise<string> {
  const name = `${stand.name}-${form.replaceAll(' ', '-')}`
  const start = compiled ? '(size) => startOwn({ ...size, compiled })' : 'startOwn'
  const entry = write(`${name}.mjs`, [
    importOf('{ startOwn }', join(stand.folder, `${stand.name}.mjs`)),
    importOf('{ serve }', join(stand.folder, 'serving.mjs')),
    ...(compiled ? [importOf('compiled', compiled)] : []),
    `await serve(${start}, JSON.parse(process.argv[3]))`,
  ])
  if (form === 'compiled') return entry
  const outfile = join(workFolder(), `${name}.bundle.mjs`)
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: false,
    banner: { js: banner },
    logLevel: 'silent',
  })
  return outfile
}

const importOf = (names: string, file: string): string =>
  `import ${names} from './${relative(workFolder(), file).replaceAll(sep, '/')}'`

/** Writes a module into the folder of works. @returns its path */
function write(name: string, lines: readonly string[]): string {
  const file = join(workFolder(), name)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}
