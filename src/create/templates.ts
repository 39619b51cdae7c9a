import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../version.ts'
import { type PackageManager, scriptCommand } from './package-manager.ts'

/** What can be made, each with a line for the help. */
export const templates = {
  minimal: 'one route, a configuration, a test',
  service: 'users and tokens, a database, OpenAPI, type tests, a Dockerfile, CI',
  react: 'an API, and a page with React, Vite and TanStack Query that knows its types',
  worker: 'one route and a binding on Cloudflare Workers, a test',
}

export type Template = keyof typeof templates

export interface Application {
  readonly name: string
  readonly template: Template
  readonly manager: PackageManager
}

// The same path leads there from this file, from a bundle in `create/` or `cli/`, and from a chunk.
const folder = fileURLToPath(new URL('../create/templates/', import.meta.url))

/** Writes the files of an application into a folder. */
export function writeApplication(target: string, application: Application): void {
  cpSync(join(folder, application.template), target, { recursive: true })
  if (application.manager !== 'pnpm') rmSync(join(target, 'pnpm-workspace.yaml'))
  const entries = readdirSync(target, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    writeFileSync(path, fillIn(readFileSync(path, 'utf8'), entry.name, application))
  }
  // npm leaves some files whose names begin with a dot out of a package. The deepest come first.
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toReversed()
  for (const path of paths.filter((each) => basename(each).startsWith('_'))) {
    renameSync(path, join(dirname(path), basename(path).replace('_', '.')))
  }
}

function fillIn(text: string, file: string, { name, manager }: Application): string {
  const named = text
    .replaceAll('app-name', name)
    .replace('"espalier": "^0.0.0"', `"espalier": "^${version}"`)
  if (file !== 'README.md') return named
  const command = /\bnpm (?:(install|start|test)\b|run ([\w:]+))/g
  return named.replaceAll(command, (_, known?: string, script: string = '') =>
    known === 'install' ? `${manager} install` : scriptCommand(manager, known ?? script),
  )
}
