import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startService } from './support.ts'

const service = await startService()
const ada = await service.signUp('ada')
after(() => service.close())

const onDisk = () => readdir(join(service.config.DATA, 'attachments'))

async function write(title: string): Promise<number> {
  const response = await ada.api('POST /notes', { body: { title } })
  assert.equal(response.statusCode, 201)
  return response.json().id
}

const attach = (id: number, file: File) =>
  ada.api('POST /notes/:id/attachments', {
    params: { id },
    headers: { 'content-type': 'multipart/form-data' },
    body: { file },
  })

test('a file comes back as it went, under its name', async () => {
  const id = await write('Sea')
  const bytes = randomBytes(300_000)
  const attached = await attach(id, new File([bytes], "sée 'a'.png", { type: 'image/png' }))
  assert.equal(attached.statusCode, 201)
  const { id: attachment, ...rest } = attached.json()
  assert.deepEqual(rest, { name: "sée 'a'.png", type: 'image/png', size: 300_000 })

  const note = await ada.api('GET /notes/:id', { params: { id } })
  assert.equal(note.statusCode, 200)
  assert.deepEqual(note.json().attachments, [attached.json()])

  const got = await ada.api('GET /notes/:id/attachments/:attachment', {
    params: { id, attachment },
  })
  assert.equal(got.statusCode, 200)
  assert.equal(got.headers['content-type'], 'application/octet-stream')
  assert.equal(got.headers['content-length'], '300000')
  assert.equal(
    got.headers['content-disposition'],
    "attachment; filename*=UTF-8''s%C3%A9e%20%27a%27.png",
  )
  assert.ok(bytes.equals(await got.bytes()))
})

test('a file that is removed is gone from the disk', async () => {
  const id = await write('Short')
  const attached = await attach(id, new File(['x'], 'x.txt'))
  assert.equal(attached.statusCode, 201)
  const attachment = attached.json().id
  assert.ok((await onDisk()).includes(attachment))
  const params = { id, attachment }
  assert.equal(
    (await ada.api('DELETE /notes/:id/attachments/:attachment', { params })).statusCode,
    204,
  )
  assert.equal(
    (await ada.api('DELETE /notes/:id/attachments/:attachment', { params })).statusCode,
    404,
  )
  assert.ok(!(await onDisk()).includes(attachment))
})

test('the files of a note go with it', async () => {
  const before = await onDisk()
  const id = await write('Full')
  await attach(id, new File(['a'], 'a'))
  await attach(id, new File(['b'], 'b'))
  assert.equal((await onDisk()).length, before.length + 2)
  await ada.api('DELETE /notes/:id', { params: { id } })
  assert.deepEqual(await onDisk(), before)
})

test('a file that is too large is refused, and leaves nothing', async () => {
  const before = await onDisk()
  const id = await write('Large')
  const refused = await attach(id, new File([Buffer.alloc(10_000_001)], 'large'))
  assert.equal(refused.statusCode, 413)
  assert.deepEqual(await onDisk(), before)
})

test('a file for no note leaves nothing', async () => {
  const before = await onDisk()
  assert.equal((await attach(2_000_000_000, new File(['x'], 'x'))).statusCode, 404)
  assert.deepEqual(await onDisk(), before)
})
