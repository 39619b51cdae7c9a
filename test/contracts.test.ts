// A contract has the types that are inferred from the server. The built package, since a contract imports it.
import assert from 'node:assert/strict'
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
const folder = mkdtempSync(join(root, '.bench-contracts-'))
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

test('a contract that differs from its server is noticed', async () => {
  writeFileSync(at('random.ts'), randomModule([1, 2]))
  await emit(at('random.ts'), at('random-api.ts'))
  const text = readFileSync(at('random-api.ts'), 'utf8')
  writeFileSync(at('random-api.ts'), text.replace('responses: { 200:', 'responses: { 201:'))
  const compared = { module: 'random.ts', contract: 'random-api.ts', server: 'typeof module.app' }
  assert.match(differences(folder, [compared], compilers), /is wider/)
})
