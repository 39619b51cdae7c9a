// Forms with files, over the network where it matters.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request as requestOf } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { client } from '../../src/client/index.ts'
import espalier, { t } from '../../src/index.ts'
import { multipart } from '../../src/multipart/index.ts'
import { documentOf } from '../../src/openapi/index.ts'
import { listening } from '../support/serve.ts'

type Loose = any

const form = (schema: object) => ({ body: { content: { 'multipart/form-data': { schema } } } })

/** A folder for temporary files. */
function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-multipart-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Waits until a folder has as many files. */
async function until(folder: string, count: number): Promise<void> {
  while (readdirSync(folder).length !== count) await setImmediate()
}

const headers = { 'content-type': 'multipart/form-data; boundary=x' }

/** A form by hand. */
const text = (...parts: string[]) =>
  parts.map((part) => `--x\r\ncontent-disposition: form-data; ${part}\r\n`).join('') + '--x--\r\n'

test('a handler gets coerced fields, and files', async (context) => {
  const body = {
    content: {
      'multipart/form-data': {
        schema: {
          title: t.String(),
          count: t.Integer(),
          tags: t.Array(t.String()),
          photo: t.File(),
          more: t.Array(t.File()),
        },
      },
    },
  }
  const app = espalier()
    .register(multipart({ memory: 10, folder: folderOf(context) }))
    .post('/', { schema: { body } }, async ({ body: { photo, more, ...fields } }) => ({
      ...fields,
      photo: [photo.name, photo.type, photo.size, await photo.text()],
      more: await Promise.all(more.map((each) => each.text())),
    }))
  const sent = new FormData()
  sent.set('title', 'Sea')
  sent.set('count', '2')
  sent.append('tags', 'blue')
  sent.set('photo', new File(['longer than ten bytes'], 'sea.png', { type: 'image/png' }))
  sent.append('more', new File(['short'], 'a.txt'))
  const origin = await listening(context, app)
  const answer = async () => (await fetch(origin, { method: 'POST', body: sent })).json()
  const fields = { title: 'Sea', count: 2, tags: ['blue'] }
  const photo = ['sea.png', 'image/png', 21, 'longer than ten bytes']
  assert.deepEqual(await answer(), { ...fields, photo, more: ['short'] })
  sent.append('tags', 'wide')
  sent.append('more', new File(['another that is longer'], 'b.txt'))
  const more = ['short', 'another that is longer']
  assert.deepEqual(await answer(), { ...fields, tags: ['blue', 'wide'], photo, more })
})

test('a form that does not fit is answered with 400, which names the field', async () => {
  const schema = form({ n: t.Integer(), photo: t.File({ types: ['image/*', 'text/x'] }) })
  const app = espalier()
    .addSchema('photo', t.Object({ photo: t.Optional(t.File()) }))
    .register(multipart())
    .post('/', { schema }, () => 'ok')
    .post('/shared', { schema: form(t.Ref('photo#')) }, () => 'ok')
    .post('/both', { schema: form(t.Intersect([t.Ref('photo#'), t.Object({})])) }, () => 'ok')
    .post('/json', { schema: { body: { photo: t.File() } } }, () => 'ok')
  const post = async (url: string, payload: string) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload })
    return statusCode === 200 ? body : `${statusCode} ${JSON.parse(body).message}`
  }
  const png = 'name="photo"; filename="a"\r\ncontent-type: image/png\r\n\r\nx'
  const field = 'name="n"\r\n\r\n1'
  assert.equal(await post('/', text(field, png)), 'ok')
  assert.equal(await post('/', text(png)), "400 body must have required property 'n'")
  assert.equal(await post('/', text(field)), "400 body must have required property 'photo'")
  assert.equal(
    await post('/', text(field, 'name="photo"\r\n\r\nno file')),
    '400 body/photo must be a file',
  )
  assert.equal(
    await post('/', text(field, png.replace('image/png', 'text/html'))),
    "400 The form is not valid: 'photo' is of type 'text/html', but takes image/*, text/x",
  )
  assert.equal(await post('/', text(field, png.replace('image/png', 'text/x'))), 'ok')
  assert.equal(
    await post('/', text('name="n"; filename="a"\r\n\r\n1')),
    "400 The form is not valid: 'n' is a file, which the schema does not have there",
  )
  assert.equal(await post('/', text(field, png, png)), '400 body/photo must be a file')
  assert.match(
    await post('/', text(field).slice(0, -9)),
    /^400 The form is not valid: Unexpected end/,
  )
  assert.match(
    await post('/', text('name="toString"\r\n\r\n1')),
    /^400 The form is not valid: proto/,
  )
  for (const nameless of ['x="y"\r\n\r\n1', 'name=""\r\n\r\n1', 'filename="a"\r\n\r\n1']) {
    assert.equal(await post('/', text(nameless)), '400 The form is not valid: a part has no name')
  }
  assert.equal(await post('/shared', text(png)), 'ok')
  assert.equal(await post('/both', text(png)), 'ok')
  assert.equal(await post('/json', text(png)), 'ok')
  const json = await app.inject({ method: 'POST', url: '/json', payload: { photo: {} } })
  assert.equal(json.json<{ message: string }>().message, 'body/photo must be a file')
})

test('files stand in alternatives, and in fields of any name', async () => {
  const image = t.File({ types: ['image/*'], maxSize: 3 })
  const one = t.Object({ kind: t.Literal('one'), file: image })
  const other = t.Object({
    kind: t.Literal('other'),
    file: t.File({ types: ['text/*'], maxSize: 5 }),
  })
  const app = espalier()
    .addSchema('photo', t.Union([image, t.Null()]))
    .register(multipart())
    .post('/nullable', { schema: form({ file: t.Ref('photo#') }) }, () => 'ok')
    .post('/list', { schema: form({ file: t.Union([t.Array(image), t.Null()]) }) }, ({ body }) =>
      String(Array.isArray((body as { file: unknown }).file)),
    )
    .post('/either', { schema: form({ file: t.Union([image, t.Array(image)]) }) }, ({ body }) =>
      String(Array.isArray((body as { file: unknown }).file)),
    )
    .post('/forms', { schema: form(t.Union([one, other])) }, () => 'ok')
    .post('/record', { schema: form(t.Record(t.String(), image)) }, () => 'ok')
  const post = async (url: string, ...parts: string[]) =>
    (await app.inject({ method: 'POST', url, headers, payload: text(...parts) })).body
  const file = (type: string, content = 'x') =>
    `name="file"; filename="a"\r\ncontent-type: ${type}\r\n\r\n${content}`
  assert.equal(await post('/nullable', file('image/png')), 'ok')
  assert.match(await post('/nullable', file('text/html')), /takes image\/\*"/)
  assert.equal(await post('/list', file('image/png')), 'true')
  assert.equal(await post('/either', file('image/png')), 'false')
  assert.equal(await post('/either', file('image/png'), file('image/png')), 'true')
  assert.equal(await post('/forms', 'name="kind"\r\n\r\nother', file('text/x', 'four')), 'ok')
  assert.match(await post('/forms', file('image/png', 'longer')), /more than 5 bytes/)
  assert.match(await post('/forms', file('a/b')), /takes text\/\*, image\/\*|takes image\/\*, text/)
  assert.equal(await post('/record', file('image/png')), 'ok')
  assert.match(await post('/record', file('image/png', 'long')), /more than 3 bytes/)
})

test('a file that was not chosen in a browser is none', async () => {
  const app = espalier()
    .register(multipart())
    .post('/', { schema: form({ photo: t.Optional(t.File({ types: ['image/*'] })) }) }, (request) =>
      Object.keys(request.body as object),
    )
  const part = 'name="photo"; filename=""\r\ncontent-type: application/octet-stream\r\n\r\n'
  const answer = await app.inject({ method: 'POST', url: '/', headers, payload: text(part) })
  assert.equal(answer.body, '[]')
})

test('what is too large is answered with 413, which names the field', async () => {
  const schema = form({ a: t.Optional(t.File({ maxSize: 3 })), b: t.Optional(t.Array(t.File())) })
  const limits = { fileSize: 5, files: 2, parts: 4 }
  const app = espalier({ bodyLimit: 20 })
    .register(multipart({ limits }))
    .post('/', { schema }, () => 'ok')
  const post = async (...parts: string[]) => {
    const payload = text(...parts)
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/', headers, payload })
    return statusCode === 200 ? body : `${statusCode} ${JSON.parse(body).message}`
  }
  const file = (name: string, content: string) => `name="${name}"; filename="f"\r\n\r\n${content}`
  const field = (content: string) => `name="f"\r\n\r\n${content}`
  const start = '413 The form is too large: it has at'
  assert.equal(await post(file('a', 'abc'), file('b', 'abcde')), 'ok')
  assert.equal(await post(file('a', 'abcd')), `${start} 'a' a file of more than 3 bytes`)
  assert.equal(await post(file('b', 'abcdef')), `${start} 'b' a file of more than 5 bytes`)
  const three = [file('b', ''), file('b', ''), file('b', '')]
  assert.equal(await post(...three), `${start} 'b' more than 2 files`)
  const five = [field('1'), field('1'), field('1'), field('1'), field('1')]
  assert.equal(await post(...five), `${start} 'f' more than 4 parts`)
  assert.equal(await post(...five.slice(1)), 'ok')
  assert.equal(await post(field('x'.repeat(30))), `${start} 'f' fields of more than 20 bytes`)
  const two = [field('x'.repeat(10)), field('x'.repeat(10))]
  assert.equal(await post(...two), `${start} 'f' fields of more than 20 bytes`)
})

test('temporary files are there for the handler, and gone after the response', async (context) => {
  const folder = folderOf(context)
  const seen: number[] = []
  const app = espalier()
    .register(multipart({ memory: 10, folder }))
    .post('/', { schema: form({ a: t.File(), b: t.Optional(t.Integer()) }) }, async (request) => {
      seen.push(readdirSync(folder).length)
      const { a } = request.body as { a: File }
      return `${await a.slice(2, 5).text()} ${(await a.arrayBuffer()).byteLength}`
    })
  const origin = await listening(context, app)
  const sent = new FormData()
  sent.set('a', new File(['0123456789abcdef'], 'a'))
  const answer = await fetch(origin, { method: 'POST', body: sent })
  assert.equal(await answer.text(), '234 16')
  sent.set('b', 'x')
  assert.equal((await fetch(origin, { method: 'POST', body: sent })).status, 400)
  assert.deepEqual(seen, [1])
  await until(folder, 0)
})

test('a client that leaves leaves no file behind', async (context) => {
  const folder = folderOf(context)
  let failed: ((error: { code?: string }) => void) | undefined
  const failure = new Promise<{ code?: string }>((resolve) => (failed = resolve))
  const app = espalier()
    .addHook('onError', async (_request, _reply, error) => failed?.(error as { code?: string }))
    .register(multipart({ memory: 10, folder }))
    .post('/', { schema: form({ a: t.File() }) }, () => 'never')
  const sending = requestOf(await listening(context, app), { method: 'POST', headers })
  sending.on('error', () => {})
  sending.write('--x\r\ncontent-disposition: form-data; name="a"; filename="f"\r\n\r\n')
  sending.write('x'.repeat(100_000))
  await until(folder, 1)
  sending.destroy()
  assert.equal((await failure).code, 'ESP_ERR_MULTIPART_INVALID')
  assert.deepEqual(readdirSync(folder), [])
})

test('a file that is too large is not read to its end', async (context) => {
  const folder = folderOf(context)
  const app = espalier({ bodyLimit: 100_000 })
    .register(multipart({ folder }))
    .post('/', { schema: form({ a: t.File() }) }, () => 'never')
  const sending = requestOf(await listening(context, app), { method: 'POST', headers })
  sending.on('error', () => {})
  sending.write('--x\r\ncontent-disposition: form-data; name="a"; filename="f"\r\n\r\n')
  sending.write('x'.repeat(200_000))
  const [response] = await once(sending, 'response')
  assert.equal(response.statusCode, 413)
  response.resume()
  await once(response.socket, 'close')
  assert.deepEqual(readdirSync(folder), [])
})

test('a Standard Schema gets all files', async () => {
  const schema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => ({ value }),
      types: undefined as unknown as { input: unknown; output: { a: File } },
    },
  } as const
  const app = espalier()
    .register(multipart())
    .post('/', { schema: { body: schema } }, ({ body }) => body.a.name)
  const payload = text('name="a"; filename="f.txt"\r\n\r\nx')
  const { body } = await app.inject({ method: 'POST', url: '/', headers, payload })
  assert.equal(body, 'f.txt')
})

test('a route without a schema of its body reads the form itself', async () => {
  const app = espalier()
    .register(multipart())
    .post('/', async (request) => {
      const names: string[] = []
      const parts: any = Reflect.apply(Reflect.get(request, 'parts'), request, [])
      for await (const { fieldname } of parts) names.push(fieldname)
      return names
    })
  const payload = text('name="a"\r\n\r\n1', 'name="b"\r\n\r\n2')
  const { body } = await app.inject({ method: 'POST', url: '/', headers, payload })
  assert.equal(body, '["a","b"]')
})

const readers: Readonly<Record<string, (request: Loose) => Promise<unknown>>> = {
  async parts(request) {
    for await (const part of request.parts()) await part.toBuffer?.()
  },
  async file(request) {
    const file = await request.file()
    return file?.toBuffer()
  },
  async saveRequestFiles(request) {
    await request.saveRequestFiles()
  },
}
const broken: Readonly<Record<string, string>> = {
  'in a file': '--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\nhalf',
  'in a field': '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nhalf',
  'behind a part': '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nwhole\r\n',
}
for (const [name, read] of Object.entries(readers)) {
  test(`a form that breaks off is the client's mistake where a handler reads it by ${name}`, async () => {
    const statuses: unknown[] = []
    const app = espalier().register(multipart())
    app.setErrorHandler((error: Loose, _request, reply) => {
      statuses.push(error.statusCode)
      return reply.send(error)
    })
    app.post('/', async (request) => ({ read: typeof (await read(request)) }))
    for (const [where, payload] of Object.entries(broken)) {
      const { statusCode, body } = await app.inject({ method: 'POST', url: '/', headers, payload })
      assert.equal(statusCode, 400, where)
      assert.match(body, /unexpected end of multipart data/i)
    }
    assert.deepEqual(statuses, [400, 400, 400])
  })
}

test('t.File in a response stops the boot', async () => {
  const app = espalier().get('/', { schema: { response: { 200: { a: t.File() } } } }, () => {
    throw new Error('never')
  })
  await assert.rejects(async () => app.ready(), /t\.File at .* is for bodies\. Reply with bytes/)
})

test('typed calls send an object as a form', async (context) => {
  const fields = { title: t.String(), n: t.Integer(), none: t.Union([t.Null(), t.String()]) }
  const files = { photo: t.File(), more: t.Optional(t.Array(t.File())) }
  const body = { content: { 'multipart/form-data': { schema: { ...fields, ...files } } } }
  const app = espalier()
    .register(multipart())
    .post('/', { schema: { body } }, async ({ body: { photo, more = [], ...rest } }) => {
      return { ...rest, files: await Promise.all([photo, ...more].map((each) => each.text())) }
    })
  const api = client<typeof app>(await listening(context, app))
  const input = {
    headers: { 'content-type': 'multipart/form-data' },
    body: {
      title: 'Sea',
      n: 1,
      none: null,
      photo: new File(['a'], 'a'),
      more: [new File(['b'], 'b'), new File(['c'], 'c')],
    },
  } as const
  const sent = { ...input, body: { ...input.body, more: [...input.body.more] } }
  const expected = { title: 'Sea', n: 1, none: null, files: ['a', 'b', 'c'] }
  assert.deepEqual((await api('POST /', sent)).json(), expected)
  assert.deepEqual((await app.inject('POST /', sent)).json(), expected)
})

test('an object in a form is a part of JSON, and so is a list with objects', async (context) => {
  const inner = t.Object({ key: t.String(), at: t.Optional(t.Any()), n: t.Integer() })
  const schema = {
    inner: t.Optional(inner),
    all: t.Optional(t.Array(inner)),
    pairs: t.Optional(t.Array(t.Tuple([t.Integer(), t.Integer()]))),
    tags: t.Optional(t.Array(t.String())),
    files: t.Optional(t.Array(t.File())),
    any: t.Optional(t.Any()),
  }
  const zodForm = z.object({
    inner: z.object({ key: z.string() }).optional(),
    all: z.array(z.object({ key: z.string(), n: z.number() })).optional(),
    file: z.file().optional(),
  })
  const app = espalier()
    .register(multipart())
    .post(
      '/',
      { schema: { body: { content: { 'multipart/form-data': { schema } } } } },
      ({ body }) => JSON.stringify({ ...body, files: body.files?.length }),
    )
    .post(
      '/zod',
      { schema: { body: { content: { 'multipart/form-data': { schema: zodForm } } } } },
      ({ body }) => JSON.stringify({ ...body, file: body.file?.name }),
    )
  const api = client<typeof app>(await listening(context, app))
  const type = { headers: { 'content-type': 'multipart/form-data' } }
  const file = new File(['{}'], 'a.json', { type: 'application/json' })
  const at = new Date('2026-01-02T03:04:05.000Z')
  const date = at.toJSON()
  const one = { key: 'v', n: 1 }
  for (const call of [api, app.inject.bind(app)] as Loose[]) {
    const to = (key: string) => async (body: object) =>
      JSON.parse(await (await call(key, { ...type, body })).text()) as unknown
    const post = to('POST /')
    const postZod = to('POST /zod')
    assert.deepEqual(await post({ inner: { ...one, at }, files: [file] }), {
      inner: { ...one, at: date },
      files: 1,
    })
    assert.deepEqual(await post({ all: [one], tags: ['x'] }), { all: [one], tags: ['x'] })
    assert.deepEqual(await post({ all: [one, one] }), { all: [one, one] })
    assert.deepEqual(await post({ pairs: [[1, 2]] }), { pairs: [[1, 2]] })
    assert.deepEqual(await post({ any: [null, { a: [] }] }), { any: [null, { a: [] }] })
    assert.deepEqual(await post({ any: { toJSON: () => ({ a: 1 }) } }), { any: { a: 1 } })
    const zod = { inner: { key: 'v' }, all: [one] }
    assert.deepEqual(await postZod({ ...zod, file }), { ...zod, file: 'a.json' })
    for (const any of [new Uint8Array(1), { a: 1n }]) {
      await assert.rejects(async () => post({ any }), {
        code: call === api ? 'ESP_ERR_CLIENT_ROUTE' : 'ESP_ERR_INJECT_ROUTE',
        message: /POST \/'\)? (failed: .*BigInt|has an object at 'any' of a form)/,
      })
    }
  }
})

test('one part of JSON is a list where the schema has a list: other clients repeat the part', async () => {
  const item = t.Object({ n: t.Integer() })
  const schema = {
    all: t.Optional(t.Union([t.Array(item), t.Null()])),
    either: t.Optional(t.Union([item, t.Array(item)])),
  }
  const app = espalier()
    .register(multipart())
    .post('/', { schema: form(schema) }, ({ body }) => JSON.stringify(body))
  const post = async (name: string, ...items: string[]) => {
    const body = new FormData()
    for (const each of items) body.append(name, new Blob([each], { type: 'application/json' }))
    return (await app.inject({ method: 'POST', url: '/', payload: body })).body
  }
  assert.equal(await post('all', '{"n":1}'), '{"all":[{"n":1}]}')
  assert.equal(await post('all', '[{"n":1}]'), '{"all":[{"n":1}]}')
  assert.equal(await post('all', '{"n":1}', '{"n":2}'), '{"all":[{"n":1},{"n":2}]}')
  assert.equal(await post('either', '{"n":1}'), '{"either":{"n":1}}')
})

test('a Blob of JSON is a field, unless the schema has a file there', async () => {
  const schema = form({ item: t.Object({ n: t.Integer() }), photo: t.File() })
  const app = espalier({ bodyLimit: 100 })
    .register(multipart({ limits: { files: 1 } }))
    .post('/', { schema }, (request) => {
      const { item, photo } = request.body as { item: unknown; photo: File }
      return { item, type: photo.type }
    })
  const post = async (item: string) => {
    const body = new FormData()
    body.append('item', new Blob([item], { type: 'application/json' }))
    body.append('photo', new Blob(['{}'], { type: 'application/json' }))
    const sent = new Response(body)
    const headers = { 'content-type': sent.headers.get('content-type') ?? '' }
    const payload = Buffer.from(await sent.arrayBuffer())
    return (await app.inject({ method: 'POST', url: '/', headers, payload })).body
  }
  assert.equal(await post('{"n":1}'), '{"item":{"n":1},"type":"application/json"}')
  assert.match(await post('{"n":"x"}'), /body\/item\/n must be integer/)
  assert.match(await post('{'), /The form is not valid: 'item' is not JSON: /)
  assert.match(await post('{"__proto__":1}'), /The form is not valid: 'item' is not JSON: /)
  assert.match(await post(`"${'x'.repeat(100)}"`), /at 'item' fields of more than 100 bytes/)
})

test('the error of a field that is no JSON does not quote a sensitive value', async () => {
  const schema = form({ card: t.Sensitive(t.Object({ number: t.Integer() })) })
  const app = espalier()
    .register(multipart())
    .post('/', { schema }, () => 'fine')
  const body = new FormData()
  body.append('card', new Blob(['{"number":4111x}'], { type: 'application/json' }))
  const sent = new Response(body)
  const headers = { 'content-type': sent.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await sent.arrayBuffer())
  const response = await app.inject({ method: 'POST', url: '/', headers, payload })
  assert.match(response.body, /The form is not valid: 'card' is not JSON"/)
})

test('a document tells of forms and their files', async () => {
  const schema = { a: t.File(), b: t.File({ maxSize: 9, types: ['image/png'], description: 'B' }) }
  const app = espalier()
    .register(multipart())
    .post('/plain', { schema: { body: schema } }, () => 'ok')
    .post('/form', { schema: form(schema) }, () => 'ok')
  const { paths } = await documentOf(app, { info: { title: 'x', version: '1' } })
  const contents = ['/plain', '/form'].map((path) => {
    const requestBody = paths?.[path]?.post?.requestBody as { content: Record<string, unknown> }
    return requestBody.content
  })
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
  const b = { ...file, contentMediaType: 'image/png', maxLength: 9, description: 'B' }
  const described = { type: 'object', required: ['a', 'b'], properties: { a: file, b } }
  const content = { 'multipart/form-data': { schema: described } }
  assert.deepEqual(contents, [content, content])
})
