// Writes the declarations of an entry point for CommonJS. They refer to those of the ES module, so that a type is the same
// one for both.
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import ts from 'typescript'

const whatRequireGives = 'module.exports'

/** @param entries the paths of declarations, without their ending `.d.ts` */
export function declareForCommonJs(entries) {
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [] }
  const program = ts.createProgram(
    entries.map((entry) => `${entry}.d.ts`),
    options,
  )
  const checker = program.getTypeChecker()
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(`${entry}.d.ts`))
    const names = namesOf(checker.getExportsOfModule(module), checker)
    const isFunction = names.values.includes(whatRequireGives)
    const write = isFunction ? declareFunction : declareNamespace
    writeFileSync(`${entry}.d.cts`, write(`./${basename(entry)}.js`, names))
  }
}

/** The names of exported values and of exported types. A class is both. */
function namesOf(symbols, checker) {
  const names = { values: [], types: [] }
  for (const symbol of symbols) {
    const isAlias = symbol.flags & ts.SymbolFlags.Alias
    const { flags } = isAlias ? checker.getAliasedSymbol(symbol) : symbol
    const isErased = symbol.declarations.some((at) => ts.isTypeOnlyImportOrExportDeclaration(at))
    if (flags & ts.SymbolFlags.Value && !isErased) names.values.push(symbol.name)
    if (flags & ts.SymbolFlags.Type) names.types.push(symbol.name)
  }
  return names
}

const asModule = "with { 'resolution-mode': 'import' }"
const typesOf = (path) => `import('${path}', { ${asModule.replace(' {', ': {')} })`

/** For what `require` gives, a function with everything as its properties. */
function declareFunction(path, { types }) {
  const list = types.join(',\n  ')
  return `import type {
  '${whatRequireGives}' as made,
  ${list}
} from '${path}' ${asModule}

declare const required: typeof made
declare namespace required {
  export type {
  ${list}
  }
}
export = required
`
}

/** For an object of all exports. */
function declareNamespace(path, { values, types }) {
  const all = typesOf(path)
  const own = values.map((name) => {
    const type = types.includes(name) ? `export type ${name} = ${all}.${name}\n` : ''
    return `export declare const ${name}: typeof ${all}.${name}\n${type}`
  })
  return `export type * from '${path}' ${asModule}\n${own.join('')}`
}
