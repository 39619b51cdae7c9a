import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

test('the examples of the README compile, but for the one error that they show', () => {
  const text = readFileSync('README.md', 'utf8')
  const [example = '', ...others] = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, ts]) => ts)
  const lines = example.split('\n')
  const marked = lines.findIndex((line) => line.includes('~~~ error'))
  assert.ok(marked > 0)
  const folder = mkdtempSync('.readme-')
  try {
    const file = join(folder, 'example.ts')
    writeFileSync(file, example)
    assert.ok(others.length > 0)
    for (const [index, other] of others.entries()) {
      const head = [
        "import espalier, { errorCodes, t } from 'espalier'",
        'declare const findUser: (token?: string) => Promise<{ name: string } | undefined>',
        'const app = espalier()\n',
      ].join('\n')
      writeFileSync(
        join(folder, `other-${index}.ts`),
        (other?.startsWith('import ') === true ? '' : head) + String(other),
      )
    }
    const compilerOptions = { noEmit: true, rootDir: '..' }
    const config = { extends: '../tsconfig.json', compilerOptions, include: ['*.ts'] }
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
