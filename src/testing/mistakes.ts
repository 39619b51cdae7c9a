import { AssertionError } from 'node:assert'
import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { compile, type Diagnostic, findCompiler } from './compiler.ts'

/** The options of `mistakes`. */
export interface MistakesOptions {
  /** The tsconfig of the project, whose options the programs are compiled with.
   *  @default 'tsconfig.json' */
  readonly tsconfig?: string | undefined
  /** The package that has `tsc`: TypeScript 5.9, 6 or 7, under any name.
   *  @default 'typescript', as the folder of the tsconfig sees it */
  readonly typescript?: string | undefined
}

/** Compiles small programs in one process, and asserts that they have the mistakes that their
 *  comments name, and no others. A comment `// error: …` stands at the end of the line, or above
 *  it. It has any part of the message, such as `TS2322` or a sentence; white space makes no
 *  difference.
 *  @param files paths of programs; or programs by the paths at which they would stand, from the
 *  folder of the tsconfig, so that `./app.ts` is found
 *  @throws (the promise rejects) an AssertionError that has each line with what was expected and
 *  what was found
 *  @throws UsageError if there is no TypeScript or no tsconfig
 *  @example
 *  await mistakes({
 *    'src/wrong.ts': `
 *      import { app } from './app.ts'
 *      // error: There is no route
 *      app.inject('GET /nowhere')`,
 *  }) */
export async function mistakes(
  files: readonly string[] | Readonly<Record<string, string>>,
  { tsconfig = 'tsconfig.json', typescript }: MistakesOptions = {},
): Promise<void> {
  const given = isList(files) ? { files: files.map((file) => resolve(file)) } : { sources: files }
  const { sources = {}, files: paths = [] } = given
  const texts = [
    ...Object.entries(sources),
    ...paths.map((path) => [path, readFileSync(path, 'utf8')] as const),
  ]
  if (texts.length === 0) throw new TypeError('mistakes() needs a program')
  const compiler = findCompiler(dirname(resolve(tsconfig)), typescript)
  const { diagnostics } = await compile({ compiler, tsconfig, sources, files: paths })
  const claims = texts.flatMap(([file, text]) => claimsIn(text).map((each) => ({ ...each, file })))
  const lines = differences(claims, diagnostics)
  if (lines.length === 0) return
  const message = `The programs have other mistakes than their comments say:\n${lines.join('\n')}`
  throw new AssertionError({ message, operator: 'mistakes', stackStartFn: mistakes })
}

const isList = (files: object): files is readonly string[] => Array.isArray(files)

/** A mistake that a comment names. */
interface Claim {
  readonly file: string
  /** The line that has the mistake, from 1. */
  readonly line: number
  readonly text: string
}

/** A comment that has its line for itself speaks of the next line that is no comment. */
function claimsIn(text: string): Omit<Claim, 'file'>[] {
  const claims: Omit<Claim, 'file'>[] = []
  let above: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [, code = line, said] = /^(.*?)\/\/ error: (.*)$/.exec(line.trim()) ?? []
    if (said !== undefined) above.push(said)
    if (/^\s*(\/\/|$)/.test(code)) continue
    claims.push(...above.map((each) => ({ line: index + 1, text: each })))
    above = []
  }
  const last = text.split('\n').length
  return [...claims, ...above.map((each) => ({ line: last, text: each }))]
}

/** The lines of which compiler and comments say different things. */
function differences(claims: readonly Claim[], found: readonly Diagnostic[]): string[] {
  const isSame = (claim: Claim, { file, line, text }: Diagnostic): boolean =>
    claim.file === file && claim.line === line && bare(text).includes(bare(claim.text))
  const unmet = claims.filter((claim) => !found.some((each) => isSame(claim, each)))
  const unsaid = found.filter((each) => !claims.some((claim) => isSame(claim, each)))
  const places = new Set([...unmet, ...unsaid].map(placeOf))
  return [...places].map((place) => {
    const [expected, others] = [unmet, unsaid].map((list) => {
      const texts = list.filter((each) => placeOf(each) === place).map(({ text }) => text)
      return texts.length === 0 ? 'nothing' : texts.join('\n  and       ')
    })
    return `${place}\n  expected: ${expected ?? ''}\n  found:    ${others ?? ''}`
  })
}

const bare = (text: string): string => text.replaceAll(/\s+/g, '')

function placeOf({ file, line }: Pick<Diagnostic, 'file' | 'line'>): string {
  if (file === undefined) return 'the options of the compiler'
  return `${relative('', resolve(file))}:${line}`
}
