// The built command that serves tools over stdio, as a process that the client of the official SDK starts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import '../../support/built.mjs'
import { folderOf } from '../../support/files.ts'

const root = resolve(import.meta.dirname, '../../..')
const urlOf = (path: string) => pathToFileURL(resolve(root, path)).href
const application = `
  import espalier, { t } from '${urlOf('dist/index.js')}'
  import { mcp } from '${urlOf('dist/mcp/index.js')}'
  export const app = espalier({ logger: true })
  let isReady = false
  app.addHook('onReady', () => { isReady = true })
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.authorization !== 'Bearer a') return reply.code(401).send({ message: 'Who?' })
  })
  const information = { name: 'users', version: '1.0.0' }
  app.register(mcp(information))
  app.get('/users/:id', { tool: true, schema: { params: { id: t.Integer() } } }, ({ params }) => {
    console.log('noise')
    return { ...params, isReady }
  })`
const second = `
  app.register(async (scope) => {
    scope.register(mcp(information))
    scope.get('/all', { tool: true }, () => ({}))
  }, { prefix: '/admin' })`

const command = (...args: string[]) => [
  '--import',
  import.meta.resolve('tsx'),
  resolve(root, 'dist/cli/main.js'),
  'mcp',
  ...args,
]

/** Starts the command on an application. */
async function started(context: TestContext, text: string, ...args: string[]) {
  const folder = folderOf(context, { 'app.ts': text, 'package.json': '{"type":"module"}' })
  const given = { command: process.execPath, args: command('app.ts', ...args), cwd: folder }
  const transport = new StdioClientTransport({ ...given, stderr: 'pipe' })
  const printed: string[] = []
  transport.stderr?.on('data', (data) => printed.push(String(data)))
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(transport)
  context.after(() => client.close())
  return { client, printed }
}

test('stdio has the messages alone, and calls have the given headers', async (context) => {
  const { client, printed } = await started(
    context,
    application,
    ...['--header', 'Authorization: Bearer a', '--header', 'x-tenant: b'],
  )
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['getUsersById'],
  )
  const { structuredContent } = await client.callTool({
    name: 'getUsersById',
    arguments: { id: 3 },
  })
  assert.deepEqual(structuredContent, { id: 3, isReady: true })
  assert.match(printed.join(''), /incoming request/)
  assert.match(printed.join(''), /noise/)
})

test('a call without the header of its guard is refused', async (context) => {
  const { client } = await started(context, application + second, '--path', '/mcp')
  const { isError, content } = await client.callTool({ name: 'getUsersById', arguments: { id: 3 } })
  assert.equal(isError, true)
  assert.deepEqual(content, [{ type: 'text', text: '401 Unauthorized: Who?' }])
})

test('what cannot be served ends with a reason', (context) => {
  const none = `
    import espalier from '${urlOf('dist/index.js')}'
    export const app = espalier()`
  const files = { 'app.ts': application + second, 'none.ts': none }
  const folder = folderOf(context, { ...files, 'package.json': '{"type":"module"}' })
  const refused: [string[], RegExp][] = [
    [['app.ts'], /There are tools at \/mcp, \/admin\/mcp\n {2}Choose one by --path/],
    [['none.ts'], /The application has no tools\n {2}Register mcp\(\)/],
    [['app.ts', '--header', 'secret'], /--header is 'secret'\n {2}Write it as 'name: value'/],
  ]
  for (const [args, message] of refused) {
    const options = { cwd: folder, encoding: 'utf8', input: '' } as const
    const { status, stderr, stdout } = spawnSync(process.execPath, command(...args), options)
    assert.equal(status, 2, stderr)
    assert.equal(stdout, '')
    assert.match(stderr, message)
    assert.equal(stderr.match(/espalier:/g)?.length, 1)
  }
})
