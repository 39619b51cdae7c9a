import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../version.ts'

/** What can be made, each with a line for the help. */
export const templates = {
  minimal: 'one route, a configuration, a test',
  service: 'users and tokens, a database, OpenAPI, type tests, a Dockerfile, CI',
}

export type Template = keyof typeof templates

// The same path leads there from this file, from a bundle in `create/` or `cli/`, and from a chunk.
const folder = fileURLToPath(new URL('../create/templates/', import.meta.url))

/** Writes the files of a template into a folder, for an application of a name. */
export function copyTemplate(template: Template, target: string, name: string): void {
  cpSync(join(folder, template), target, { recursive: true })
  const entries = readdirSync(target, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => ({
    path: join(entry.parentPath, entry.name),
    isFile: entry.isFile(),
  }))
  for (const { path } of paths.filter(({ isFile }) => isFile)) {
    const text = readFileSync(path, 'utf8')
    const filled = text
      .replaceAll('app-name', name)
      .replace('"espalier": "^0.0.0"', `"espalier": "^${version}"`)
    writeFileSync(path, filled)
  }
  // npm leaves some files whose names begin with a dot out of a package. The deepest come first.
  const hidden = paths.filter(({ path }) => basename(path).startsWith('_'))
  for (const { path } of hidden.toReversed()) {
    renameSync(path, join(dirname(path), basename(path).replace('_', '.')))
  }
}
