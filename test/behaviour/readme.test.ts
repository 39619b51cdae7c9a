// README.md says where each sentence of the specification is held. What it names must be there.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

const readme = readFileSync(resolve(import.meta.dirname, 'README.md'), 'utf8')
const rows = readme
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | ?\|$/g, '')))
  .map(([sentence = '', held = '']) => ({ sentence, held }))
  .filter(({ sentence }) => sentence !== 'Sentence' && !sentence.startsWith('**'))

interface Citation {
  readonly file: string
  readonly title: string | undefined
}

/** The files that a cell names, each with the titles behind it, up to the next file. */
function citations(cell: string): Citation[] {
  let file = ''
  const found: Citation[] = []
  for (const [, name, title] of cell.matchAll(/`([^`]+)`|"([^"]+)"/g)) {
    if (name !== undefined) file = name
    found.push({ file, title })
  }
  return found
}

const pathOf = (file: string) =>
  file.includes('/')
    ? resolve(import.meta.dirname, '../..', file)
    : resolve(import.meta.dirname, `${file}.test.ts`)

/** The titles of a test file as they are written there: a `${…}` in one stays as it is. */
function titlesOf(file: string): string[] {
  const source = readFileSync(pathOf(file), 'utf8')
  const titles = source.matchAll(/\b(?:test|describe)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)
  return [...titles].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'))
}

/** A quoted title in which an ellipsis stands for anything, a `${…}` for instance. */
function toPattern(title: string): RegExp {
  const literal = title.split('…').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return new RegExp(`^${literal.join('.*')}$`, 's')
}

test('each test file that the table names is there', () => {
  const files = rows.flatMap(({ held }) => citations(held).map(({ file }) => file))
  assert.ok(files.length > 100)
  for (const file of new Set(files)) assert.ok(existsSync(pathOf(file)), file)
})

test('each title that the table quotes is that of a test in its file', () => {
  for (const { sentence, held } of rows) {
    for (const { file, title } of citations(held)) {
      if (title === undefined) continue
      assert.match(title, /[a-z]{3}/, `"${title}" says nothing`)
      const isThere = titlesOf(file).some((each) => toPattern(title).test(each))
      assert.ok(isThere, `${sentence}: no test "${title}" in ${file}`)
    }
  }
})

test('each row of the table names a test, or another row', () => {
  for (const { sentence, held } of rows) {
    assert.ok(citations(held).length > 0 || /^as \d/.test(held), sentence)
  }
})

test('each sentence of the specification that has a number is in the table, or said to be no behaviour', () => {
  const [, noBehaviour = ''] = /^(No behaviour .*?)\n\n/ms.exec(readme) ?? []
  const named = [...rows.map(({ sentence }) => sentence), noBehaviour].join('\n')
  const sentences = { 1: 8, 2.1: 4, 4.3: 8, 5: 4, 7: 8, 8: 3, 9: 4 }
  for (const [section, count] of Object.entries(sentences)) {
    for (let number = 1; number <= count; number++) {
      const name = `${section}.${number}`
      const isNamed = new RegExp(`(?<![\\d.])${name.replaceAll('.', '\\.')}(?![\\d.]*\\d)`)
      assert.match(named, isNamed, name)
    }
  }
})
