import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { type Framework, pluginOf } from '../application.ts'
import { withOwnFolder, writeProject } from '../generate.ts'
import { espalier } from './espalier.ts'

const program = resolve(import.meta.dirname, '../../../dist/cli/main.js')
const start = 'export interface Routes {\n'

/** What `espalier contract emit` writes of an application with these routes. @throws what it says where it fails */
export function emitContract(routes: readonly number[]): string {
  return withOwnFolder((folder) => {
    const plugins = [...new Set(routes.map(pluginOf))]
    writeProject(folder, {
      shared: espalier.shared,
      main: espalier.main(plugins),
      ...Object.fromEntries(
        plugins.map((index) => [
          `plugin-${index}`,
          espalier.plugin(
            index,
            routes.filter((route) => pluginOf(route) === index),
          ),
        ]),
      ),
    })
    const args = [program, 'contract', 'emit', 'main.ts']
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
    })
    if (!stdout.includes(start)) throw new Error(`espalier contract emit: ${stderr}`)
    return stdout
  })
}

/** A number that no name of the application has by itself. */
const sample = 7777
let written: string | undefined

/** The same for many routes. The command is run for one route, since it takes a minute for two thousand: entries differ
 *  in their numbers alone. */
export function contractOf(routes: readonly number[]): string {
  written ??= emitContract([sample])
  const [head = '', rest = ''] = written.split(start)
  const end = rest.indexOf('\n}') + 1
  const [entry, tail] = [rest.slice(0, end), rest.slice(end)]
  const entries = routes.map((route) =>
    entry
      .replaceAll(`p${pluginOf(sample)}/`, `p${pluginOf(route)}/`)
      .replaceAll(`${sample}`, `${route}`),
  )
  return [head, start, ...entries.sort(), tail].join('')
}

/** A front end: the contract that `espalier contract emit` writes of the same application, and nothing of the server. */
export const espalierEmitted: Framework = {
  ...espalier,
  name: 'Espalier, front end with an emitted contract',
  shared: '',
  plugin: () => '',
  main: () => '',
  contract: contractOf,
  client: (routes) =>
    espalier
      .client?.(routes)
      .replace("{ App } from './main.js'", "{ Api as App } from './contract.js'") ?? '',
}
