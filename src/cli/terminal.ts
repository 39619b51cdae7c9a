import { inspect } from 'node:util'

type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** Gives a text a colour, where colours are wanted. */
export type Paint = (style: Style, text: string) => string

/** What a terminal or a log obeys: control characters, marks that turn the direction of a text, and
 *  the beginning of a command of GitHub Actions, `::add-mask::` or `##[add-mask]`. */
const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]|(?<=^\s*):(?=:)|#(?=#\[)/gu

/** A text of somebody else as one line that is only shown: what would be obeyed is escaped as in
 *  JSON. */
export function printable(text: string): string {
  return text.replaceAll(obeyed, (found) => {
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** The same for each line of a text. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** A copy of data whose texts are printable; names of fields stay. */
export function printableCopy<Data>(data: Data): Data {
  const copy: unknown = JSON.parse(JSON.stringify(data), (_key, value: unknown) =>
    typeof value === 'string' ? printable(value) : value,
  )
  // cast: a text stays a text
  return copy as Data
}

/** Data as JSON for a terminal. */
export function printableJson(data: unknown): string {
  return `${printableLines(JSON.stringify(data, null, 2))}\n`
}

interface Stream {
  readonly isTTY?: boolean
}

/** Paints for a stream: a terminal, unless NO_COLOR is set; with FORCE_COLOR, any. */
export function painterFor({ isTTY = false }: Stream, env: NodeJS.ProcessEnv): Paint {
  const { FORCE_COLOR: force, NO_COLOR: none = '', TERM: term } = env
  const isForced = force !== undefined && force !== '0' && force !== 'false'
  const isOff = force !== undefined || none !== '' || term === 'dumb'
  if (!isForced && (isOff || !isTTY)) return (_style, text) => text
  return (style, text) => {
    const [open = 0, close = 0] = inspect.colors[style] ?? []
    return `\u001B[${open}m${text}\u001B[${close}m`
  }
}
