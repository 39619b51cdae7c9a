// Tests of the built package refuse a build that is older than the source.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'

const project = resolve(import.meta.dirname, '../..')
const root = mkdtempSync(join(tmpdir(), 'built-'))
const guard = 'test/support/built.mjs'
const built = 'dist/fastify/modules.d.cts'
const noon = Date.UTC(2026, 0, 1, 12) / 1000

after(() => {
  rmSync(root, { recursive: true })
})

/** Writes a file that was changed some seconds after noon, in a folder that was changed at noon. */
function write(path: string, later = 0): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  utimesSync(file, noon + later, noon + later)
  utimesSync(dirname(file), noon, noon)
}

before(() => {
  mkdirSync(join(root, 'test/support'), { recursive: true })
  cpSync(join(project, guard), join(root, guard))
  write('src/room/file.ts')
  write('src/room/README.md', 60)
  utimesSync(join(root, 'src'), noon, noon)
})

function runGuard(): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [guard], { cwd: root, encoding: 'utf8' })
  return { status, stderr }
}

test('without a build it says so', () => {
  const { status, stderr } = runGuard()
  assert.equal(status, 1)
  assert.equal(
    stderr,
    'There is no build. These tests take the built package. Run: npm run build\n',
  )
})

test('a build that is newer than the source passes, whatever the age of pages in it', () => {
  write(built, 10)
  assert.deepEqual(runGuard(), { status: 0, stderr: '' })
})

test('a file that was changed since is named', () => {
  write(built, 10)
  write('src/room/file.ts', 20)
  const { status, stderr } = runGuard()
  assert.equal(status, 1)
  assert.match(stderr, /^src[\\/]room[\\/]file\.ts is newer than dist\/\. .*Run: npm run build\n$/)
})

test('a file that was deleted since is noticed', () => {
  write('src/room/file.ts')
  write('src/room/other.ts')
  write(built, 10)
  assert.equal(runGuard().status, 0)
  rmSync(join(root, 'src/room/other.ts'))
  const { status, stderr } = runGuard()
  assert.equal(status, 1)
  assert.match(stderr, /^src[\\/]room is newer than dist\//)
})
