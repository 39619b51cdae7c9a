import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { run } from '../../src/cli/run.ts'
import type { CompiledSchemas } from '../../src/index.ts'
import espalier, { t } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'
import { folderOf } from '../support/files.ts'

const root = join(import.meta.dirname, '../..')
const source = JSON.stringify(pathToFileURL(join(root, 'src/index.ts')).href)

/** An application with a schema of each kind: text, JSON, a union, a transform, a reference, errors. */
const application = `
import { espalier, httpError, t } from ${source}

const Shape = t.Union([
  t.Object({ kind: t.Literal('circle'), radius: t.Number() }),
  t.Object({ kind: t.Literal('square'), side: t.Number() }),
])
const Moment = t.Transform(t.String({ format: 'date-time' }))
  .Decode((text) => new Date(text))
  .Encode((date) => date.toISOString())

const NotFound = httpError('NotFound', 404, { id: t.Integer() })
const Gone = httpError('Gone', 404, { since: Moment })

export function build(options) {
  const app = espalier(options)
  app.addResponses(NotFound, Gone)
  app.get('/gone/:id', (request) => {
    throw request.params.id === '7' ? new NotFound({ id: 7 }) : new Gone({ since: new Date(0) })
  })
  app.addSchema(t.Object({ zip: t.String({ pattern: '^[0-9]{5}$' }) }, { $id: 'Address' }))
  app.get('/users/:id', {
    schema: {
      params: t.Object({ id: t.Integer() }),
      querystring: t.Object({ limit: t.Integer({ default: 20 }), sort: t.Optional(t.Union([t.Integer(), t.Boolean()])) }),
    },
  }, ({ params, query }) => ({ ...params, ...query }))
  const Login = t.Object({ name: t.String(), password: t.Sensitive(t.String({ minLength: 9 })) })
  const revealed = t.Reveal(Login, ['password'])
  app.post('/login', { schema: { body: Login, response: { 200: revealed } } }, ({ body }) => body)
  app.post('/shapes', {
    schema: { body: t.Union([Shape, t.Array(t.Integer())]), response: { 200: Shape } },
  }, ({ body }) => body)
  app.post('/sets', {
    schema: { body: t.Array(t.Object({ n: t.Integer() }), { uniqueItems: true }) },
  }, ({ body }) => body)
  app.post('/orders', {
    schema: {
      body: t.Object({ at: Moment, address: t.Ref('Address') }),
      response: { 200: t.Object({ at: Moment, next: t.Union([Moment, t.Null()]) }) },
    },
  }, ({ body }) => ({ at: body.at, next: body.at, secret: 1 }))
  return app
}
`

const calls = [
  ['GET', '/users/7?limit=3&sort=true'],
  ['GET', '/users/x'],
  ['GET', '/gone/7'],
  ['GET', '/gone/8'],
  ['POST', '/shapes', { kind: 'circle', radius: 1 }],
  ['POST', '/login', { name: 'a', password: 'hunter2-hunter2' }],
  ['POST', '/login', { name: 'a', password: 'hunter2' }],
  ['POST', '/shapes', { kind: 'circle', radius: '1' }],
  ['POST', '/shapes', { kind: 'circle', radius: 'one' }],
  ['POST', '/sets', [{ n: 1 }, { n: 2 }]],
  ['POST', '/sets', [{ n: 1 }, { n: '1' }]],
  ['POST', '/orders', { at: '2026-01-02T03:04:05Z', address: { zip: '12345' } }],
  ['POST', '/orders', { at: 'today', address: { zip: '12345' } }],
  ['POST', '/orders', { at: '2026-01-02T03:04:05Z', address: { zip: '1234' } }],
]

const program = `
import { build } from './app.mjs'
const { default: compiled } = process.argv[2] ? await import(process.argv[2]) : {}
const app = build({ compiled })
for (const [method, url, payload] of ${JSON.stringify(calls)}) {
  const { statusCode, body } = await app.inject({ method, url, payload })
  console.log(statusCode, body)
}
`

async function compile(
  context: TestContext,
  text: string,
): Promise<{ folder: string; output: string }> {
  const folder = folderOf(context, { 'app.mjs': text, 'run.mjs': program })
  const file = join(folder, 'compiled.mjs')
  const { output, code } = await run(
    ['compile', join(folder, 'app.mjs'), '-o', file],
    (_style, shown) => shown,
  )
  assert.equal(code, 0)
  return { folder, output }
}

const load = async (folder: string): Promise<CompiledSchemas> => {
  const loaded = (await import(join(folder, 'compiled.mjs'))) as { default: CompiledSchemas }
  return loaded.default
}

test('an application answers the same with compiled schemas, without code from strings', async (context) => {
  const { folder, output } = await compile(context, application)
  assert.match(output, /compiled\.mjs is written: \d+ functions\n$/)
  assert.match(readFileSync(join(folder, 'compiled.d.mts'), 'utf8'), /compiled: CompiledSchemas/)
  const answers = async (...args: string[]): Promise<string> => {
    const all = [
      ...args.slice(0, -1),
      '--import',
      'tsx',
      join(folder, 'run.mjs'),
      ...args.slice(-1),
    ]
    const { stdout } = await promisify(execFile)(process.execPath, all, { cwd: root })
    return stdout
  }
  const forbidden = '--disallow-code-generation-from-strings'
  const [usual, compiled] = await Promise.all([
    answers(''),
    answers(forbidden, join(folder, 'compiled.mjs')),
  ])
  assert.equal(compiled, usual)
  assert.equal(usual.split('\n').filter((line) => line.startsWith('200')).length, 6)
  assert.ok(!usual.includes('secret'))
})

test('the same schemas give the same module', async (context) => {
  const [first, second] = [await compile(context, application), await compile(context, application)]
  const text = ({ folder }: { folder: string }): string =>
    readFileSync(join(folder, 'compiled.mjs'), 'utf8')
  assert.ok(text(first) === text(second))
})

test('the module is the same in another process, environment and order of routes', async (context) => {
  const compileBy = async (text: string, env: NodeJS.ProcessEnv): Promise<string> => {
    const folder = folderOf(context, { 'app.mjs': text })
    const file = join(folder, 'compiled.mjs')
    const command = [join(root, 'src/cli/main.ts'), 'compile', join(folder, 'app.mjs'), '-o', file]
    await promisify(execFile)(process.execPath, ['--import', 'tsx', ...command], { cwd: root, env })
    return readFileSync(file, 'utf8')
  }
  // The last two routes change places.
  const [before = '', sets = '', orders = '', after = ''] = application.split(
    /(?= {2}app\.post\('\/(?:sets|orders)')|(?=^ {2}return app)/m,
  )
  const turned = before + orders + sets + after
  assert.ok(after.startsWith('  return app') && turned !== application)
  const { env } = process
  const [one, other] = await Promise.all([
    compileBy(application, { ...env, TZ: 'UTC', LANG: 'C' }),
    compileBy(turned, {
      ...Object.fromEntries(Object.entries(env).reverse()),
      ...{ TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', NODE_ENV: 'production' },
    }),
  ])
  assert.equal(other, one)
})

test('a schema that the module lacks is a boot error, or is compiled and logged', async (context) => {
  const { folder } = await compile(context, application)
  const compiled = await load(folder)
  const build = (whenStale: 'fail' | 'warn', logged: unknown[] = []) =>
    espalier({
      compiled,
      whenStale,
      logger: { stream: { write: (line: string) => logged.push(JSON.parse(line)) } },
    }).post('/', { schema: { body: t.Object({ id: t.Integer() }) } }, ({ body }) => body)
  await assert.rejects(build('fail').ready(), {
    code: 'ESP_ERR_SCH_STALE',
    message: /^the body of POST \/ in root: not in the module/,
  })
  const logged: { msg?: string }[] = []
  const app = build('warn', logged)
  const response = await app.inject({ method: 'POST', url: '/', payload: { id: '1' } })
  assert.deepEqual(response.json(), { id: 1 })
  assert.match(logged[0]?.msg ?? '', /^1 schemas, compiled now: not in the module/)
})

test('options that change what schemas mean make a module stale', async (context) => {
  const { folder } = await compile(context, application)
  const app = untyped({ compiled: await load(folder), ajv: { customOptions: { allErrors: true } } })
  app.get('/:id', { schema: { params: t.Object({ id: t.Integer() }) } }, () => 1)
  await assert.rejects(app.ready(), { code: 'ESP_ERR_SCH_STALE' })
})

test('a schema with a function of the application is named, and left to the server', async (context) => {
  const { folder, output } = await compile(
    context,
    `
    import { espalier } from ${source}
    const even = { keyword: 'even', validate: (_is, value) => value % 2 === 0 }
    export const build = (options) => {
      const app = espalier({ ...options, ajv: { customOptions: { keywords: [even] } } })
      const body = { type: 'object', properties: { id: { type: 'integer', even: true } } }
      app.post('/', { schema: { body } }, ({ body }) => body)
      return app
    }`,
  )
  assert.match(
    output,
    /: 0 functions\nleft to the server: a keyword of it is a function of the app/,
  )
  const { build } = (await import(join(folder, 'app.mjs'))) as {
    build: (options: object) => ReturnType<typeof untyped>
  }
  const app = build({ compiled: await load(folder) })
  const statuses = [1, 2].map(async (id) => {
    const { statusCode } = await app.inject({ method: 'POST', url: '/', payload: { id } })
    return statusCode
  })
  assert.deepEqual(await Promise.all(statuses), [400, 200])
})

test('the application may import the module that is being written', async (context) => {
  const { output } = await compile(
    context,
    application.replace(
      'export function build(options) {',
      "import compiled from './compiled.mjs'\nexport function build() {\n  const options = { compiled }",
    ),
  )
  assert.match(output, /is written: [1-9]/)
})

test('a command that fails leaves the module as it was', async (context) => {
  const folder = folderOf(context, {
    'app.mjs': 'throw new Error("no")',
    'compiled.mjs': 'export default 1',
  })
  const file = join(folder, 'compiled.mjs')
  await assert.rejects(
    run(['compile', join(folder, 'app.mjs'), '-o', file], (_style, text) => text),
  )
  assert.equal(readFileSync(file, 'utf8'), 'export default 1')
})

test('an option that is no such module is refused', () => {
  for (const compiled of [1, {}, { functions: 1 }]) {
    assert.throws(() => untyped({ compiled }), {
      code: 'ESP_ERR_INIT_OPTS_INVALID',
      message: /a module that `espalier compile` has written/,
    })
  }
})
