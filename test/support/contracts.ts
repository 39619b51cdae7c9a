// Whether the types of an emitted contract are those that are inferred from the server.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractText } from '../../src/cli/contract/emit.ts'
import { readTypes } from '../../src/cli/contract/program.ts'
import { makeCase } from '../soundness/cases.ts'
import { compile } from './compilers.ts'

const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
}

/** Emits the contract of a module, whose comments and names stay out of it.
 *  @returns the text, and its size */
export async function emit(module: string, contract: string): Promise<string> {
  const text = contractText(await readTypes(module), {})
  writeFileSync(contract, text)
  return text
}

/** A module with a server, and its contract. */
export interface Compared {
  /** The type of the server, in terms of `module`. */
  readonly server: string
  /** The names of files of the folder. */
  readonly module: string
  readonly contract: string
}

/** What the compilers say of programs that compare each route of a contract with that of the server, both ways. */
export function differences(
  folder: string,
  all: readonly Compared[],
  compilers: readonly string[],
): string {
  const files = all.map(({ server, module, contract }, index) => {
    writeFileSync(
      join(folder, `same-${index}.ts`),
      `import type { CallArguments, ResponseOf, RouteKey } from 'espalier/client'
import type { SocketMessages, SocketPath } from 'espalier/socket'
import type { Api } from './${contract}'
import type * as module from './${module}'
type App = ${server}
type Both<Emitted, Inferred> = [Emitted] extends [Inferred]
  ? [Inferred] extends [Emitted] ? true : 'what is inferred is wider'
  : 'what is emitted is wider'
type Compared = { [Key in RouteKey<App>]: readonly [
  Both<CallArguments<Api, Key>, CallArguments<App, Key>>,
  Both<ResponseOf<Api, Key>, ResponseOf<App, Key>>,
] }
declare const compared: Compared
export const all: { readonly [Key in RouteKey<App>]: readonly [true, true] } = compared
type Sockets = { [Path in SocketPath<App>]: Both<SocketMessages<Api, Path>, SocketMessages<App, Path>> }
declare const sockets: Sockets
export const rooms: { readonly [Path in SocketPath<App>]: true } = sockets
declare const keys: RouteKey<Api>
export const known: RouteKey<App> = keys
`,
    )
    return `same-${index}.ts`
  })
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  return compilers.map((each) => compile(each, folder)).join('')
}

/** A module with the random schemas of some seeds, each in a context of its own. */
export function randomModule(seeds: readonly number[]): string {
  const plugins = seeds.flatMap((seed) => {
    const { shared, written, query } = makeCase(seed)
    const schemas = shared.map(({ text }) => `.addSchema(${text})`).join('')
    const bodies = written.map(
      ({ form, text }) =>
        `.post('/b${seed}/${form}', { schema: { body: ${text}, response: { 200: ${text} } } }, handler)`,
    )
    const queries = query.written.map(
      ({ form, text }) =>
        `.get('/q${seed}/${form}', { schema: { querystring: ${text} } }, handler)`,
    )
    return `.register(async (app) => app${[schemas, ...bodies, ...queries].join('\n    ')})`
  })
  return `import espalier, { t } from 'espalier'
declare const handler: () => never
export const app = espalier()
  ${plugins.join('\n  ')}
`
}
