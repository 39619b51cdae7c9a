// The types of what clients receive from routes that declare no responses: JSON of what handlers return and send.
import espalier, { t, type RouteKey } from 'espalier'
import { client } from 'espalier/client'
import { expectError, expectType } from 'tsd'

// JSON has the items of a list, and none of its other properties.
declare const rows: { foo: 'bar' }[] & { meta: 'v1'; count: number }
declare const dates: readonly Date[] & { meta: 'v1' }
declare const pair: [1, Date] & { meta: 'v1' }
declare const some: [1, Date?] & { meta: 'v1' }
declare const found: RegExpExecArray
declare const either: { rows: 1 | (Date[] & { count: 1 }) }
interface Rows extends Array<{ id: number; at: Date }> {
  count: number
}
declare const result: Rows
declare const plain: readonly [1, { a: 2 }]
interface Tree extends Array<Tree | 1> {}
declare const tree: Tree
const lists = espalier()
  .get('/rows', () => rows)
  .get('/dates', () => dates)
  .get('/pair', () => pair)
  .get('/some', () => some)
  .get('/found', () => found)
  .get('/either', () => either)
  .get('/result', () => result)
  .get('/plain', () => plain)
  .get('/tree', () => tree)
const list = client<typeof lists>('')
expectType<{ foo: 'bar' }[]>((await list('GET /rows')).json())
expectError((await list('GET /rows')).json().meta)
expectType<string[]>((await list('GET /dates')).json())
expectType<[1, string]>((await list('GET /pair')).json())
expectType<[1] | [1, string | null]>((await list('GET /some')).json())
expectType<string[]>((await list('GET /found')).json())
expectType<{ rows: 1 | string[] }>((await list('GET /either')).json())
expectType<{ id: number; at: string }[]>((await list('GET /result')).json())
expectType<readonly [1, { a: 2 }]>((await list('GET /plain')).json())
expectType<Tree>((await list('GET /tree')).json())

// What is sent with a success is part of it; another status, another route and another place are not.
declare const row: { name: string; at: Date } | null
declare const status: number
const sent = espalier()
  .get('/mixed', async (_request, reply) => {
    if (row === null) return reply.code(404).send({ message: 'no' })
    return row
  })
  .get('/none', async (_request, reply) => (row === null ? reply.callNotFound() : row))
  .get('/moved', (_request, reply) => (row === null ? reply.redirect('/') : row))
  .get('/send', (_request, reply) => reply.send({ at: new Date() }))
  .get('/created', (_request, reply) => reply.code(201).header('a', 'b').send({ id: 1 }))
  .get('/both', async (_request, reply) => (row === null ? reply.code(201).send(1) : 'x'))
  .get('/either', (_request, reply) => reply.code(row === null ? 404 : 200).send({ a: 'b' }))
  .get('/empty', (_request, reply) => (row === null ? reply.code(204).send() : row.name))
  .get('/any', (_request, reply) => reply.code(status).send({ a: 'b' }))
  .get('/text', (_request, reply) => reply.type('text/csv').send('a,b'))
  .get('/bytes', (_request, reply) => reply.send(new Uint8Array()))
  .get('/json', (_request, reply) => reply.type('application/json').send('{"a":1}'))
  .get('/raw', (_request, reply) => (row === null ? reply.hijack() : row))
  .get('/reply', async (_request, reply) => {
    reply.send(1)
    return reply
  })
  .get('/failing', (_request, reply) => reply.code(500).send({ a: 1 }))
const api = client<typeof sent>('')
type Row = { name: string; at: string }
expectType<Row>((await api('GET /mixed')).json())
expectType<Row>((await sent.inject('GET /mixed')).json())
expectType<Row>((await api('GET /none')).json())
expectType<Row>((await api('GET /moved')).json())
expectType<{ at: string }>((await api('GET /send')).json())
expectType<{ id: number }>((await api('GET /created')).json())
expectType<1 | 'x'>((await api('GET /both')).json())
expectType<{ a: string }>((await api('GET /either')).json())
expectType<string | null>((await api('GET /empty')).json())
expectType<'a,b'>((await api('GET /text')).json())
for (const key of ['any', 'bytes', 'json', 'raw', 'reply', 'failing'] as const) {
  expectType<unknown>((await api(`GET /${key}`)).json())
}

// So it is where the scope declares responses.
const scoped = espalier()
  .addResponses({ 404: t.Object({ message: t.String() }) })
  .get('/a', async (_request, reply) =>
    row === null ? reply.code(404).send({ message: 'no' }) : row,
  )
expectType<'GET /a'>({} as RouteKey<typeof scoped>)
const answer = await client<typeof scoped>('')('GET /a')
if (answer.statusCode === 404) expectType<{ message: string }>(answer.json())
else expectType<Row>(answer.json())
