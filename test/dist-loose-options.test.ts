// What the compiler says without `exactOptionalPropertyTypes`, which most projects do not set.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const text = `
import espalier, { t } from 'espalier'
const app = espalier()
declare const named: boolean
const byName = { querystring: t.Object({ name: t.String() }) }
const bySize = { querystring: t.Object({ size: t.Integer() }) }
const either = named ? byName : bySize
app.get('/a', { schema: { querystring: either.querystring } }, ({ query }) => {
  const read: { name: string } | { size: number } = query
  return read
})
app.get('/b', { schema: either }, ({ query }) => query.name)
const plain = named
  ? { querystring: { type: 'object', properties: { name: { type: 'string' } } } } as const
  : { querystring: { type: 'object', properties: { size: { type: 'integer' } } } } as const
app.get('/c', { schema: plain }, ({ query }) => query.name)
`

test('a schema in a variable that may be one of two was typed as the first, also where it was the second', () => {
  const folder = mkdtempSync('.loose-')
  try {
    writeFileSync(join(folder, 'routes.ts'), text)
    const compilerOptions = { noEmit: true, rootDir: '..', exactOptionalPropertyTypes: false }
    const config = { extends: '../tsconfig.json', compilerOptions, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    for (const compiler of ['typescript-5.9', 'typescript', 'typescript-7']) {
      const args = [`node_modules/${compiler}/bin/tsc`, '-p', folder, '--pretty', 'false']
      const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      const found = [...stdout.matchAll(/^\S*\((\d+),\d+\): error/gm)]
      assert.deepEqual([...new Set(found.map(([, line]) => Number(line)))], [12, 16], stdout)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
