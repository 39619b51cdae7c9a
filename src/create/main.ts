#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { UsageError } from '../errors/usage-error.ts'
import { suggestion } from '../errors/near-miss.ts'
import { version } from '../version.ts'
import { create } from './create.ts'
import { askFolder } from './folder.ts'
import { templates } from './templates.ts'

const options = {
  template: { type: 'string', short: 't' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

const help = `Usage: npm create espalier@latest [FOLDER] -- [options]

Makes an application of Espalier in a folder that is new or empty.

  -t, --template NAME  what is made; minimal if it is not given
${Object.entries(templates)
  .map(([name, text]) => `                         ${name}: ${text}`)
  .join('\n')}
  -y, --yes            ask nothing
  -h, --help           show this
  -v, --version        show the version

It ends with 0 if the application is made, and with 2 if not.
`

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, unknown = ''] = /^Unknown option '--?([^']+)'/.exec(message) ?? []
    const names = Object.keys(options).map((name) => `--${name}`)
    const [text = ''] = message.split(/\. To specify|\n/)
    throw new UsageError(text, suggestion(unknown === '' ? undefined : `--${unknown}`, names))
  }
}

async function run(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { values, positionals } = parse(args)
  if (values.help === true) return help
  if (values.version === true) return `${version}\n`
  if (positionals.length > 1) {
    const given = positionals.map((each) => `'${each}'`).join(', ')
    throw new UsageError(
      `There is more than one folder: ${given}`,
      'Name one. Options stand behind --: npm create espalier my-app -- --template service',
    )
  }
  // Without `--`, npm takes `--template=service` for an option of its own, and sets a variable.
  const { npm_config_template: template } = env
  const isAsked = values.yes !== true
  const { stdin: input, stderr: output } = process
  const folder = positionals[0] ?? (await askFolder({ input, output }, isAsked))
  return create({ folder, template: values.template ?? template, env })
}

run(process.argv.slice(2), process.env).then(
  (text) => process.stdout.write(text),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    const remedy = error instanceof UsageError ? `  ${error.remedy}\n` : ''
    process.stderr.write(`create-espalier: ${message}\n${remedy}`)
    process.exitCode = 2
  },
)
