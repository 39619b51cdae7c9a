// Says why a test of Fastify's own fails here, by what `tap` printed of it: never by hand.
import type { Result } from './tap.ts'

/** Why a test fails:
 *  - `wording`: all that fails in it compares a sentence of Fastify's with one of ours, and nothing else differs;
 *  - `newer`: it does what Fastify 5 refuses, and is refused here with the same code;
 *  - `internals`: it uses what its file took from Fastify's own files, or looks for symbols;
 *  - `differs`: all else. */
export type Reason = 'wording' | 'newer' | 'internals' | 'differs'

/** What the classification has to know. */
export interface Sources {
  /** The text of a test file, by its path in the package. */
  readonly read: (file: string) => string
  /** Whether a text is a sentence of Fastify's. */
  readonly isTheirs: (text: string) => boolean
  /** Whether it is one of ours. */
  readonly isOurs: (text: string) => boolean
}

/** Codes of errors that Fastify 5 has, and 4 has not. */
const newer = /FST_ERR_(PLUGIN_INVALID_ASYNC_HANDLER|DEC_REFERENCE_TYPE)/

/** Why a test failed. */
export function classify(result: Result, sources: Sources): Reason {
  const failures = readFailures(result.lines)
  const differing = failures.filter((failure) => !isWording(failure, sources))
  if (differing.length === 0) return failures.length === 0 ? 'differs' : 'wording'
  if (differing.some((failure) => newer.test(failure.join('\n')))) return 'newer'
  return differing.some((failure) => isInternal(failure, sources.read)) ? 'internals' : 'differs'
}

/** The diagnoses of what failed in a test: YAML, in lines. */
function readFailures(lines: readonly string[]): string[][] {
  return lines.flatMap((line, index) => {
    const indent = /^( *)not ok /.exec(line)?.[1]
    if (indent === undefined || lines[index + 1] !== `${indent}  ---`) return []
    const end = lines.indexOf(`${indent}  ...`, index)
    return end === -1 ? [] : [lines.slice(index + 2, end).map((each) => each.slice(indent.length))]
  })
}

/** Whether both sides differ in sentences only. Which side is whose is up to the test. */
function isWording(failure: readonly string[], { read, isTheirs, isOurs }: Sources): boolean {
  const compared = sentenceComparedIn(failure, read)
  if (compared !== undefined) return isTheirs(compared)
  const diff = readDiff(failure)
  const [removed = [], added = []] = ['-', '+'].map((sign) =>
    diff.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)),
  )
  const thrown = /^\w*Error(?: \[\w+\])?: (.*?)(?: \{)?$/.exec(added[0] ?? '')?.[1]
  if (thrown !== undefined) return isOurs(thrown) && isErrorOf(removed, isTheirs)
  if (removed.length === 0 || removed.length !== added.length) return false
  return removed.every((line, index) => {
    const [one, other] = messagesOf(line, added[index] ?? '')
    if (one === undefined || other === undefined) return false
    return (isTheirs(one) && isOurs(other)) || (isTheirs(other) && isOurs(one))
  })
}

/** The sentence, or the pattern of one, that the line which failed compares with a message by itself, so that nothing
 *  was printed of it. */
function sentenceComparedIn(failure: readonly string[], read: Sources['read']): string | undefined {
  const place = placeOf(failure.join('\n'))
  if (place === undefined) return undefined
  const line = read(place[0]).split('\n')[place[1] - 1] ?? ''
  const [, text] = /\.ok\(\w+\.message === '((?:[^'\\]|\\.)*)'\)/.exec(line) ?? []
  const [, pattern] = /\.ok\((\/.*\/\w*)\.test\(\w+\.message\)\)/.exec(line) ?? []
  return text?.replace(/\\(.)/g, '$1') ?? pattern
}

/** Whether all that was wanted of an error, and was not found, is its message, or one that a pattern fits. */
function isErrorOf(wanted: readonly string[], isTheirs: Sources['isTheirs']): boolean {
  if (wanted.length === 1) return isTheirs(wanted[0] ?? '')
  const message = wanted.map((line) => /^\s+"message": (".*"),?$/.exec(line)?.[1]).find(Boolean)
  const text = parseJson(message ?? '')
  return (
    typeof text === 'string' && isTheirs(text) && !wanted.some((line) => /^\s+"code":/.test(line))
  )
}

/** The messages in two lines, where nothing else differs in them. */
function messagesOf(wanted: string, found: string): (string | undefined)[] {
  const sides = [wanted, found].map((line) => {
    const member = /^\s+"message": (".*"),?$/.exec(line)?.[1]
    const value = parseJson(member ?? line)
    if (typeof value !== 'object' || value === null) {
      return { rest: member === undefined, message: typeof value === 'string' ? value : line }
    }
    const { message, ...rest } = value as { message?: unknown }
    const text = typeof message === 'string' ? message : undefined
    return { rest: JSON.stringify(rest), message: text }
  })
  return sides[0]?.rest === sides[1]?.rest ? sides.map(({ message }) => message) : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The lines of the diff in a diagnosis that say something of either side, or of both. */
function readDiff(failure: readonly string[]): string[] {
  const start = failure.findIndex((line) => line.startsWith('  diff: '))
  if (start === -1) return []
  const rest = failure.slice(start + 1)
  const end = rest.findIndex((line) => /^ {2}\S/.test(line))
  const lines = (end === -1 ? rest : rest.slice(0, end)).map((line) => line.slice(4))
  const style = failure[start]?.[8]
  const diff = style === '"' ? unquote(lines) : style === '>' ? unfold(lines) : lines
  return diff.filter((line) => line !== '' && !/^(---|\+\+\+|@@)/.test(line))
}

/** YAML folds long lines, but for those that are indented, and leaves an empty one where a line ends. */
function unfold(lines: readonly string[]): string[] {
  return lines.reduce<string[]>((unfolded, line, index) => {
    const isNext = /^\S/.test(line) && /^\S/.test(lines[index - 1] ?? '')
    return isNext ? [...unfolded.slice(0, -1), `${unfolded.at(-1)} ${line}`] : [...unfolded, line]
  }, [])
}

/** In quotes it folds all lines, and writes a space that begins one as `\ `. */
function unquote(lines: readonly string[]): string[] {
  const folded = lines.join('\n').replace(/\n\n/g, '\\n').replace(/\n/g, ' ')
  const text = parseJson(`"${folded.replace(/\\ /g, ' ').replace(/"?$/, '"')}`)
  return typeof text === 'string' ? text.split('\n') : []
}

/** A test of texts, by the sentences that stand in sources as literals, and of patterns that fit the beginning of one
 *  or any part that says something. Those that say next to nothing by themselves, such as `%s: %s`, are left out. */
export function sentenceTest(sources: readonly string[]): (text: string) => boolean {
  const sentences = sources
    .flatMap(literalsIn)
    .filter((text) => /\S \S/.test(text) && text.replace(/%s|\W/g, '').length >= 8)
  const patterns = sentences.map((text) => {
    const parts = text.split('%s').map((part) => part.replace(/[^\w\s]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^]*')}$`)
  })
  const beginnings = sentences
    .map((text) => text.split('%s')[0] ?? '')
    .filter((text) => text.replace(/\W/g, '').length >= 8)
  return (text) => {
    if (patterns.some((pattern) => pattern.test(text))) return true
    const pattern = /^\/\^?(.*?)\$?\/\w*$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1')
    if (pattern === undefined) return false
    const isPart = /^[\w ]{8,}$/.test(pattern) && sentences.some((each) => each.includes(pattern))
    return isPart || beginnings.some((beginning) => pattern.startsWith(beginning))
  }
}

/** The texts in quotes and in templates, with `%s` for what is filled in. */
function literalsIn(source: string): string[] {
  const code = source.replace(/^\s*(\/?\*|\/\/).*$/gm, '')
  const literals = code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)
  return [...literals].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replace(/\$\{[^}]*\}/g, '%s').replace(/\\(.)/g, '$1'),
  )
}

/** Whether the test around what failed uses what its file has from Fastify's own files. */
function isInternal(failure: readonly string[], read: Sources['read']): boolean {
  const place = placeOf(failure.join('\n'))
  if (place === undefined) return false
  const [path, at] = place
  const lines = read(path).split('\n')
  const uses = internalUse(lines)
  // What tests share is one function for all of them.
  const isShared = !/\.test\.js$/.test(path)
  return uses.test(blockAround(lines, at - 1, isShared ? /^\S.*\{$/ : startOfTest))
}

/** The line of a test file that a diagnosis names: where it was noticed, or the first on the stack. */
function placeOf(failure: string): [file: string, line: number] | undefined {
  const [, at, own] = /line: (\d+)\n(?:.*\n)?\s*file: (test\/\S+\.js)$/m.exec(failure) ?? []
  if (own !== undefined) return [own, Number(at)]
  const [, file, line] = /\b(test\/[\w./-]+\.js):(\d+)/.exec(failure) ?? []
  return file === undefined ? undefined : [file, Number(line)]
}

const startOfTest = /^ *(await )?(\w+\.)?test\(/

/** What finds a use of Fastify's own files: by the names that a file gives to what it takes from there, by those of its
 *  functions which use these, and by looking for symbols. */
function internalUse(lines: readonly string[]): RegExp {
  const requires = lines
    .join('\n')
    .matchAll(/^const (\w+|\{[^}]*\})\s*= require\('(?:\.\.\/)+lib\/[^']*'\)/gm)
  const names = [...requires].flatMap(([, taken = '']) =>
    taken
      .replace(/[{}\s]/g, '')
      .split(',')
      .flatMap((name) => name.split(':').at(-1) || []),
  )
  const find = (all: readonly string[]): RegExp => new RegExp(`\\b(${all.join('|')})\\b`)
  const direct = find([...names, 'getOwnPropertySymbols'])
  const functions = lines.flatMap((line, at) => {
    const name = /^(?:async )?function (\w+)/.exec(line)?.[1]
    return name !== undefined && direct.test(blockAround(lines, at, /^\S.*\{$/)) ? name : []
  })
  return find([...names, ...functions, 'getOwnPropertySymbols'])
}

/** The text of the innermost block around a line that begins in a certain way. */
function blockAround(lines: readonly string[], at: number, begins: RegExp): string {
  const indentOf = (line = ''): number => /^ */.exec(line)?.[0].length ?? 0
  const isStart = (line: string, index: number): boolean =>
    begins.test(line) && (index === at || indentOf(line) < indentOf(lines[at]))
  const start = lines.slice(0, at + 1).findLastIndex(isStart)
  if (start === -1) return lines[at] ?? ''
  const length = lines
    .slice(start + 1)
    .findIndex((line) => line !== '' && indentOf(line) <= indentOf(lines[start]))
  return lines.slice(start, length === -1 ? undefined : start + length + 2).join('\n')
}
