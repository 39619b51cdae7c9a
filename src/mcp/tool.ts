import { errorCodes } from '../errors/codes.ts'
import { isJson } from '../http/media-type.ts'
import { readOperation, type SingleOperation } from '../openapi/document.ts'
import type { Parameter, RequestBody, ResponseObject } from '../openapi/types.ts'
import { fieldsOf, reasonOf, targetOf, typesOf } from '../openapi/parts.ts'
import type { RouteRegistration } from '../route/declaration.ts'
import type { Host } from '../server/host.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import type { McpOptions, ToolOptions } from './options.ts'

export type Part = 'params' | 'query' | 'body'

/** Where an argument of a tool goes. */
export interface Place {
  readonly part: Part
  /** The name of the field. Undefined for a whole part. */
  readonly field: string | undefined
}

/** A tool as clients get it (MCP, Server features, Tools). */
export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject & { readonly type: 'object' }
  readonly outputSchema?: JsonObject
  readonly annotations: Readonly<Partial<Record<`${Hint}Hint`, true>>>
}

type Hint = 'readOnly' | 'destructive' | 'idempotent'

/** A route as a tool. */
export interface Tool {
  readonly facts: ToolFacts
  readonly registration: RouteRegistration
  /** The places of the arguments, by name. */
  readonly places: ReadonlyMap<string, Place>
  /** The content type of the body. */
  readonly bodyType: string | undefined
  /** Whether a call without arguments of the body has an empty one. */
  readonly needsBody: boolean
  /** Whether a reply is wrapped as `{ result }`, since it may be no object. */
  readonly wraps: boolean
}

/** The key in the config of a route that has its option `tool`. */
export const toolKey: unique symbol = Symbol.for('espalier.tool')

/** Reads a route as a tool. @throws ESP_ERR_MCP_TOOL for what a tool cannot do */
export function readTool(
  host: Host,
  registration: RouteRegistration,
  { jsonSchema }: McpOptions,
): Tool {
  const { declaration, method, url, context } = registration
  try {
    const operation = readOperation(host, registration, jsonSchema)
    const { draft, render } = operation
    const input = new Input(operation, url.endsWith('?'))
    const output = outputOf(draft['responses'])
    const { operationId, summary, description = summary } = draft
    // cast: the hook that read the option has checked it; true has no members
    const own = Object(Reflect.get(declaration.config, toolKey)) as ToolOptions
    const facts = {
      name:
        own.name ??
        String(operationId)
          .replaceAll(/[^\w-]+/g, '_')
          .slice(0, 64),
      title: own.title ?? String(summary),
      description: own.description ?? String(description),
      inputSchema: { type: 'object', ...render(input.schema()) } as const,
      ...(output !== undefined && { outputSchema: render(output.schema) }),
      annotations: annotationsOf(method),
    }
    const { places, bodyType, needsBody } = input
    const wraps = output?.wraps === true
    return { facts, registration, places, bodyType, needsBody, wraps }
  } catch (error) {
    throw new errorCodes.ESP_ERR_MCP_TOOL(`${method} ${url}`, context.path, reasonOf(error), error)
  }
}

/** What a method says of a tool (RFC 9110, 9.2). Whether the route reaches other systems, nobody
 *  knows, so `openWorldHint` keeps its default. */
function annotationsOf(method: string): ToolFacts['annotations'] {
  return {
    ...(['GET', 'HEAD', 'QUERY', 'OPTIONS'].includes(method) && { readOnlyHint: true }),
    ...(method === 'DELETE' && { destructiveHint: true }),
    ...(['PUT', 'DELETE'].includes(method) && { idempotentHint: true }),
  }
}

/** The parameters of a path, the query and the body as arguments of one object. */
class Input {
  readonly places = new Map<string, Place>()
  readonly bodyType: string | undefined
  needsBody = false
  readonly #properties = new Map<string, unknown>()
  readonly #required: string[] = []

  /** @param isOptional whether the last parameter of the path is */
  constructor({ path, draft }: SingleOperation, isOptional: boolean) {
    const { parameters = [], requestBody } = draft
    const last = path.parameters.at(-1)?.shownAs
    // cast: readers of operations make them
    for (const each of parameters as readonly Parameter[]) {
      if (each.in === 'header') continue
      if (each.in === 'path') {
        const field = path.parameters.find(({ shownAs }) => shownAs === each.name)?.name
        this.#add(each.name, { part: 'params', field }, each, isOptional && each.name === last)
      } else {
        // A query that is no list of fields is one object.
        const field = each.explode === true ? undefined : each.name
        this.#add(each.name, { part: 'query', field }, each)
      }
    }
    // cast: as above
    const body = requestBody as RequestBody | undefined
    const type = body && bodyTypeOf(body)
    this.bodyType = type === '*/*' ? undefined : type
    if (body !== undefined) this.#addBody(body, body.content[type ?? '']?.schema)
  }

  schema(): JsonObject {
    return {
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.length > 0 && { required: this.#required }),
      additionalProperties: false,
    }
  }

  #addBody({ required = false }: RequestBody, schema: unknown = {}): void {
    const types = [...typesOf(schema)].filter((type) => type !== 'null' || required)
    const { fields, isWhole } = fieldsOf(schema)
    const target = targetOf(schema)
    const isOpen = isPlainObject(target) && target['additionalProperties'] === true
    if (types.join() !== 'object' || !isWhole || isOpen || fields.size === 0) {
      this.#add('body', { part: 'body', field: undefined }, { schema, required })
      return
    }
    this.needsBody = required
    for (const [field, { draft, isRequired }] of fields) {
      this.#add(field, { part: 'body', field }, { schema: draft, required: required && isRequired })
    }
  }

  /** A name that is taken gets that of its part in front: `body_id`. */
  #add(wanted: string, place: Place, facts: Facts, isFree = false): void {
    let name = wanted
    while (this.places.has(name)) name = `${place.part}_${name}`
    this.places.set(name, place)
    const { schema = {}, description, required } = facts
    const isBare = description !== undefined && isPlainObject(schema) && !schema['description']
    this.#properties.set(name, isBare ? { ...schema, description } : schema)
    if (required === true && !isFree) this.#required.push(name)
  }
}

type Facts = Partial<Omit<Parameter, 'schema'>> & { readonly schema?: unknown }

const isJsonType = (type: string): boolean => isJson(type.toLowerCase())
const isText = (type: string): boolean => /^text\//i.test(type)

function bodyTypeOf({ content }: RequestBody): string {
  const types = Object.keys(content)
  const found = types.find(isJsonType) ?? types.find(isText) ?? types.find((type) => type === '*/*')
  if (found !== undefined) return found
  throw new Error(
    `its body is ${types.join(' or ')}, and a model writes JSON or text. Take JSON, or leave 'tool' out`,
  )
}

/** The schema of the replies, where all of status 2xx are JSON of one, and whether it wraps them.
 *  @throws Error for bytes and streams */
function outputOf(responses: unknown): { schema: JsonObject; wraps: boolean } | undefined {
  // cast: readers of operations make them
  const all = Object.entries(responses as Readonly<Record<string, ResponseObject>>)
  const successes = all.filter(([status]) => status.startsWith('2'))
  for (const [status, { content }] of successes) refuseBytes(status, content)
  const [first, ...others] = successes
  const media = Object.entries(first?.[1].content ?? {})
  const [[type, { schema }] = ['', {}]] = media
  const isOne = others.length === 0 && media.length === 1 && isJsonType(type)
  if (!isOne || !isPlainObject(schema)) return undefined
  if ([...typesOf(schema)].join() !== 'object') {
    const properties = { result: schema }
    return { schema: { type: 'object', properties, required: ['result'] }, wraps: true }
  }
  const { $ref: link, ...beside } = schema
  // The schema itself stands at the top: clients look for its fields there.
  const isLink = link !== undefined && Object.keys(beside).length === 0
  const target = isLink ? targetOf(schema) : schema
  return { schema: { type: 'object', ...Object(target) } as JsonObject, wraps: false }
}

function refuseBytes(status: string, content: ResponseObject['content'] = {}): void {
  const media = Object.entries(content)
  const isStream = media.some(([, each]) => 'itemSchema' in each)
  const isFit = media.some(([type, each]) => {
    return !('itemSchema' in each) && (type === '*/*' || isText(type) || isJsonType(type))
  })
  if (media.length === 0 || isFit) return
  const kind = `${isStream ? 'a stream of items' : 'bytes'} (${media.map(([type]) => type).join()})`
  throw new Error(
    `its reply ${status} is ${kind}, and a tool answers once, with JSON or text. Answer with a link, or leave 'tool' out`,
  )
}
