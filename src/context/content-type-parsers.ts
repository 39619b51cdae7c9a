import { errorCodes } from '../errors/codes.ts'
import { type ContentType, parseContentType } from '../http/media-type.ts'
import type { Readable } from 'node:stream'
import { describe, isObject, isThenable } from '../schema/values.ts'

/** The content-type parsers of one context, linked to those of its parent: what is added there later is
 *  seen here too, unless it was removed here. */
export class ContentTypeParsers {
  readonly #place: string
  readonly #parent: ContentTypeParsers | undefined
  readonly #own = new Map<string, ParserEntry>()
  /** What the parent has, and this context has not. */
  readonly #removed = new Set<string>()
  #isCut = false
  #choice: ParserChoice | undefined

  /** @param place what error messages call the context */
  constructor(place: string, parent?: ContentTypeParsers) {
    this.#place = place
    this.#parent = parent
  }

  /** Adds a parser, which may replace one that is built in; that for `'*'` replaces any.
   *  @throws ESP_ERR_CTP_ALREADY_PRESENT */
  add({ key, types }: TypeKey, parser: BodyParser): void {
    const present = this.#find(key)
    if (present !== undefined && !present.parser.isDefault && key !== '*') {
      throw new errorCodes.ESP_ERR_CTP_ALREADY_PRESENT(key, this.#place)
    }
    // The newest stands last.
    this.#own.delete(key)
    this.#own.set(key, { types, parser })
  }

  has({ key }: TypeKey): boolean {
    return this.#find(key) !== undefined
  }

  /** Removes a parser from this context and those below. */
  remove({ key }: TypeKey): void {
    this.#own.delete(key)
    this.#removed.add(key)
  }

  /** Removes all parsers from this context and those below, the built-in ones included. */
  removeAll(): void {
    this.#own.clear()
    this.#isCut = true
  }

  /** What requests of this context choose from, when booting is over. */
  choice(): ParserChoice {
    const isParents = this.#own.size === 0 && this.#removed.size === 0 && !this.#isCut
    if (isParents && this.#parent !== undefined) return this.#parent.choice()
    this.#choice ??= new ParserChoice([...this.#visible().values()])
    return this.#choice
  }

  #find(key: string): ParserEntry | undefined {
    const own = this.#own.get(key)
    if (own !== undefined || this.#parent === undefined || this.#hides(key)) return own
    return this.#parent.#find(key)
  }

  #hides(key: string): boolean {
    return this.#isCut || this.#removed.has(key)
  }

  /** The newest first: those of this context, then those of its parent. */
  #visible(): Map<string, ParserEntry> {
    const visible = new Map([...this.#own].reverse())
    if (this.#parent === undefined) return visible
    for (const [key, entry] of this.#parent.#visible()) {
      if (!visible.has(key) && !this.#hides(key)) visible.set(key, entry)
    }
    return visible
  }
}

/** A parser with the types that it is for. */
export interface ParserEntry {
  readonly types: ParsedTypes
  readonly parser: BodyParser
}

type Rule = readonly [fits: (type: ContentType, header: string) => boolean, parser: BodyParser]

/** How many headers are remembered, and of what length: clients choose them. */
const [rememberedHeaders, rememberedLength] = [100, 128]

/** The parsers of a scope, as its requests choose from them. A media type with parameters goes before
 *  the same without, both before patterns, and all before `'*'`. */
export class ParserChoice {
  readonly #byType = new Map<string, BodyParser>()
  readonly #withParameters: readonly Rule[]
  readonly #patterns: readonly Rule[]
  readonly #any: BodyParser | undefined
  readonly #remembered = new Map<string, BodyParser | undefined>()

  /** @param entries the newest first */
  constructor(entries: readonly ParserEntry[]) {
    const [withParameters, patterns]: [Rule[], Rule[]] = [[], []]
    for (const { types, parser } of entries) {
      if (types === '*') this.#any ??= parser
      else if (types instanceof RegExp) patterns.push([patternRule(types), parser])
      else if (Object.keys(types.parameters).length > 0) {
        withParameters.push([parametersRule(types), parser])
      } else this.#byType.set(types.type, parser)
    }
    this.#withParameters = withParameters
    this.#patterns = patterns
  }

  /** The parser for a `content-type` header, which is empty where there is none. */
  find(header: string): BodyParser | undefined {
    return this.#byType.get(header) ?? this.#recall(header)
  }

  #recall(header: string): BodyParser | undefined {
    const known = this.#remembered.get(header)
    if (known !== undefined || this.#remembered.has(header)) return known
    const parser = this.#choose(header)
    if (header.length > rememberedLength) return parser
    if (this.#remembered.size >= rememberedHeaders) {
      for (const oldest of this.#remembered.keys()) {
        this.#remembered.delete(oldest)
        break
      }
    }
    this.#remembered.set(header, parser)
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

/** The parameters may be in any order, and there may be others. */
function parametersRule(own: ContentType): Rule[0] {
  const parameters = Object.entries(own.parameters)
  return ({ type, parameters: given }) =>
    type === own.type &&
    parameters.every(([name, value]) => given[name]?.toLowerCase() === value.toLowerCase())
}

/** A pattern is for the media type, unless it has a `;`: what stands in a parameter is no type. Then it is
 *  for the header, or for one with the values of its parameters in quotes. */
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

interface Parser<ParseAs, Payload> {
  /** How it is given the body: collected as text or bytes, or as the stream. */
  readonly parseAs: ParseAs
  /** The most bytes that are collected for it, where the route does not say. */
  readonly bodyLimit: number | undefined
  /** Gives the parsed body, or a promise of it. */
  readonly parse: (request: object, payload: Payload) => unknown
  /** Whether it is built in: such a one may be replaced. */
  readonly isDefault: boolean
}

/** Turns the content of a request into its body. */
export type BodyParser =
  Parser<'string', string> | Parser<'buffer', Buffer> | Parser<'stream', Readable>

/** The types that a parser is for: one media type, maybe with parameters; those that a pattern fits;
 *  or `'*'` for what no other is for. */
export type ParsedTypes = ContentType | RegExp | '*'

/** Types of content in both forms: to compare with those of a request, and to find their parser by. */
export interface TypeKey {
  readonly types: ParsedTypes
  readonly key: string
}

type Done = (error?: unknown, body?: unknown) => void
type GivenParser = (this: object, request: object, payload: unknown, done: Done) => unknown

/** Reads the types that a user names.
 *  @param place what messages call the context
 *  @throws ESP_ERR_CTP_INVALID_TYPE, ESP_ERR_CTP_EMPTY_TYPE */
export function readTypes(given: unknown, place: string): TypeKey {
  if (given instanceof RegExp) return { types: new RegExp(given), key: String(given) }
  if (typeof given !== 'string') {
    throw new errorCodes.ESP_ERR_CTP_INVALID_TYPE(place, describe(given))
  }
  if (given.trim() === '') throw new errorCodes.ESP_ERR_CTP_EMPTY_TYPE(place)
  if (given === '*') return { types: '*', key: '*' }
  const types = parseContentType(given)
  if (types === undefined) throw new errorCodes.ESP_ERR_CTP_INVALID_TYPE(place, describe(given))
  const parameters = Object.entries(types.parameters).map(
    ([name, value]) => `;${name}=${JSON.stringify(value.toLowerCase())}`,
  )
  return { types, key: types.type + parameters.sort().join('') }
}

/** Reads a parser and its options.
 *  @param server what `this` is inside it
 *  @param place what messages call the context
 *  @throws ESP_ERR_CTP_INVALID_HANDLER, ESP_ERR_CTP_INVALID_PARSE_TYPE, ESP_ERR_INIT_OPTS_INVALID */
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

/** A parser calls back, or returns a promise. One that does not take the callback may return the body
 *  at once. */
function run(parser: GivenParser, server: object, request: object, payload: unknown): unknown {
  return new Promise((resolve, reject: (error: unknown) => void) => {
    const done: Done = (error, body) => {
      if (error === undefined || error === null) resolve(body)
      else reject(error)
    }
    const result = parser.call(server, request, payload, done)
    if (isThenable(result)) result.then(resolve, reject)
    else if (result !== undefined && parser.length < 3) resolve(result)
  })
}

function readLimit(limit: unknown, place: string): number | undefined {
  if (limit === undefined || limit === null || limit === 0) return undefined
  if (Number.isInteger(limit) && Number(limit) > 0) return Number(limit)
  throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(
    `The bodyLimit of a content-type parser in ${place} must be a positive integer, but is ${describe(limit)}`,
  )
}

function isParser(value: unknown): value is GivenParser {
  return typeof value === 'function'
}
