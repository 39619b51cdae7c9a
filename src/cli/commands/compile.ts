import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { type CompiledModule, compileModule, textOfModule } from '../../server/compiled-module.ts'
import { withApplication } from '../application.ts'
import type { Command, Result } from '../command.ts'
import { UsageError } from '../../errors/usage-error.ts'

export const compile: Command = {
  name: 'compile',
  positionals: ['MODULE'],
  summary: 'write the validators and serializers of an application into a module',
  details: [
    'The application takes them by the option `compiled`, and makes no code from strings then:',
    "  import compiled from './compiled.mjs'",
    '  const app = espalier({ compiled })',
  ],
  options: {
    output: { short: 'o', value: 'FILE', help: 'the module: compiled.mjs, or a .js file' },
  },
  async run({ positionals: [path = ''], text, paint }): Promise<Result> {
    const file = text('output')
    if (file === undefined || !['.mjs', '.js'].includes(extname(file))) {
      throw new UsageError('There is no file to write', 'Name it: -o dist/compiled.mjs')
    }
    const { functions, left } = await writeModule(path, file)
    const lines = left.map(([schema, reason]) => {
      const shown = schema.length > 100 ? `${schema.slice(0, 100)}…` : schema
      return `${paint('yellow', 'left to the server:')} ${reason}, in ${shown}\n`
    })
    return { output: `${file} is written: ${functions.size} functions\n${lines.join('')}`, code: 0 }
  },
}

/** The application may import the module, so one without functions stands there meanwhile. */
async function writeModule(path: string, file: string): Promise<CompiledModule> {
  const before = existsSync(file) ? readFileSync(file) : undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'export default { functions: {}, others: [], isEmpty: true }\n')
    const made = await withApplication(path, ({ host }) =>
      compileModule(host.options, host.compilers),
    )
    writeFileSync(file, textOfModule(made))
    writeFileSync(file.replace(/\.(m?)js$/, '.d.$1ts'), declaration)
    return made
  } catch (error) {
    if (before === undefined) rmSync(file, { force: true })
    else writeFileSync(file, before)
    throw error
  }
}

const declaration = `import type { CompiledSchemas } from 'espalier'
declare const compiled: CompiledSchemas
export default compiled
`
