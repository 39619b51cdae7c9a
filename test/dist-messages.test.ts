// What the compilers say of the commonest mistakes. Each mistake stands in a file of `test/messages/`, on a line that is
// marked `// <- words`, or has that on the line below: there must be one error, with these words within the first three
// lines of its message, and nowhere else one. The messages are kept in full in `test/messages/typescript-*.md`, one file
// for each compiler, so that a change is seen. Where it is wanted, renew them: `npm run renew -- messages`.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { compile, compilers as usual } from './support/compilers.ts'

const folder = join('test', 'messages')
const isRenewed = process.env['RENEW'] !== undefined
const all: [name: string, compiler: string][] = [
  ['5-9', 'typescript-5.9'],
  ['6', 'typescript'],
  ['7', 'typescript-7'],
]
const compilers = all.filter(([, compiler]) => isRenewed || usual.includes(compiler))
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))

interface Mistake {
  /** File and line, as `calls.ts:12`. */
  readonly place: string
  readonly code: string
  /** What the message must say. */
  readonly words: string
}

interface Message {
  readonly place: string
  readonly lines: readonly string[]
}

function mistakesIn(file: string): Mistake[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const [before = '', words] = line.split('// <- ')
    if (words === undefined) return []
    const isBelow = before.trim() === ''
    const code = (isBelow ? (lines[index - 1] ?? '') : before).trim()
    return [{ place: `${file}:${isBelow ? index : index + 1}`, code, words }]
  })
}

function messagesOf(compiler: string): Message[] {
  const found = compile(compiler, folder).matchAll(
    /^\S*?([\w-]+\.ts)\((\d+),\d+\): error (TS.*(?:\r?\n +.*)*)/gm,
  )
  return [...found].map(([, file = '', line = '', text = '']) => ({
    place: `${file}:${line}`,
    lines: text.split(/\r?\n/).map(withoutPaths),
  }))
}

/** Two types of the same words are told apart by their files, and cut at a length that depends on
 *  where those are. */
function withoutPaths(line: string): string {
  return line.replaceAll(/'[^']*?import\("[^']*(?:'|$)/g, "'…'")
}

/** What is to be said against the messages of one mistake: it has one, which the compiler may follow up where the source
 *  says so by `(+1)`. */
function complaints(
  { place, code, words: marked }: Mistake,
  messages: readonly Message[],
): string[] {
  const [words = '', more] = marked.split(' (+')
  const said = messages.filter((message) => message.place === place)
  const start = said[0]?.lines.slice(0, 3).join('\n') ?? ''
  const expected = 1 + Number.parseInt(more ?? '0', 10)
  if (said.length !== expected) return [`${place} ${code} has ${said.length} errors`]
  return start.includes(words) ? [] : [`${place} ${code} lacks "${words}" in:\n${start}`]
}

function record(name: string, messages: readonly Message[]): string {
  const sections = files.map((file) => {
    const entries = mistakesIn(file).map(({ place, code }) => {
      const said = messages.filter((message) => message.place === place)
      const text = said.flatMap(({ lines }) => lines).map((line) => `    ${line}`)
      return `\`${code}\`\n\n${text.join('\n')}\n`
    })
    return entries.length === 0 ? '' : `## ${file}\n\n${entries.join('\n')}\n`
  })
  return `# What TypeScript ${name.replace('-', '.')} says\n\n${sections.join('')}`.trimEnd() + '\n'
}

for (const [name, compiler] of compilers) {
  describe(`TypeScript ${name.replace('-', '.')}`, () => {
    let messages: Message[]
    before(() => {
      messages = messagesOf(compiler)
    })

    for (const file of files) {
      const mistakes = mistakesIn(file)
      if (mistakes.length === 0) continue
      test(`tells at once what is wrong in ${file}`, () => {
        assert.deepEqual(
          mistakes.flatMap((mistake) => complaints(mistake, messages)),
          [],
        )
      })
    }

    test('finds no fault with other lines', () => {
      const marked = new Set(files.flatMap(mistakesIn).map(({ place }) => place))
      const others = messages.filter(({ place }) => !marked.has(place))
      assert.deepEqual(others, [])
    })

    test('says what it said', () => {
      const [path, text] = [join(folder, `typescript-${name}.md`), record(name, messages)]
      if (isRenewed) writeFileSync(path, text)
      assert.equal(text, readFileSync(path, 'utf8'))
    })
  })
}
