// The blocks of code in a page. A test compiles and runs them, and the site shows their types.
// What stands behind the three backticks says what a block is:
//
//   ts         compiles, and an editor shows behind each `^?` the type that the comment says
//   ts app.ts  the same, of a file that other blocks of the page import
//   ts error   has mistakes, and the next block has what the compiler says of them: `…` stands there for any text
//   diff error the same of the block before, with these lines changed
//   ts run     compiles and runs; what it prints is what its comments `// → …` say
//
// A block without an import stands behind `preamble`.

export const preamble = [
  "import espalier, { errorCodes, t } from 'espalier'",
  'declare const findUser: (token?: string) => Promise<{ name: string } | undefined>',
  'const app = espalier()\n',
].join('\n')

export interface Block {
  /** What stands behind the backticks: `ts run`. */
  readonly kind: string
  readonly text: string
  /** Where its first line is, from 1. */
  readonly line: number
  /** The block behind it. */
  readonly next: string
  /** The file that it is, as `app.ts`, if it has a name. */
  readonly name: string | undefined
}

export function blocksOf(page: string): Block[] {
  const found = [...page.matchAll(/^```(\S[^\n]*)?\n(.*?)^```$/gms)]
  return found.map(({ 1: kind = '', 2: text = '', index }, number) => ({
    kind,
    text,
    line: page.slice(0, index).split('\n').length + 1,
    next: found[number + 1]?.[2] ?? '',
    name: /^ts (\S+\.ts)$/.exec(kind)?.[1],
  }))
}

/** A block with the lines of a `diff error` changed. @throws Error if the block does not have them */
export function changed(text: string, diff: string): string {
  const linesWith = (sign: string) =>
    diff
      .split('\n')
      .flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : []))
      .join('\n')
  const old = linesWith('-')
  if (!text.includes(old)) throw new Error(`no block before has the lines:\n${old}`)
  return text.replace(old, () => linesWith('+'))
}

/** The whole program of a block: with the preamble, if it has no import. */
export const programOf = (text: string) => lead(text) + text

/** Behind it stands the type of the name above. The site shows the line as it is: a window would cover the code. */
const arrows = /^(\s*\/\/\s*)\^\?/gm

const lead = (text: string) => (/^import /m.test(text) ? '' : preamble)

/**
 * A block as Twoslash reads it: the files that it imports and the preamble are compiled and not shown, and mistakes are
 * expected where the block has them.
 */
export function annotated(block: Block, page: readonly Block[]): string {
  const imported = page.filter(
    ({ name, text }) => name !== undefined && name !== block.name && text !== block.text,
  )
  const files = imported.map(
    ({ name, text }) => `// @filename: ${name ?? ''}\n${programOf(text).replaceAll(arrows, '$1^')}`,
  )
  const own = files.length === 0 ? [] : [`// @filename: ${block.name ?? 'block.ts'}`]
  const mistakes = [...block.next.matchAll(/\bTS(\d+):/g)].map(([, code]) => code)
  const expected = block.kind === 'ts error' ? [`// @errors: ${mistakes.join(' ')}`] : []
  const hidden = [...files, ...own, lead(block.text)].filter((part) => part !== '')
  const cut = hidden.length === 0 ? [] : [...hidden, '// ---cut---']
  const shown = block.text.replaceAll(arrows, '$1^')
  return [...expected, ...cut, shown].join('\n')
}

/** The heading of a file, on the page of an example that is a folder. */
export const anchorOf = (file: string) => file.replaceAll(/\W+/g, '-').replace(/^-|-$/g, '')
