// The mistakes that the programs make, and how a compiler is asked whether it sees them.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Each is a part of a program in `programs/`, behind a comment with its key. */
export const mistakes = {
  field: 'a reply lacks a field of its schema',
  type: 'a field of a reply has another type',
  nothing: 'a handler may answer nothing',
  status: 'a status is sent that the route does not declare',
  error: 'the body of a 404 has another field',
  parameter: 'a parameter is taken for another type',
  query: 'a field of the query is misspelt',
  path: 'the path has another parameter than its schema',
  scope: 'a route reads what only guarded routes have',
  input: 'a caller misspells a field of a body',
  output: 'a caller reads a field that the reply does not have',
} as const

export type Mistake = keyof typeof mistakes

export const allMistakes = Object.keys(mistakes) as Mistake[]

export const programOf = (peer: string): string =>
  join(import.meta.dirname, 'programs', `${peer}.ts`)

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  experimentalDecorators: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
}

/** Where the mistakes of a program begin, by line. Nest has no caller, for one. */
function linesOf(program: string): { mistake: Mistake; line: number }[] {
  return program.split(/\r?\n/).flatMap((text, index) => {
    const key = /^\s*\/\/ mistake: (\w+)$/.exec(text)?.[1]
    const mistake = allMistakes.find((one) => one === key)
    if (key !== undefined && mistake === undefined) throw new Error(`no mistake is called ${key}`)
    return mistake === undefined ? [] : [{ mistake, line: index + 1 }]
  })
}

/** The mistakes that a program makes, and those of them that the compiler finds.
 *  @param folder where the packages of the peer are
 *  @throws Error if the compiler finds an error elsewhere: the program itself is wrong then */
export function compile(peer: string, folder: string): { made: Mistake[]; found: Mistake[] } {
  const program = readFileSync(programOf(peer), 'utf8')
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts'] }),
  )
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  const begins = linesOf(program)
  const errors = [...stdout.matchAll(/^\S*program\.ts\((\d+),.*$/gm)]
  const found = errors.map(([text, line]) => {
    const at = begins.findLast((each) => each.line <= Number(line))
    if (at === undefined) throw new Error(`the program of ${peer} does not compile: ${text}`)
    return at.mistake
  })
  const made = begins.map(({ mistake }) => mistake)
  return { made, found: made.filter((mistake) => found.includes(mistake)) }
}
