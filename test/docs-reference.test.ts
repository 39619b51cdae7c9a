// The pages of reference have all that the code has, and nothing else.
// `npm run renew -- api` writes what docs/api.md has below its introduction.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import espalier, { errorCodes } from '../src/index.ts'
import { type Entry, Exports } from './support/api-page.ts'

const root = resolve(import.meta.dirname, '..')
const exported = new Exports(root)
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
    return (error as Error).message.replace(from, '').split(', ')
  }
  throw new Error('nothing was thrown')
}

/** The tables of a page that have a column of this name. */
const tablesWith = (text: string, column: string) =>
  text
    .split('\n\n')
    .map((part) => part.trimStart())
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

test('the page of requests and replies has the members of both, and no other', async () => {
  const members = (from: object | null): string[] =>
    from === null || from === Object.prototype
      ? []
      : [...Object.getOwnPropertyNames(from), ...members(Object.getPrototypeOf(from) as object)]
  const known = await new Promise<string[][]>((done, failed) => {
    const app = espalier().get('/', (request, reply) => {
      done([request, reply].map(members))
      return 'read'
    })
    app.inject('GET /').catch(failed)
  })
  const text = page('request-and-reply')
  for (const [index, heading] of ['## Request', '## Reply'].entries()) {
    const expected = (known[index] ?? []).filter((name) => name !== 'constructor')
    assert.deepEqual(sorted(rowsOf(section(text, heading))), sorted(expected), heading)
  }
})

test('the page of error codes has each code with its status and its message, and no other', () => {
  const row = /^\| `(\w+)`<br>(\S+): (.*?) \| (.*) \|$/gm
  const rows = [...page('error-codes').matchAll(row)]
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

/** Pages, each with a heading, the head of a table below it, and the type whose members it has. */
const optionTables: readonly [page: string, heading: string, head: string, Entry, type: string][] =
  [
    ['options', '## `register`', 'Option', 'espalier', 'PluginOptions'],
    ['options', '## `listen`', 'Option', 'espalier', 'ListenOptions'],
    ['testing', '## Options of a call', 'Option', 'espalier', 'InjectCallOptions'],
    ['testing', '## Options by URL', 'Option', 'espalier', 'InjectOptions'],
    ['openapi', '## Options', 'Option', 'espalier/openapi', 'OpenApiOptions'],
    ['openapi', '## Options', 'Option of `docs`', 'espalier/openapi', 'DocsOptions'],
    ['websocket', '', 'Option of `websocket`', 'espalier/websocket', 'WebsocketPluginOptions'],
    ['clients', '', 'Option of `client`', 'espalier/client', 'ClientOptions'],
    ['clients', '', 'Option of a call', 'espalier/client', 'CallOptions'],
    ['query', '', 'Option of a query', 'espalier/query', 'QueryCallOptions'],
  ]

for (const [name, heading, head, entry, type] of optionTables) {
  test(`the page ${name} has all options of ${type}, and no other`, () => {
    const text = heading === '' ? page(name) : section(page(name), heading)
    const listed = rowsOf(tablesWith(text, head))
    assert.deepEqual(listed.toSorted(), exported.membersOf(entry, type).toSorted())
  })
}

test('the page of forms has all options of multipart, and no other', () => {
  const listed = rowsOf(tablesWith(page('forms'), 'Option of `multipart`'))
  const limits = exported
    .membersOf('espalier/multipart', 'MultipartLimits')
    .map((name) => `limits.${name}`)
  const others = exported.membersOf('espalier/multipart', 'MultipartOptions')
  const expected = [...limits, ...others.filter((name) => name !== 'limits')]
  assert.deepEqual(listed.toSorted(), expected.toSorted())
})

test('the page of WebSockets has the options that its routes have beside those of others', () => {
  const listed = rowsOf(tablesWith(page('websocket'), 'Option of the route'))
  const others = new Set(exported.membersOf('espalier', 'DeclaredRoute'))
  const own = exported
    .membersOf('espalier/websocket', 'WebsocketOptions')
    .filter((name) => !others.has(name))
  assert.deepEqual(listed.toSorted(), own.toSorted())
})

/** What only onRoute hooks see, what a sentence refuses, and what is deprecated. */
const notGiven = ['prefix', 'routePath', 'version', 'path']
const partsOfSchema = ['params', 'querystring', 'query', 'headers', 'body', 'response']

test('the page of options has those of routes, and no other', () => {
  const listed = rowsOf(tablesWith(section(page('options'), '## Routes'), 'Option'))
  const known = exported
    .membersOf('espalier', 'DeclaredRoute')
    .filter((name) => ![...notGiven, ...partsOfSchema].includes(name))
  assert.deepEqual(listed.toSorted(), known.toSorted())
})

test('the page of the API names each export of the entry points', () => {
  const text = page('api')
  const introduction = text.slice(0, text.indexOf('\n## ') + 1)
  const expected = introduction + exported.page()
  if (process.env['RENEW'] !== undefined) writeFileSync(join(root, 'docs', 'api.md'), expected)
  else assert.deepEqual(text.split('\n'), expected.split('\n'))
})

test("the page of plugins has the figures of the packages' own tests", () => {
  const readme = readFileSync(join(root, 'test', 'compat', 'README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| (\S+) \| [\d.]+ \| (\d+) \| (\d+) \|/gm)]
  const known = new Map(rows.map(([, name, passed, of]) => [name, `${passed} of ${of}`]))
  const said = [
    ...page('plugins').matchAll(/`([^`\s]+)`(?: for redirects alone)? \| (\d+ of \d+) \|/g),
  ]
  assert.ok(said.length > 25)
  assert.deepEqual(
    said.map(([, name, figures]) => [name, figures]),
    said.map(([, name]) => [name, known.get(name)]),
  )
})
