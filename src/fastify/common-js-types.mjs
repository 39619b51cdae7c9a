// Writes the declarations of entry points for CommonJS. They name those of the ES modules, so that a type is the same one
// for both. Under `module: node16` the compiler refuses that, since no code of CommonJS may load an ES module there. What is
// loaded is another file, so the error is ignored.
import { appendFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import ts from 'typescript'

/** @param entries the paths of declarations, without their ending `.d.ts` */
export function declareForCommonJs(entries) {
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [] }
  const paths = entries.map((entry) => `${entry}.d.ts`)
  const program = ts.createProgram(paths, options)
  const checker = program.getTypeChecker()
  const texts = entries.map((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(`${entry}.d.ts`))
    const exported = checker.getExportsOfModule(module)
    const required = exported.find(({ name }) => name === 'module.exports')
    const path = `./${basename(entry)}.js`
    if (required === undefined) return `export * from '${path}'\n`
    const made = checker.getAliasedSymbol(required)
    addTypes(made, exported, entry)
    return `import { '${required.name}' as made } from '${path}'\nexport = made\n`
  })
  const ignore = '// @ts-ignore: what is loaded is CommonJS\n'
  for (const [at, entry] of entries.entries()) writeFileSync(`${entry}.d.cts`, ignore + texts[at])
}

/** Makes all exported types members of a function, where that is declared. */
function addTypes(made, exported, entry) {
  const { fileName } = made.valueDeclaration.getSourceFile()
  const missing = exported.filter(
    ({ name }) => !made.exports.has(name) && name !== 'module.exports',
  )
  const list = (alias) => missing.map(({ name }) => `  ${alias(name)},\n`).join('')
  const path = relative(dirname(fileName), `${entry}.js`)
  appendFileSync(
    fileName,
    `import type {\n${list((name) => `${name} as Own${name}`)}} from './${path}'
export declare namespace ${made.name} {
  export type {\n${list((name) => `Own${name} as ${name}`)}}
}
`,
  )
}
