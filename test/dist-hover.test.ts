// What editors show of the names in an example is what its comments say. `npm run renew -- hovers` writes them.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type * as typescript from 'typescript'
import { load, registryOf } from './support/compilers.ts'

const file = resolve('examples/11-types.ts')

interface Mark {
  /** The line of the comment, and those that it goes on for. */
  readonly line: number
  readonly length: number
  /** What stands before the claim. */
  readonly head: string
  readonly claim: string
  /** Where the name is that the arrow shows at. */
  readonly position: number
}

const oneLine = (text: string) =>
  text.replace(/\s+/g, ' ').replaceAll('{ }', '{}').replaceAll('; }', ' }').trim()

/** The marks of a text, each for the nearest line above that is no comment. */
function findMarks(text: string): Mark[] {
  const lines = text.split('\n')
  const marks: Mark[] = []
  let code = { start: 0, next: 0 }
  for (const [line, content] of lines.entries()) {
    const found = /^( *\/\/ *)\^\?/.exec(content)
    if (!/^ *\/\//.test(content)) code = { start: code.next, next: code.next }
    if (found) {
      let length = 1
      while (
        /^ *\/\/ {3}/.test(lines[line + length] ?? '') &&
        !lines[line + length]?.includes('^?')
      ) {
        length += 1
      }
      const claim = [content.slice(found[0].length), ...lines.slice(line + 1, line + length)]
      const said = oneLine(claim.map((part) => part.replace(/^ *\/\/ {3}/, '')).join(' '))
      const position = code.start + String(found[1]).length
      marks.push({ line, length, head: found[0], claim: said, position })
    }
    code.next += content.length + 1
  }
  return marks
}

/** The service that editors ask. */
function startService(compiler: string) {
  const ts = load(compiler)
  const { config } = ts.readConfigFile(resolve('tsconfig.json'), (name) => ts.sys.readFile(name))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('.'))
  const host: typescript.LanguageServiceHost = {
    getCurrentDirectory: () => resolve('.'),
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '0',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    fileExists: (name) => ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
    directoryExists: (name) => ts.sys.directoryExists(name),
  }
  return ts.createLanguageService(host, registryOf(compiler))
}

function hovers(compiler: string, marks: readonly Mark[]): string[] {
  const ts = load(compiler)
  const service = startService(compiler)
  const shown = marks.map(({ position }) => {
    const info = service.getQuickInfoAtPosition(file, position)
    return oneLine(ts.displayPartsToString(info?.displayParts))
  })
  service.dispose()
  return shown
}

/** A comment of one line, or of several that are no longer than the others of the file. */
function comment(head: string, words: string): string {
  const indent = /^ */.exec(head)?.[0] ?? ''
  const lines = [head]
  for (const word of words.split(' ')) {
    const last = String(lines.at(-1))
    if (`${last} ${word}`.length <= 100) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}//    ${word}`)
  }
  return lines.join('\n')
}

function write(text: string, marks: readonly Mark[], shown: readonly string[]): void {
  const lines = text.split('\n')
  for (const [index, { line, length, head }] of [...marks.entries()].reverse()) {
    lines.splice(line, length, comment(head, String(shown[index])))
  }
  writeFileSync(file, lines.join('\n'))
}

for (const compiler of ['typescript', 'typescript-5.9']) {
  test(`an editor with ${compiler} shows the types that the example says`, () => {
    const text = readFileSync(file, 'utf8')
    const marks = findMarks(text)
    const shown = hovers(compiler, marks)
    if (process.env['RENEW'] !== undefined) return write(text, marks, shown)
    assert.ok(marks.length > 15 && !shown.includes(''))
    assert.deepEqual(
      shown,
      marks.map(({ claim }) => claim),
    )
  })
}

test('editors say what each builder of schemas makes', () => {
  const ts = load('typescript')
  const text = readFileSync('dist/schema/builder.d.ts', 'utf8')
  const source = ts.createSourceFile('builder.d.ts', text, ts.ScriptTarget.Latest, true)
  const members = source.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => name.text === 'MarkingMethods')
    .flatMap((each) => [...each.members])
  assert.ok(members.length > 30)
  const bare = members.filter((each) => ts.getJSDocCommentsAndTags(each).length === 0)
  assert.deepEqual(
    bare.map((each) => each.getText()),
    [],
  )
})
