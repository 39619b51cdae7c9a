// The text of types.

export interface Member {
  /** With a question mark if it is optional. */
  readonly name: string
  readonly text: string
  /** The lines of its comment. */
  readonly words: readonly string[]
}

/** Of an object type in one line. A file of many routes is indentation for a quarter otherwise. */
const longest = 120

/** An object type: in one line if it is short and has no comments. */
export function block(members: readonly Member[]): string {
  const lines = members.map(({ name, text, words }) => `${comment(words)}${name}: ${text}`)
  const line = lines.join('; ')
  if (line === '') return '{}'
  return line.length > longest || line.includes('\n') ? `{\n${indented(lines)}\n}` : `{ ${line} }`
}

const indented = (lines: readonly string[]): string => lines.join('\n').replaceAll(/^(?=.)/gm, '  ')

/** A comment with a line break behind it; empty without words. */
export function comment(words: readonly string[]): string {
  const safe = words.map((line) => line.replaceAll('*/', '*\\/'))
  if (safe.length < 2) return safe.map((line) => `/** ${line} */\n`).join('')
  return `/**\n${safe.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

/** The declaration of a name. */
export const declaration = (name: string, text: string): string =>
  text.startsWith('{') && !isCompound(text) && !text.endsWith(']')
    ? `export interface ${name} ${text}`
    : `export type ${name} = ${text}`

/** A union: the same for the same members, in any order. */
export function unionOf(texts: readonly string[]): string {
  const all = new Set(texts)
  if (all.has('true') && all.has('false')) {
    all.delete('true')
    all.delete('false')
    all.add('boolean')
  }
  const rank = (text: string): number => ['null', 'undefined'].indexOf(text)
  const sorted = [...all].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
  return sorted.join(' | ') || 'never'
}

/** In brackets where it would be read otherwise beside other text. */
export const inBrackets = (text: string): string => (isCompound(text) ? `(${text})` : text)

/** Whether a text is a union, an intersection, a function or a read-only list. */
function isCompound(text: string): boolean {
  if (text.startsWith('readonly ')) return true
  const outside = text.replaceAll(/'(?:[^'\\]|\\.)*'|`[^`]*`/g, 'text')
  let depth = 0
  for (const [character] of outside.matchAll(/=>|[{}()[\]<>|&]/g)) {
    if ('{([<'.includes(character)) depth++
    else if ('})]>'.includes(character)) depth--
    else if (depth === 0) return true
  }
  return false
}

export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** The name of a member as it is written. */
export const memberName = (name: string): string =>
  /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : quoted(name)
