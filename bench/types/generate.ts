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
  const files = applicationFiles(framework, size.routes)
  if (size.client && framework.client) files['client'] = framework.client(upTo(size.routes))
  return writeProject(join(root, `${size.routes}${size.client ? '-client' : ''}`), files)
}

/** The texts of an application, by the names of their modules. One without a text is no file. */
export function applicationFiles(framework: Framework, routes: number): Record<string, string> {
  const plugins = pluginsOf(routes)
  const files: Record<string, string> = {
    shared: framework.shared,
    main: framework.main(plugins.map(({ index }) => index)),
  }
  if (framework.contract) files['contract'] = framework.contract(upTo(routes))
  for (const { index, own } of plugins) files[`plugin-${index}`] = framework.plugin(index, own)
  return Object.fromEntries(Object.entries(files).filter(([, text]) => text !== ''))
}

/** The plugins of an application, each with the numbers of its own routes. */
export function pluginsOf(routes: number): { index: number; own: number[] }[] {
  const all = upTo(routes)
  return upTo(Math.ceil(routes / routesPerPlugin)).map((index) => {
    const first = index * routesPerPlugin
    return { index, own: all.slice(first, first + routesPerPlugin) }
  })
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
