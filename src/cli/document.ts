import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isObject, type JsonObject } from '../types/objects.ts'
import { documentOf } from '../openapi/index.ts'
import type { OpenApiVersion } from '../openapi/options.ts'
import { type Application, withApplication } from './application.ts'

/** What the caller says of the document of an application. */
export interface DocumentChanges {
  readonly version?: OpenApiVersion | undefined
  readonly title?: string | undefined
  readonly apiVersion?: string | undefined
}

/** The document of the application in a module, as JSON has it. A title and a version that the
 *  caller does not give are those of the plugin `openapi`, or else of the nearest package.json.
 *  @param look sees the application once it has booted
 *  @throws UsageError */
export function documentOfModule(
  path: string,
  { version, title, apiVersion }: DocumentChanges = {},
  look: (application: Application) => void = () => undefined,
): Promise<JsonObject> {
  return withApplication(path, async (application) => {
    const { server, host } = application
    const isRegistered = host.root.decorators.server.has('openapi')
    const made = await documentOf(server, {
      ...(version !== undefined && { version }),
      ...(!isRegistered && { info: packageInfo(dirname(resolve(path))) }),
    })
    const info = {
      ...made.info,
      ...(title !== undefined && { title }),
      ...(apiVersion !== undefined && { version: apiVersion }),
    }
    look(application)
    const written: unknown = JSON.parse(JSON.stringify({ ...made, info }))
    return isObject(written) ? written : {}
  })
}

/** The name and the version of the package that a folder belongs to. */
function packageInfo(folder: string): { title: string; version: string } {
  const file = join(folder, 'package.json')
  const above = dirname(folder)
  if (!existsSync(file) && above !== folder) return packageInfo(above)
  const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const { name, version } = isObject(manifest) ? manifest : {}
  return {
    title: typeof name === 'string' ? name : 'API',
    version: typeof version === 'string' ? version : '0.0.0',
  }
}
