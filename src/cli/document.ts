import { isObject, type JsonObject } from '../schema/values.ts'
import { documentOf } from '../openapi/index.ts'
import type { OpenApiVersion } from '../openapi/options.ts'
import { withApplication } from './application.ts'

/** What the caller changes of the document of an application. */
export interface DocumentChanges {
  readonly version?: OpenApiVersion | undefined
  readonly title?: string | undefined
  readonly apiVersion?: string | undefined
}

/** The document of the application in a module, as JSON has it. @throws UsageError */
export function documentOfModule(
  path: string,
  { version, title, apiVersion }: DocumentChanges = {},
): Promise<JsonObject> {
  return withApplication(path, async ({ server }) => {
    const made = await documentOf(server, version === undefined ? {} : { version })
    const info = {
      ...made.info,
      ...(title !== undefined && { title }),
      ...(apiVersion !== undefined && { version: apiVersion }),
    }
    const document: unknown = JSON.parse(JSON.stringify({ ...made, info }))
    return isObject(document) ? document : {}
  })
}
