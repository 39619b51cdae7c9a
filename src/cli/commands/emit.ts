import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import type { JsonObject } from '../../types/objects.ts'
import type { OpenApiVersion } from '../../openapi/options.ts'
import type { Command, Given, Result } from '../command.ts'
import { documentOfModule } from '../document.ts'
import { parseDocument } from '../source.ts'
import { writeText } from '../write.ts'
import { UsageError } from '../../errors/usage-error.ts'

const versions: readonly OpenApiVersion[] = ['3.0', '3.1', '3.2']

export const emit: Command = {
  name: 'openapi emit',
  positionals: ['MODULE'],
  summary: 'write the OpenAPI document of an application',
  options: {
    output: {
      short: 'o',
      value: 'FILE',
      help: 'write it there, as YAML if it ends in .yaml or .yml',
    },
    yaml: { help: 'write YAML' },
    version: { value: 'VERSION', choices: versions, help: 'the version of OpenAPI: 3.0, 3.1, 3.2' },
    title: { value: 'TEXT', help: 'the title of the API' },
    'api-version': { value: 'TEXT', help: 'the version of the API' },
    check: {
      help: 'write nothing, and end with 1 if FILE differs; its layout makes no difference',
    },
  },
  async run(given): Promise<Result> {
    const [module = ''] = given.positionals
    const file = given.text('output')
    if (file === undefined && given.has('check')) {
      throw new UsageError('--check has no file to look at', 'Name it: --check -o openapi.json')
    }
    const document = await documentOfModule(module, {
      version: versions.find((version) => version === given.text('version')),
      title: given.text('title'),
      apiVersion: given.text('api-version'),
    })
    if (file !== undefined && given.has('check')) return check(document, file, given)
    const isYaml = given.has('yaml') || /^\.ya?ml$/.test(extname(file ?? ''))
    const text = isYaml ? toYaml(document) : `${JSON.stringify(document, null, 2)}\n`
    if (file === undefined) return { output: text, code: 0 }
    writeText(file, text)
    return { output: `${file} is written\n`, code: 0 }
  },
}

const toYaml = (document: JsonObject): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 100 })

function check(
  document: JsonObject,
  file: string,
  { positionals, paint, ...given }: Given,
): Result {
  const isThere = existsSync(file)
  if (isThere && isDeepStrictEqual(parseDocument(readFileSync(file, 'utf8'), file), document)) {
    return { output: `${file} is up to date\n`, code: 0 }
  }
  const others = ['version', 'title', 'api-version'].flatMap((name) => {
    const value = given.text(name)
    return value === undefined ? [] : [`--${name}`, value]
  })
  const words = ['espalier', 'openapi', 'emit', ...positionals, '-o', file, ...others]
  const how = words.map((word) => (/^[\w./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
  const what = isThere ? `differs from the routes of ${positionals.join()}` : 'does not exist'
  return { output: `${paint('red', `${file} ${what}`)}\n  Renew it: ${how}\n`, code: 1 }
}
