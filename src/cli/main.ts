#!/usr/bin/env node
import { nearMiss } from '../validation/near-miss.ts'
import { version } from '../version.ts'
import { type Command, readGiven } from './command.ts'
import { diff } from './commands/diff.ts'
import { emit } from './commands/emit.ts'
import { lint } from './commands/lint.ts'
import { routes } from './commands/routes.ts'
import { helpOf, helpOfCommand } from './help.ts'
import { painterFor } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const commands: readonly Command[] = [routes, emit, diff, lint]
const { argv, env, stderr, stdout } = process
const wantsStack = argv.includes('--stack') || (env['DEBUG'] ?? '') !== ''
const print = stdout.write.bind(stdout)

interface End {
  readonly output: string
  readonly code: number
}

async function run(args: readonly string[]): Promise<End> {
  const [first = ''] = args
  if (first === '--version' || first === '-v') return { output: `${version}\n`, code: 0 }
  if (first === '--help' || first === '-h') return { output: helpOf(commands), code: 0 }
  if (first === '') return { output: helpOf(commands), code: 2 }
  const found = commands.find(({ name }) => name === args.slice(0, wordsOf(name)).join(' '))
  if (found === undefined) return group(args)
  const given = readGiven(found, args.slice(wordsOf(found.name)), painterFor(stdout, env))
  return given.has('help') ? { output: helpOfCommand(found), code: 0 } : found.run(given)
}

const wordsOf = (name: string): number => name.split(' ').length

/** The help of all commands that begin with a word. @throws UsageError if none does */
function group([first = '', second = '']: readonly string[]): End {
  const below = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (below.length > 0 && (second === '' || second === '--help' || second === '-h')) {
    return { output: helpOf(below), code: second === '' ? 2 : 0 }
  }
  const asked = below.length > 0 ? `${first} ${second}` : first
  const near = nearMiss(
    asked,
    commands.map(({ name }) => name),
  )
  const meant = near === undefined ? '' : `Is '${near}' meant? `
  throw new UsageError(`There is no command '${asked}'`, `${meant}See: espalier --help`)
}

function explain(error: unknown): string {
  const paint = painterFor(stderr, env)
  const message = error instanceof Error ? error.message : String(error)
  const remedy = error instanceof UsageError ? `  ${error.remedy}\n` : ''
  const cause = error instanceof UsageError ? (error.cause ?? error) : error
  const stack = wantsStack && cause instanceof Error ? `${cause.stack ?? ''}\n` : ''
  return `${paint('red', 'espalier:')} ${message}\n${remedy}${stack}`
}

/** Writes all of a text, and ends the process, whatever timers the application has. */
function end(text: string, code: number): void {
  // Whoever reads the output may have gone: `espalier routes app.ts | head`.
  stdout.on('error', () => process.exit(code))
  print(text, () => process.exit(code))
}

// What an application prints while it loads is no part of the output.
Object.defineProperty(stdout, 'write', { value: stderr.write.bind(stderr) })
// An application may wait forever for something that nothing keeps alive.
process.exitCode = 2
process.once('beforeExit', () => {
  stderr.write(
    explain(
      new UsageError(
        'The application never finishes loading',
        'Look for an `await` at its top level whose promise stays pending',
      ),
    ),
  )
})

run(argv.slice(2)).then(
  ({ output, code }) => {
    end(output, code)
  },
  (error: unknown) => stderr.write(explain(error), () => process.exit(2)),
)
