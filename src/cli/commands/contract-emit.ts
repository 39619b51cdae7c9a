import { existsSync, readFileSync } from 'node:fs'
import type { Command, Result } from '../command.ts'
import { contractText } from '../contract/emit.ts'
import { readTypes } from '../contract/program.ts'
import { documentOfModule } from '../document.ts'
import { restartOnChange } from '../restart.ts'
import { writeText } from '../write.ts'
import { UsageError } from '../../errors/usage-error.ts'

export const contractEmit: Command = {
  name: 'contract emit',
  positionals: ['MODULE'],
  summary: 'write the types of the routes of an application, for clients of other packages',
  details: [
    'The file imports nothing of the server:',
    "  import type { Api } from './api.ts'",
    "  const api = client<Api>('https://example.org')",
  ],
  options: {
    output: { short: 'o', value: 'FILE', help: 'the module of types: api.ts' },
    check: { help: 'write nothing, and end with 1 if FILE differs' },
    watch: { short: 'w', help: 'write FILE again after each change below this folder' },
  },
  async run({ positionals: [module = ''], text, has, paint }): Promise<Result> {
    const file = text('output')
    const [needing] = ['check', 'watch'].filter((name) => has(name))
    if (file === undefined && needing !== undefined) {
      throw new UsageError(`--${needing} has no file`, `Name it: --${needing} -o api.ts`)
    }
    if (file !== undefined && has('watch')) {
      return restartOnChange(['contract', 'emit', module, '-o', file], { written: file })
    }
    const document = await documentOfModule(module)
    const contract = contractText(await readTypes(module), document)
    if (file === undefined) return { output: contract, code: 0 }
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const isSame = before?.replaceAll('\r\n', '\n') === contract
    if (has('check') && !isSame) {
      const what = before === undefined ? 'does not exist' : `differs from the routes of ${module}`
      const how = `espalier contract emit ${module} -o ${file}`
      return { output: `${paint('red', `${file} ${what}`)}\n  Renew it: ${how}\n`, code: 1 }
    }
    if (isSame) return { output: `${file} is up to date\n`, code: 0 }
    writeText(file, contract)
    return { output: `${file} is written\n`, code: 0 }
  },
}
