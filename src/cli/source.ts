import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { isObject, type JsonObject } from '../types/objects.ts'
import { documentOfModule } from './document.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Reads a document: of a file, of a file in git as `ref:path`, or of an application's module.
 *  @throws UsageError */
export async function readDocument(source: string): Promise<JsonObject> {
  if (existsSync(source) && !statSync(source).isDirectory()) {
    if (isModule(source)) return documentOfModule(source)
    return parseDocument(readFileSync(source, 'utf8'), source)
  }
  return parseDocument(await readText(source), source)
}

/** The text of a file in git. @throws UsageError */
export async function readText(source: string): Promise<string> {
  // No revision begins with a hyphen, but options of git do.
  const [, reference = '', path = ''] = /^(?!-)([^:]+):(.+)$/.exec(source) ?? []
  if (path !== '') return show(reference, path)
  throw new UsageError(
    `There is no file '${source}'`,
    'Name a file, one in git as origin/main:openapi.json, or the module of an application',
  )
}

export function isModule(path: string): boolean {
  return /^\.[cm]?[jt]sx?$/.test(extname(path))
}

/** What to do about messages of git. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /invalid object name|unknown revision|bad revision/,
    'Fetch it first: git fetch origin. In GitHub Actions give actions/checkout the option fetch-depth: 0',
  ],
  [
    /aka '/,
    'Begin the path by ./ where it is that from this folder, not from the top of the repository',
  ],
  [/not a git repository/, 'Run the command inside of the repository'],
  [/ENOENT/, 'Install git, or give a file'],
]

/** A file of a revision. */
async function show(reference: string, path: string): Promise<string> {
  const options = { maxBuffer: 2 ** 28 }
  try {
    const shown = await promisify(execFile)('git', ['show', `${reference}:${path}`], options)
    return shown.stdout
  } catch (error) {
    const said =
      isObject(error) && typeof error['stderr'] === 'string' ? error['stderr'].trim() : ''
    const reason = said === '' ? String(error) : said
    const [, remedy = `Commit the document there first: espalier openapi emit MODULE -o ${path}`] =
      remedies.find(([pattern]) => pattern.test(reason)) ?? []
    throw new UsageError(`git does not show '${reference}:${path}': ${reason}`, remedy, error)
  }
}

/** JSON is YAML too, but this reads it faster and its messages know it. */
export function parseDocument(text: string, source: string): JsonObject {
  let document: unknown
  try {
    document = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `'${source}' is neither JSON nor YAML: ${reason}`,
      'Write it anew: espalier openapi emit',
      error,
    )
  }
  if (isObject(document) && String(document['openapi']).startsWith('3.')) return document
  throw new UsageError(
    `'${source}' is no OpenAPI document of version 3`,
    'Its first line says the version: openapi: 3.1.1',
  )
}
