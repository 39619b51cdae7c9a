import { parseContentType, type ContentType } from '../../http/media-type.ts'
import type { BodyParser, ParsedTypes } from './parser.ts'

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
