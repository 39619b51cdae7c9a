import { suggestion } from '../errors/near-miss.ts'
import { version } from '../version.ts'
import { type Command, readGiven, type Result } from './command.ts'
import { check } from './commands/check.ts'
import { compile } from './commands/compile.ts'
import { contractDiff } from './commands/contract-diff.ts'
import { contractEmit } from './commands/contract-emit.ts'
import { dev } from './commands/dev.ts'
import { diff } from './commands/diff.ts'
import { emit } from './commands/emit.ts'
import { lint } from './commands/lint.ts'
import { mcp } from './commands/mcp.ts'
import { newApplication } from './commands/new.ts'
import { routes } from './commands/routes.ts'
import { types } from './commands/types.ts'
import { helpOf, helpOfCommand } from './help.ts'
import type { Paint } from './terminal.ts'
import { UsageError } from '../errors/usage-error.ts'

const commands: readonly Command[] = [
  newApplication,
  dev,
  routes,
  check,
  types,
  compile,
  emit,
  diff,
  lint,
  contractEmit,
  contractDiff,
  mcp,
]

/** Runs a command by its arguments. @throws UsageError */
export async function run(args: readonly string[], paint: Paint): Promise<Result> {
  const [first = ''] = args
  if (first === '--version' || first === '-v') return { output: `${version}\n`, code: 0 }
  if (first === '--help' || first === '-h') return { output: helpOf(commands), code: 0 }
  if (first === '') return { output: helpOf(commands), code: 2 }
  const found = commands.find(({ name }) => name === args.slice(0, wordsOf(name)).join(' '))
  if (found === undefined) return group(args)
  const given = readGiven(found, args.slice(wordsOf(found.name)), paint)
  return given.has('help') ? { output: helpOfCommand(found), code: 0 } : found.run(given)
}

const wordsOf = (name: string): number => name.split(' ').length

/** The help of all commands that begin with a word. @throws UsageError if none does */
function group([first = '', second = '']: readonly string[]): Result {
  const below = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (below.length > 0 && (second === '' || second === '--help' || second === '-h')) {
    return { output: helpOf(below), code: second === '' ? 2 : 0 }
  }
  const asked = below.length > 0 ? `${first} ${second}` : first
  const names = commands.map(({ name }) => name)
  // `espalier lint` is short of `espalier openapi lint`.
  const longer = names.find((name) => name.endsWith(` ${asked}`))
  const known = suggestion(longer ?? asked, names)
  throw new UsageError(`There is no command '${asked}'`, `${known}\n  See: espalier --help`)
}
