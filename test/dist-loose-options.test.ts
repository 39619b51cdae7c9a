// What the compiler says with fewer checks than this project asks for, as most projects do.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile, compilers } from './support/compilers.ts'

/** Checks that each compiler finds errors in these lines of a program, and in no others. */
function assertErrors(text: string, options: Record<string, boolean>, lines: readonly number[]) {
  const folder = mkdtempSync('.loose-')
  try {
    writeFileSync(join(folder, 'routes.ts'), text)
    const compilerOptions = { noEmit: true, rootDir: '..', ...options }
    const config = { extends: '../tsconfig.json', compilerOptions, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    for (const compiler of compilers) {
      const stdout = compile(compiler, folder)
      const found = [...stdout.matchAll(/^\S*\((\d+),\d+\): error/gm)]
      assert.deepEqual([...new Set(found.map(([, line]) => Number(line)))], lines, stdout)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const eitherSchema = `
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
  assertErrors(eitherSchema, { exactOptionalPropertyTypes: false }, [12, 16])
})

// Lines with an error end with `// wrong`.
const withoutStrict = `
import espalier, { plugin, t, type Handler } from 'espalier'
import { client } from 'espalier/client'
const number = { schema: { response: { 200: t.Object({ a: t.Integer() }) } } }
const closed = { schema: { response: { 200: t.Object({ a: t.Integer() }, { additionalProperties: false }) } } }
const limits = plugin()(async (app, options: { max?: number }) => app.get('/max', () => options.max))
const handler: Handler<typeof number> = () => ({ a: 1 })
const app = espalier()
  .derive('onRequest', async (request) => (request.id ? { user: 'ada' } : undefined))
  .get('/sync', number, () => ({ a: 1 }))
  .get('/async', number, async () => ({ a: 1 }))
  .get('/closed', closed, async () => ({ a: 1 }))
  .get('/handler', number, handler)
  .get('/sent', number, (request, reply) => reply.code(200).send({ a: 1 }))
  .get('/prepared', (request, reply) => reply.code(404)) // wrong
  .get('/itself', async (request, reply) => { await reply.send(1); return reply })
  .get('/text', number, () => ({ a: 'text' })) // wrong
  .get('/later', number, async () => ({ a: 'text' })) // wrong
  .get('/more', closed, () => ({ a: 1, b: 1 })) // wrong
  .post('/body', { schema: { body: { n: t.Integer() } } }, ({ body, user }) => ({ sum: body.n + 1, user }))
  .register(limits, { max: 1 })
app.register(limits, { mx: 1 }) // wrong
app.derive('onRequest', async () => {})
app.derive('onRequest', (request, reply) => reply.send(1))
app.derive('onRequest', async () => [1]) // wrong
app.setErrorHandler(async (error, request, reply) => reply.send(error.message))
app.addHook('onRequest', async (request, reply) => reply.send(request.id))
const api = client<typeof app>('')
export const found: Promise<{ sum: number, user: string }> = api('POST /body', { body: { n: 1 } }).then((r) => r.statusCode === 400 ? { sum: 0, user: r.json().message } : r.json())
export const none = api('POST /body', { body: { n: 'text' } }) // wrong
`

test('a project without `strict` was told of undefined wherever a response is declared', () => {
  const lines = withoutStrict.split('\n')
  const wrong = lines.flatMap((line, index) => (line.endsWith('// wrong') ? [index + 1] : []))
  const options = { strict: false, exactOptionalPropertyTypes: false }
  assertErrors(withoutStrict, options, wrong)
})
