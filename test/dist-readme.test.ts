import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

test('the example of the README compiles, but for the one error that it shows', () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  const lines = example.split('\n')
  const marked = lines.findIndex((line) => line.includes('~~~ error'))
  assert.ok(marked > 0)
  const folder = mkdtempSync('.readme-')
  try {
    const file = join(folder, 'example.ts')
    writeFileSync(file, example)
    const compilerOptions = { noEmit: true, rootDir: '..' }
    const config = { extends: '../tsconfig.json', compilerOptions, include: ['example.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = 'node_modules/typescript/bin/tsc'
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    const errors = stdout.split('\n').filter((line) => /error TS/.test(line))
    assert.equal(errors.length, 1, stdout)
    assert.ok(errors[0]?.includes(`example.ts(${marked},`), stdout)
    assert.match(String(errors[0]), /Property 'foo' does not exist on type/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
