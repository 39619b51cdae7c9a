import { parseArgs, type ParseArgsConfig } from 'node:util'
import { suggestion } from '../errors/near-miss.ts'
import type { Paint } from './terminal.ts'
import { UsageError } from '../errors/usage-error.ts'

/** An option of a command. One with a `value` takes it behind it: `--output FILE`. */
export interface Option {
  readonly short?: string
  /** What the value is called in the help. */
  readonly value?: string
  /** The values that there are. */
  readonly choices?: readonly string[]
  /** Whether it may be there several times. */
  readonly isMany?: boolean
  readonly help: string
}

/** What the caller gave. */
export interface Given {
  readonly positionals: readonly string[]
  /** The value of an option that takes one. */
  readonly text: (name: string) => string | undefined
  /** The values of an option that may be there several times. */
  readonly texts: (name: string) => readonly string[]
  /** Whether an option without a value is there. */
  readonly has: (name: string) => boolean
  readonly paint: Paint
}

/** What a command prints, and how the process ends: 0, or 1 where a check found something; 2 where
 *  it has printed an error itself. */
export interface Result {
  readonly output: string
  readonly code: 0 | 1 | 2
}

export interface Command {
  /** One word, or two: `openapi emit`. */
  readonly name: string
  /** The names of the arguments. One in brackets may be left out: `[FOLDER]`. */
  readonly positionals: readonly string[]
  readonly summary: string
  /** Lines for the help of this command. */
  readonly details?: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  run(given: Given): Promise<Result>
}

/** Options of every command. */
export const commonOptions: Readonly<Record<string, Option>> = {
  help: { short: 'h', help: 'show what the command does' },
  stack: { help: 'show where an error was thrown; the variable DEBUG does the same' },
}

/** Reads the arguments behind the name of a command. @throws UsageError */
export function readGiven(command: Command, args: readonly string[], paint: Paint): Given {
  const options: Readonly<Record<string, Option>> = { ...command.options, ...commonOptions }
  const { values, positionals } = parse(command, args, options)
  const remedy = `See: espalier ${command.name} --help`
  for (const [name, value] of Object.entries(values)) {
    const choices = options[name]?.choices
    if (choices === undefined || choices.includes(String(value))) continue
    throw new UsageError(`--${name} is '${String(value)}'`, `There are: ${choices.join(', ')}`)
  }
  const needed = command.positionals.filter((name) => !name.startsWith('['))
  const { length } = positionals
  const isWrong = length < needed.length || length > command.positionals.length
  if (values['help'] !== true && isWrong) {
    const wanted = command.positionals.join(' ')
    throw new UsageError(`'${command.name}' takes ${wanted}, and got ${length} arguments`, remedy)
  }
  return {
    positionals,
    text: (name) => {
      const value = values[name]
      return typeof value === 'string' ? value : undefined
    },
    texts: (name) => [values[name] ?? []].flat().map(String),
    has: (name) => values[name] === true,
    paint,
  }
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

function parse(
  command: Command,
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
): Parsed {
  const config: NonNullable<ParseArgsConfig['options']> = {}
  for (const [name, { short, value, isMany = false }] of Object.entries(options)) {
    const type = value === undefined ? 'boolean' : 'string'
    config[name] = { type, multiple: isMany, ...(short !== undefined && { short }) }
  }
  try {
    return parseArgs({ args: [...args], options: config, allowPositionals: true })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, unknown = ''] = /^Unknown option '--?([^']+)'/.exec(message) ?? []
    const names = Object.keys(options).map((name) => `--${name}`)
    const known = unknown === '' ? '' : `${suggestion(`--${unknown}`, names)}\n  `
    const [text = ''] = message.split(/\. To specify|\n/)
    throw new UsageError(text, `${known}See: espalier ${command.name} --help`)
  }
}
