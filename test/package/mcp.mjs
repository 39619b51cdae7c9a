// Lists and calls tools by the command line of the inspector of the Model Context Protocol, with the packed package: over
// HTTP in a guarded context, and over stdio by the command `espalier mcp`. Ends with a plain line `N passed, N failed`.
// Build first.
import { deepEqual, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { check, end } from '../support/checks.mjs'
import { environment, node, npm, pack, run } from '../support/run.mjs'

const inspectorVersion = '2.12.0'
const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-mcp-'))
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const sdk = '@modelcontextprotocol/server'

const application = `
import espalier, { t } from 'espalier'
import { mcp } from 'espalier/mcp'

export const app = espalier({ logger: true }).register(async (scope) => {
  scope.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.authorization !== 'Bearer a') return reply.code(401).send({ message: 'Who are you?' })
  })
  scope.register(mcp({ name: 'albums', version: '1.0.0' }))
  scope.get('/albums/:id', {
    tool: { name: 'album' },
    schema: { params: { id: t.Integer() }, response: { 200: { id: t.Integer(), title: t.String() } } },
  }, ({ params }) => ({ id: params.id, title: 'Blue' }))
  scope.get('/albums', () => ['Blue'])
}, { prefix: '/api' })
`

const header = 'authorization: Bearer a'
const inspector = join(
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)
const inspect = async (target, ...args) => {
  const said = await run([...node, inspector, '--cli', ...target, ...args], scratch)
  return JSON.parse(said)
}
const list = ['--method', 'tools/list']
const call = (...given) => [
  ...['--method', 'tools/call', '--tool-name', 'album'],
  ...given.flatMap((each) => ['--tool-arg', each]),
]

/** Checks what both transports have. */
async function checkTools(name, target) {
  await check(`${name}: the tools are those of routes that say so`, async () => {
    const { tools } = await inspect(target, ...list)
    deepEqual(
      tools.map(({ name, annotations }) => [name, annotations]),
      [['album', { readOnlyHint: true }]],
    )
  })
  await check(`${name}: a call gives what its route answers`, async () => {
    const { structuredContent } = await inspect(target, ...call('id=1'))
    deepEqual(structuredContent, { id: 1, title: 'Blue' })
  })
}

/** Starts the application, and gives it with its URL. */
async function start() {
  const child = spawn(process.execPath, ['start.mjs'], { cwd: scratch, env: environment() })
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('http')) return { child, url: line }
  }
  throw new Error('It does not listen')
}

try {
  const { tarball } = await pack(root, scratch)
  const packages = [
    ...[tarball, `${sdk}@${devDependencies[sdk]}`],
    `@modelcontextprotocol/inspector@${inspectorVersion}`,
  ]
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(scratch, 'app.mjs'), application)
  const listen = "import { app } from './app.mjs'\nconsole.log(await app.listen({ port: 0 }))"
  writeFileSync(join(scratch, 'start.mjs'), listen)
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run([...npm, 'install', ...flags, ...packages], scratch)

  const { child, url } = await start()
  try {
    const http = [`${url}/api/mcp`, '--transport', 'http']
    await checkTools('HTTP', [...http, '--header', header])
    await check('HTTP: without a token nobody lists tools', async () => {
      await rejects(inspect(http, ...list, '--stored-auth-only'), /auth|401/i)
    })
  } finally {
    child.kill()
    await once(child, 'exit')
  }

  // A client has such a file. The inspector would take a header behind its own options as its own.
  const args = [join(scratch, 'node_modules/espalier/dist/cli/main.js'), 'mcp', 'app.mjs']
  const server = (...more) => ({
    command: process.execPath,
    args: [...args, ...more],
    cwd: scratch,
  })
  const mcpServers = { albums: server('--header', header), nobody: server() }
  writeFileSync(join(scratch, 'mcp.json'), JSON.stringify({ mcpServers }))
  const stdio = ['--config', 'mcp.json', '--server']
  await checkTools('stdio', [...stdio, 'albums'])
  await check('stdio: a call without a token is an error', async () => {
    await rejects(inspect([...stdio, 'nobody'], ...call('id=1')), /401 Unauthorized: Who are you\?/)
  })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

end()
