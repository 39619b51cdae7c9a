import late from '../../packages/late.cjs'

/** The parameters of one segment of a path, such as `:id` or `:from-:to`. */
export interface Params {
  /** Takes the values of a segment. Undefined where the segment is the value. */
  readonly regex: RegExp | undefined
  /** How many values there are, and the characters between them: they limit what `regex` reads. */
  readonly count: number
  readonly fixed: number
  /** The characters behind the last value. */
  readonly suffix: string
}

/** A path in the form that the router searches. */
export interface Pattern {
  /** Text, the parameters of a segment, or `*` for the rest of the path. */
  readonly parts: readonly (string | Params)[]
  /** The names of the parameters. */
  readonly names: readonly string[]
  /** Equal for paths that differ only in names and regular expressions. Only one may be routed. */
  readonly key: string
  readonly regexes: readonly string[]
}

interface PatternOptions {
  readonly caseSensitive?: boolean
  readonly allowUnsafeRegex?: boolean
}

/** Reads a path in the syntax of find-my-way. `::` stands for a colon.
 *  @throws Error for a wildcard before the end, and for an unsafe or invalid regular expression */
export function readPattern(path: string, options: PatternOptions): Pattern {
  const { caseSensitive = true } = options
  const [parts, names]: [(string | Params)[], string[]] = [[], []]
  let key = ''
  for (let at = 0; at < path.length;) {
    const text = textAt(path, at, /(?:::|[^:*])*/y)
    at += text.length
    key += text
    // A request has an escape for each percent sign of a path.
    if (text !== '') parts.push(unescaped(caseSensitive ? text : text.toLowerCase()))
    if (path[at] === '*') {
      if (at !== path.length - 1)
        throw new Error('Wildcard must be the last character in the route')
      parts.push('*')
      names.push('*')
      key += '*'
      at++
    } else if (path[at] === ':') {
      const segment = readSegment(path, at, options)
      parts.push(segment.params)
      names.push(...segment.names)
      key += `:${segment.key}`
      at = segment.end
    }
  }
  const regexes = parts.map((part) => (typeof part === 'string' ? '' : String(part.regex)))
  return {
    parts,
    names,
    key: caseSensitive ? key : key.toLowerCase(),
    regexes: regexes.filter(Boolean),
  }
}

/** Reads the parameters from a colon to the end of their segment. */
function readSegment(path: string, start: number, { allowUnsafeRegex = false }: PatternOptions) {
  const names: string[] = []
  let [source, key, suffix, fixed, at] = ['', '', '', 0, start]
  /** Whether the parameter before has no regular expression: the next text ends it. */
  let isOpen = false
  do {
    const name = textAt(path, at + 1, /[^-.(/]*/y)
    names.push(name)
    at += 1 + name.length
    const regex = path[at] === '(' ? path.slice(at, closingParenthesis(path, at) + 1) : undefined
    if (regex === undefined) {
      const before = escaped(suffix)
      source += isOpen ? `(${before}|(?:(?!${before}).)*)` : '(.*?)'
    } else {
      if (!allowUnsafeRegex && !late.safeRegex()(new RegExp(regex)))
        throw new Error(`The regex '${regex}' is not safe!`)
      source += regex.replace(/^\(\^/, '(').replace(/\$\)$/, ')')
      at += regex.length
    }
    isOpen = regex === undefined
    const text = textAt(path, at, /(?:::|[^:/])*/y)
    at += text.length
    suffix = unescaped(text)
    source += escaped(suffix)
    key += `()${suffix}`
    fixed += suffix.length
  } while (path[at] === ':')
  const isWhole = key === '()' && isOpen
  const params = { regex: isWhole ? undefined : new RegExp(`^${source}$`), suffix, fixed }
  return { params: { ...params, count: names.length }, names, key: isWhole ? '' : key, end: at }
}

function textAt(path: string, at: number, pattern: RegExp): string {
  pattern.lastIndex = at
  return pattern.exec(path)?.[0] ?? ''
}

function unescaped(text: string): string {
  return text.replaceAll('::', ':').replaceAll('%', '%25')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** The place of the parenthesis that closes the one at a place. */
function closingParenthesis(path: string, start: number): number {
  let depth = 0
  for (let at = start; at < path.length; at++) {
    if (path[at] === '\\') at++
    else if (path[at] === '(') depth++
    else if (path[at] === ')' && --depth === 0) return at
  }
  throw new TypeError(`Invalid regexp expression in "${path}"`)
}
