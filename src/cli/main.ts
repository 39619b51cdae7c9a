#!/usr/bin/env node
import { failure } from './application.ts'
import { run } from './run.ts'
import { painterFor, printableLines } from './terminal.ts'
import { UsageError } from '../errors/usage-error.ts'

const { argv, env, stderr, stdout } = process
const wantsStack = argv.includes('--stack') || (env['DEBUG'] ?? '') !== ''
const print = stdout.write.bind(stdout)
let isOver = false

function explain(error: unknown): string {
  const paint = painterFor(stderr, env)
  const message = error instanceof Error ? error.message : String(error)
  const remedy = error instanceof UsageError ? `  ${error.remedy}\n` : ''
  const cause = error instanceof UsageError ? (error.cause ?? error) : error
  const stack = wantsStack && cause instanceof Error ? `${cause.stack ?? ''}\n` : ''
  return `${paint('red', 'espalier:')} ${printableLines(`${message}\n${remedy}${stack}`)}`
}

/** Writes all of a text, and ends the process, whatever timers the application has. */
function end(text: string, code: number): void {
  isOver = true
  // Whoever reads the output may have gone: `espalier routes app.ts | head`.
  stdout.on('error', () => process.exit(code))
  print(text, () => process.exit(code))
}

function fail(error: unknown): void {
  isOver = true
  stderr.write(explain(error), () => process.exit(2))
}

// What an application prints while it loads is no part of the output, but of that of `dev`.
Object.defineProperty(stdout, 'write', { value: stderr.write.bind(stderr), configurable: true })
process.on('uncaughtException', (error) => fail(failure('The application throws', error)))
// An application may wait forever for something that nothing keeps alive.
process.once('beforeExit', () =>
  fail(
    new UsageError(
      'The application never finishes loading',
      'Look for an `await` at its top level whose promise stays pending',
    ),
  ),
)
process.once('exit', () => {
  if (isOver) return
  process.exitCode = 2
  const remedy = 'Look for a call of `process.exit` that runs when it loads, boots or closes'
  stderr.write(explain(new UsageError('The application ended the process too early', remedy)))
})

run(argv.slice(2), painterFor(stdout, env)).then(({ output, code }) => end(output, code), fail)
