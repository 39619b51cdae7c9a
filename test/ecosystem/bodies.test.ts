// What comes in other forms than JSON: @fastify/formbody, @fastify/multipart.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import { serve } from '../support/serve.ts'
import { untyped } from '../support/untyped.ts'

const form = (text: string) => ({ method: 'POST', body: new URLSearchParams(text) })

test('@fastify/formbody reads forms, which a schema validates', async (t) => {
  const body = { age: { type: 'integer' }, tag: { type: 'array', items: { type: 'string' } } }
  const app = untyped()
    .register(formbody)
    .post('/', { schema: { body } }, (request) => request.body)
  const ask = await serve(t, app)
  const read = await (await ask('/', form('name=Ada+L&age=36&tag=a&tag=b'))).json()
  assert.deepEqual(read, { name: 'Ada L', age: 36, tag: ['a', 'b'] })
  const refused = await ask('/', form('age=old'))
  assert.equal(refused.status, 400)
  assert.equal((await refused.json()).message, 'body/age must be integer')
})

test('@fastify/formbody takes a parser and a limit, in its own context only', async (t) => {
  const app = untyped().post('/outside', (request) => request.body)
  app.register(async (inside) => {
    inside.register(formbody, { bodyLimit: 10, parser: (text: string) => ({ text }) })
    inside.post('/inside', (request) => request.body)
  })
  const ask = await serve(t, app)
  assert.deepEqual(await (await ask('/inside', form('a=b'))).json(), { text: 'a=b' })
  assert.equal((await ask('/inside', form('a=0123456789'))).status, 413)
  assert.equal((await ask('/outside', form('a=b'))).status, 415)
})

/** A form of a field and two files. */
function upload(size = 5, field = 'Sea'): RequestInit {
  const body = new FormData()
  body.set('title', field)
  body.append('photo', new Blob(['x'.repeat(size)], { type: 'image/jpeg' }), 'sea.jpg')
  body.append('photo', new Blob(['yy']), 'sky.jpg')
  return { method: 'POST', body }
}

test('@fastify/multipart gives a file as a stream, with the fields before it', async (t) => {
  const app = untyped().register(multipart)
  app.post('/one', async (request) => {
    const data = await request.file()
    const { filename, mimetype, fields } = data
    const { length } = await data.toBuffer()
    return { filename, mimetype, length, title: fields.title.value }
  })
  app.post('/parts', async (request) => {
    const seen: string[] = []
    for await (const part of request.parts()) {
      if (part.type === 'field') seen.push(`${part.fieldname}=${part.value}`)
      else seen.push(`${part.filename}:${(await part.toBuffer()).length}`)
    }
    return seen
  })
  const ask = await serve(t, app)
  const one = { filename: 'sea.jpg', mimetype: 'image/jpeg', length: 5, title: 'Sea' }
  assert.deepEqual(await (await ask('/one', upload())).json(), one)
  const parts = await (await ask('/parts', upload())).json()
  assert.deepEqual(parts, ['title=Sea', 'sea.jpg:5', 'sky.jpg:2'])
})

test('@fastify/multipart refuses what is too large or too much with 413, and other bodies with 406', async (t) => {
  const app = untyped()
    .register(multipart, { limits: { fileSize: 1000 } })
    .post('/', async (request) => {
      const file = await request.file({ limits: { files: 2 } })
      return String((await file.toBuffer()).length)
    })
    .post('/few', async (request) => {
      for await (const part of request.files({ limits: { files: 1 } })) await part.toBuffer()
      return 'taken'
    })
  const ask = await serve(t, app)
  assert.equal(await (await ask('/', upload(1000))).text(), '1000')
  const large = await ask('/', upload(1001))
  assert.deepEqual([large.status, (await large.json()).code], [413, 'FST_REQ_FILE_TOO_LARGE'])
  const many = await ask('/few', upload())
  assert.deepEqual([many.status, (await many.json()).code], [413, 'FST_FILES_LIMIT'])
  const json = await ask('/', { ...form('a=1'), headers: { 'content-type': 'application/json' } })
  assert.equal(json.status, 400)
  const nothing = await ask('/', { method: 'POST' })
  const { code } = await nothing.json()
  assert.deepEqual([nothing.status, code], [406, 'FST_INVALID_MULTIPART_CONTENT_TYPE'])
})

test('@fastify/multipart attaches fields to a body that a schema validates', async (t) => {
  const body = {
    type: 'object',
    required: ['title', 'photo'],
    properties: { title: { type: 'string', maxLength: 5 }, photo: { type: 'array' } },
  }
  const onFile = async (part: any) => {
    await part.toBuffer()
  }
  const app = untyped()
    .register(multipart, { attachFieldsToBody: 'keyValues', onFile })
    .post('/', { schema: { body } }, (request) => Object.keys(request.body))
  const ask = await serve(t, app)
  assert.deepEqual(await (await ask('/', upload())).json(), ['title', 'photo'])
  const refused = await ask('/', upload(5, 'too long a title'))
  assert.equal((await refused.json()).message, 'body/title must NOT have more than 5 characters')
})

test('@fastify/multipart saves files, and removes them behind the reply', async (t) => {
  let paths: string[] = []
  const app = untyped().register(multipart)
  app.post('/', async (request) => {
    const { files } = await request.saveRequestFiles()
    paths = files.map(({ filepath }: { filepath: string }) => filepath)
    return paths.map((path) => readFileSync(path, 'utf8'))
  })
  const removed = new Promise<void>((resolve) => {
    app.addHook('onResponse', async () => resolve())
  })
  const ask = await serve(t, app)
  assert.deepEqual(await (await ask('/', upload())).json(), ['xxxxx', 'yy'])
  await removed
  assert.deepEqual(paths.map(existsSync), [false, false])
})
