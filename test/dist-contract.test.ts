// A contract has the types that are inferred from the server. The built package, since a contract imports it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { compilers } from './support/compilers.ts'
import { type Compared, differences, emit, randomModule } from './support/contracts.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(root, '.bench-contract-'))
const at = (name: string) => join(folder, name)
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

/** How many random applications are compared. */
const count = Number(process.env['CONTRACTS'] ?? 40)

const examples = readdirSync(join(root, 'examples')).filter((name) => /^\d+-.*\.ts$/.test(name))

/** Asserts that the contract of each module has the types of its server. */
async function areSame(modules: readonly string[]): Promise<void> {
  const all: Compared[] = []
  for (const module of modules) {
    const contract = module.replace('.ts', '-api.ts')
    await emit(at(module), at(contract))
    all.push({ module, contract, server: 'typeof module.app' })
  }
  assert.equal(differences(folder, all, compilers), '')
}

test('the contract of each example has the types of its server', async () => {
  for (const name of [...examples, 'start.ts']) {
    copyFileSync(join(root, 'examples', name), at(name))
  }
  await areSame(examples)
})

test('the contract of random schemas has their types', async () => {
  const seeds = Array.from({ length: count }, (_, index) => index + 1)
  for (let first = 0; first < count; first += 50) {
    writeFileSync(at('random.ts'), randomModule(seeds.slice(first, first + 50)))
    await areSame(['random.ts'])
  }
})

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

test('a contract that differs from its server is noticed', async () => {
  writeFileSync(at('random.ts'), randomModule([1, 2]))
  await emit(at('random.ts'), at('random-api.ts'))
  const text = readFileSync(at('random-api.ts'), 'utf8')
  writeFileSync(at('random-api.ts'), text.replace('responses: { 200:', 'responses: { 201:'))
  const compared = { module: 'random.ts', contract: 'random-api.ts', server: 'typeof module.app' }
  assert.match(differences(folder, [compared], compilers), /is wider/)
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
