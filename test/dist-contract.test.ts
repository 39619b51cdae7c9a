// What the commands for contracts write. The built package, since a contract imports it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { emit } from './support/contracts.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(root, '.bench-contract-'))
const at = (name: string) => join(folder, name)
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

test('a file is the type that browsers have too', async () => {
  const app = `import espalier, { t } from 'espalier'
const form = { content: { 'multipart/form-data': { schema: { file: t.File() } } } }
export const app = espalier().post('/files', { schema: { body: form } }, () => 'stored')
`
  writeFileSync(at('files.ts'), app)
  const text = await emit(at('files.ts'), at('files-api.ts'))
  assert.match(text, /\{ file: File \}/)
  assert.doesNotMatch(text, /interface File|\bany\b/)
})

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), 'contract', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

test('the contract of the page on monorepos is what the command writes', () => {
  const page = readFileSync(join(root, 'docs/monorepo.md'), 'utf8')
  const block = (file: string) =>
    new RegExp(`^\`\`\`ts ${file}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''
  writeFileSync(at('emitting.ts'), block('emitting/app.ts'))
  const { stdout, stderr } = run('emit', 'emitting.ts')
  assert.equal(stdout, block('emitted/index.ts'), stderr)
})

test('the contract of the page is what the command writes', () => {
  const page = readFileSync(join(root, 'docs/contracts.md'), 'utf8')
  const [app = '', contract = ''] = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, code = '']) => code,
  )
  writeFileSync(at('app.ts'), app)
  const { stdout, stderr } = run('emit', 'app.ts')
  assert.equal(stdout, contract, stderr)
  writeFileSync(at('written.ts'), contract)
  assert.equal(run('emit', 'app.ts', '-o', 'written.ts', '--check').status, 0)
  writeFileSync(at('written.ts'), contract.replace('name: string', 'name: string | null'))
  const old = run('emit', 'app.ts', '-o', 'written.ts', '--check')
  assert.equal(old.status, 1)
  assert.match(old.stdout, /Renew it: espalier contract emit app\.ts -o written\.ts/)
  const same = run('diff', 'app.ts', 'app.ts')
  assert.deepEqual([same.status, same.stdout], [0, 'No changes\n'], same.stderr)
  writeFileSync(at('first.ts'), contract)
  const { status, stdout: changes } = run('diff', 'first.ts', 'written.ts')
  assert.equal(status, 1)
  assert.match(changes, /breaking {2}GET \/users\/\{id\} .*name: null is now among what fits/)
})
