// Texts for numbers that JSON does not have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untyped } from '../support/untyped.ts'

const texts = ['Infinity', '-Infinity', '+Infinity', '1e999', '-1e999', 'NaN']

const schemas: Record<string, object> = {
  'a number': { type: 'number' },
  'an integer': { type: 'integer' },
  'a number or null': { type: ['number', 'null'] },
  'a number in a list': { type: 'array', items: { type: 'number' } },
  'a number with a limit': { type: 'number', minimum: -Number.MAX_VALUE },
  'a number or a boolean': { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
}
for (const [what, n] of Object.entries(schemas)) {
  test(`a text that is no number of JSON is refused where ${what} is asked: it was Infinity`, async () => {
    const app = untyped()
    const schema = { type: 'object', properties: { n } }
    const handler = () => 'taken'
    app.post('/query', { schema: { querystring: schema } }, handler)
    app.post('/params/:n', { schema: { params: schema } }, handler)
    app.post('/headers', { schema: { headers: schema } }, handler)
    app.post('/body', { schema: { body: schema } }, handler)
    for (const text of texts) {
      const requests = [
        { url: `/query?n=${encodeURIComponent(text)}` },
        { url: `/params/${text}` },
        { url: '/headers', headers: { n: text } },
        { url: '/body', payload: { n: text } },
      ]
      for (const request of requests) {
        const { statusCode } = await app.inject({ method: 'POST', ...request })
        assert.equal(statusCode, 400, `${request.url} ${text}`)
      }
    }
    assert.equal((await app.inject({ method: 'POST', url: '/query?n=1e3' })).statusCode, 200)
  })
}

test('Infinity stays a text where a text may be', async () => {
  const app = untyped()
  const n = { anyOf: [{ type: 'number' }, { type: 'string' }] }
  const schema = { querystring: { type: 'object', properties: { n } } }
  app.get('/', { schema }, (request) => ({ is: request.query.n }))
  assert.deepEqual((await app.inject('/?n=Infinity')).json(), { is: 'Infinity' })
})

test("a process of the user's own for the code of ajv is called as before", async () => {
  let calls = 0
  const process = (code: string): string => {
    calls += 1
    return code
  }
  const app = untyped({ ajv: { customOptions: { code: { process } } } })
  const n = { type: 'integer' }
  app.get('/', { schema: { querystring: { type: 'object', properties: { n } } } }, () => 'taken')
  assert.equal((await app.inject('/?n=Infinity')).statusCode, 400)
  assert.ok(calls > 0)
})
