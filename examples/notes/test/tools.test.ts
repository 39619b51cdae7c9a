// Routes as tools, by the client of the SDK.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startService } from './support.ts'

const service = await startService()
const [ada, eve] = [await service.signUp('ada'), await service.signUp('eve')]
after(() => service.close())

async function connect(cookie: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: { cookie } }
  const url = new URL('/mcp', service.url)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  return client
}

const model = await connect(ada.cookie)
after(() => model.close())

const call = (name: string, args = {}) => model.callTool({ name, arguments: args })

test('some routes are tools, and those that only read say so', async () => {
  const { tools } = await model.listTools()
  assert.deepEqual(
    tools.map(({ name, annotations }) => `${name} ${annotations?.readOnlyHint ?? false}`).sort(),
    ['list_notes true', 'list_tags true', 'read_note true', 'write_note false'],
  )
})

test('a model writes, finds and reads the notes of its user', async () => {
  const written = await call('write_note', { title: 'Tea', tags: ['home'] })
  assert.equal(written.isError, undefined)
  const { id } = written.structuredContent as { id: number }
  const list = await ada.api('GET /notes', { query: { tag: 'home' } })
  assert.equal(list.statusCode, 200)
  assert.deepEqual(
    list.json().notes.map((note) => note.id),
    [id],
  )

  const found = await call('list_notes', { q: 'tea' })
  assert.deepEqual(found.structuredContent, list.json())
  const read = await call('read_note', { id })
  assert.deepEqual((read.structuredContent as { title: string }).title, 'Tea')
  const tags = await call('list_tags')
  assert.deepEqual(tags.structuredContent, { result: [{ name: 'home', notes: 1 }] })
})

test('a model is told what is wrong', async () => {
  const wrong = await call('write_note', { title: '' })
  assert.equal(wrong.isError, true)
  assert.match(JSON.stringify(wrong.content), /title: must NOT have fewer than 1 characters/)
})

test('it has the notes of its user alone', async () => {
  const secret = await eve.api('POST /notes', { body: { title: 'Secret' } })
  assert.equal(secret.statusCode, 201)
  const read = await call('read_note', { id: secret.json().id })
  assert.equal(read.isError, true)
  assert.match(JSON.stringify(read.content), /404 Not Found.*NoteNotFound/)
})

test('without a session there are no tools', async () => {
  await assert.rejects(connect('session=guess'), /401|Sign in first/)
})
