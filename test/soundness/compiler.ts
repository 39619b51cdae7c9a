// One call of the compiler for a whole program, whose claims stand on a line each.
import { join, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '../..')

/** An error of the compiler, by line (from 0). */
export interface Finding {
  readonly line: number
  readonly message: string
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  noErrorTruncation: true,
}

/** The files that every program has are parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** Where the program stands, so that it imports as a test does. Nothing is written there. */
const place = join(import.meta.dirname, 'program.generated.ts')

/** The errors of a program, which imports the library from `../../src/index.ts`. */
export function compile(text: string): Finding[] {
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.getCurrentDirectory = () => root
  host.fileExists = (name) => resolve(name) === place || fileExists(name)
  host.readFile = (name) => (resolve(name) === place ? text : readFile(name))
  host.getSourceFile = (name, languageVersion, ...rest) => {
    if (resolve(name) === place) return ts.createSourceFile(name, text, languageVersion, true)
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, languageVersion, ...rest))
    return parsed.get(name)
  }
  const program = ts.createProgram({ rootNames: [place], options, host })
  const file = program.getSourceFile(place)
  if (file === undefined) throw new Error('the compiler did not find the program')
  const found = [
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]
  return found.map(({ start, messageText }) => ({
    line: start === undefined ? -1 : file.getLineAndCharacterOfPosition(start).line,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
}

/** The program in JavaScript, to be run. */
export function transpile(text: string): string {
  return ts.transpile(text, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext })
}

/** The version of the compiler that is asked. */
export const compilerVersion: string = ts.version
