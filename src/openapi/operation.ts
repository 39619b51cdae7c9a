import { isStandardSchema } from '../schema/standard-schema.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import { readFluent } from '../schema/fluent-schema.ts'
import { isContentMap } from '../serialization/entry-form.ts'
import type { RouteRegistration } from '../route/declaration.ts'
import type { Host } from '../server/host.ts'
import {
  fieldsOf,
  hasFile,
  inPart,
  type PartReader,
  takesEmpty,
  targetOf,
  typesOf,
} from './parts.ts'
import type { DocumentPath, PathParameter } from './paths.ts'
import { type ErrorResponse, describedBy, mapMedia, mediaOf, ResponseReader } from './responses.ts'
import { securityOf } from './security.ts'
import { takesNothing } from './standard.ts'
import type { SecurityScheme } from './types.ts'

/** An operation before its schemas are rendered. */
export type OperationDraft = Record<string, unknown>

/** The words of a route's schema that stand in its operation as they are. */
const words = [
  'summary',
  'description',
  'tags',
  'deprecated',
  'externalDocs',
  'servers',
  'callbacks',
]

/** Reads one operation of a route.
 *  @throws Error for what cannot be told; it names the part */
export class OperationReader {
  readonly #registration: RouteRegistration
  readonly #schema: JsonObject
  readonly #reader: PartReader
  readonly #host: Host
  /** Whether a schema of the body takes null, which stands for no body. */
  #takesNull = false

  constructor(registration: RouteRegistration, schema: JsonObject, reader: PartReader, host: Host) {
    this.#registration = registration
    this.#schema = schema
    this.#reader = reader
    this.#host = host
  }

  /** @param schemes gets the security schemes of the operation */
  read(
    path: DocumentPath,
    errors: ErrorResponse,
    schemes: Map<string, SecurityScheme>,
  ): OperationDraft {
    const operation: OperationDraft = {}
    for (const [word, value] of Object.entries(this.#schema)) {
      if (words.includes(word) || word.startsWith('x-')) operation[word] = value
    }
    const parameters = this.#parameters(path)
    if (parameters.length > 0) operation['parameters'] = parameters
    const body = this.#body()
    if (body !== undefined) operation['requestBody'] = body
    // What the route declares may refer to the schemes of its hooks.
    const guards = securityOf(this.#registration, schemes)
    const { security = guards?.requirements } = this.#schema
    if (security !== undefined) operation['security'] = security
    const known = this.#schema['security'] === undefined ? guards : undefined
    const responses = new ResponseReader(this.#reader, errors)
    const answers = this.#answers(body !== undefined)
    operation['responses'] = responses.read(this.#registration, this.#schema, answers, known)
    Object.assign(operation, this.#constraints())
    return operation
  }

  #parameters({ parameters }: DocumentPath): JsonObject[] {
    const { querystring, query = querystring, params, headers } = this.#schema
    const own = params === undefined ? new Map<string, never>() : this.#fields(params, 'Params')
    const { constraints } = this.#registration.declaration
    const { version } = constraints
    return [
      ...parameters.map((parameter) => pathParameter(parameter, own.get(parameter.name)?.draft)),
      ...(query === undefined ? [] : this.#query(query)),
      ...(headers === undefined ? [] : this.#headers(headers)).filter(
        ({ name }) => version === undefined || String(name).toLowerCase() !== versionName,
      ),
      ...(typeof version === 'string' ? [versionHeader(version)] : []),
    ]
  }

  #fields(given: unknown, part: 'Headers' | 'Params') {
    const name = part.toLowerCase()
    return inPart(name, () => fieldsOf(this.#reader.draft(given, 'input', part)).fields)
  }

  #query(given: unknown): JsonObject[] {
    const draft = inPart('querystring', () => this.#reader.draft(given, 'input', 'Query'))
    const { fields, isWhole } = fieldsOf(draft)
    if (isWhole) return [...fields].map(([name, field]) => parameter(name, 'query', field))
    // In this style each property of the object is a parameter of its own.
    const required = !takesEmpty(draft)
    const whole = { in: 'query', required, style: 'form', explode: true, schema: draft }
    return [{ name: 'query', ...whole, ...describedBy(draft) }]
  }

  #headers(given: unknown): JsonObject[] {
    const fields = this.#fields(given, 'Headers')
    return [...fields].map(([name, field]) => parameter(name, 'header', field))
  }

  #body(): JsonObject | undefined {
    const given = readFluent(this.#schema['body'])
    if (given === undefined) return undefined
    const media = inPart('body', () => this.#content(given))
    const isOptional = isStandardSchema(given) ? takesNothing(given) : this.#takesNull
    const description = isPlainObject(given) ? given['description'] : undefined
    return {
      ...(typeof description === 'string' && { description }),
      required: !isOptional,
      content: media,
    }
  }

  #content(given: unknown): Record<string, JsonObject> {
    const read = (schema: unknown): unknown => {
      const draft = this.#reader.draft(schema, 'input', 'Body')
      this.#takesNull ||= typesOf(draft).has('null')
      return draft
    }
    const isOwn = isPlainObject(given) && !isStandardSchema(given)
    if (isOwn && isContentMap(given['content'])) {
      return mapMedia(given['content'], (media, type) =>
        mediaOf(media, type, (schema) => this.#sent(type, read(schema))),
      )
    }
    const draft = read(given)
    const { examples } = this.#schema
    const media = (type: string): JsonObject => ({
      schema: this.#sent(type, draft),
      ...(examples !== undefined && { examples }),
    })
    return Object.fromEntries(this.#bodyTypes(draft).map((type) => [type, media(type)]))
  }

  /** What a client sends. @fastify/multipart makes an object of each field, with its value. */
  #sent(type: string, draft: unknown): unknown {
    const isForm = type === 'multipart/form-data'
    return isForm && this.#registration.context.hasPlugin('@fastify/multipart')
      ? formOf(draft)
      : draft
  }

  /** The media types of a body by one schema: those that parsers of the scope make such a value
   *  of. */
  #bodyTypes(draft: unknown): string[] {
    const { consumes } = this.#schema
    if (Array.isArray(consumes)) return consumes.map(String)
    if (hasFile(draft)) return ['multipart/form-data']
    const known = this.#registration.context.parsers.choice().types()
    const types = typesOf(draft)
    const fits = known.filter(
      (type) =>
        type === 'application/json' ||
        (type === 'text/plain' && types.has('string')) ||
        (type === 'application/x-www-form-urlencoded' && fitsForm(draft)),
    )
    if (fits.length > 0) return fits.sort()
    // Other parsers take the types that a pattern fits, or all.
    return known.length > 0 ? known : ['*/*']
  }

  /** The statuses of the framework's own answers. An error handler may answer otherwise. */
  #answers(hasBody: boolean): number[] {
    const { declaration, context } = this.#registration
    const isHandled = declaration.errorHandler !== undefined || context.errorHandlers().length > 0
    if (isHandled || context.resolve('replySerializer') !== undefined) return []
    const parts = ['params', 'querystring', 'query', 'headers', 'body']
    const isValidated = parts.some((part) => this.#schema[part] !== undefined)
    const timeout = declaration.handlerTimeout ?? this.#host.options.handlerTimeout
    return [
      ...(hasBody || (isValidated && !declaration.attachValidation) ? [400] : []),
      ...(hasBody ? [413, 415] : []),
      ...(timeout > 0 ? [503] : []),
    ]
  }

  /** Constraints decide which requests reach the route. */
  #constraints(): JsonObject {
    const { version: _version, host, ...rest } = this.#registration.declaration.constraints
    const others = host instanceof RegExp ? { host: String(host), ...rest } : rest
    return {
      ...(typeof host === 'string' && { servers: [{ url: `//${host}` }] }),
      ...(Object.keys(others).length > 0 && { 'x-constraints': others }),
    }
  }
}

function parameter(
  name: string,
  place: 'header' | 'query',
  { draft, isRequired }: { readonly draft: unknown; readonly isRequired: boolean },
): JsonObject {
  return {
    name,
    in: place,
    ...(isRequired && { required: true }),
    ...describedBy(draft),
    schema: place === 'header' ? asOneText(draft) : draft,
  }
}

/** A list in a path or a header: OpenAPI writes its items with commas, and the framework reads one
 *  text, as the only item. */
function asOneText(draft: unknown): unknown {
  const types = typesOf(draft)
  const isList = isPlainObject(draft) && types.has('array') && !types.has('object')
  return isList && draft['maxItems'] !== 0 ? { ...draft, maxItems: 1 } : draft
}

/** Whether a form of texts can carry an object: each field has a text, or is a list of such. */
function fitsForm(draft: unknown): boolean {
  const isText = (field: unknown): boolean =>
    ['string', 'number', 'boolean'].some((type) => typesOf(field).has(type))
  const fits = (field: unknown): boolean => {
    const schema = targetOf(field)
    const isList = isPlainObject(schema) && typesOf(schema).has('array')
    return isText(field) || (isList && isText(schema['items']))
  }
  const { fields } = fieldsOf(draft)
  return typesOf(draft).has('object') && [...fields.values()].every((each) => fits(each.draft))
}

/** A form whose fields are their values. */
function formOf(draft: unknown): unknown {
  const form = targetOf(draft)
  if (!isPlainObject(form) || !isPlainObject(form['properties'])) return draft
  const valueOf = (field: unknown): unknown => {
    if (!isPlainObject(field)) return field
    const { properties, items } = field
    if (isPlainObject(properties) && 'value' in properties) return properties['value']
    return items === undefined ? field : { ...field, items: valueOf(items) }
  }
  const fields = Object.entries(form['properties']).map(([name, field]) => [name, valueOf(field)])
  return { ...form, properties: Object.fromEntries(fields) as JsonObject }
}

function pathParameter({ name, shownAs, pattern }: PathParameter, own: unknown): JsonObject {
  const text = { type: 'string', ...(pattern !== undefined && { pattern: anchored(pattern) }) }
  const isText = isPlainObject(own) && own['type'] === 'string' && own['pattern'] === undefined
  const schema = own === undefined ? text : isText ? { ...own, ...text } : asOneText(own)
  return {
    name: shownAs,
    in: 'path',
    required: true,
    ...(name === '*' && { description: 'The rest of the path; it may have slashes.' }),
    ...describedBy(own),
    schema,
    ...(name === '*' && { 'x-wildcard': true }),
  }
}

/** The router matches a whole parameter. */
function anchored(pattern: string): string {
  return `^(?:${pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')})$`
}

const versionName = 'accept-version'

function versionHeader(version: string): JsonObject {
  const description = `The version of the route: ${version}, or a range that it is in.`
  const schema = { type: 'string', examples: [version] }
  return { name: versionName, in: 'header', required: true, description, schema }
}
