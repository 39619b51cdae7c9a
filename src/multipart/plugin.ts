import publishedPlugin from '@fastify/multipart'
import { guard } from '../lifecycle/log/guard.ts'
import type { Reply } from '../lifecycle/reply.ts'
import type { Request } from '../lifecycle/request.ts'
import type { Adopted } from '../plugin/plugin-types.ts'
import { markFacts } from '../plugin/plugin.ts'
import { adopt } from '../server/factory.ts'
import { writeFailure } from '../server/log.ts'
import { nodeOf } from '../server/node.ts'
import type { ServerInstance } from '../server/server.ts'
import { type FormFields, formFields } from './file-fields.ts'
import { type FormPart, readForm } from './read-form.ts'
import { StoredFiles } from './stored-files.ts'

/** The plugin that `multipart` makes. */
export type MultipartPlugin = Adopted<{}>

/** What is too much, and answered with 413. The fields of a form, without its files, may have
 *  `bodyLimit` bytes together. */
export interface MultipartLimits {
  /** The largest file in bytes, where `t.File` has no `maxSize`.
   *  @default the `bodyLimit` of the server */
  readonly fileSize?: number
  /** The most files of a form. @default 10 */
  readonly files?: number
  /** The most fields and files of a form. @default 1000 */
  readonly parts?: number
}

/** The options of `multipart`. */
export interface MultipartOptions {
  readonly limits?: MultipartLimits
  /** Up to how many bytes a file stays in memory. A larger one is written to a temporary file,
   *  which is removed when the response has ended. @default 65536 */
  readonly memory?: number
  /** The folder of temporary files. @default that of the system */
  readonly folder?: string
}

/** A plugin that reads forms (`multipart/form-data`) in its scope, for routes with a schema of the
 *  body. A file is a `File`, whatever its size. It uses the published @fastify/multipart, which has
 *  to be installed.
 *  @example
 *  const form = { title: t.String(), photo: t.File({ maxSize: 5_000_000, types: ['image/*'] }) }
 *  const body = { content: { 'multipart/form-data': { schema: form } } }
 *  app.register(multipart()).post('/photos', { schema: { body } }, (request) => request.body) */
export function multipart(options: MultipartOptions = {}): MultipartPlugin {
  const facts = { name: 'espalier/multipart' }
  return adopt(markFacts((scope: ServerInstance) => serve(scope, options), facts))
}

/** The members that the published plugin adds to requests. */
interface MultipartRequest extends Request {
  isMultipart(): boolean
  parts(options: object): AsyncGenerator<FormPart>
}

/** The published plugin, as a method: it takes a server of Fastify's types, if these are known. */
interface Published {
  run(scope: object, options: object, done: () => void): void
}

async function serve(scope: ServerInstance, options: MultipartOptions): Promise<void> {
  await new Promise<void>((resolve) => {
    const published: Published = { run: publishedPlugin }
    published.run(scope, {}, resolve)
  })
  const known = new WeakMap<object, FormFields>()
  const fieldsOf = ({ routeOptions, server }: Request) => {
    const { schema } = routeOptions
    const body: unknown = Reflect.get(Object(schema) as object, 'body')
    if (body === undefined) return undefined
    const found = known.get(routeOptions)
    const fields = found ?? formFields(body, nodeOf(server).context.schemas.all())
    if (found === undefined) known.set(routeOptions, fields)
    return fields
  }
  scope.addHook('preValidation', async (request: MultipartRequest, reply: Reply) => {
    if (!request.isMultipart()) return
    const fields = fieldsOf(request)
    if (fields !== undefined) await read(request, reply, fields, options)
  })
  // A handler may read the form itself: the parser gives its errors no status.
  scope.addHook('onError', async (_request: Request, reply: Reply, error: unknown) => {
    if (!(error instanceof Error) || 'statusCode' in error || !malformed.test(error.message)) return
    Object.assign(error, { statusCode: 400 })
    reply.code(400)
  })
}

/** The messages of the parser for a form that breaks off, or has no boundary. */
const malformed = /unexpected end of multipart data$|^Multipart: Boundary not found$/i

async function read(
  request: MultipartRequest,
  { raw }: Reply,
  fields: FormFields,
  { limits = {}, memory = 65_536, folder }: MultipartOptions,
): Promise<void> {
  const { bodyLimit } = request.routeOptions
  const stored = new StoredFiles({ memory, folder })
  // The reader has the limits, whose errors name the field.
  const none = { fileSize: Infinity, parts: Infinity, fieldSize: bodyLimit }
  const rules = {
    fields,
    fileSize: limits.fileSize ?? nodeOf(request.server).host.options.bodyLimit,
    fileCount: limits.files ?? 10,
    partCount: limits.parts ?? 1000,
    textSize: bodyLimit,
  }
  try {
    request.body = await readForm(request.parts({ limits: none }), rules, stored)
  } catch (error) {
    // Nobody reads the rest of the form.
    request.raw.unpipe()
    await stored.remove()
    throw error
  }
  const remove = (): void => {
    guard(() => stored.remove(), writeFailure)
  }
  if (raw.closed) remove()
  else raw.once('close', remove)
}
