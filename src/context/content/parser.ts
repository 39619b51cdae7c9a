import type { Readable } from 'node:stream'
import { errorCodes } from '../../errors/codes.ts'
import { parseContentType, type ContentType } from '../../http/media-type.ts'
import { describe, isObject, isThenable } from '../../schema/values.ts'

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
