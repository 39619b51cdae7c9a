import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { run } from '../../src/cli/run.ts'
import { UsageError } from '../../src/errors/usage-error.ts'
import { version } from '../../src/version.ts'
import { folderOf } from '../support/files.ts'
import { documentOf } from './diff-cases.ts'

const espalier = (...args: string[]) => run(args, (_style, text) => text)

/** Expects that a call is refused. */
const refused = (args: readonly string[], message: RegExp, remedy: RegExp) =>
  assert.rejects(espalier(...args), (error: unknown) => {
    assert.ok(error instanceof UsageError)
    assert.match(error.message, message)
    assert.match(error.remedy, remedy)
    return true
  })

describe('a caller', () => {
  const names = ['dev', 'routes', 'check', 'compile', 'openapi emit', 'openapi diff']
  names.push('openapi lint')

  test('is told what there is', async () => {
    const { output, code } = await espalier('--help')
    assert.equal(code, 0)
    for (const name of names) assert.ok(output.includes(`espalier ${name} `))
    assert.deepEqual(await espalier(), { output, code: 2 })
    assert.deepEqual(await espalier('--version'), { output: `${version}\n`, code: 0 })
  })

  test('is told what the commands of a group are', async () => {
    const { output, code } = await espalier('openapi', '--help')
    assert.equal(code, 0)
    assert.ok(output.includes('espalier openapi emit') && !output.includes('espalier routes'))
    assert.deepEqual(await espalier('openapi'), { output, code: 2 })
  })

  for (const name of names) {
    test(`is told what ${name} does`, async () => {
      const { output, code } = await espalier(...name.split(' '), '--help')
      assert.equal(code, 0)
      assert.ok(output.startsWith(`Usage: espalier ${name} `), output)
      assert.match(output, /^ {2}-h, --help +show/m)
    })
  }

  const mistakes = [
    [['routs', 'app.ts'], /^There is no command 'routs'$/, /^Did you mean 'routes'\?\n {2}See/],
    [['route', 'app.ts'], /^There is no command 'route'$/, /^Did you mean 'routes'\?/],
    [['lint', 'app.ts'], /^There is no command 'lint'$/, /^Did you mean 'openapi lint'\?/],
    [
      ['openapi', 'emmit'],
      /^There is no command 'openapi emmit'$/,
      /^Did you mean 'openapi emit'\?/,
    ],
    [
      ['frobnicate'],
      /^There is no command 'frobnicate'$/,
      /^There are: new, dev, routes, .*, mcp\n/,
    ],
    [['routes'], /^'routes' takes MODULE, and got 0 arguments$/, /^See: espalier routes --help$/],
    [
      ['routes', '--jsn', 'app.ts'],
      /^Unknown option '--jsn'$/,
      /^Did you mean '--json'\?\n {2}See/,
    ],
    [
      ['routes', '--frob', 'a'],
      /^Unknown option '--frob'$/,
      /^There are: --json, --help, --stack\n/,
    ],
    [['openapi', 'emit', 'a', '-o'], /argument missing/, /^See: espalier openapi emit --help$/],
    [
      ['openapi', 'emit', 'a', '--version', '2'],
      /^--version is '2'$/,
      /^There are: 3\.0, 3\.1, 3\.2$/,
    ],
    [['openapi', 'diff', 'a', 'b', '--format', 'xml'], /^--format is 'xml'$/, /text, json, github/],
    [
      ['openapi', 'emit', 'a', '--check'],
      /^--check has no file/,
      /^Name it: --check -o openapi\.json$/,
    ],
    [
      ['routes', 'none.ts'],
      /^There is no file 'none\.ts'$/,
      /^Name a module that exports a server/,
    ],
    [['routes', 'src'], /^'src' is a folder$/, /^Name a module in it/],
    [['openapi', 'diff', '--', '--output=a:b', 'src'], /^There is no file '--output=a:b'$/, /./],
    [['openapi', 'diff', 'src', 'src'], /^There is no file 'src'$/, /^Name a file/],
  ] as const
  for (const [args, message, remedy] of mistakes) {
    test(`is told what is wrong with: ${args.join(' ')}`, () => refused(args, message, remedy))
  }
})

const body = (schema: object) =>
  JSON.stringify(documentOf({ requestBody: { content: { 'application/json': { schema } } } }))
const documents = {
  'old.json': body({ type: 'object', properties: { name: { type: 'string' } } }),
  'new.json': body({
    type: 'object',
    properties: { name: { type: 'string', maxLength: 9, title: 'a' }, age: { type: 'integer' } },
  }),
}

describe('openapi diff', () => {
  test('says what breaks clients, and ends with 1', async (context) => {
    const folder = folderOf(context, documents)
    const files = [join(folder, 'old.json'), join(folder, 'new.json')]
    assert.deepEqual(await espalier('openapi', 'diff', ...files), {
      output: `breaking  POST /users  body application/json, property name: maxLength 9 was added
info      POST /users  body application/json, property age: was added, optional

1 breaking, 0 warnings, 1 others
`,
      code: 1,
    })
  })

  test('ends with 0 where nothing breaks', async (context) => {
    const file = join(folderOf(context, documents), 'old.json')
    const same = ['openapi', 'diff', file, file]
    assert.deepEqual(await espalier(...same), { output: 'No changes\n', code: 0 })
    assert.deepEqual(await espalier(...same, '--format', 'github'), {
      output: 'No changes\n',
      code: 0,
    })
    const { output } = await espalier(...same, '--json')
    assert.deepEqual(JSON.parse(output), { breaking: 0, warning: 0, info: 0, changes: [] })
  })

  test('gives JSON', async (context) => {
    const folder = folderOf(context, documents)
    const files = [join(folder, 'old.json'), join(folder, 'new.json')]
    const { output, code } = await espalier('openapi', 'diff', ...files, '--format', 'json')
    const { changes, ...counts } = JSON.parse(output)
    assert.equal(code, 1)
    assert.deepEqual(counts, { breaking: 1, warning: 0, info: 1 })
    assert.deepEqual(changes[0], {
      level: 'breaking',
      method: 'POST',
      path: '/users',
      place: 'body application/json, property name',
      text: 'maxLength 9 was added',
    })
  })

  test('gives annotations of GitHub Actions, on the file of the newer document', async (context) => {
    const pattern = body({
      type: 'object',
      properties: { name: { type: 'string', pattern: '50%\n' } },
    })
    const folder = folderOf(context, { ...documents, 'new.json': pattern })
    const files = [join(folder, 'old.json'), join(folder, 'new.json')]
    const { output, code } = await espalier('openapi', 'diff', ...files, '--format', 'github')
    assert.equal(code, 1)
    const [, file, message] =
      /^::error file=(.*),title=breaking%3A POST \/users::(.*)\n$/.exec(output) ?? []
    assert.equal(file, files[1]?.replaceAll(':', '%3A'))
    assert.equal(
      message,
      String.raw`POST /users body application/json, property name: pattern "50%25\n" was added`,
    )
  })

  test('sends nothing to a terminal or a log that they would obey', async (context) => {
    const name = 'a\u001B[31m\n::add-mask::b\r##[add-mask]c\u009B1m\u202E'
    const paths = { [`/${name}`]: { get: { operationId: name, responses: {} } } }
    const document = { ...JSON.parse(body({})), paths }
    const old = JSON.stringify(document)
    const files = { 'old.json': old, 'new.json': JSON.stringify({ ...document, paths: {} }) }
    const folder = folderOf(context, files)
    const both = [join(folder, 'old.json'), join(folder, 'new.json')]
    for (const format of ['text', 'json', 'github']) {
      const { output } = await espalier('openapi', 'diff', ...both, '--format', format)
      assert.doesNotMatch(output.replaceAll('\n', ''), /[\p{Cc}\u202E]|##\[/u)
      assert.doesNotMatch(output, /^\s*::add-mask/m)
      assert.match(output, format === 'github' ? /a\\u001b/ : /a\\u001b\[31m\\(n|u000a)::/)
    }
  })

  const mistakes = {
    'bad.yaml': ['a: [', /is neither JSON nor YAML/, /openapi emit/],
    'other.json': ['{}', /is no OpenAPI document of version 3/, /openapi: 3\.1\.1/],
    'ref.json': [body({ $ref: './user.json' }), /'\.\/user\.json' leads nowhere/, /^Put all parts/],
  } as const
  for (const [name, [text, message, remedy]] of Object.entries(mistakes)) {
    test(`refuses ${name}`, (context) => {
      const folder = folderOf(context, { ...documents, [name]: text })
      const files = [join(folder, name), join(folder, 'new.json')]
      return refused(['openapi', 'diff', ...files], message, remedy)
    })
  }

  test('refuses a file that is not there', () =>
    refused(
      ['openapi', 'diff', 'none.json', 'none.json'],
      /^There is no file 'none\.json'$/,
      /origin\/main:/,
    ))
})
