// What `npm run test:changed` and `npm run check` take for a change, in a repository of a few files.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const project = resolve(import.meta.dirname, '../..')
const root = mkdtempSync(join(tmpdir(), 'changed-'))
after(() => {
  rmSync(root, { recursive: true })
})

function git(...args: string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, `git ${args.join(' ')}: ${stderr}`)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const tests = {
  'test/behaviour/far.test.ts': "import '../../src/top/server.ts'\n",
  'test/behaviour/near.test.ts': "import '../../src/low/text.ts'\n",
  'test/docs.test.ts': "import './support/pages.ts'\n",
  'test/low/text.test.ts': "import '../../src/low/text.ts'\n",
  'test/top/server.test.ts': "import '../../src/top/server.ts'\n",
}

before(() => {
  for (const path of ['.ci/changed.js', 'test/support/changed.ts'])
    cpSync(join(project, path), join(root, path))
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  write('.gitignore', 'node_modules\n')
  write('src/low/text.ts', 'export const text = 1\n')
  write('src/low/alone.ts', 'export const alone = 1\n')
  write('src/top/server.ts', "export { text } from '../low/text.ts'\n")
  write('test/support/pages.ts', 'export const pages = 1\n')
  write('docs/page.md', 'A page.\n')
  for (const [path, source] of Object.entries(tests)) write(path, source)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.email', 'nobody@example.com')
  git('config', 'user.name', 'Nobody')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Begin')
})

beforeEach(() => {
  git('checkout', '--quiet', '--force', 'main')
  git('clean', '--quiet', '-fd')
})

async function changedFiles(): Promise<readonly string[]> {
  const module = (await import(pathToFileURL(join(root, '.ci/changed.js')).href)) as {
    changedFiles: () => string[]
  }
  return module.changedFiles().sort()
}

/** The tests that run after a change, each as its path from the root. */
async function chosen(): Promise<readonly string[]> {
  const module = (await import(pathToFileURL(join(root, 'test/support/changed.ts')).href)) as {
    testsOfChange: (tests: readonly string[]) => Promise<string[]>
  }
  const paths = Object.keys(tests).map((path) => join(root, path))
  const found = await module.testsOfChange(paths)
  return found.map((path) => path.slice(root.length + 1)).sort()
}

test('on a branch, what was committed, staged, edited and added since it left main is changed', async () => {
  git('checkout', '--quiet', '-B', 'side')
  write('src/low/alone.ts', 'export const alone = 2\n')
  git('commit', '--quiet', '-am', 'Change')
  write('docs/page.md', 'Another page.\n')
  git('add', 'docs/page.md')
  write('src/top/server.ts', 'export const server = 1\n')
  write('src/top/new.ts', 'export const added = 1\n')
  assert.deepEqual(await changedFiles(), [
    'docs/page.md',
    'src/low/alone.ts',
    'src/top/new.ts',
    'src/top/server.ts',
  ])
})

test('on main the last commit is the base, or the commit of CHECK_SINCE', async () => {
  write('src/low/alone.ts', 'export const alone = 3\n')
  assert.deepEqual(await changedFiles(), ['src/low/alone.ts'])
  git('commit', '--quiet', '-am', 'Change on main')
  assert.deepEqual(await changedFiles(), [])
  process.env['CHECK_SINCE'] = 'HEAD~1'
  try {
    assert.deepEqual(await changedFiles(), ['src/low/alone.ts'])
  } finally {
    delete process.env['CHECK_SINCE']
    git('reset', '--quiet', '--hard', 'HEAD~1')
  }
})

test('a change of a file runs the tests of its room, of rooms that import it, and of behaviour that reaches it', async () => {
  write('src/low/text.ts', 'export const text = 2\n')
  assert.deepEqual(await chosen(), [
    'test/behaviour/far.test.ts',
    'test/behaviour/near.test.ts',
    'test/low/text.test.ts',
    'test/top/server.test.ts',
  ])
})

test('a change that nothing imports runs the tests of its room alone', async () => {
  write('src/low/alone.ts', 'export const alone = 4\n')
  assert.deepEqual(await chosen(), ['test/low/text.test.ts'])
})

test('a change of a test or of its support runs the tests that import it, and a page those of pages', async () => {
  write('test/support/pages.ts', 'export const pages = 2\n')
  assert.deepEqual(await chosen(), ['test/docs.test.ts'])
  git('checkout', '--quiet', '--', '.')
  write('docs/page.md', 'One more page.\n')
  assert.deepEqual(await chosen(), ['test/docs.test.ts'])
  git('checkout', '--quiet', '--', '.')
  assert.deepEqual(await chosen(), [])
})
