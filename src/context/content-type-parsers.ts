import type { Readable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { type ContentType, parseContentType } from '../http/media-type.ts'
import { describe } from '../errors/describe.ts'
import { isObject } from '../types/objects.ts'
import { isThenable } from '../types/promises.ts'
import type { ReadNumbers } from '../validation/body-numbers.ts'

interface Parser<ParseAs, Payload> {
  /** The form of the body that the parser receives: text, bytes, or the stream itself. */
  readonly parseAs: ParseAs
  /** The largest body in bytes, for routes that set no limit. */
  readonly bodyLimit: number | undefined
  /** Returns the parsed body, or a promise of it. */
  readonly parse: (request: object, payload: Payload) => unknown
  /** Parses JSON with numbers that a schema wants as they are written. Only the built-in parser of
   *  JSON has it. */
  readonly parseNumbers?: (payload: Payload, read: ReadNumbers) => unknown
  /** Whether the parser is built in. Users may replace built-in parsers. */
  readonly isDefault: boolean
}

/** Turns the content of a request into its body. */
type BodyParser = Parser<'string', string> | Parser<'buffer', Buffer> | Parser<'stream', Readable>

/** The content types of a parser: a media type, a pattern, or `'*'` for all other types. */
type TypePattern = ContentType | RegExp | '*'

/** A type pattern, and the key under which its parser is stored. */
interface TypeKey {
  readonly types: TypePattern
  readonly key: string
}

interface ParserEntry {
  readonly types: TypePattern
  readonly parser: BodyParser
}

/** The content-type parsers of one context. They are linked to those of the parent context: a
 *  parser that the parent adds later is found here too, unless it was removed here. */
export class ContentTypeParsers {
  readonly #place: string
  #parent: ContentTypeParsers | undefined
  readonly #own = new Map<string, ParserEntry>()
  /** Keys of the parent's parsers that were removed here. */
  readonly #removed = new Set<string>()
  #choice: ParserChoice | undefined

  /** @param place the name of the context in error messages */
  constructor(place: string, parent?: ContentTypeParsers) {
    this.#place = place
    this.#parent = parent
  }

  /** Adds a parser. It may replace a built-in parser; a parser for `'*'` may replace any.
   *  @throws ESP_ERR_CTP_ALREADY_PRESENT */
  add({ key, types }: TypeKey, parser: BodyParser): void {
    const present = this.#find(key)
    if (present !== undefined && !present.parser.isDefault && key !== '*') {
      throw new errorCodes.ESP_ERR_CTP_ALREADY_PRESENT(key, this.#place)
    }
    // The newest entry has to be the last one of the map.
    this.#own.delete(key)
    this.#own.set(key, { types, parser })
  }

  has({ key }: Pick<TypeKey, 'key'>): boolean {
    return this.#find(key) !== undefined
  }

  /** Removes a parser from this context and its children. */
  remove({ key }: TypeKey): void {
    this.#own.delete(key)
    this.#removed.add(key)
  }

  /** Removes all parsers from this context and its children, the built-in ones included. */
  removeAll(): void {
    this.#own.clear()
    this.#parent = undefined
  }

  /** The parsers that requests of this context choose from, once booting is over. */
  choice(): ParserChoice {
    const isInherited = this.#own.size === 0 && this.#removed.size === 0
    if (isInherited && this.#parent !== undefined) return this.#parent.choice()
    this.#choice ??= new ParserChoice([...this.#visible().values()])
    return this.#choice
  }

  #find(key: string): ParserEntry | undefined {
    const own = this.#own.get(key)
    if (own !== undefined || this.#parent === undefined || this.#removed.has(key)) return own
    return this.#parent.#find(key)
  }

  /** The newest parsers first: those of this context, then those of its parent. */
  #visible(): Map<string, ParserEntry> {
    const visible = new Map([...this.#own].reverse())
    if (this.#parent === undefined) return visible
    for (const [key, entry] of this.#parent.#visible()) {
      if (!visible.has(key) && !this.#removed.has(key)) visible.set(key, entry)
    }
    return visible
  }
}

type Rule = readonly [fits: (type: ContentType, header: string) => boolean, parser: BodyParser]

/** Limits of the cache of headers, whose values clients choose: entries, and length of each. */
const [cachedHeaders, cachedLength] = [100, 128]

/** The parsers of a context, as its requests choose from them. A media type with parameters comes
 *  before the same type without, then patterns, then `'*'`. */
export class ParserChoice {
  readonly #byType = new Map<string, BodyParser>()
  readonly #withParameters: Rule[] = []
  readonly #patterns: Rule[] = []
  readonly #any: BodyParser | undefined
  readonly #cache = new Map<string, BodyParser | undefined>()

  /** @param entries the newest first */
  constructor(entries: readonly ParserEntry[]) {
    for (const { types, parser } of entries) {
      if (types === '*') this.#any ??= parser
      else if (types instanceof RegExp) this.#patterns.push([patternRule(types), parser])
      else if (Object.keys(types.parameters).length > 0) {
        this.#withParameters.push([parametersRule(types), parser])
      } else this.#byType.set(types.type, parser)
    }
  }

  /** The media types that have a parser, in lower case; no patterns. */
  types(): string[] {
    return [...this.#byType.keys()]
  }

  /** The parser for the value of a `content-type` header; an absent header is `''`. */
  find(header: string): BodyParser | undefined {
    return this.#byType.get(header) ?? this.#findCached(header)
  }

  #findCached(header: string): BodyParser | undefined {
    const cached = this.#cache.get(header)
    if (cached !== undefined || this.#cache.has(header)) return cached
    const parser = this.#choose(header)
    if (header.length > cachedLength) return parser
    if (this.#cache.size >= cachedHeaders) {
      const [oldest = ''] = this.#cache.keys()
      this.#cache.delete(oldest)
    }
    this.#cache.set(header, parser)
    return parser
  }

  #choose(header: string): BodyParser | undefined {
    const type = parseContentType(header)
    if (type === undefined) return this.#any
    const first = (rules: readonly Rule[]): BodyParser | undefined =>
      rules.find(([fits]) => fits(type, header))?.[1]
    return (
      first(this.#withParameters) ??
      this.#byType.get(type.type) ??
      first(this.#patterns) ??
      this.#any
    )
  }
}

/** Parameters may come in any order, beside others. */
function parametersRule(own: ContentType): Rule[0] {
  const parameters = Object.entries(own.parameters)
  return ({ type, parameters: given }) =>
    type === own.type &&
    parameters.every(([name, value]) => given[name]?.toLowerCase() === value.toLowerCase())
}

/** A pattern is tested against the media type alone. A pattern with `;` is tested against the whole
 *  header, and against the header with all parameter values in quotes. */
function patternRule(pattern: RegExp): Rule[0] {
  const fits = (text: string): boolean => {
    pattern.lastIndex = 0
    return pattern.test(text)
  }
  if (!pattern.source.includes(';')) return ({ type }) => fits(type)
  return ({ type, parameters }, header) => {
    const rest = header.indexOf(';')
    if (fits(rest < 0 ? type : type + header.slice(rest).trimEnd())) return true
    const quoted = Object.entries(parameters).map(([name, value]) => `; ${name}="${value}"`)
    return fits(type + quoted.join(''))
  }
}

/** Reads the content type that a user gives for a parser.
 *  @param place the name of the context in error messages
 *  @throws ESP_ERR_CTP_INVALID_TYPE, ESP_ERR_CTP_EMPTY_TYPE */
export function readTypes(given: unknown, place: string): TypeKey {
  if (given instanceof RegExp) return { types: new RegExp(given), key: String(given) }
  if (given === '*') return { types: '*', key: '*' }
  if (typeof given === 'string' && given.trim() === '') {
    throw new errorCodes.ESP_ERR_CTP_EMPTY_TYPE(place)
  }
  const types = typeof given === 'string' ? parseContentType(given) : undefined
  if (types === undefined) throw new errorCodes.ESP_ERR_CTP_INVALID_TYPE(place, describe(given))
  const parameters = Object.entries(types.parameters).map(
    ([name, value]) => `;${name}=${JSON.stringify(value.toLowerCase())}`,
  )
  return { types, key: types.type + parameters.sort().join('') }
}

type GivenParser = (
  this: object,
  request: object,
  payload: unknown,
  done: (error?: unknown, body?: unknown) => void,
) => unknown

/** Reads a parser and its options.
 *  @param server `this` inside the parser
 *  @param place the name of the context in error messages
 *  @throws ESP_ERR_CTP_INVALID_HANDLER, ESP_ERR_CTP_INVALID_PARSE_TYPE,
 *  ESP_ERR_INIT_OPTS_INVALID */
export function readParser(
  options: unknown,
  given: unknown,
  server: object,
  place: string,
): BodyParser {
  if (!isParser(given)) throw new errorCodes.ESP_ERR_CTP_INVALID_HANDLER(place, describe(given))
  const { parseAs = 'stream', bodyLimit } = isObject(options) ? options : {}
  if (parseAs !== 'string' && parseAs !== 'buffer' && parseAs !== 'stream') {
    throw new errorCodes.ESP_ERR_CTP_INVALID_PARSE_TYPE(place, describe(parseAs))
  }
  return {
    parseAs,
    bodyLimit: readLimit(bodyLimit, place),
    parse: (request: object, payload: unknown) => run(given, server, request, payload),
    isDefault: false,
  }
}

/** A parser calls back, or returns a promise. A parser without the parameter `done` may also return
 *  the body itself. */
function run(parser: GivenParser, server: object, request: object, payload: unknown): unknown {
  return new Promise((resolve, reject: (error: unknown) => void) => {
    const result = parser.call(server, request, payload, (error, body) => {
      if (error === undefined || error === null) resolve(body)
      else reject(error)
    })
    if (isThenable(result)) result.then(resolve, reject)
    else if (result !== undefined && parser.length < 3) resolve(result)
  })
}

function readLimit(limit: unknown, place: string): number | undefined {
  if (limit === undefined || limit === null || limit === 0) return undefined
  if (Number.isInteger(limit) && Number(limit) > 0) return Number(limit)
  const what = `The bodyLimit of a content-type parser in ${place}`
  const problem = `${what} must be a positive integer, but is ${describe(limit)}`
  throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(problem)
}

function isParser(value: unknown): value is GivenParser {
  return typeof value === 'function'
}
