// Other forms of an application whose start is measured: bundled by esbuild, as a serverless function is, and with the
// schemas that `espalier compile` has compiled. They are made before anything is measured.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { build } from 'esbuild'
import { checkAnswer } from './client.ts'
import { type Stand, workFolder } from './peers.ts'
import { lastRoute, type OwnSize } from './scenarios.ts'
import { withServer } from './server.ts'

// What is CommonJS in a bundle of modules asks for Node's own modules by a `require`, which modules lack.
const banner =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/** What peers import on Node only. */
const adapters = ['@hono/node-server', '@elysiajs/node']

const command = resolve(import.meta.dirname, '../../dist/cli/main.js')

/** The other forms of a peer, for an application of this size. One that does not answer is said so and left.
 *  @param node the program of Node that starts them */
export async function formsOf(stand: Stand, size: OwnSize, node: string): Promise<Stand[]> {
  const { forms = [] } = stand
  if (forms.length > 0) console.error(`${stand.title}: ${forms.join(', ')}…`)
  const compiled = forms.some((form) => form !== 'bundled') ? compile(stand, size) : undefined
  const found: Stand[] = []
  for (const form of forms) {
    const title = `${stand.title}, ${form}`
    try {
      const program = writeProgram(stand, size, form === 'bundled' ? undefined : compiled)
      const script = form === 'compiled' ? program : await bundle(program, stand)
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
function compile(stand: Stand, size: OwnSize): string {
  const application = write(`${nameOf(stand, size)}.mjs`, [
    importOf('{ createOwn }', moduleOf(stand)),
    `export const build = () => createOwn(${JSON.stringify(size)})`,
  ])
  const file = application.replace(/\.mjs$/, '-schemas.mjs')
  const args = [command, 'compile', application, '-o', file]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status === 0) return file
  throw new Error(`espalier compile ended with status ${status}: ${stderr}`)
}

/** Writes the program that starts a server, with compiled schemas if there are some. */
function writeProgram(stand: Stand, size: OwnSize, compiled?: string): string {
  if (stand.on === 'workerd') return writeWorker(stand, size, compiled)
  const start = compiled ? '(size) => startOwn({ ...size, compiled })' : 'startOwn'
  return write(`${nameOf(stand, size)}-${compiled ? 'compiled' : 'plain'}.mjs`, [
    importOf('{ startOwn }', moduleOf(stand)),
    importOf('{ serve }', join(stand.folder, 'serving.mjs')),
    ...(compiled ? [importOf('compiled', compiled)] : []),
    `await serve(${start}, JSON.parse(process.argv[3]))`,
  ])
}

/** Writes a module of Workers. */
function writeWorker(stand: Stand, size: OwnSize, compiled?: string): string {
  const given = `${JSON.stringify(size).slice(0, -1)}${compiled ? ', compiled' : ''} }`
  return write(`${nameOf(stand, size)}-worker.mjs`, [
    importOf('{ createOwn }', moduleOf(stand)),
    ...(compiled ? [importOf('compiled', compiled)] : []),
    `const { fetch } = await createOwn(${given})`,
    'export default { fetch }',
  ])
}

const moduleOf = ({ folder, name, module = name }: Stand): string => join(folder, `${module}.mjs`)

/** @returns the bundle of a program */
async function bundle(program: string, { on }: Stand): Promise<string> {
  const outfile = program.replace(/\.mjs$/, '-bundle.mjs')
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // As workers are deployed: what they load is text that is sent to machines everywhere.
    minify: on === 'workerd',
    ...(on === 'workerd'
      ? { conditions: ['workerd', 'worker'], external: ['node:*', ...adapters] }
      : { banner: { js: banner }, external: on === undefined ? [] : adapters }),
    logLevel: 'silent',
  })
  return outfile
}

const nameOf = ({ name }: Stand, { routes, contexts }: OwnSize): string =>
  `${name}-${routes}-${contexts}`

const importOf = (names: string, file: string): string =>
  `import ${names} from './${relative(workFolder(), file).replaceAll(sep, '/')}'`

/** Writes a module into the folder of works. @returns its path */
function write(name: string, lines: readonly string[]): string {
  const file = join(workFolder(), name)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}
