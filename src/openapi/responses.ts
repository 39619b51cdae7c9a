import { phraseOf as phraseOfNode } from '../http/status.ts'
import { problemJson } from '../http/problem-details.ts'
import { isJson, mediaTypeOf } from '../http/media-type.ts'
import type { RouteRegistration } from '../route/declaration.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { joinErrors } from '../schema/http-error.ts'
import { readFluent } from '../schema/fluent-schema.ts'
import { isBareEntry, isContentMap } from '../serialization/entry-form.ts'
import { hasItems } from '../serialization/responses.ts'
import type { Components } from './components.ts'
import { Link } from './components.ts'
import { type Draft, isTransformed } from './convert.ts'
import { fieldsOf, inPart, type PartReader, targetOf, typesOf } from './parts.ts'
import type { Security } from './security.ts'

/** A response before its schemas are rendered. */
export interface ResponseDraft {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, JsonObject>
}

/** The responses of a route by status, with the framework's own answers.
 *  @throws Error for what cannot be told; it names the status */
export class ResponseReader {
  readonly #reader: PartReader
  readonly #errors: ErrorResponse

  constructor(reader: PartReader, errors: ErrorResponse) {
    this.#reader = reader
    this.#errors = errors
  }

  /** @param answers the statuses of the framework's own answers to requests of this route */
  read(
    registration: RouteRegistration,
    schema: JsonObject,
    answers: readonly number[],
    security: Security | undefined,
  ): Record<string, ResponseDraft> {
    const found: Record<string, ResponseDraft> = {}
    const declared = isPlainObject(schema['response']) ? schema['response'] : {}
    for (const [key, entry] of Object.entries(declared)) {
      const status = statusKey(key)
      const read = () => this.#entry(entry, status, schema)
      found[status] = inPart(`response ${key}`, read)
    }
    if (Object.keys(found).length === 0) {
      const isHead = registration.method === 'HEAD'
      // A handler may send anything where nothing is declared.
      found['200'] = { description: phraseOf(200), ...(!isHead && { content: { '*/*': {} } }) }
    }
    for (const [key, { schema: entry, place }] of registration.context.responses.all() ?? []) {
      const status = statusKey(key)
      const both = joinErrors(entry, declared[key])
      if (both === undefined && found[status] !== undefined) continue
      const read = () => this.#entry(both ?? entry, status, {})
      found[status] = inPart(`response ${key} of ${place}`, read)
    }
    const answered = new Set(answers.map((status) => keyFor(found, status) ?? String(status)))
    for (const key of answered) this.#addAnswer(found, key)
    if (security !== undefined) {
      for (const status of security.asksForScopes ? [401, 403] : [401]) {
        if (keyFor(found, status) === undefined) {
          found[status] = { description: phraseOf(status) }
        }
      }
    }
    return found
  }

  #entry(source: unknown, status: string, { produces }: JsonObject): ResponseDraft {
    const given = readFluent(source)
    const { description, headers, entry } = splitEntry(given)
    const response: ResponseDraft = { description: description ?? describeStatus(status) }
    if (headers !== undefined) {
      const drafts = Object.entries(headers).map(([name, each]) => {
        const draft = this.#reader.draft(each, 'output', `${status}${name}`)
        return [name, { schema: draft, ...describedBy(draft) }]
      })
      response.headers = Object.fromEntries(drafts) as Record<string, unknown>
    }
    if (entry === undefined || /^(1..|204|205|304)$/.test(status)) return response
    const content = isPlainObject(entry) && !isStandardSchema(entry) ? entry['content'] : undefined
    if (isContentMap(content)) {
      response.content = this.#content(content, status)
      return response
    }
    const draft = this.#reader.draft(entry, 'output', status)
    const target = targetOf(draft)
    if (
      description === undefined &&
      isPlainObject(target) &&
      typeof target['description'] === 'string'
    ) {
      response.description = target['description']
    }
    const types = Array.isArray(produces) ? produces.map(String) : mediaTypesOf(draft)
    if (types.length > 0) {
      response.content = Object.fromEntries(types.map((type) => [type, { schema: draft }]))
    }
    return response
  }

  #content(content: JsonObject, status: string): Record<string, JsonObject> {
    const read = (schema: unknown): Draft => this.#reader.draft(schema, 'output', status)
    return mapMedia(content, (media, type) =>
      hasItems(media)
        ? streamOf(media, type, this.#reader.hasItemSchemas ? read : undefined)
        : mediaOf(media, type, read),
    )
  }

  /** Adds an answer of the framework. Where the route declares the status, the framework serializes
   *  its error by that schema, or as it is if it does not fit. */
  #addAnswer(found: Record<string, ResponseDraft>, key: string): void {
    const { draft: error, type } = this.#errors
    const response = (found[key] ??= { description: describeStatus(key) })
    const content = response.content ?? {}
    const taken = [type, 'application/json', '*/*'].find((each) => content[each] !== undefined)
    const own = taken === undefined ? undefined : content[taken]?.['schema']
    if (taken !== undefined && (own === undefined || this.#errors.fits(own, taken))) return
    const isBeside = own === undefined || (taken !== type && taken !== '*/*')
    response.content = {
      ...content,
      [type]: { schema: isBeside ? error : { anyOf: [own, error] } },
    }
  }
}

/** The payload of the framework's own errors, as a component. */
export class ErrorResponse {
  readonly draft: JsonObject
  readonly type: string

  /** @param asProblem whether it is problem details (RFC 9457) */
  constructor(components: Components, asProblem: boolean) {
    this.type = asProblem ? problemJson : 'application/json'
    const schema = asProblem ? problemSchema : errorSchema
    const drafts = { input: schema, output: schema }
    const stem = asProblem ? 'ProblemDetails' : 'ErrorResponse'
    const component = components.add({ stem, scope: 'espalier', drafts })
    this.draft = { $ref: new Link(component, 'output') }
  }

  /** Whether the framework's error is surely serialized by a schema: one that only lists fields, of
   *  which those of the error say no more than a type.
   *  @param type the media type of the schema */
  fits(draft: unknown, type: string): boolean {
    const target = targetOf(draft)
    const isList = isPlainObject(target) && hasOnly(target, [...listing, 'additionalProperties'])
    if (!isList || !typesOf(draft).has('object')) return false
    // JSON of another type gets the fields of both.
    const isProblem = this.type === problemJson
    const isOther = type === 'application/json'
    const known = [
      ...(isProblem ? problemFields : []),
      ...(isProblem && !isOther ? [] : errorFields),
    ]
    return [...fieldsOf(draft).fields].every(([name, field]) => {
      const type = name === 'statusCode' || name === 'status' ? 'number' : 'string'
      if (!known.includes(name)) return !field.isRequired
      const own = targetOf(field.draft)
      return isPlainObject(own) && hasOnly(own, ['type']) && typesOf(own).has(type)
    })
  }
}

const errorFields = ['statusCode', 'code', 'error', 'message']
const problemFields = ['status', 'title', 'detail', 'code']

const text = { type: 'string' }

const errorSchema = {
  type: 'object',
  properties: { statusCode: { type: 'integer' }, code: text, error: text, message: text },
  required: ['statusCode', 'error', 'message'],
}

const problemSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: { type: 'string', format: 'uri-reference' },
    code: text,
    issues: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          part: { enum: ['body', 'params', 'querystring', 'headers'] },
          pointer: { type: 'string', format: 'json-pointer' },
          code: text,
          expected: {},
          received: text,
          message: text,
        },
        required: ['part', 'pointer', 'code', 'received', 'message'],
      },
    },
  },
  required: ['title', 'status'],
}

const listing = ['type', 'properties', 'required']
const annotations = ['title', 'description', 'default', 'examples', 'example', 'deprecated']

function hasOnly(schema: JsonObject, keywords: readonly string[]): boolean {
  return Object.keys(schema).every((key) => keywords.includes(key) || annotations.includes(key))
}

interface SplitEntry {
  readonly description: string | undefined
  readonly headers: JsonObject | undefined
  /** What describes the payload. Undefined if there is none. */
  readonly entry: unknown
}

/** Tells the headers and the description of a response entry from the schema of its payload. */
function splitEntry(given: unknown): SplitEntry {
  if (!isPlainObject(given) || isStandardSchema(given)) {
    return { description: undefined, headers: undefined, entry: given }
  }
  const { headers, description, ...others } = given
  const text = typeof description === 'string' ? description : undefined
  const listed = isPlainObject(headers) ? headers : undefined
  if (isBareEntry(given)) return { description: text, headers: listed, entry: undefined }
  const isContent = isContentMap(given['content'])
  if (isContent) return { description: text, headers: listed, entry: given }
  // The headers of a schema stand beside its keywords, and so are no property.
  return listed === undefined
    ? { description: undefined, headers: undefined, entry: given }
    : { description: text, headers: listed, entry: withMarksOf(given, others) }
}

/** The marks of TypeBox are symbols, which a rest pattern keeps. */
function withMarksOf(given: JsonObject, others: JsonObject): JsonObject {
  return Object.assign(Object.create(Object.getPrototypeOf(given) as object), others) as JsonObject
}

/** A status as documents write it: `404`, `4XX` or `default`. */
function statusKey(key: string): string {
  return key.toLowerCase() === 'default' ? 'default' : key.toUpperCase()
}

/** The key of the response to a status: its code, its class or `default`. */
function keyFor(found: Readonly<Record<string, unknown>>, status: number): string | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`, 'default']
  return keys.find((key) => key in found)
}

/** The reason phrase of a status. Those that versions of Node know by an old name are here. */
function phraseOf(status: number): string {
  if (status === 413) return 'Content Too Large'
  return status === 422 ? 'Unprocessable Content' : phraseOfNode(status)
}

const classes: Readonly<Record<string, string>> = {
  '1XX': 'Information',
  '2XX': 'Success',
  '3XX': 'Redirection',
  '4XX': 'Client error',
  '5XX': 'Server error',
  default: 'Any other response',
}

function describeStatus(key: string): string {
  return classes[key] ?? phraseOf(Number(key))
}

/** The media types of a payload by one schema: text is sent as it is, all else as JSON, also what
 *  becomes text. None for null, which stands for no payload. */
function mediaTypesOf(draft: unknown): string[] {
  const types = [...typesOf(draft)]
  if (types.length === 6) return ['*/*']
  const others = types.filter((type) => type !== 'string')
  if (others.join() === 'null' && types.length === 1) return []
  return [
    ...(others.length > 0 || types.length === 0 || takesValues(draft) ? ['application/json'] : []),
    ...(types.includes('string') ? ['text/plain'] : []),
  ]
}

/** Whether a serializer makes text of what is none: of a `Date`, or by a transform. */
function takesValues(draft: unknown, depth = 0): boolean {
  const schema = targetOf(draft)
  if (!isPlainObject(schema) || depth > 50) return false
  const { format, anyOf, oneOf, allOf } = schema
  const isDate = ['date-time', 'date', 'time'].some((each) => each === format)
  if (isDate || isTransformed(schema)) return true
  const lists = [anyOf, oneOf, allOf].filter((members) => Array.isArray(members))
  return lists.some((members) => members.some((each) => takesValues(each, depth + 1)))
}

/** Reads each entry of `content`. */
export function mapMedia(
  content: JsonObject,
  read: (media: unknown, type: string) => JsonObject,
): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type, read(media, type)]),
  )
}

/** A media type. One that is no text and no JSON has bytes, where its schema takes anything. */
export function mediaOf(
  media: unknown,
  type: string,
  read: (schema: unknown) => unknown,
): JsonObject {
  const { schema, examples, ...rest } = isPlainObject(media) ? media : {}
  // JSON Schema has a list of values, OpenAPI a map of objects that hold one.
  const named = Array.isArray(examples)
    ? Object.fromEntries(examples.map((value: unknown, at) => [`example${at + 1}`, { value }]))
    : examples
  const others = { ...rest, ...(named !== undefined && { examples: named }) }
  const draft = schema === undefined ? undefined : read(schema)
  const isAny = draft === undefined || (isPlainObject(draft) && Object.keys(draft).length === 0)
  const isForm = /^(multipart\/|application\/x-www-form-urlencoded)/i.test(type)
  if (draft !== undefined && (!isAny || isForm)) return { schema: draft, ...others }
  if (/^text\//i.test(type)) return { schema: { type: 'string' }, ...others }
  if (isJson(type.toLowerCase()) || type === '*/*') return { ...others }
  return { schema: { type: 'string', format: 'binary' }, ...others }
}

/** A media type of a stream. Before version 3.2 a document cannot tell the items: the body is text.
 *  @param read undefined for such a document */
function streamOf(
  { itemSchema, ...media }: JsonObject,
  type: string,
  read: ((schema: unknown) => Draft) | undefined,
): JsonObject {
  const { schema: _, ...annotations } = mediaOf(media, type, String)
  if (read === undefined) return { schema: { type: 'string' }, ...annotations }
  const draft = read(itemSchema)
  return {
    itemSchema: mediaTypeOf(type) === 'text/event-stream' ? eventOf(draft) : draft,
    ...annotations,
  }
}

/** An event, whose data is JSON (OpenAPI 3.2, Special Considerations for Server-Sent Events). */
function eventOf(contentSchema: Draft): JsonObject {
  const text = { type: 'string' }
  return {
    type: 'object',
    properties: {
      data: { ...text, contentMediaType: 'application/json', contentSchema },
      event: text,
      id: text,
      retry: { type: 'integer', minimum: 0 },
    },
    required: ['data'],
  }
}

/** The annotations of a schema that stand beside it in a parameter or a header. */
export function describedBy(draft: unknown): JsonObject {
  if (!isPlainObject(draft)) return {}
  const { description, deprecated } = draft
  return {
    ...(typeof description === 'string' && { description }),
    ...(deprecated === true && { deprecated }),
  }
}
