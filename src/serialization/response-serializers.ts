import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { isJson, mediaTypeOf, withCharset } from '../http/media-type.ts'
import { isFullSchema } from '../schema/short-form.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import { describe, isObject, isPlainObject, type JsonObject, readFluent } from '../schema/values.ts'
import type { Serializer, SerializerRequest } from '../schema/compiler-types.ts'
import { outputOf } from './standard-serializer.ts'

/** No type, where none or several may be sent. */
const none: OnlyType = { serialized: undefined, bytes: undefined, text: undefined }

/** Reads the schemas of entries and makes their serializers, or throws a boot error that names the entry. */
export interface EntryCompiler {
  readonly dialect: Dialect
  read(given: unknown, where: string): JsonObject | StandardSchema
  serializer(entry: Pick<SerializerRequest, 'schema' | 'httpStatus' | 'contentType'>): Serializer
  /** The fields that a schema names, where that can be known. */
  named(schema: JsonObject | StandardSchema): readonly string[] | undefined
}

/** A compiled schema. */
export interface Written {
  readonly serialize: Serializer
  /** The fields that its schema names. Undefined where that is not known, or where it is not for errors. */
  readonly named: readonly string[] | undefined
}

/** The media types of an entry with `content`; none of one that has no payload. */
interface MediaTypes {
  readonly serializers: ReadonlyMap<string, Written>
  readonly only: OnlyType
}

/** The serializer of an entry, or those of its media types. */
type Entry = Written | MediaTypes

/** The serializers of one route, chosen by status and media type (specification 2.5). */
export class ResponseSerializers {
  readonly #entries = new Map<string, Entry>()
  readonly #byStatus = new Map<number, Entry>()
  readonly #compiler: EntryCompiler
  #hasContent = false
  #readsText = false

  /** @param response the `response` key of a route's schema
   *  @param route what error messages call the route
   *  @throws ESP_ERR_SCH_RESPONSE_KEY, ESP_ERR_SCH_DUPLICATE, ESP_ERR_SCH_NOT_OBJECT,
   *  and what the compiler throws */
  constructor(response: JsonObject, route: string, compiler: EntryCompiler) {
    this.#compiler = compiler
    for (const [key, entry] of Object.entries(response)) {
      const status = key.toLowerCase()
      if (!/^([1-5]xx|[1-5]\d\d|default)$/.test(status)) {
        throw new errorCodes.ESP_ERR_SCH_RESPONSE_KEY(key, route)
      }
      const where = `The response ${key} of ${route}`
      if (this.#entries.has(status)) throw new errorCodes.ESP_ERR_SCH_DUPLICATE(where, key, status)
      const compiled = compileEntry(entry, status, where, compiler)
      this.#entries.set(status, compiled)
      this.#hasContent ||= 'serializers' in compiled
      this.#readsText ||= writtenOf(compiled).some((each) => outputOf(each.serialize) !== undefined)
    }
  }

  /** Whether there are Standard Schemas, which text may be asked of. */
  get readsText(): boolean {
    return this.#readsText
  }

  /** Whether anything is declared for a status, by its code, its class or `default`. */
  declares(status: number): boolean {
    return this.#resolve(status) !== undefined
  }

  /** Whether a status is declared to have no payload: its entry is one of headers or a description alone. */
  isBare(status: number): boolean {
    const entry = this.#hasContent ? this.#resolve(status) : undefined
    return entry !== undefined && 'serializers' in entry && entry.serializers.size === 0
  }

  /** The content type of a reply whose handler set none, where its entry has one media type only.
   *  Undefined otherwise: it is what the payload is by itself. */
  onlyType(status: number, way: Way): string | undefined {
    if (
      !this.#hasContent ||
      (!this.#compiler.dialect.reply.refusesUndeclared && way !== 'serialized')
    )
      return undefined
    const entry = this.#resolve(status)
    return entry !== undefined && 'only' in entry ? entry.only[way] : undefined
  }

  /** The serializer for a reply: of the exact status, else of its class (`2xx`), else `default`.
   *  Undefined when the route declares none: the payload then goes through JSON.stringify. */
  choose(status: number, contentType: string | undefined): Serializer | undefined {
    return ofType(this.#resolve(status), contentType)?.serialize
  }

  /** The same for the payload of an error, which is JSON. */
  chooseForError(status: number): Written | undefined {
    return ofType(this.#resolve(status), undefined)
  }

  /** What is sent of text: what a Standard Schema makes of it, or itself, which other schemas are not asked about, nor those of
   *  JSON about another type that was set. Text of a reply whose type was set to JSON is JSON already.
   *  @throws what the schema refuses */
  readText(status: number, contentType: string | undefined, text: string): unknown {
    const given = contentType === undefined ? undefined : (mediaTypeOf(contentType) ?? '')
    if (given !== undefined && isJson(given)) return text
    const entry = this.#resolve(status)
    const isOfAnyType = entry !== undefined && 'serialize' in entry
    if (isOfAnyType && given !== undefined && !given.startsWith('text/')) return text
    const only = this.onlyType(status, 'text') ?? this.onlyType(status, 'serialized')
    const written = ofType(entry, contentType ?? only ?? 'text/plain')
    const output = written && outputOf(written.serialize)
    return output ? output(text) : text
  }

  /** The serializer of an entry by its key (`201`, `2xx`, `default`), or else of the entry that a
   *  status falls under. */
  find(key: string, contentType: string | undefined): Serializer | undefined {
    const entry = this.#entries.get(key.toLowerCase()) ?? this.#resolve(Number(key))
    return ofType(entry, contentType)?.serialize
  }

  #resolve(status: number): Entry | undefined {
    const known = this.#byStatus.get(status)
    if (known !== undefined) return known
    const own = this.#entries.get(String(status))
    const ofClass = this.#entries.get(`${Math.floor(status / 100)}xx`)
    const entry = own ?? ofClass ?? this.#entries.get('default')
    if (entry !== undefined) this.#byStatus.set(status, entry)
    return entry
  }
}

const writtenOf = (entry: Entry) =>
  'serialize' in entry ? [entry] : [...entry.serializers.values()]

function ofType(entry: Entry | undefined, contentType: string | undefined): Written | undefined {
  if (entry === undefined || 'serialize' in entry) return entry
  const { serializers } = entry
  const mediaType = contentType === undefined ? 'application/json' : mediaTypeOf(contentType)
  return (
    (mediaType === undefined ? undefined : serializers.get(mediaType)) ?? serializers.get('*/*')
  )
}

function compileEntry(
  source: unknown,
  httpStatus: string,
  where: string,
  compiler: EntryCompiler,
): Entry {
  const given = readFluent(source)
  const content = isObject(given) && !isStandardSchema(given) ? given['content'] : undefined
  if (isBareEntry(given, compiler.dialect.validation)) return bare
  const isForErrors = !/^[123]/.test(httpStatus)
  const compile = (given: unknown, where: string, contentType?: string): Written => {
    const schema = compiler.read(given, where)
    const typed = contentType === undefined ? {} : { contentType }
    const serialize = compiler.serializer({ schema, httpStatus, ...typed })
    return { serialize, named: isForErrors ? compiler.named(schema) : undefined }
  }
  if (!isContentMap(content)) return compile(given, where)
  const { serializers, types } = compileContent(content, where, (given, contentType) =>
    compile(given, `${where}, ${contentType}`, contentType),
  )
  return { serializers, only: onlyType(types, compiler.dialect.reply.withCharset) }
}

const anything: Written = { serialize: JSON.stringify, named: [] }

const bare: MediaTypes = { serializers: new Map(), only: none }

function compileContent(
  content: JsonObject,
  where: string,
  compile: (schema: unknown, contentType: string) => Written,
): { serializers: Map<string, Written>; types: Map<string, string> } {
  const types = new Map<string, string>()
  const serializers = new Map<string, Written>()
  for (const [contentType, media] of Object.entries(content)) {
    const type = mediaTypeOf(contentType) ?? contentType
    const schema = isObject(media) ? media['schema'] : undefined
    const given = schema === undefined ? misplaced(media) : undefined
    if (given !== undefined) {
      const what = `${where}, ${contentType}`
      throw new errorCodes.ESP_ERR_SCH_CONTENT_MISSING_SCHEMA(what, given)
    }
    types.set(type, contentType)
    // A media type without a schema says that anything may be sent.
    serializers.set(type, schema === undefined ? anything : compile(schema, contentType))
  }
  return { serializers, types }
}

const annotations = new Set<unknown>(['schema', 'description', 'example', 'examples', 'encoding'])

/** What a media type without a schema has in place of one; undefined where it has annotations alone. What is hidden or
 *  is a symbol counts too: it marks schemas of TypeBox. */
export function misplaced(media: unknown): string | undefined {
  if (!isObject(media)) return describe(media)
  const key = Reflect.ownKeys(media).find((name) => !annotations.has(name))
  return key === undefined ? undefined : `'${String(key)}'. A schema belongs under 'schema'`
}

/** A short form may have a property named `content`; a content map has media types as its keys. */
export function isContentMap(content: unknown): content is JsonObject {
  return isObject(content) && Object.keys(content).some((key) => key.includes('/'))
}

/** Whether an entry is one of headers or a description alone: `headers` of a short form is a schema, here it is a list
 *  of schemas. Those are for the compiler and for documents, here and beside other keywords.
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

/** How a payload is sent: by a serializer, or as it is. */
type Way = 'serialized' | 'bytes' | 'text'

/** The content type of a reply for which none was set, by the way in which it is sent. */
type OnlyType = Readonly<Record<Way, string | undefined>>

/** The type that a response entry leaves no choice of: that of `content`, where it has one media type only. Text that
 *  is sent as it is need not be JSON, so that it does not leave as such; and no reply is of a range of types.
 *  @param types the media types, each with the key of `content` that it was written as
 *  @param textType the types that are sent with a charset */
function onlyType(types: ReadonlyMap<string, string>, textType: RegExp): OnlyType {
  const [only, ...others] = types
  if (only === undefined || others.length > 0) return none
  const [type, written] = only
  if (type === '*/*') return none
  const serialized = withCharset(written, textType)
  if (type.includes('*')) return { ...none, serialized }
  return { serialized, bytes: serialized, text: isJson(type) ? undefined : serialized }
}
