// Installs the packed package beside others, which bring copies of ajv, ajv-formats, fast-json-stringify and TypeBox of their
// own. npm then lays out several copies, and nothing may depend on which copy is where: the behaviour tests of validation and
// serialization run with each installed package, and so does a compiled module.
// Ends with a plain line `N passed, N failed`. Build first.
import { equal, ok } from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { check, end } from '../support/checks.mjs'
import { begin, node, npm, pack, run } from '../support/run.mjs'

/** What is installed beside the package, in one folder each. */
const neighbours = [
  { eslint: '^9.0.0', 'ajv-formats': '^2.1.0' },
  { eslint: '^10.0.0', 'fast-json-stringify': '^5.16.0', typebox: '^1.0.0' },
  { '@redocly/openapi-core': '^2.0.0', ajv: '8.12.0' },
  { ajv: '^6.12.0', 'ajv-formats': '^2.1.0', '@sinclair/typebox': '^0.32.0' },
  {
    ajv: '*',
    'ajv-formats': '*',
    'fast-json-stringify': '*',
    pino: '^9.0.0',
    'find-my-way': '^8.0.0',
  },
]

/** Tests of what validators and serializers do. */
const tests = [
  ...['request-validation', 'alternatives', 'transforms', 'encoded-unions', 'shared-schemas'],
  ...['references', 'response-serialization', 'exact-replies', 'written-alternatives'],
  ...['nullable-responses', 'untyped-alternatives', 'defaults', 'standard-schema', 'typebox-1'],
  ...['values-of-text', 'spec-schemas', 'bad-replies'],
].map((name) => `test/behaviour/${name}.test.ts`)

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'espalier-neighbours-'))
const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']

async function install(own, dependencies, index) {
  const path = join(scratch, String(index))
  mkdirSync(path)
  const manifest = {
    private: true,
    type: 'module',
    dependencies: { espalier: own.tarball, ...dependencies },
  }
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest))
  cpSync(join(root, 'test/package/consumer/neighbours.mjs'), join(path, 'application.mjs'))
  await run([...npm, 'install', ...flags], path)
  return path
}

/** Runs the behaviour tests of the project with an installed package, and gives how many passed. */
async function runTests(path) {
  const preloads = ['--import', 'tsx', '--import', './test/support/installed.mjs']
  const INSTALLED = join(path, 'node_modules/espalier')
  const told = await run([...node, ...preloads, 'test/run.ts', '--together=20', ...tests], root, {
    INSTALLED,
  })
  const [, passed] = /^(\d+) passed, 0 failed/m.exec(told)
  return Number(passed)
}

/** What the application answers, with functions that were compiled ahead of time if they are given. */
const tell = (path, flags, ...more) => run([...node, ...flags, 'application.mjs', ...more], path)

try {
  const own = await pack(root, scratch)
  const alone = begin(() => install(own, {}, 'alone'))
  const folders = neighbours.map((each, index) => begin(() => install(own, each, index)))
  const expected = begin(async () => {
    const answers = await tell(await alone, [])
    ok(answers.length > 0)
    return answers
  })
  for (const [index, folder] of folders.entries()) {
    const names = Object.entries(neighbours[index]).map(([name, version]) => `${name} ${version}`)
    const title = `beside ${names.join(', ')}`
    await check(`${title}: an application answers as alone`, async () => {
      equal(await tell(await folder, []), await expected)
    })
    await check(`${title}: a compiled module answers as alone`, async () => {
      const path = await folder
      const command = ['node_modules/espalier/dist/cli/main.js', 'compile', 'application.mjs']
      await run([...node, ...command, '-o', 'compiled.mjs'], path)
      const noCode = ['--disallow-code-generation-from-strings']
      equal(await tell(path, noCode, 'compiled.mjs'), await tell(await alone, [], '--no-formats'))
    })
    await check(`${title}: the behaviour tests pass`, async () => {
      ok((await runTests(await folder)) > 400)
    })
  }
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}

end()
