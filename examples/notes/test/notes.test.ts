import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from './support.ts'

const service = await startService()
const ada = await service.signUp('ada')
after(() => service.close())

async function write(note: { title: string; text?: string; tags?: string[] }, { api } = ada) {
  const response = await api('POST /notes', { body: note })
  assert.equal(response.statusCode, 201)
  return response.json()
}

const titles = async (query: { q?: string; tag?: string; limit?: number }, { api } = ada) => {
  const response = await api('GET /notes', { query })
  assert.equal(response.statusCode, 200)
  return response.json().notes.map(({ title }) => title)
}

test('a note has no text and no tags unless it is given some', async () => {
  const note = await write({ title: 'Tea' })
  assert.deepEqual(
    { text: note.text, tags: note.tags, version: note.version },
    { text: '', tags: [], version: 1 },
  )
  const read = await ada.api('GET /notes/:id', { params: { id: note.id } })
  assert.equal(read.statusCode, 200)
  assert.equal(read.headers.etag, '"1"')
  assert.deepEqual(read.json(), { ...note, attachments: [] })
})

test('a list comes in pages, what was changed last first', async () => {
  const bob = await service.signUp('bob')
  const written: string[] = []
  for (let count = 1; count <= 7; count++) {
    await write({ title: `note ${count}` }, bob)
    written.unshift(`note ${count}`)
  }
  const seen: string[] = []
  let after: string | undefined
  do {
    const response = await bob.api('GET /notes', { query: { limit: 3, after } })
    assert.equal(response.statusCode, 200)
    const page = response.json()
    seen.push(...page.notes.map(({ title }) => title))
    after = page.next
  } while (after !== undefined)
  assert.deepEqual(seen, written)
})

test('a search finds in titles and texts, and takes each sign as it is', async () => {
  const cleo = await service.signUp('cleo')
  await write({ title: 'Green tea', text: 'two minutes' }, cleo)
  await write({ title: 'Sale', text: '100 % of tea_pots' }, cleo)
  assert.deepEqual(await titles({ q: 'TEA' }, cleo), ['Sale', 'Green tea'])
  assert.deepEqual(await titles({ q: 'minutes' }, cleo), ['Green tea'])
  assert.deepEqual(await titles({ q: '%' }, cleo), ['Sale'])
  assert.deepEqual(await titles({ q: 'a_p' }, cleo), ['Sale'])
  assert.deepEqual(await titles({ q: '\\' }, cleo), [])
})

test('tags are counted, and choose notes', async () => {
  const dan = await service.signUp('dan')
  await write({ title: 'a', tags: ['home', 'tea'] }, dan)
  await write({ title: 'b', tags: ['tea'] }, dan)
  const tags = await dan.api('GET /tags')
  assert.equal(tags.statusCode, 200)
  assert.deepEqual(tags.json(), [
    { name: 'tea', notes: 2 },
    { name: 'home', notes: 1 },
  ])
  assert.deepEqual(await titles({ tag: 'home' }, dan), ['a'])
  assert.deepEqual(await titles({ tag: 'tea', q: 'b' }, dan), ['b'])
})

test('of two who change one version, the second is told', async () => {
  const { id } = await write({ title: 'Plan', text: 'first', tags: ['work'] })
  const change = (version: number, text: string) =>
    ada.api('PATCH /notes/:id', {
      params: { id },
      headers: { 'if-match': `"${version}"` },
      body: { text },
    })

  const first = await change(1, 'second')
  assert.equal(first.statusCode, 200)
  assert.deepEqual(first.json().tags, ['work'], 'what is not given stays')
  assert.equal(first.headers.etag, '"2"')

  const late = await change(1, 'other')
  assert.equal(late.statusCode, 412)
  assert.equal(late.json().version, 2)

  const read = await ada.api('GET /notes/:id', { params: { id } })
  assert.ok(read.ok)
  assert.equal(read.json().text, 'second')
})

test('of many who change one version at once, one succeeds', async () => {
  const { id } = await write({ title: 'Race' })
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const headers = { 'if-match': '"1"' }
      const response = await ada.api('PATCH /notes/:id', {
        params: { id },
        headers,
        body: { text: `${index}` },
      })
      return response.statusCode
    }),
  )
  assert.deepEqual(statuses.sort(), [200, ...Array<number>(7).fill(412)])
})

test('a note that is deleted is gone', async () => {
  const { id } = await write({ title: 'Gone' })
  assert.equal((await ada.api('DELETE /notes/:id', { params: { id } })).statusCode, 204)
  assert.equal((await ada.api('DELETE /notes/:id', { params: { id } })).statusCode, 404)
  assert.equal((await ada.api('GET /notes/:id', { params: { id } })).statusCode, 404)
})

test('what a schema refuses is a 400, with words', async () => {
  const ask = async (
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    payload?: object,
    headers = {},
  ) => {
    const response = await service.app.inject({
      method,
      url,
      headers: { cookie: ada.cookie, ...headers },
      ...(payload && { payload }),
    })
    return `${response.statusCode} ${response.json<{ message: string }>().message}`
  }
  const tag = { 'if-match': '"1"' }
  assert.equal(await ask('POST', '/notes', {}), "400 body must have required property 'title'")
  assert.match(await ask('POST', '/notes', { title: '' }), /^400 body\/title/)
  assert.match(await ask('POST', '/notes', { title: 7 }), /^400 body\/title/)
  assert.match(await ask('POST', '/notes', { title: 'a', color: 'green' }), /^400 body .*'color'/)
  assert.match(await ask('POST', '/notes', { title: 'a\0b' }), /^400 body\/title/)
  assert.match(
    await ask('POST', '/notes', { title: 'a', tags: ['Not A Tag'] }),
    /^400 body\/tags\/0/,
  )
  assert.match(await ask('GET', '/notes?limit=1000'), /^400 querystring\/limit/)
  assert.match(await ask('GET', '/notes?limit=1e1'), /^400 querystring\/limit/)
  assert.match(await ask('GET', '/notes?after=nonsense'), /^400 querystring\/after/)
  assert.match(await ask('GET', '/notes?q=%00'), /^400 querystring\/q/)
  assert.match(await ask('GET', '/notes/first'), /^400 params\/id/)
  assert.match(await ask('GET', '/notes/99999999999'), /^400 params\/id/)
  assert.match(await ask('PATCH', '/notes/1', { text: 'x' }), /^400 headers/)
  assert.match(
    await ask('PATCH', '/notes/1', { text: 'x' }, { 'if-match': '*' }),
    /^400 headers\/if-match/,
  )
  assert.match(await ask('PATCH', '/notes/1', {}, tag), /^400 body/)
})
