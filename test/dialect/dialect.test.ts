// The page of the dialect has each field, with a test that exists.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import type { Dialect } from '../../src/dialect/dialect.ts'
import { espalierDialect } from '../../src/dialect/espalier.ts'
import { fastifyDialect } from '../../src/dialect/fastify.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'src/dialect/README.md'), 'utf8')
const rows = page.split('\n## ').flatMap((section) => {
  const part = /^`(\w+)`/.exec(section)?.[1] ?? ''
  const found = section.matchAll(/^\| `(\w+)` \| [^|]+ \| `([^`]+)`: ([^|]+) \|$/gm)
  return [...found].map(([, name = '', file = '', title = '']) => ({
    ...{ field: `${part}.${name}`, file, title },
  }))
})

test('the page has all fields of the dialect in their order, and no other', () => {
  const fields = Object.entries(espalierDialect).flatMap(([part, policy]) =>
    Object.keys(policy as object).map((name) => `${part}.${name}`),
  )
  assert.deepEqual(
    rows.map(({ field }) => field),
    fields,
  )
})

test('each test that the page names is there', () => {
  const text = (file: string) => readFileSync(join(root, `test/behaviour/${file}.test.ts`), 'utf8')
  assert.deepEqual(
    rows.filter(({ file, title }) => !text(file).includes(title)),
    [],
  )
})

test('the dialects differ in each field', () => {
  const values = (dialect: Dialect) =>
    Object.values(dialect).flatMap((policy) => Object.values(policy as object).map(String))
  const [own, other] = [values(espalierDialect), values(fastifyDialect)]
  assert.equal(own.length, rows.length)
  assert.deepEqual(
    rows.filter((_row, index) => own[index] === other[index]),
    [],
  )
})
