import { create } from '../../create/create.ts'
import { askFolder } from '../../create/folder.ts'
import { templates } from '../../create/templates.ts'
import type { Command, Result } from '../command.ts'

const { env, stderr, stdin } = process

export const newApplication: Command = {
  name: 'new',
  positionals: ['[FOLDER]'],
  summary: 'make an application in a folder that is new or empty',
  details: Object.entries(templates).map(([name, text]) => `  ${name}: ${text}`),
  options: {
    template: {
      short: 't',
      value: 'NAME',
      choices: Object.keys(templates),
      help: 'what is made; minimal if it is not given',
    },
    yes: { short: 'y', help: 'ask nothing' },
  },
  async run({ positionals: [given], text, has }): Promise<Result> {
    const folder = given ?? (await askFolder({ input: stdin, output: stderr }, !has('yes')))
    return { output: create({ folder, template: text('template'), env }), code: 0 }
  },
}
