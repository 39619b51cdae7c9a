import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test, type TestContext } from 'node:test'
import { run } from '../../../src/cli/run.ts'
import { UsageError } from '../../../src/errors/usage-error.ts'
import { folderOf } from '../../support/files.ts'

const root = resolve(import.meta.dirname, '../../..')
const compilerOptions = { module: 'nodenext', target: 'es2022', types: [], strict: true }
const settings = { 'tsconfig.json': JSON.stringify({ compilerOptions }) }

/** The error of the command for a module, in a project that has a compiler or none. */
async function refused(
  context: TestContext,
  files: Readonly<Record<string, string>>,
  ...[file = 'app.ts', ...options]: string[]
) {
  const folder = folderOf(context, files)
  if (!options.includes('none')) {
    mkdirSync(join(folder, 'node_modules'))
    const compiler = join(root, 'node_modules/typescript-7')
    symlinkSync(compiler, join(folder, 'node_modules/typescript'), 'junction')
  }
  const given = options.filter((option) => option !== 'none')
  const ended = run(['types', join(folder, file), ...given], (_style, text) => text)
  const error: unknown = await ended.catch((reason: unknown) => reason)
  assert.ok(error instanceof UsageError, String(error))
  return `${error.message}. ${error.remedy}`
}

test('without a module, a compiler or a tsconfig nothing is measured', async (context) => {
  const app = { 'app.ts': 'export const app = 1' }
  assert.match(await refused(context, settings), /There is no file '.*app\.ts'/)
  assert.match(
    await refused(context, { ...settings, ...app }, 'app.ts', 'none'),
    /'typescript' is needed for this, and is not installed\. Run: npm install --save-dev typescript/,
  )
  assert.match(await refused(context, app), /no tsconfig\.json\. Name it: --project FILE/)
})

test('so it is for a module that does not compile, or has no server', async (context) => {
  assert.match(
    await refused(context, { ...settings, 'app.ts': 'export const app: string = 1' }),
    /does not compile: .*app\.ts:1 TS2322: .*\. Correct it: npx tsc -p .*tsconfig\.json/,
  )
  assert.match(
    await refused(context, { ...settings, 'app.ts': 'export const app = 1' }),
    /show no server with routes\. Export what the last route/,
  )
})

test('a limit has a name and a number', async (context) => {
  const app = { ...settings, 'app.ts': '' }
  for (const budget of ['memory=1', 'instantiations', 'instantiations=x', 'per-route=1,x']) {
    assert.match(
      await refused(context, app, 'app.ts', '--budget', budget),
      /is no limit\. Write: --budget instantiations=N,per-route=N/,
    )
  }
})
