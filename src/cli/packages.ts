import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject, type JsonObject } from '../types/objects.ts'
import { UsageError } from '../errors/usage-error.ts'

/** The file of a package's entry point as a folder of an application sees it; undefined where it is
 *  not installed. */
export function findPackage(name: string, folder: string): string | undefined {
  try {
    return requireIn(folder).resolve(name)
  } catch {
    return undefined
  }
}

/** Loads a package as CommonJS in a folder does, if it is installed there. */
export function requireIfThere(name: string, folder: string): void {
  if (findPackage(name, folder) !== undefined) requireIn(folder)(name)
}

const requireIn = (folder: string): NodeJS.Require => createRequire(join(resolve(folder), 'any.js'))

/** Loads an optional package: that of the folder that the command runs in, else the one beside this
 *  package.
 *  @param load imports it from here
 *  @throws UsageError if it is not installed */
export async function loadPackage(name: string, load: () => Promise<unknown>): Promise<JsonObject> {
  const found = findPackage(name, process.cwd())
  try {
    const loaded: unknown = await (found === undefined ? load() : importFile(found))
    return isObject(loaded) ? loaded : {}
  } catch (error) {
    if (found !== undefined) throw error
    throw new UsageError(
      `The package '${name}' is needed for this, and is not installed`,
      `Run: npm install --save-dev ${name}`,
      error,
    )
  }
}

/** Imports a file by its path. */
export function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href)
}
