import { type Command, commonOptions, type Option } from './command.ts'

/** The help of some commands: what they are called with, and what for. */
export function helpOf(commands: readonly Command[]): string {
  const uses = commands.map(({ name, positionals }) => [name, ...positionals].join(' '))
  const width = Math.max(...uses.map((use) => use.length))
  const lines = commands.map(
    ({ summary }, index) => `  espalier ${(uses[index] ?? '').padEnd(width)}  ${summary}`,
  )
  return [
    'Usage:',
    ...lines,
    '',
    '  espalier COMMAND --help  show the options of a command',
    '  espalier --version       show the version of the package',
    '',
    'MODULE exports a server: as the default export, as `app` or `server`, or from a function',
    '`buildApp`, `build` or `createApp`. But for `dev`, it does not listen, and runs no onReady hooks.',
    '',
    'A command ends with 0 if all is well, with 1 if a check found something, and with 2 if it was',
    'called wrongly or the application does not load.',
    '',
  ].join('\n')
}

/** The help of one command. */
export function helpOfCommand({
  name,
  positionals,
  summary,
  details = [],
  options,
}: Command): string {
  const all = Object.entries({ ...options, ...commonOptions })
  const uses = all.map(([option, facts]) => use(option, facts))
  const width = Math.max(...uses.map((each) => each.length))
  const lines = all.map(([, { help }], index) => `  ${(uses[index] ?? '').padEnd(width)}  ${help}`)
  const usage = ['Usage: espalier', name, ...positionals, '[options]'].join(' ')
  const about = details.length === 0 ? [] : [...details, '']
  return [usage, '', `Does: ${summary}`, '', ...about, ...lines, ''].join('\n')
}

function use(name: string, { short, value }: Option): string {
  const both = short === undefined ? `    --${name}` : `-${short}, --${name}`
  return value === undefined ? both : `${both} ${value}`
}
