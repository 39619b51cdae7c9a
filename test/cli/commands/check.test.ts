import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { blocksOf } from '../../../docs/.vitepress/blocks.ts'
import { kindNames } from '../../../src/cli/check/examine.ts'
import { run } from '../../../src/cli/run.ts'
import { UsageError } from '../../../src/errors/usage-error.ts'
import { folderOf } from '../../support/files.ts'

const root = resolve(import.meta.dirname, '../../..')
const factory = pathToFileURL(join(root, 'src/index.ts')).href
const page = readFileSync(join(root, 'docs/check.md'), 'utf8')

/** Runs the command on an application. */
function check(context: TestContext, source: string, ...options: string[]) {
  const text = source.replace("'espalier'", `'${factory}'`)
  const file = join(folderOf(context, { 'app.mts': text }), 'app.mts')
  return run(['check', file, ...options], (_style, shown) => shown)
}

const app = (routes: string) =>
  `import espalier, { t } from 'espalier'\nexport const app = espalier()\n${routes}`
const fine = app(`app.get('/', () => 'ok')`)
const open = app(`app.get('/', { schema: { querystring: { a: t.Boolean() } } }, () => 'ok')`)

describe('espalier check', () => {
  test('ends with 0 where there is nothing', async (context) => {
    assert.deepEqual(await check(context, fine), { output: '0 hazards of 0 kinds\n', code: 0 })
    const { output, code } = await check(context, fine, '--format', 'github')
    assert.deepEqual([output, code], ['0 hazards of 0 kinds\n', 0])
  })

  test('tells hazards by their kinds, and ends with 1', async (context) => {
    assert.deepEqual(await check(context, open), {
      output: `open-object  A field that no schema names reaches the handler
  GET / querystring  ?a=true&other=x reaches the handler as {"a":true,"other":"x"}
  Set strict: true, which refuses it, or additionalProperties: false, which drops it
  If it is meant: { meant: ['open-object'] } on the schema
1 hazards of 1 kinds
`,
      code: 1,
    })
  })

  test('gives JSON', async (context) => {
    const { output, code } = await check(context, open, '--json')
    const { hazards, ...others } = JSON.parse(output)
    assert.equal(code, 1)
    assert.deepEqual(others, { meant: 0, unexamined: [], needless: [], withoutRecheck: false })
    assert.deepEqual(Object.keys(hazards[0]), [
      ...['kind', 'route', 'part', 'pointer', 'sentence', 'input', 'result', 'remedy'],
    ])
  })

  test('gives annotations of GitHub Actions', async (context) => {
    const { output, code } = await check(context, open, '--format', 'github')
    assert.equal(code, 1)
    assert.match(
      output,
      /^::error title=open-object::GET \/ querystring: A field .*\?a=true&other=x/,
    )
  })

  test('names ten places of a kind, or all', async (context) => {
    const routes = Array.from(
      { length: 12 },
      (_, index) =>
        `app.get('/${index}', { schema: { querystring: { a: t.Boolean() } } }, () => 'ok')`,
    )
    const { output } = await check(context, app(routes.join('\n')))
    assert.match(output, /\/9 querystring.*\n {2}and 2 others: --all names them\n/)
    const whole = await check(context, app(routes.join('\n')), '--all')
    assert.equal(whole.output.match(/ querystring {2}/g)?.length, 12)
  })

  test('tells what was not examined, and what is meant for nothing', async (context) => {
    const source = app(`
      const schema = { body: { a: t.Boolean() } }
      app.post('/a', { schema, validatorCompiler: () => () => true }, () => 'ok')
      app.post('/b', { schema, validatorCompiler: () => () => true }, () => 'ok')
      app.post('/c', { strict: true, schema: { body: { a: t.Boolean({ meant: ['null-converted'] }) } } }, () => 'ok')`)
    assert.deepEqual(await check(context, source), {
      output: `not examined: POST /a body and 1 others: a validator compiler of the application decides what it takes
needless: 'null-converted' is meant at POST /c body /a, and does not happen
0 hazards of 0 kinds
`,
      code: 0,
    })
  })

  test('refuses a kind that does not exist', (context) =>
    assert.rejects(
      check(
        context,
        app(`app.post('/', { schema: { body: { a: t.Boolean({ meant: ['x'] }) } } }, () => '')`),
      ),
      (error: unknown) => error instanceof UsageError && /no hazard 'x'/.test(error.message),
    ))
})

describe('the page of hazards', () => {
  test('shows what the command prints', async (context) => {
    const [source, , printed] = blocksOf(page)
    const { output } = await check(context, source?.text ?? '')
    assert.ok(output.startsWith(printed?.text.trim() ?? 'nothing'), output)
  })

  test('has all kinds', () => {
    const named = [...page.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) =>
      names.split(', ').map((name) => name.replaceAll('`', '')),
    )
    const kinds = named.filter((name) => !name.includes('--'))
    assert.deepEqual([...kinds].sort(), [...kindNames].sort())
  })
})
