// Nobody sees or changes what is not theirs.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startService } from './support.ts'

const service = await startService()
const ada = await service.signUp('ada')
const eve = await service.signUp('eve')
after(() => service.close())

/** Routes that are open to everybody. All others ask for a session. */
const openRoutes = [
  'get /health/live',
  'get /health/ready',
  'post /users',
  'get /session',
  'post /session',
  'delete /session',
]

test('each other route answers 401 without a session', async () => {
  const { paths } = service.app.openapi()
  const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    methods.filter((method) => operations?.[method]).map((method) => ({ method, path })),
  )
  const guarded = routes.filter(({ method, path }) => !openRoutes.includes(`${method} ${path}`))
  assert.equal(guarded.length, 10)
  for (const { method, path } of guarded) {
    const url = path.replaceAll(/\{\w+\}/g, '1')
    for (const cookie of ['', 'session=', 'session=guess']) {
      const { statusCode, body } = await service.app.inject({ method, url, headers: { cookie } })
      assert.equal(statusCode, 401, `${method} ${path}`)
      assert.match(body, /"code":"Unauthorized".*"message":"Sign in first"/)
    }
    assert.ok(
      paths[path]?.[method]?.responses?.['401'],
      `the document says so of ${method} ${path}`,
    )
  }
})

test("of another user's note each route says that there is none", async () => {
  const created = await ada.api('POST /notes', { body: { title: 'Secret', tags: ['secret'] } })
  assert.equal(created.statusCode, 201)
  const { id } = created.json()
  const form = { headers: { 'content-type': 'multipart/form-data' } } as const
  const attached = await ada.api('POST /notes/:id/attachments', {
    params: { id },
    ...form,
    body: { file: new File(['secret'], 'secret.txt') },
  })
  assert.equal(attached.statusCode, 201)
  const attachment = attached.json().id

  const answers = await Promise.all([
    eve.api('GET /notes/:id', { params: { id } }),
    eve.api('PATCH /notes/:id', {
      params: { id },
      headers: { 'if-match': '"1"' },
      body: { title: 'Mine' },
    }),
    eve.api('DELETE /notes/:id', { params: { id } }),
    eve.api('POST /notes/:id/attachments', {
      params: { id },
      ...form,
      body: { file: new File(['x'], 'x') },
    }),
    eve.api('GET /notes/:id/attachments/:attachment', { params: { id, attachment } }),
    eve.api('DELETE /notes/:id/attachments/:attachment', { params: { id, attachment } }),
  ])
  for (const answer of answers) assert.equal(answer.statusCode, 404)

  // Nor by the way of a note of one's own.
  const own = await eve.api('POST /notes', { body: { title: 'Own' } })
  assert.equal(own.statusCode, 201)
  const params = { id: own.json().id, attachment }
  assert.equal(
    (await eve.api('GET /notes/:id/attachments/:attachment', { params })).statusCode,
    404,
  )
  assert.equal(
    (await eve.api('DELETE /notes/:id/attachments/:attachment', { params })).statusCode,
    404,
  )

  // It is as it was.
  const read = await ada.api('GET /notes/:id', { params: { id } })
  assert.equal(read.statusCode, 200)
  assert.equal(read.json().title, 'Secret')
  assert.equal(read.json().attachments.length, 1)
  assert.deepEqual(await readdir(join(service.config.DATA, 'attachments')), [attachment])
})

test('lists, searches and tags have what is yours', async () => {
  const list = await eve.api('GET /notes')
  assert.equal(list.statusCode, 200)
  assert.deepEqual(
    list.json().notes.map(({ title }) => title),
    ['Own'],
  )
  const found = await eve.api('GET /notes', { query: { q: 'secret' } })
  assert.equal(found.statusCode, 200)
  assert.deepEqual(found.json().notes, [])
  const tagged = await eve.api('GET /notes', { query: { tag: 'secret' } })
  assert.equal(tagged.statusCode, 200)
  assert.deepEqual(tagged.json().notes, [])
  const tags = await eve.api('GET /tags')
  assert.equal(tags.statusCode, 200)
  assert.deepEqual(tags.json(), [])
})
