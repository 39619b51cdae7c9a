// Writes applications as projects of their own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Framework, routesPerPlugin, upTo } from './application.ts'

/** The compiler options of every application. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  rootDir: '.',
}

/** So many routes, with the file of client calls or without it. */
export interface Size {
  readonly routes: number
  readonly client?: boolean
}

/** Runs something with a folder for applications of Espalier, and removes it afterwards. It is inside of the project,
 *  which imports itself by its own name there. */
export function withOwnFolder<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(resolve(import.meta.dirname, '../..'), '.bench-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Writes an application into a folder of its own below `root`, which must be where its framework can be imported from.
 *  Gives the folder. */
export function writeApplication(root: string, framework: Framework, size: Size): string {
  const plugins = upTo(Math.ceil(size.routes / routesPerPlugin))
  const all = upTo(size.routes)
  const files: Record<string, string> = {
    shared: framework.shared,
    main: framework.main(plugins),
  }
  for (const index of plugins) {
    const first = index * routesPerPlugin
    files[`plugin-${index}`] = framework.plugin(index, all.slice(first, first + routesPerPlugin))
  }
  if (size.client && framework.client) files['client'] = framework.client(all)
  return writeProject(join(root, `${size.routes}${size.client ? '-client' : ''}`), files)
}

/** Writes a project that only imports the framework. */
export function writeEmpty(root: string, framework: Framework): string {
  return writeProject(join(root, 'empty'), { main: framework.empty })
}

/** Writes a project of its own into a folder: texts by the names of their modules. Gives the folder. */
export function writeProject(folder: string, files: Readonly<Record<string, string>>): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.ts`), text)
  const settings = { compilerOptions, files: Object.keys(files).map((name) => `${name}.ts`) }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings, null, 2))
  return folder
}
