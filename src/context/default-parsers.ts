import { parse as parseSafely } from 'secure-json-parse'
import { errorCodes } from '../errors/codes.ts'
import { describe } from '../schema/values.ts'
import { type ContentTypeParsers, readTypes } from './content-type-parsers.ts'

/** What becomes of JSON whose keys could reach a prototype: it is refused, or loses them, or keeps
 *  them. */
export type PoisoningAction = 'error' | 'remove' | 'ignore'

/** What becomes of poisoned JSON. */
export interface PoisoningOptions {
  /** Of keys `__proto__`. @default 'error' */
  readonly onProtoPoisoning?: PoisoningAction | undefined
  /** Of keys `constructor` whose value has `prototype`. @default 'error' */
  readonly onConstructorPoisoning?: PoisoningAction | undefined
}

type Done = (error: Error | null, body?: unknown) => void

/** A parser of text, in the form in which a user gives one. */
export type TextParser = (request: unknown, body: string | Buffer, done: Done) => void

/** Adds the parsers that every server has: for JSON, and for text. */
export function addDefaultParsers(parsers: ContentTypeParsers, options: PoisoningOptions): void {
  const parseJson = createJsonParse(options)
  const add = (type: string, parse: (body: Buffer) => unknown): void => {
    parsers.add(readTypes(type, 'root'), {
      parseAs: 'buffer',
      bodyLimit: undefined,
      parse: (_request: object, body: Buffer) => parse(body),
      isDefault: true,
    })
  }
  add('application/json', parseJson)
  add('text/plain', (body) => body.toString('utf8'))
}

/** Makes a parser as the built-in one for JSON is, for types and scopes of one's own.
 *  @throws ESP_ERR_INIT_OPTS_INVALID */
export function createJsonParser(options: PoisoningOptions): TextParser {
  for (const [name, action] of Object.entries(options)) {
    if (action !== undefined && !isPoisoningAction(action)) {
      const problem = `${name} must be ${poisoningActions}, but is ${describe(action)}`
      throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(problem)
    }
  }
  const parse = createJsonParse(options)
  return (_request, body, done) => {
    let value
    try {
      value = parse(body)
    } catch (error) {
      done(error as Error)
      return
    }
    done(null, value)
  }
}

/** The built-in parser for text: it leaves it as it is. */
export const textParser: TextParser = (_request, body, done) => {
  done(null, body)
}

/** The actions, as messages name them. */
export const poisoningActions = "'error', 'remove' or 'ignore'"

export function isPoisoningAction(value: unknown): value is PoisoningAction {
  return value === 'error' || value === 'remove' || value === 'ignore'
}

/** @throws ESP_ERR_CTP_EMPTY_JSON_BODY, ESP_ERR_CTP_INVALID_JSON_BODY, from what it returns */
function createJsonParse(options: PoisoningOptions): (body: string | Buffer) => unknown {
  const { onProtoPoisoning: protoAction, onConstructorPoisoning: constructorAction } = options
  const actions = {
    protoAction: protoAction ?? 'error',
    constructorAction: constructorAction ?? 'error',
  }
  return (body) => {
    if (body.length === 0) throw new errorCodes.ESP_ERR_CTP_EMPTY_JSON_BODY()
    try {
      return parseSafely(body, actions) as unknown
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new errorCodes.ESP_ERR_CTP_INVALID_JSON_BODY(reason, error)
    }
  }
}
