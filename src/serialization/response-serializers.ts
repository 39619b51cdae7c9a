import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { isJson, mediaTypeOf, withCharset } from '../http/media-type.ts'
import { isFullSchema } from '../schema/short-form.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import { outputOf } from '../schema/text-output.ts'
import { describe } from '../errors/describe.ts'
import { isObject, isPlainObject, type JsonObject } from '../types/objects.ts'
import { readFluent } from '../schema/fluent-schema.ts'
import type { Serializer, SerializerRequest } from '../schema/compiler-types.ts'
import { writeExactJson } from './failure-place.ts'
import { itemFormat, itemTypes, type ItemFormat } from './item-format.ts'

/** Compiles the schemas of response entries. Its boot errors name the entry. */
export interface EntryCompiler {
  readonly dialect: Dialect
  read(given: unknown, where: string): JsonObject | StandardSchema
  serializer(entry: Pick<SerializerRequest, 'schema' | 'httpStatus' | 'contentType'>): Serializer
  /** The fields that a schema names. Undefined where they are not known. */
  named(schema: JsonObject | StandardSchema): readonly string[] | undefined
}

/** A response schema, compiled. */
interface CompiledResponse {
  readonly serialize: Serializer
  /** The fields that the schema names. Undefined where they are not known, and for the statuses of
   *  successes. */
  readonly named: readonly string[] | undefined
}

/** An entry with `content`, by media type. It is empty where an entry has no payload. */
interface ContentEntry {
  readonly serializers: ReadonlyMap<string, CompiledResponse>
  /** The types whose items have a schema. */
  readonly items: ReadonlyMap<string, ItemFormat>
  readonly only: OnlyType
}

/** A response entry, compiled. */
export type ResponseEntry = CompiledResponse | ContentEntry

/** How a payload is sent: by a serializer, or as it is. */
type Way = 'serialized' | 'bytes' | 'text'

/** The content type of a reply for which none was set, by the way in which its payload is sent. */
type OnlyType = Readonly<Record<Way, string | undefined>>

/** There is no such type, or there are several. */
const noType: OnlyType = { serialized: undefined, bytes: undefined, text: undefined }

/** The serializers of one route, chosen by status and media type (specification 2.5). */
export class ResponseSerializers {
  readonly #entries = new Map<string, ResponseEntry>()
  readonly #byStatus = new Map<number, ResponseEntry | undefined>()
  readonly #scope: ReadonlyMap<string, ResponseEntry>
  readonly #compiler: EntryCompiler
  readonly #hasContent: boolean
  /** Whether there are Standard Schemas or transforms, which may change text that is sent. */
  readonly readsText: boolean
  /** Whether the route may send what is not declared: it declares nothing itself. */
  readonly isOpen: boolean

  /** @param response the `response` key of a route's schema
   *  @param route the name of the route in error messages
   *  @param scope the entries of its scope, by status. Those of the route take precedence
   *  @throws ESP_ERR_SCH_RESPONSE_KEY, ESP_ERR_SCH_DUPLICATE, ESP_ERR_SCH_NOT_OBJECT,
   *  ESP_ERR_SCH_CONTENT_MISSING_SCHEMA, ESP_ERR_SCH_ITEM_SCHEMA, and what the compiler throws */
  constructor(
    response: JsonObject | undefined,
    route: string,
    compiler: EntryCompiler,
    scope: Iterable<readonly [string, ResponseEntry]> = [],
  ) {
    this.#compiler = compiler
    this.#scope = new Map(scope)
    this.isOpen = response === undefined
    for (const [key, entry] of Object.entries(response ?? {})) {
      const status = key.toLowerCase()
      if (!/^([1-5]xx|[1-5]\d\d|default)$/.test(status)) {
        throw new errorCodes.ESP_ERR_SCH_RESPONSE_KEY(key, route)
      }
      const where = `The response ${key} of ${route}`
      if (this.#entries.has(status)) throw new errorCodes.ESP_ERR_SCH_DUPLICATE(where, key, status)
      this.#entries.set(status, compileEntry(entry, status, where, compiler))
    }
    for (const [status, entry] of this.#scope) {
      if (!this.#entries.has(status)) this.#entries.set(status, entry)
    }
    const entries = [...this.#entries.values()]
    this.#hasContent = entries.some((entry) => 'serializers' in entry)
    this.readsText = entries
      .flatMap((entry) => ('serialize' in entry ? entry : [...entry.serializers.values()]))
      .some(({ serialize }) => outputOf(serialize) !== undefined)
  }

  /** Whether anything is declared for a status, by its code, its class or `default`. */
  declares(status: number): boolean {
    return this.#resolve(status) !== undefined
  }

  /** Whether a status is declared to have no payload: its entry has only headers or a
   *  description. */
  isBare(status: number): boolean {
    const entry = this.#hasContent ? this.#resolve(status) : undefined
    return entry === bareEntry
  }

  /** Whether a status declares content of a type: by that type, or by that of all types. */
  hasContent(status: number, contentType: string): boolean {
    const entry = this.#resolve(status)
    const isByType = entry !== undefined && 'serializers' in entry
    return isByType && ofType(entry, contentType) !== undefined
  }

  /** The content type of a reply whose handler set none, where its entry has one media type only.
   *  Undefined otherwise: the type follows from the payload then. */
  onlyType(status: number, way: Way): string | undefined {
    if (!this.#hasContent) return undefined
    if (way !== 'serialized' && !this.#compiler.dialect.reply.refusesUndeclared) return undefined
    const entry = this.#resolve(status)
    return entry !== undefined && 'only' in entry ? entry.only[way] : undefined
  }

  /** The serializer for a reply: that of the exact status, else of its class (`2xx`), else of
   *  `default`. Undefined where the route declares none: JSON.stringify writes the payload then. */
  choose(status: number, contentType: string | undefined): Serializer | undefined {
    return ofType(this.#resolve(status), contentType)?.serialize
  }

  /** The serializer of the scope for a status that the route declares itself. */
  chooseReplaced(status: number, contentType: string): Serializer | undefined {
    const entry = entryOf(this.#scope, status)
    return entry === this.#resolve(status) ? undefined : ofType(entry, contentType)?.serialize
  }

  /** How the items of a stream are written: by the type that was set, else by the first type with
   *  an `itemSchema`. Undefined where the type or the status has none. */
  chooseItems(status: number, contentType: string | undefined): ItemFormat | undefined {
    const entry = this.#hasContent ? this.#resolve(status) : undefined
    if (entry === undefined || 'serialize' in entry) return undefined
    if (contentType === undefined) return entry.items.values().next().value
    return entry.items.get(mediaTypeOf(contentType) ?? '')
  }

  /** The response for the payload of an error, which is JSON. It is chosen in the same way. */
  chooseForError(status: number): CompiledResponse | undefined {
    return ofType(this.#resolve(status), undefined)
  }

  /** The value that is sent for a text: the output of a Standard Schema or a transform, or the text
   *  itself. Other schemas do not validate text. Neither does a schema for JSON where another type
   *  was set. Text whose type was set to JSON is JSON already.
   *  @throws Error for a text that the schema refuses */
  readText(status: number, contentType: string | undefined, text: string): unknown {
    const given = contentType === undefined ? undefined : (mediaTypeOf(contentType) ?? '')
    if (given !== undefined && isJson(given)) return text
    const entry = this.#resolve(status)
    const isForAnyType = entry !== undefined && 'serialize' in entry
    if (isForAnyType && given !== undefined && !given.startsWith('text/')) return text
    const only = this.onlyType(status, 'text') ?? this.onlyType(status, 'serialized')
    const response = ofType(entry, contentType ?? only ?? 'text/plain')
    const output = response && outputOf(response.serialize)
    return output ? output(text) : text
  }

  /** The serializer of an entry by its key (`201`, `2xx`, `default`), else of the entry for a
   *  status. */
  find(key: string, contentType: string | undefined): Serializer | undefined {
    const entry = this.#entries.get(key.toLowerCase()) ?? this.#resolve(Number(key))
    return ofType(entry, contentType)?.serialize
  }

  #resolve(status: number): ResponseEntry | undefined {
    if (this.#byStatus.has(status)) return this.#byStatus.get(status)
    const entry = entryOf(this.#entries, status) ?? this.#entries.get('default')
    this.#byStatus.set(status, entry)
    return entry
  }
}

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
  const content = isObject(given) && !isStandardSchema(given) ? given['content'] : undefined
  if (isBareEntry(given, compiler.dialect.validation)) return bareEntry
  const isForErrors = !/^[123]/.test(httpStatus)
  const compile = (given: unknown, where: string, contentType?: string): CompiledResponse => {
    const schema = compiler.read(given, where)
    const typed = contentType === undefined ? {} : { contentType }
    const serialize = compiler.serializer({ schema, httpStatus, ...typed })
    return { serialize, named: isForErrors ? compiler.named(schema) : undefined }
  }
  if (!isContentMap(content)) return compile(given, where)
  const types = new Map<string, string>()
  const serializers = new Map<string, CompiledResponse>()
  const anything = { serialize: anySerializer(compiler.dialect), named: [] }
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

/** The serializer of a media type without a schema. */
const anySerializer = ({ reply }: Dialect): Serializer =>
  reply.exactNumbers ? writeExactJson : JSON.stringify

const bareEntry: ContentEntry = { serializers: new Map(), items: new Map(), only: noType }

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

/** Whether `content` has media types as its keys. A short form may have a property named
 *  `content`. */
export function isContentMap(content: unknown): content is JsonObject {
  return isObject(content) && Object.keys(content).some((key) => key.includes('/'))
}

/** Whether an entry has only headers or a description. `headers` is a list of schemas there; in a
 *  short form it is one schema. Documents and the compiler read these schemas; they describe no
 *  payload.
 *  @param rules whether a description alone is a schema */
export function isBareEntry(
  entry: unknown,
  rules: { readonly readsDescriptions: boolean },
): boolean {
  if (!isPlainObject(entry) || isFullSchema(entry)) return false
  const { headers, description, ...others } = entry
  if (Object.keys(others).length > 0) return false
  if (headers === undefined) return typeof description === 'string' && !rules.readsDescriptions
  if (!isPlainObject(headers) || isFullSchema(headers)) return false
  if (description !== undefined && typeof description !== 'string') return false
  return Object.values(headers).every(isObject)
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
