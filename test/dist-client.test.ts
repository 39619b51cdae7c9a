import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile, compilers } from './support/compilers.ts'

const application = `
import espalier, { t } from 'espalier'
import { client } from 'espalier/client'
const schema = { params: { id: t.Integer() } }
const app = espalier().get('/users/:id', { schema }, () => 1).post('/users/:id', { schema }, () => 1)
const api = client<typeof app>('')
`
const mistakes = [
  [
    "api('GET /usrs')",
    /^Argument of type '"GET \/usrs"' is not assignable to parameter of type '"GET/,
  ],
  [
    "app.inject('GET /usrs')",
    /^(.*\n){0,2}.*'"GET \/usrs"' is not assignable to parameter of type/,
  ],
  [
    "api('GET /users/:id', { params: { id: 'x' } })",
    /^Type '"x"' is not assignable to type 'number \| `\$\{number\}`'/,
  ],
] as const

test('a wrong call of a route is told by the key or the value that is wrong', () => {
  const folder = mkdtempSync('.client-')
  try {
    writeFileSync(join(folder, 'calls.ts'), application + mistakes.map(([call]) => call).join('\n'))
    const compilerOptions = { noEmit: true, rootDir: '..' }
    const config = { extends: '../tsconfig.json', compilerOptions, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    for (const compiler of compilers) {
      const stdout = compile(compiler, folder)
      const found = [...stdout.matchAll(/^\S*\((\d+),\d+\): error TS\d+: (.*(?:\n +.*)*)/gm)]
      const lines = found.map(([, line]) => Number(line))
      const first = application.split('\n').length
      assert.deepEqual(lines, [first, first + 1, first + 2], stdout)
      for (const [index, [, message]] of mistakes.entries()) {
        assert.match(String(found[index]?.[2]), message, compiler)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
