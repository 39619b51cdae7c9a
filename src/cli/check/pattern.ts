import type { Group, Root, Set as TokenSet, Token } from 'ret'
import late from '../../packages/late.cjs'

/** The kinds of tokens of `ret`, which are numbers. */
const kinds = { group: 1, position: 2, set: 3, range: 4, repetition: 5, char: 7 } as const

/** A short text that a pattern of JSON Schema matches. It may be wrong, such as for a look-ahead,
 *  so the validator has to tell. Undefined where the pattern is not understood. */
export function textFor(pattern: string): string | undefined {
  const tokens = tokensOf(pattern)
  return tokens && written(firstOf(tokens))
}

/** The ends at which a pattern lets other text stand.
 *
 *  One that is open at one end only, with a plain character there, is a test of how a text begins
 *  or ends: `^https://`. `\S` tests that there is something to see. Both are meant. */
export function openEnds(pattern: string): { readonly start: boolean; readonly end: boolean } {
  const tokens = tokensOf(pattern)
  if (tokens === undefined || pattern === String.raw`\S`) return { start: false, end: false }
  const [start, end] = [startsOf(tokens), endsOf(tokens)].map((all) => all.some(isOpen))
  const isPlain = (all: readonly (Token | undefined)[]): boolean =>
    all.every((token) => token === undefined || !isOpen(token) || token.type === kinds.char)
  return {
    start: start === true && (end === true || !isPlain(startsOf(tokens))),
    end: end === true && (start === true || !isPlain(endsOf(tokens))),
  }
}

/** What `ret` does not know, a class of characters by a property, is written as letters. */
function tokensOf(pattern: string): Root | undefined {
  try {
    return late.patternTokens()(pattern.replaceAll(/\\p\{[^}]*\}/g, 'a'))
  } catch {
    return undefined
  }
}

type Branching = Pick<Group | Root, 'stack' | 'options'>

const firstOf = ({ stack, options = [] }: Branching): readonly Token[] => stack ?? options[0] ?? []

const branchesOf = ({ stack, options }: Branching): readonly (readonly Token[])[] =>
  stack === undefined ? (options ?? []) : [stack]

/** What a text may begin with. */
const startsOf = (tokens: Branching): (Token | undefined)[] => edgesOf(tokens, 0)
const endsOf = (tokens: Branching): (Token | undefined)[] => edgesOf(tokens, -1)

function edgesOf(tokens: Branching, index: number): (Token | undefined)[] {
  return branchesOf(tokens).flatMap((branch) => {
    const edge = branch.at(index)
    if (edge?.type === kinds.group && !isTest(edge)) return edgesOf(edge, index)
    return [edge]
  })
}

/** Whether other text may stand before or behind what a token matches, and that says nothing of
 *  it. */
function isOpen(token: Token | undefined): boolean {
  if (token === undefined) return false
  if (token.type === kinds.position) return token.value !== '^' && token.value !== '$'
  if (token.type === kinds.group) return !isTest(token)
  return !(token.type === kinds.repetition && isAny(token.value))
}

const isTest = (group: Group): boolean =>
  group.followedBy === true || group.notFollowedBy === true || group.lookBehind === true

/** The characters that texts have if they can. */
const usual = ['a', 'A', '0', '-', '.', '_', ' ', '/', '!']

/** Whether a token is `.` or the like. */
const isAny = (token: Token): boolean =>
  token.type === kinds.set && usual.every((char) => has(token, codeOf(char)))

function written(tokens: readonly Token[]): string {
  return tokens.map(write).join('')
}

function write(token: Token): string {
  if (token.type === kinds.char) return String.fromCodePoint(token.value)
  if (token.type === kinds.set) return charOf(token)
  // What may be left out is written once, since many texts must not be empty.
  if (token.type === kinds.repetition)
    return write(token.value).repeat(Math.min(Math.max(token.min, 1), token.max, 1000))
  if (token.type === kinds.group && !isTest(token)) return written(firstOf(token))
  return ''
}

/** A character of a set: a usual one, if there is one. */
function charOf(token: TokenSet): string {
  const [first] = token.set
  const edge = first?.type === kinds.range ? first.from : undefined
  const own = edge === undefined ? [] : [String.fromCodePoint(edge)]
  const single = first?.type === kinds.char ? [String.fromCodePoint(first.value)] : []
  return [...usual, ...own, ...single].find((char) => has(token, codeOf(char))) ?? ''
}

const codeOf = (char: string): number => char.codePointAt(0) ?? 0

function has({ set, not }: TokenSet, code: number): boolean {
  const isIn = set.some((each) => {
    if (each.type === kinds.char) return each.value === code
    return each.type === kinds.range ? each.from <= code && code <= each.to : has(each, code)
  })
  return isIn !== not
}
