// JSON with whole numbers beyond those that a number holds exactly. Clients load this file too.

/** What reads and writes JSON, as the global `JSON` does. */
export interface JsonCodec {
  /** @throws for a text that is no JSON */
  parse(text: string): unknown
  stringify(value: unknown): string
}

/** The JSON of a value, where a bigint is a number with all its digits.
 *  @returns undefined for a value that has no JSON, such as a function
 *  @throws what `toJSON` throws, and RangeError for a value that contains itself */
export function writeJson(given: unknown, key = ''): string | undefined {
  if (typeof given === 'bigint') return String(given)
  const { toJSON } = Object(given) as { readonly toJSON?: unknown }
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given, key) : given
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const write = (each: unknown, name: string | number) => writeJson(each, String(name))
  if (Array.isArray(value))
    return `[${Array.from(value, (item, index) => write(item, index) ?? 'null').join()}]`
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const text = write(field, name)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${fields.join()}}`
}

/** Texts, with the colon behind a key, and numbers. */
const tokens = /"(?:[^"\\]+|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g

/** Replaces numbers in a JSON text by texts that begin with `n`, and marks all texts that might be
 *  taken for such by an `s`. `unmark` reads both.
 *  @param json a text that JSON.parse accepts
 *  @param isExact whether JSON.parse reads a number as it is meant */
export const markNumbers = (json: string, isExact: (number: string) => boolean): string =>
  json.replace(tokens, (token: string, colon: unknown) => {
    if (colon !== undefined) return token
    if (token.startsWith('"')) return /^"[ns\\]/.test(token) ? `"s${token.slice(1)}` : token
    return isExact(token) ? token : `"n${token}"`
  })

/** Reads a value of a marked JSON text.
 *  @param read reads a number that was replaced */
export function unmark(value: unknown, read: (number: string) => unknown): unknown {
  if (typeof value !== 'string') return value
  const rest = value.slice(1)
  return value.startsWith('n') ? read(rest) : value.startsWith('s') ? rest : value
}

/** A whole number of digits alone, which BigInt reads quickly. */
const whole = /^-?\d{1,99}$/

/** Whether a number of JSON is a whole number beyond ±(2^53 - 1), written in digits. */
export const isLarge = (number: string): boolean =>
  whole.test(number) && !Number.isSafeInteger(Number(number))

function parseLarge(json: string): unknown {
  const value: unknown = JSON.parse(json)
  if (!/\d{16}/.test(json)) return value
  const marked = markNumbers(json, (number) => !isLarge(number))
  return JSON.parse(marked, (_key, each: unknown) => unmark(each, BigInt))
}

/** JSON whose whole numbers are never rounded: one beyond ±(2^53 - 1), written in at most 99
 *  digits, is a bigint, wherever it stands. A bigint is written as a number with all its digits.
 *  @example client<typeof app>(url, { json: exactJson }) */
export const exactJson: JsonCodec = {
  parse: parseLarge,
  // cast: undefined for what has no JSON, as the type of JSON.stringify does not say either
  stringify: (value) => writeJson(value) as string,
}
