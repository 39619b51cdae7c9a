// Schemas of headers whose names are in upper case: Node gives header names in lower case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untyped } from '../support/untyped.ts'

const needsB = { type: 'object', required: ['X-B'] }

const asks: Record<string, object> = {
  'dependencies, as a list': { dependencies: { 'X-A': ['X-B'] } },
  'dependencies, as a schema': { dependencies: { 'X-A': needsB } },
  'if and then': { if: { type: 'object', required: ['X-A'] }, then: needsB },
  'a property in if': {
    if: { type: 'object', properties: { 'X-A': { const: 'Q' } }, required: ['X-A'] },
    then: needsB,
  },
  'anyOf and not': { anyOf: [{ not: { type: 'object', required: ['X-A'] } }, needsB] },
}
for (const [what, keywords] of Object.entries(asks)) {
  test(`header names are asked for in lower case by ${what}`, async () => {
    const app = untyped()
    app.get('/', { schema: { headers: { type: 'object', ...keywords } } }, () => 'taken')
    const requests = [{}, { 'X-A': 'Q' }, { 'X-A': 'Q', 'X-B': 'Z' }]
    const answers = requests.map(async (headers) => app.inject({ url: '/', headers }))
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
    assert.deepEqual(statuses, [200, 400, 200])
  })
}

test('a header is compared with another that $data names in upper case', async () => {
  const app = untyped({ ajv: { customOptions: { $data: true } } })
  const properties = { 'X-A': { type: 'string' }, 'X-B': { const: { $data: '1/X-A' } } }
  app.get('/', { schema: { headers: { type: 'object', properties } } }, () => 'taken')
  const ask = async (b: string) => app.inject({ url: '/', headers: { 'x-a': '1', 'x-b': b } })
  assert.equal((await ask('1')).statusCode, 200)
  assert.equal((await ask('2')).statusCode, 400)
})

test('dependentRequired names headers in lower case', async () => {
  const draft = { strictSchema: false, keywords: [] }
  const app = untyped({
    ajv: {
      customOptions: draft,
      onCreate: (ajv: { addVocabulary(words: unknown[]): void }) => {
        ajv.addVocabulary([dependentRequired])
      },
    },
  })
  const headers = { type: 'object', dependentRequired: { 'X-A': ['X-B'] } }
  app.get('/', { schema: { headers } }, () => 'taken')
  assert.equal((await app.inject({ url: '/', headers: { 'x-a': '1' } })).statusCode, 400)
})

const dependentRequired = {
  keyword: 'dependentRequired',
  type: 'object',
  macro: (names: Record<string, string[]>) => ({ dependencies: names }),
}
