import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { isJson, mediaTypeOf, withCharset } from '../http/media-type.ts'
import type { HeaderValue } from '../http/headers.ts'
import { problemJson } from '../http/problem-details.ts'
import { isPage } from '../http/response-body.ts'
import { isBodyless } from '../http/status.ts'
import { errorsIn } from '../schema/http-error.ts'
import { settled } from '../schema/compilation.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import { outputOf } from '../schema/text-output.ts'
import { describe } from '../errors/describe.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import { readFluent } from '../schema/fluent-schema.ts'
import type { Serializer, SerializerRequest } from '../schema/compiler-types.ts'
import { compileErrors, type CompiledResponse, errorsOf, withErrors } from './compiled-response.ts'
import { declaredHeaders, isBareEntry, isContentMap } from './entry-form.ts'
import { writeExactJson } from './failure-place.ts'
import { writeValuesOfJson } from './projection.ts'
import type { HeaderCheck } from './reply-headers.ts'
import { itemFormat, itemTypes, type ItemFormat } from './item-format.ts'

/** Compiles the schemas of response entries. Its boot errors name the entry. */
export interface EntryCompiler {
  readonly dialect: Dialect
  /** Whether what is not declared is refused, and text is validated. */
  readonly isStrict: boolean
  read(given: unknown, where: string): JsonObject | StandardSchema
  serializer(entry: Pick<SerializerRequest, 'schema' | 'httpStatus' | 'contentType'>): Serializer
  /** The check of the headers of an entry. Undefined where they are not checked. */
  headerCheck(schemas: JsonObject, where: string): HeaderCheck | undefined
  /** The fields that a schema names. Undefined where they are not known. */
  named(schema: JsonObject | StandardSchema): readonly string[] | undefined
}

/** An entry with `content`, by media type. It is empty where an entry has no payload. */
interface ContentEntry {
  readonly serializers: ReadonlyMap<string, CompiledResponse>
  /** The types whose items have a schema. */
  readonly items: ReadonlyMap<string, ItemFormat>
  readonly only: OnlyType
}

/** A response entry, compiled. */
export type ResponseEntry = (CompiledResponse | ContentEntry) & {
  readonly headerCheck?: HeaderCheck
}

/** How the content of a reply was made: by a serializer, or it is sent as it is. */
type Kind = 'serialized' | 'bytes' | 'text'

/** The content type of a reply for which none was set, by how its content was made. */
type OnlyType = Readonly<Record<Kind, string | undefined>>

/** There is no such type, or there are several. */
const noType: OnlyType = { serialized: undefined, bytes: undefined, text: undefined }

/** How a payload leaves that is sent through a serializer. */
export interface Way {
  /** The content type, as it is sent. */
  readonly type: string
  /** Undefined where a payload of this type is refused. */
  readonly write: Serializer | undefined
  /** Whether it is written as JSON, without a schema. */
  readonly isSchemaless: boolean
}

/** What the responses of a route need to know of it. */
export interface RouteOfResponses {
  /** The name of the route in error messages. */
  readonly name: string
  /** Whether it answers requests that have no route. */
  readonly is404: boolean
}

/** The responses of one route by status (specification 2.5). */
export class RouteResponses {
  /** Whether the route may send what is not declared: it declares nothing itself. */
  readonly isOpen: boolean
  /** Whether the route declares no responses: clients know its successes by its handler. A route
   *  for not-found handlers has no clients. */
  readonly infersSuccess: boolean
  /** Whether there are Standard Schemas or transforms, which may change text that is sent, or text
   *  is validated. */
  readonly readsText: boolean
  readonly #entries = new Map<string, ResponseEntry>()
  readonly #byStatus = new Map<number, StatusResponses>()
  /** The entries of the scope, by status. */
  readonly scope: ReadonlyMap<string, ResponseEntry>
  readonly is404: boolean
  readonly rules: Dialect['reply']
  readonly isStrict: boolean

  /** @param response the `response` key of a route's schema
   *  @param scope the entries of its scope, by status. Those of the route take precedence
   *  @throws ESP_ERR_SCH_RESPONSE_KEY, ESP_ERR_SCH_DUPLICATE, ESP_ERR_SCH_NOT_OBJECT,
   *  ESP_ERR_SCH_CONTENT_MISSING_SCHEMA, ESP_ERR_SCH_ITEM_SCHEMA, and what the compiler throws */
  constructor(
    response: JsonObject | undefined,
    { name, is404 }: RouteOfResponses,
    compiler: EntryCompiler,
    scope: Iterable<readonly [string, ResponseEntry]> = [],
  ) {
    this.rules = compiler.dialect.reply
    this.isStrict = compiler.isStrict
    this.scope = new Map(scope)
    this.is404 = is404
    this.isOpen = response === undefined
    this.infersSuccess = this.isOpen && !is404
    for (const [key, entry] of Object.entries(response ?? {})) {
      const status = key.toLowerCase()
      if (!/^([1-5]xx|[1-5]\d\d|default)$/.test(status)) {
        throw new errorCodes.ESP_ERR_SCH_RESPONSE_KEY(key, name)
      }
      const where = `The response ${key} of ${name}`
      if (this.#entries.has(status)) throw new errorCodes.ESP_ERR_SCH_DUPLICATE(where, key, status)
      this.#entries.set(status, compileEntry(entry, status, where, compiler))
    }
    for (const [status, entry] of this.scope) {
      const own = this.#entries.get(status)
      this.#entries.set(status, own === undefined ? entry : withErrors(own, entry))
    }
    const compiled = [...this.#entries.values()].flatMap((entry) =>
      'serialize' in entry ? entry : [...entry.serializers.values()],
    )
    this.readsText =
      (this.isStrict && !this.isOpen) ||
      compiled.some(({ serialize }) => outputOf(serialize) !== undefined)
  }

  /** What is declared for a status: by its code, else by its class (`2xx`), else by `default`. */
  at(status: number): StatusResponses {
    const known = this.#byStatus.get(status)
    if (known !== undefined) return known
    const made = new StatusResponses(status, this.#entryAt(status), this)
    this.#byStatus.set(status, made)
    return made
  }

  /** The serializer of an entry by its key (`201`, `2xx`, `default`), else of the entry for a
   *  status. */
  find(key: string, contentType: string | undefined): Serializer | undefined {
    const entry = this.#entries.get(key.toLowerCase()) ?? this.#entryAt(Number(key))
    return ofType(entry, contentType)?.serialize
  }

  /** Whether the route or its scope declares an error of `httpError`. */
  declaresError(status: number, code: string): boolean {
    const entries = [entryOf(this.#entries, status), entryOf(this.scope, status)]
    return entries.some((entry) => errorsOf(entry)?.has(code) === true)
  }

  #entryAt(status: number): ResponseEntry | undefined {
    return entryOf(this.#entries, status) ?? this.#entries.get('default')
  }
}

/** What a route declares for one status, and how its payloads are written. It is decided once, at
 *  the first reply of the status. */
export class StatusResponses {
  readonly status: number
  /** Whether anything is declared. */
  readonly isDeclared: boolean
  /** Whether the status is declared to have no payload: its entry has only headers or a
   *  description. */
  readonly isBare: boolean
  /** Whether a reply of the status has no content, whatever is declared. */
  readonly isBodyless: boolean
  /** The way of a payload for whose reply nobody has set a type. */
  readonly usual: Way
  /** The response for the payload of an error, which is JSON. */
  readonly ofError: CompiledResponse | undefined
  /** The responses for errors by code, where the status has errors of `httpError` only. */
  readonly errors: CompiledResponse['errors']
  /** Whether the status is not declared and nothing may be sent under it, but by streams. */
  readonly isRefused: boolean
  /** The check of its headers. Undefined where they are not checked. */
  readonly headerCheck: HeaderCheck | undefined
  /** The response for an error as problem details, where `content` has their type. */
  readonly ofProblem: CompiledResponse | undefined
  readonly #entry: ResponseEntry | undefined
  readonly #route: RouteResponses

  constructor(status: number, entry: ResponseEntry | undefined, route: RouteResponses) {
    this.status = status
    this.#entry = entry
    this.#route = route
    this.isDeclared = entry !== undefined
    this.isRefused = !this.isDeclared && route.isStrict && !route.isOpen
    this.isBare = this.#content?.only === bareEntry.only
    this.headerCheck = entry?.headerCheck
    this.isBodyless = isBodyless(status, route.rules)
    this.ofError = ofType(entry, undefined)
    this.ofProblem = ofType(this.#content, problemJson)
    this.errors = this.ofError?.errors
    this.usual = this.#wayOf(this.onlyType('serialized') ?? json)
  }

  /** The way of a payload.
   *  @param type the content type that was set, if one was */
  way(type: string | undefined): Way {
    return type === undefined ? this.usual : this.#wayOf(type)
  }

  /** Without a schema for the content type, an object can be sent as JSON only. Where the status
   *  declares other content, it is refused: every field would be sent. */
  #wayOf(type: string): Way {
    const serialize = this.choose(type)
    if (serialize !== undefined) return { type, write: settled(serialize), isSchemaless: false }
    const isOpen = this.isDeclared ? !this.#route.rules.refusesUndeclared : !this.isRefused
    const isWritten = isOpen && (type === json || isJson(mediaTypeOf(type) ?? ''))
    const { rules, isStrict } = this.#route
    const write = isWritten ? jsonWriter(rules, isStrict) : undefined
    return { type, write, isSchemaless: true }
  }

  /** Whether content of a type is declared: by that type, or by that of all types. */
  hasContent(contentType: string): boolean {
    return this.#content !== undefined && ofType(this.#content, contentType) !== undefined
  }

  /** The content type of a reply whose handler set none, where the entry has one media type only.
   *  Undefined otherwise: the type follows from the payload then. */
  onlyType(kind: Kind): string | undefined {
    if (kind !== 'serialized' && !this.#route.rules.refusesUndeclared) return undefined
    return this.#content?.only[kind]
  }

  /** The serializer of a type. Undefined where none is declared. */
  choose(contentType: string | undefined): Serializer | undefined {
    return ofType(this.#entry, contentType)?.serialize
  }

  /** The serializer of the scope, where the route declares the status itself. */
  chooseReplaced(contentType: string): Serializer | undefined {
    const entry = entryOf(this.#route.scope, this.status)
    return entry === this.#entry ? undefined : ofType(entry, contentType)?.serialize
  }

  /** How the items of a stream are written: by the type that was set, else by the first type with
   *  an `itemSchema`. Undefined where the type or the status has none. */
  chooseItems(contentType: string | undefined): ItemFormat | undefined {
    const { items } = this.#content ?? {}
    if (contentType === undefined) return items?.values().next().value
    return items?.get(mediaTypeOf(contentType) ?? '')
  }

  /** The value that is sent for a text: the output of a Standard Schema or a transform, or the text
   *  itself. Other schemas do not validate text. Neither does a schema for JSON where another type
   *  was set. Text whose type was set to JSON is JSON already.
   *  In strict mode other schemas validate text too, and undeclared text is refused.
   *  @throws Error for a text that the schema refuses */
  readText(contentType: string | undefined, text: string): unknown {
    const given = contentType === undefined ? undefined : (mediaTypeOf(contentType) ?? '')
    if (given !== undefined && isJson(given)) return text
    const isForAnyType = this.#entry !== undefined && 'serialize' in this.#entry
    if (isForAnyType && given !== undefined && !given.startsWith('text/')) return text
    const only = this.onlyType('text') ?? this.onlyType('serialized')
    const response = ofType(this.#entry, contentType ?? only ?? 'text/plain')
    const output = response && outputOf(response.serialize)
    return output ? output(text) : text
  }

  /** The value of the header `declared` (RFC 9651, 3.3.6): `?1` for a status other than 2xx that
   *  the route declares, if the payload is the declared one, and for a declared page; `?0` for a
   *  2xx that the route does not declare, or that a not-found handler sends. Other replies have no
   *  such header.
   *  @param type the content type of the reply
   *  @param fits whether its payload is the declared one */
  mark(type: HeaderValue | undefined, fits: boolean): '?0' | '?1' | undefined {
    const { infersSuccess, is404 } = this.#route
    if (this.status >= 200 && this.status < 300) {
      if (!infersSuccess && (is404 || !this.isDeclared)) return '?0'
      return type !== json && type !== undefined && isPage(String(type)) ? '?1' : undefined
    }
    if (is404) return undefined
    return (this.isBodyless ? this.isDeclared : fits) ? '?1' : undefined
  }

  get #content(): ContentEntry | undefined {
    return this.#entry !== undefined && 'only' in this.#entry ? this.#entry : undefined
  }
}

/** The responses of routes that declare none, also in their scope. They share what is decided for
 *  each status. */
export function openResponses(route: RouteOfResponses, compiler: EntryCompiler): RouteResponses {
  const { dialect, isStrict } = compiler
  const known = opened.get(dialect) ?? new Map<string, RouteResponses>()
  const key = `${route.is404} ${isStrict}`
  const made = known.get(key) ?? new RouteResponses(undefined, route, compiler)
  opened.set(dialect, known.set(key, made))
  return made
}

const opened = new WeakMap<Dialect, Map<string, RouteResponses>>()

/** The entry of a status by its code, else by its class. */
function entryOf(
  entries: ReadonlyMap<string, ResponseEntry>,
  status: number,
): ResponseEntry | undefined {
  return entries.get(String(status)) ?? entries.get(`${Math.floor(status / 100)}xx`)
}

function ofType(
  entry: ResponseEntry | undefined,
  contentType: string | undefined,
): CompiledResponse | undefined {
  if (entry === undefined || 'serialize' in entry) return entry
  const mediaType = contentType === undefined ? 'application/json' : mediaTypeOf(contentType)
  const own = mediaType === undefined ? undefined : entry.serializers.get(mediaType)
  return own ?? entry.serializers.get('*/*')
}

/** Compiles one response entry.
 *  @param where the name of the entry in error messages */
export function compileEntry(
  source: unknown,
  httpStatus: string,
  where: string,
  compiler: EntryCompiler,
): ResponseEntry {
  const given = readFluent(source)
  const entry = isBareEntry(given) ? bareEntry : compilePayload(given, httpStatus, where, compiler)
  const headers = declaredHeaders(given)
  const headerCheck = headers && compiler.headerCheck(headers, where)
  return headerCheck === undefined ? entry : { ...entry, headerCheck }
}

function compilePayload(
  given: unknown,
  httpStatus: string,
  where: string,
  compiler: EntryCompiler,
): ResponseEntry {
  const content = isObject(given) && !isStandardSchema(given) ? given['content'] : undefined
  const isForErrors = !/^[123]/.test(httpStatus)
  const compile = (given: unknown, where: string, contentType?: string): CompiledResponse => {
    const schema = compiler.read(given, where)
    const typed = contentType === undefined ? {} : { contentType }
    const serialize = compiler.serializer({ schema, httpStatus, ...typed })
    return { serialize, named: isForErrors ? compiler.named(schema) : undefined }
  }
  const errors = errorsIn(given)
  if (errors !== undefined) return compileErrors(errors, httpStatus, where, compile)
  if (!isContentMap(content)) return compile(given, where)
  const types = new Map<string, string>()
  const serializers = new Map<string, CompiledResponse>()
  const anything = { serialize: jsonWriter(compiler.dialect.reply, compiler.isStrict), named: [] }
  const items = new Map<string, ItemFormat>()
  for (const [contentType, media] of Object.entries(content)) {
    const place = `${where}, ${contentType}`
    const type = mediaTypeOf(contentType) ?? contentType
    if (compiler.dialect.reply.streamsIterables && hasItems(media)) {
      const { serialize } = compile(media['itemSchema'], place, contentType)
      items.set(type, assertItems(itemFormat(type, contentType, serialize), media, place))
      types.set(type, contentType)
      continue
    }
    const schema = isObject(media) ? media['schema'] : undefined
    const wrong = schema === undefined ? misplaced(media) : undefined
    if (wrong !== undefined) throw new errorCodes.ESP_ERR_SCH_CONTENT_MISSING_SCHEMA(place, wrong)
    types.set(type, contentType)
    serializers.set(type, schema === undefined ? anything : compile(schema, place, contentType))
  }
  return { serializers, items, only: onlyType(types, compiler.dialect.reply.withCharset) }
}

/** The serializer of what has no schema. It returns undefined for what has no JSON. */
export function jsonWriter({ exactNumbers }: Dialect['reply'], isStrict = false): Serializer {
  if (isStrict) return writeValuesOfJson
  return exactNumbers ? writeExactJson : JSON.stringify
}

/** The content type of what is written as JSON. */
export const json = 'application/json; charset=utf-8'

const bareEntry: ContentEntry = { serializers: new Map(), items: new Map(), only: { ...noType } }

/** Whether a media type has a schema of the items of a stream. */
export function hasItems(media: unknown): media is JsonObject {
  return isObject(media) && media['itemSchema'] !== undefined
}

function assertItems(format: ItemFormat | undefined, media: JsonObject, place: string): ItemFormat {
  if (media['schema'] !== undefined) {
    throw new errorCodes.ESP_ERR_SCH_DUPLICATE(place, 'a schema', 'an itemSchema')
  }
  if (format !== undefined) return format
  throw new errorCodes.ESP_ERR_SCH_ITEM_SCHEMA(place, itemTypes.join(', '))
}

const annotations = new Set<unknown>(['schema', 'description', 'example', 'examples', 'encoding'])

/** Describes what a media type without a schema has in its place. Undefined where it has
 *  annotations alone. Hidden keys and symbols count too, since the schemas of TypeBox are marked by
 *  symbols. */
export function misplaced(media: unknown): string | undefined {
  if (!isObject(media)) return describe(media)
  const key = Reflect.ownKeys(media).find((name) => !annotations.has(name))
  return key === undefined ? undefined : `'${String(key)}'. A schema belongs under 'schema'`
}

/** The only content type of an entry, where `content` has one media type. Text that is sent as it
 *  is may be no JSON, so it is not sent as JSON. A range of types is no content type.
 *  @param types the media types, each with its key in `content`
 *  @param textType matches the types that are sent with a charset */
function onlyType(types: ReadonlyMap<string, string>, textType: RegExp): OnlyType {
  const [only, ...others] = types
  if (only === undefined || others.length > 0) return noType
  const [type, written] = only
  if (type === '*/*') return noType
  const serialized = withCharset(written, textType)
  if (type.includes('*')) return { ...noType, serialized }
  return { serialized, bytes: serialized, text: isJson(type) ? undefined : serialized }
}
