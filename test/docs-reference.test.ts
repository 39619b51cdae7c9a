// The pages of reference have all that the code has, and nothing else.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import espalier, { errorCodes } from '../src/index.ts'

const root = resolve(import.meta.dirname, '..')
const page = (name: string) =>
  readFileSync(join(root, 'docs', `${name}.md`), 'utf8').replaceAll('\r', '')

/** A part of a page, from its heading to the next one of the same level. */
function section(text: string, heading: string): string {
  const [, level = ''] = /^(#+)/.exec(heading) ?? []
  const after = text.split(`\n${heading}\n`)[1]
  assert.ok(after !== undefined, `the page has no '${heading}'`)
  return after.split(new RegExp(`^#{1,${level.length}} `, 'm'))[0] ?? ''
}

/** The names at the beginning of the rows of tables. A row may have several. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (`[^|]*`)(?: \*)? \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name),
  )

/** The names that the message of an error lists. */
function namesIn(call: () => unknown, from: RegExp): string[] {
  try {
    call()
  } catch (error) {
    return String((error as Error).message)
      .replace(from, '')
      .split(', ')
  }
  throw new Error('nothing was thrown')
}

/** The tables of a page that have a column of this name. */
const tablesWith = (text: string, column: string) =>
  text
    .split('\n\n')
    .filter((part) => part.startsWith('|') && part.split('\n')[0]?.includes(`| ${column} |`))
    .join('\n')

/** Names, without those that stand there twice. */
const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

test('the page of hooks has those that addHook takes, what an error in each does, and no other', () => {
  const text = page('hooks')
  const known = namesIn(() => espalier().addHook('none' as 'onRequest', () => undefined), /^.*: /)
  assert.ok(known.length > 10)
  for (const column of ['Arguments', 'An error in it']) {
    assert.deepEqual(sorted(rowsOf(tablesWith(text, column))), sorted(known), column)
  }
})

test('the page of error codes has each code with its status and its message, and no other', () => {
  const rows = [...page('error-codes').matchAll(/^\| `(\w+)` \| (\S+) \| (.*?) \| (.*) \|$/gm)]
  const listed = rows.map(([, code = '', status = '', message = '', why = '']) => {
    assert.match(why, /\.$/, `${code} has no cause and no remedy`)
    return `${code} ${status} ${message}`
  })
  const expected = Object.entries(errorCodes).map(([code, ErrorClass]) => {
    const { statusCode, message } = new ErrorClass(...Array.from({ length: 9 }, () => '…'))
    // Clients get the others: these stand out.
    return `${code} ${statusCode === 500 ? '500' : `**${statusCode}**`} ${message}`
  })
  assert.deepEqual(listed.toSorted(), expected.toSorted())
})
