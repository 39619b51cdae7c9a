import { existsSync, readFileSync } from 'node:fs'
import type { JsonObject } from '../../types/objects.ts'
import type { Command, Result } from '../command.ts'
import { documentOfContract } from '../contract/document.ts'
import { contractText } from '../contract/emit.ts'
import { loadTypeScript, readTypes } from '../contract/program.ts'
import { compareDocuments } from '../diff.ts'
import { documentOfModule } from '../document.ts'
import { formatOptions } from '../format.ts'
import { readText } from '../source.ts'
import { changesResult } from './diff.ts'

export const contractDiff: Command = {
  name: 'contract diff',
  positionals: ['OLD', 'NEW'],
  summary: 'say what a newer contract changes for clients; end with 1 if it breaks them',
  details: [
    'OLD and NEW are each a contract that `contract emit` wrote, one in git (origin/main:api.ts),',
    'or the module of an application. Changes are judged as by `openapi diff`.',
  ],
  options: formatOptions,
  async run(given): Promise<Result> {
    const [before = '', after = ''] = given.positionals
    const old = await readContract(before)
    return changesResult(compareDocuments(old, await readContract(after)), given, after)
  },
}

/** The contract of a file, of a revision in git, or of an application. */
async function readContract(source: string): Promise<JsonObject> {
  const typescript = await loadTypeScript(process.cwd())
  const isFile = existsSync(source)
  const text = isFile ? readFileSync(source, 'utf8') : await readText(source)
  const isApplication = isFile && !/\binterface Routes\b/.test(text)
  const contract = isApplication
    ? contractText(await readTypes(source), await documentOfModule(source))
    : text
  return documentOfContract(typescript, contract, source)
}
