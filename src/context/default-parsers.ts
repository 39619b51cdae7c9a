import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'
import type { ReadNumbers } from '../validation/body-numbers.ts'
import { type ContentTypeParsers, readTypes } from './content-type-parsers.ts'
import late from '../packages/late.cjs'

/** How JSON is treated whose keys could reach a prototype: refused, parsed without these keys, or
 *  parsed with them. */
export type PoisoningAction = 'error' | 'remove' | 'ignore'

interface PoisoningOptions {
  /** For the key `__proto__`. @default 'error' */
  readonly onProtoPoisoning?: PoisoningAction | undefined
  /** For the key `constructor` with a value that has `prototype`. @default 'error' */
  readonly onConstructorPoisoning?: PoisoningAction | undefined
}

/** A parser of text, with the signature that `addContentTypeParser` takes. */
export type TextParser = (
  request: unknown,
  body: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
) => void

/** Adds the parsers that every server has: for JSON, and for text. */
export function addDefaultParsers(parsers: ContentTypeParsers, options: PoisoningOptions): void {
  const add = (
    type: string,
    parse: (body: Buffer) => unknown,
    parseNumbers?: (body: Buffer, read: ReadNumbers) => unknown,
  ): void => {
    parsers.add(readTypes(type, 'root'), {
      parseAs: 'buffer',
      bodyLimit: undefined,
      parse: (_request: object, body: Buffer) => parse(body),
      isDefault: true,
      ...(parseNumbers && { parseNumbers }),
    })
  }
  const parse = createJsonParse(options)
  add('application/json', parse, (body, read) => read(body.toString('utf8'), parse))
  add('text/plain', (body) => body.toString('utf8'))
}

/** Makes a parser like the built-in one for JSON, for other types or other options.
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

/** The built-in parser for text. It returns the text unchanged. */
export const textParser: TextParser = (_request, body, done) => {
  done(null, body)
}

/** The actions, as error messages list them. */
export const poisoningActions = "'error', 'remove' or 'ignore'"

export function isPoisoningAction(value: unknown): value is PoisoningAction {
  return value === 'error' || value === 'remove' || value === 'ignore'
}

/** The returned function throws ESP_ERR_CTP_EMPTY_JSON_BODY and ESP_ERR_CTP_INVALID_JSON_BODY. */
function createJsonParse(options: PoisoningOptions): (body: string | Buffer) => unknown {
  const actions = {
    protoAction: options.onProtoPoisoning ?? 'error',
    constructorAction: options.onConstructorPoisoning ?? 'error',
  }
  return (body) => {
    if (body.length === 0) throw new errorCodes.ESP_ERR_CTP_EMPTY_JSON_BODY()
    const text = typeof body === 'string' ? body : body.toString('utf8')
    try {
      // Its patterns are slow, and such text they cannot match.
      return mayPoison(text)
        ? (late.secureJsonParse().parse(text, actions) as unknown)
        : (JSON.parse(text) as unknown)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new errorCodes.ESP_ERR_CTP_INVALID_JSON_BODY(reason, error)
    }
  }
}

/** Whether a text may have a key that poisons, which may be written with escapes; or begins with a
 *  byte order mark, which JSON.parse refuses. */
function mayPoison(text: string): boolean {
  const isSuspect = text.includes('__proto__') || text.includes('constructor')
  return isSuspect || text.includes('\\u') || text.charCodeAt(0) === 0xfeff
}
