// Replies that say what HTTP does not allow, and replies that have no body.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

/** A server that is closed when its test has ended, however it did. */
function serve(context: TestContext) {
  const app = untyped()
  context.after(() => app.close())
  return app
}

/** Asks over a socket, and gives the lines of the head as they came. */
async function ask(context: TestContext, handler: AnyHandler, method = 'GET') {
  const url = await serve(context).get('/', handler).listen({ port: 0 })
  const [{ head, body }, log] = await silenced(() => rawRequest(url, [`${method} / HTTP/1.1`]))
  const [status = '', ...headers] = head.split('\r\n')
  const names = headers.map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
  return { status, head, headers, names, body, log }
}

const hidden =
  '{"statusCode":500,"error":"Internal Server Error","message":"Internal Server Error"}'
const injected = 'a\r\nset-cookie: stolen=1\r\n\r\nHTTP/1.1 200 OK'

const injections: Record<string, AnyHandler> = {
  'a header value': (_request, reply) => reply.header('x-a', injected).send('x'),
  'a value in a list': (_request, reply) => reply.header('x-a', ['fine', injected]).send('x'),
  'a cookie': (_request, reply) => reply.header('set-cookie', injected).send('x'),
  'a second cookie': (_request, reply) =>
    reply.header('set-cookie', 'a=1').header('set-cookie', injected).send('x'),
  'a header name': (_request, reply) => reply.header(`x-${injected}`, 'a').send('x'),
  'a header of several': async (_request, reply) => {
    reply.headers({ 'x-b': 'b', 'x-a': injected })
    return { a: 1 }
  },
  'the target of a redirect': (_request, reply) => reply.redirect(`/${injected}`),
  'the type': (_request, reply) => reply.type(`text/html${injected}`).send('x'),
  'the length of a reply to HEAD': (_request, reply) =>
    reply.header('content-length', injected).send('x'),
  'the reason phrase': (_request, reply) => {
    reply.raw.statusMessage = injected
    return reply.send('x')
  },
  'a header behind one of raw': (_request, reply) => {
    reply.raw.setHeader('x-raw', 'raw')
    return reply.header('content-length', 1).header('x-a', injected).send('x')
  },
  'a header of a stream': (_request, reply) =>
    reply.header('x-a', injected).send(new Blob(['x']).stream()),
}
for (const [where, handler] of Object.entries(injections)) {
  const method = where.endsWith('HEAD') ? 'HEAD' : 'GET'
  test(`a line break in ${where} is one 500, and nothing is injected`, async (context) => {
    const { status, head, names, body, log } = await ask(context, handler, method)
    assert.equal(status, 'HTTP/1.1 500 Internal Server Error')
    assert.equal(body, method === 'HEAD' ? '' : hidden)
    assert.deepEqual(names.filter((name) => name !== 'x-raw').toSorted(), [
      'connection',
      'content-length',
      'content-type',
      'date',
    ])
    assert.doesNotMatch(head, /stolen|x-a/)
    assert.match(
      log,
      /Invalid character in|be a valid HTTP token|content-length is .*, not a number/s,
    )
  })
}

test('a header that is refused is dropped also where the answer of its error fails', async (context) => {
  const app = serve(context)
  app.addHook('onSend', async () => Promise.reject(new Error('in onSend')))
  app.get('/', (_request, reply) => {
    reply.header('x-a', injected)
    throw new Error('in the handler')
  })
  const url = await app.listen({ port: 0 })
  const [{ head, body }] = await silenced(() => rawRequest(url, ['GET / HTTP/1.1']))
  assert.match(head, /^HTTP\/1\.1 500 Internal Server Error\r\n/)
  assert.doesNotMatch(head, /stolen|x-a/)
  assert.equal(body, hidden)
})

const noStatuses: readonly unknown[] = [
  ...[99, 600, 1000, 0, -1, 200.5, Number.NaN, Number.POSITIVE_INFINITY, '', 'abc', '2OO', '600'],
  ...[null, undefined, true, {}, [], [200, 201], Symbol('200'), 200n],
]
const setters: Record<string, (reply: any, status: unknown) => unknown> = {
  code: (reply, status) => reply.code(status).send('x'),
  status: async (reply, status) => reply.status(status).send('x'),
  statusCode: (reply, status) => {
    reply.statusCode = status
    return 'x'
  },
  // Without a status a redirect has its own.
  redirect: (reply, status) => reply.redirect('/x', status ?? 0),
}
for (const [name, set] of Object.entries(setters)) {
  test(`what is no status is a 500 where it is given to ${name}`, async (context) => {
    let status: unknown
    const app = serve(context).get('/', (_request, reply) => set(reply, status))
    for (status of noStatuses) {
      const [{ statusCode, body }, log] = await silenced(() => app.inject('/'))
      assert.deepEqual([statusCode, body], [500, hidden], inspect(status))
      assert.match(log, /is no HTTP status. It must be an integer from 100 to 599/)
    }
  })
}

test('a status that is set on raw and is none is one 500', async (context) => {
  const { status, body } = await ask(context, (_request, reply) => {
    reply.raw.statusCode = 1000
    return reply.send('x')
  })
  assert.equal(status, 'HTTP/1.1 500 Internal Server Error')
  assert.equal(body, hidden)
})

test('a status may be given as its digits', async (context) => {
  const { status } = await ask(context, (_request, reply) => reply.code('418').send('x'))
  assert.equal(status, "HTTP/1.1 418 I'm a Teapot")
})

test('names of Object.prototype are names of headers like any other', async (context) => {
  const { headers, body } = await ask(context, (_request, reply) => {
    const before = ['constructor', 'toString', '__proto__'].map((name) => reply.hasHeader(name))
    reply.header('__proto__', ['a', 'b']).header('constructor', 'c')
    return [...before, reply.getHeader('__proto__'), reply.getHeader('valueOf') ?? null]
  })
  assert.equal(body, '[false,false,false,["a","b"],null]')
  assert.deepEqual(headers.slice(0, 3), ['__proto__: a', '__proto__: b', 'constructor: c'])
})

test('a reply that is sent whole has a length, and is not said to be in chunks', async (context) => {
  for (const payload of ['abc', { a: 1 }, Buffer.from('abc'), undefined]) {
    const { names, body } = await ask(context, (_request, reply) =>
      reply.header('transfer-encoding', 'chunked').send(payload),
    )
    assert.equal(names.includes('transfer-encoding'), false)
    assert.equal(names.includes('content-length'), true)
    assert.doesNotMatch(body, /\r\n/)
  }
})

test('what is set behind send does not reach the client', async (context) => {
  const { status, names, body } = await ask(context, (_request, reply) => {
    reply.header('x-before', 'a').send('sent')
    reply.code(418).header('x-behind', injected).type('a/b').removeHeader('x-before')
  })
  assert.deepEqual([status, body], ['HTTP/1.1 200 OK', 'sent'])
  assert.deepEqual([names.includes('x-before'), names.includes('x-behind')], [true, false])
})

const payloads: Record<string, readonly [make: () => unknown, length: string]> = {
  text: [() => 'é', '2'],
  'an empty text': [() => '', '0'],
  'an object': [() => ({ a: 1 }), '7'],
  null: [() => null, '4'],
  'a number': [() => 7, '1'],
  bytes: [() => Buffer.from('abc'), '3'],
  'an ArrayBuffer': [() => new ArrayBuffer(5), '5'],
  'an error': [() => Object.assign(new Error('no'), { statusCode: 404 }), '53'],
}
for (const [what, [make, length]] of Object.entries(payloads)) {
  test(`HEAD has the head that GET has with ${what}, and no body`, async (context) => {
    const get = await ask(context, make)
    const head = await ask(context, make, 'HEAD')
    assert.equal(head.body, '')
    assert.equal(head.status, get.status)
    assert.ok(head.headers.includes(`content-length: ${length}`), head.head)
    const undated = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('Date'))
    assert.deepEqual(undated(head.headers), undated(get.headers))
    assert.equal(Buffer.byteLength(get.body, 'latin1'), Number(length))
  })
}

for (const [what, [make]] of Object.entries(payloads).slice(0, -1)) {
  test(`204 and 304 send nothing of ${what}, and say nothing of it`, async (context) => {
    for (const status of [204, 304]) {
      const { head, names, body } = await ask(context, (_request, reply) =>
        reply.code(status).header('content-length', 9).type('application/x+json').send(make()),
      )
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
      assert.deepEqual([names.toSorted(), body], [['connection', 'date'], ''])
    }
  })
}

test('an object whose getters throw is one 500', async (context) => {
  for (const name of ['pipe', 'getReader', 'toJSON', 'a']) {
    const get = () => {
      throw new Error('secret')
    }
    const payload = () => Object.defineProperty({}, name, { enumerable: true, get })
    const app = serve(context)
      .get('/returned', payload)
      .get('/async', async (_request, reply) => void reply.send(payload()))
      .get('/sent', (_request, reply) => void reply.send(payload()))
    for (const url of ['/returned', '/async', '/sent']) {
      const [{ statusCode, body }] = await silenced(() => app.inject(url))
      assert.deepEqual([statusCode, body], [500, hidden], `${name} ${url}`)
    }
  }
})

async function* count() {
  yield* await Promise.resolve([1, 2])
}

const iterables: Record<string, () => AsyncIterable<number>> = {
  'an async generator': count,
  'an object that is an async iterable': () => ({ [Symbol.asyncIterator]: count }),
}
for (const [what, make] of Object.entries(iterables)) {
  test(`${what} gives text or bytes, or is no payload without an itemSchema`, async (context) => {
    const app = serve(context)
      .get('/returned', make)
      .get('/async', async () => make())
      .get('/sent', (_request, reply) => reply.send(make()))
      .get('/any', { schema: { response: { 200: {} } } }, make)
    for (const url of ['/returned', '/async', '/sent', '/any']) {
      const [{ statusCode, body }, log] = await silenced(() => app.inject(url))
      assert.deepEqual([statusCode, body], [500, hidden], url)
      assert.match(log, /GET \/\w+ in root cannot be sent: its iterable gave 1, .* itemSchema/)
    }
  })
}

test('an async iterable leaves as what it says of itself, or as what a serializer makes of it', async (context) => {
  const told = () => Object.assign(count(), { toJSON: () => ({ a: 1 }) })
  const app = serve(context)
    .get('/told', told)
    .get('/serialized', (_request, reply) => reply.serializer(() => 'text').send(count()))
  const read = async (url: string) => (await app.inject(url)).body
  assert.deepEqual(await Promise.all(['/told', '/serialized'].map(read)), ['{"a":1}', 'text'])
})
