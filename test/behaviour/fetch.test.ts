// app.fetch: requests and responses of the Fetch standard, without a server of Node.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import espalier, { t } from '../../src/index.ts'

const base = 'http://shop.test'
const json = { 'content-type': 'application/json' }

/** A promise, and what resolves it. */
function createGate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {}
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { passed, open }
}

/** Status and body of an answer. */
async function answer(response: Promise<Response>): Promise<[number, string]> {
  const { status } = await response
  return [status, await (await response).text()]
}

test('a request is answered as over HTTP: read, validated and written by the schema', async () => {
  const { fetch } = espalier()
    .get('/items/:id', { schema: { params: { id: t.Integer() } } }, ({ params }) => params)
    .post('/items', { schema: { body: { name: t.String() } } }, ({ body }) => body.name)
  assert.deepEqual(await answer(fetch(new Request(`${base}/items/7`))), [200, '{"id":7}'])
  assert.deepEqual(await answer(fetch(`${base}/items/x`)), [
    400,
    JSON.stringify({
      statusCode: 400,
      code: 'ESP_ERR_VALIDATION',
      error: 'Bad Request',
      message: 'params/id must be integer',
    }),
  ])
  const post = (body: string) =>
    answer(fetch(new URL('/items', base), { method: 'POST', headers: json, body }))
  assert.deepEqual(await post('{"name":"tea"}'), [200, 'tea'])
  assert.equal((await post('{"nam":"tea"}'))[0], 400)
  assert.equal((await answer(fetch(`${base}/nowhere`)))[0], 404)
})

test('the first call boots the server, and rejects if it cannot boot', async () => {
  const order: string[] = []
  const app = espalier()
    .addHook('onReady', () => void order.push('ready'))
    .get('/', () => {
      order.push('handler')
      return 'ok'
    })
  assert.deepEqual(order, [])
  await Promise.all([app.fetch(base), app.fetch(base)])
  assert.deepEqual(order, ['ready', 'handler', 'handler'])
  const failing = espalier().register(() => Promise.reject(new Error('no database')))
  await assert.rejects(failing.fetch(base), /no database/)
})

test('a request has the address, the host and the protocol that are known of it', async () => {
  const app = espalier().get('/', ({ ip, host, protocol, url, query }) => {
    return { ip, host, protocol, url, query }
  })
  const seen = async (...call: [Request, object?, object?]): Promise<object> => {
    const { fetch }: { fetch: (...call: [Request, object?, object?]) => Promise<Response> } = app
    return (await fetch(...call)).json() as Promise<object>
  }
  const request = new Request('https://shop.test:8443/?a=%20b#part')
  const facts = { host: 'shop.test:8443', protocol: 'https', url: '/?a=%20b', query: { a: ' b' } }
  assert.deepEqual(await seen(request), { ip: '', ...facts })
  assert.deepEqual(await seen(request, { ip: '1.2.3.4' }), { ip: '1.2.3.4', ...facts })
  const bun = { requestIP: (asked: Request) => (asked === request ? { address: '::1' } : null) }
  assert.deepEqual(await seen(request, bun), { ip: '::1', ...facts })
  const deno = { remoteAddr: { transport: 'tcp', hostname: '10.0.0.1', port: 1 } }
  assert.deepEqual(await seen(request, deno), { ip: '10.0.0.1', ...facts })
  // An environment of Workers may have any names.
  assert.deepEqual(await seen(request, { ip: 'a secret' }, {}), { ip: '', ...facts })
  assert.equal(((await seen(new Request(base))) as { protocol: string }).protocol, 'http')
  const own = new Request(base, { headers: { host: 'other.test' } })
  assert.equal(((await seen(own)) as { host: string }).host, 'other.test')
})

test('headers, cookies and statuses without content are those of the reply', async () => {
  const app = espalier()
    .get('/text', (_request, reply) =>
      reply.header('set-cookie', ['a=1', 'b=2']).header('x-list', ['1', '2']).send('text'),
    )
    .get('/bytes', (_request, reply) => reply.send(Buffer.from('bytes')))
    .get('/none', (_request, reply) => reply.code(204).send())
    .get('/same', (_request, reply) => reply.code(304).header('etag', '"1"').send())
    .get('/closing', (_request, reply) => reply.header('connection', 'close').send('closing'))
    .get('/untyped', (_request, reply) => {
      reply.raw.end('untyped')
    })
  const text = await app.fetch(`${base}/text`)
  assert.deepEqual(text.headers.getSetCookie(), ['a=1', 'b=2'])
  assert.equal(text.headers.get('x-list'), '1, 2')
  assert.equal(text.headers.get('content-length'), '4')
  const head = await app.fetch(`${base}/text`, { method: 'HEAD' })
  assert.deepEqual([head.headers.get('content-length'), head.body], ['4', null])
  assert.deepEqual(await answer(app.fetch(`${base}/bytes`)), [200, 'bytes'])
  const none = await app.fetch(`${base}/none`)
  assert.deepEqual([none.status, none.statusText, none.body], [204, 'No Content', null])
  const same = await app.fetch(`${base}/same`)
  assert.deepEqual([same.status, same.headers.get('etag'), same.body], [304, '"1"', null])
  const closing = await app.fetch(`${base}/closing`)
  assert.equal(closing.headers.get('connection'), null)
  assert.equal((await app.fetch(`${base}/untyped`)).headers.get('content-type'), null)
})

test('a header that HTTP refuses is an error of the server, and no rejection', async () => {
  const app = espalier()
    .get('/value', (_request, reply) => reply.header('x-a', 'a\nb').send('sent'))
    .get('/name', (_request, reply) => reply.header('x a', 'a').send('sent'))
  for (const path of ['/value', '/name']) {
    assert.equal((await app.fetch(`${base}${path}`)).status, 500)
  }
})

test('a body is read only as far as the caller reads, in both directions', async () => {
  let made = 0
  const app = espalier()
    .get('/', async function* () {
      for (;;) {
        made += 1
        yield Buffer.alloc(64 * 1024)
        await turn()
      }
    })
    .addContentTypeParser('text/plain', (_request, payload) => Promise.resolve(payload))
    .post('/', ({ body }) => body)
  const { body } = await app.fetch(base)
  const reader = body?.getReader()
  for (let at = 0; at < 20; at++) await turn()
  const before = made
  assert.ok(before < 6, `${before} chunks were made, and none was read`)
  await reader?.read()
  await reader?.cancel()

  let pulled = 0
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1
      controller.enqueue(Buffer.alloc(64 * 1024))
    },
  })
  const headers = { 'content-type': 'text/plain' }
  const init = { method: 'POST', headers, body: endless, duplex: 'half' }
  const echo = await app.fetch(base, init as RequestInit)
  for (let at = 0; at < 20; at++) await turn()
  assert.ok(pulled < 8, `${pulled} chunks were read, and none was wanted`)
  await echo.body?.cancel()
})

test('a body that the caller cancels, or drops, ends what makes it', async () => {
  let ended = createGate()
  const app = espalier().get('/', async function* () {
    try {
      for (;;) {
        yield 'x'
        await turn()
      }
    } finally {
      ended.open()
    }
  })
  const { body } = await app.fetch(base)
  await body?.cancel()
  await ended.passed

  ended = createGate()
  await app.fetch(base)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const until = ended.passed.then(() => true)
  while (!(await Promise.race([until, turn(false)]))) collect()
  await app.close()
})

test('a body that somebody waits for is kept, whatever is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const gate = createGate()
  const app = espalier().get('/', async function* () {
    yield 'a'
    await gate.passed
    yield 'b'
  })
  const text = app.fetch(base).then((response) => response.text())
  for (let at = 0; at < 10; at++) {
    collect()
    await turn()
  }
  gate.open()
  assert.equal(await text, 'ab')
})

test('the signal of a request is followed before and behind the head', async () => {
  const left: string[] = []
  const app = espalier()
    .addHook('onRequestAbort', async ({ url }) => void left.push(url))
    .get('/waits', async ({ signal }) => {
      started.abort()
      await once(signal, 'abort')
      left.push('signal')
      return 'too late'
    })
    .get('/streams', async function* () {
      yield 'a'
      await new Promise(() => {})
    })
  const started = new AbortController()
  const early = new AbortController()
  const waiting = app.fetch(`${base}/waits`, { signal: early.signal })
  await once(started.signal, 'abort')
  const reason = new Error('not needed')
  early.abort(reason)
  await assert.rejects(waiting, reason)
  await turn()
  assert.deepEqual(left.sort(), ['/waits', 'signal'])

  const late = new AbortController()
  const { body } = await app.fetch(`${base}/streams`, { signal: late.signal })
  const reader = body?.getReader()
  assert.equal(String(Buffer.from((await reader?.read())?.value ?? [])), 'a')
  late.abort(reason)
  await assert.rejects(Promise.resolve(reader?.read()), reason)
  await assert.rejects(app.fetch(base, { signal: AbortSignal.abort(reason) }), reason)
  await app.close()
})

test('a reply that the server cuts fails for the caller, with the reason', async () => {
  const app = espalier()
    .get('/head', (_request, reply) => {
      reply.hijack()
      reply.raw.destroy()
    })
    .get('/body', async function* () {
      yield 'a'
      throw new Error('lost')
    })
  await assert.rejects(app.fetch(`${base}/head`), { code: 'ESP_ERR_FETCH_CUT' })
  const response = await app.fetch(`${base}/body`)
  await assert.rejects(response.text(), { code: 'ESP_ERR_FETCH_CUT' })
})

test('a reply may be taken over, but there is no socket, no upgrade and no trailer', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const app = espalier({ logger: { level: 'warn', stream } })
    .get('/own', (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(201, { 'x-own': 'yes' })
      reply.raw.write('o')
      reply.raw.end('wn')
    })
    .get('/socket', (_request, reply) => {
      reply.raw.socket?.write('HTTP/1.1 200 OK')
      return 'sent'
    })
    .get('/trailers', (_request, reply) => reply.trailer('sum', async () => '1').send('sent'))
  const own = await app.fetch(`${base}/own`)
  assert.deepEqual([own.status, own.headers.get('x-own'), await own.text()], [201, 'yes', 'own'])
  assert.equal((await app.fetch(`${base}/socket`)).status, 500)
  assert.match(lines.join(''), /ESP_ERR_FETCH_SOCKET/)
  assert.deepEqual(await answer(app.fetch(`${base}/trailers`)), [200, 'sent'])
  assert.match(lines.join(''), /ESP_ERR_FETCH_TRAILERS.*GET \/trailers.*sum/)
  const upgrade = await app.fetch(`${base}/own`, { headers: { upgrade: 'WebSocket' } })
  assert.deepEqual(
    [upgrade.status, ((await upgrade.json()) as { message: string }).message],
    [501, 'WebSockets need a server that listens'],
  )
})

test('a body that was read before is refused', async () => {
  const app = espalier().post('/', ({ body }) => body)
  const request = new Request(base, { method: 'POST', headers: json, body: '{}' })
  await request.text()
  await assert.rejects(app.fetch(request), { code: 'ESP_ERR_FETCH_BODY_USED' })
})

test('a body that fails is an error of the client', async () => {
  const app = espalier().post('/', ({ body }) => body)
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new Error('connection lost'))
    },
  })
  const init = { method: 'POST', headers: json, body, duplex: 'half' }
  assert.equal((await app.fetch(base, init as RequestInit)).status, 400)
})

test('a platform may wait for what goes on behind the reply', async () => {
  const gate = createGate()
  let isOver = false
  const app = espalier()
    .addHook('onResponse', async () => {
      await gate.passed
      isOver = true
    })
    .get('/', () => 'sent')
  const work: Promise<unknown>[] = []
  const context = { waitUntil: (promise: Promise<unknown>) => void work.push(promise) }
  await app.fetch(new Request(base), context)
  await app.fetch(new Request(base), { env: 'of a worker' }, context)
  assert.equal(work.length, 2)
  assert.equal(isOver, false)
  gate.open()
  await Promise.all(work)
  assert.equal(isOver, true)
})

test('close waits for the replies that are not whole, and then requests are refused', async () => {
  const gate = createGate()
  const order: string[] = []
  const app = espalier()
    .addHook('onClose', () => void order.push('closed'))
    .get('/', async () => {
      await gate.passed
      order.push('answered')
      return 'sent'
    })
  await app.ready()
  const response = app.fetch(base)
  await turn()
  const closed = app.close()
  gate.open()
  assert.deepEqual(await answer(response), [200, 'sent'])
  await closed
  assert.deepEqual(order, ['answered', 'closed'])
  assert.equal((await app.fetch(base)).status, 503)
})
