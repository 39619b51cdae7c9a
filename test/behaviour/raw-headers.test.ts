// Headers that are set on `raw`, Node's response, as middleware does, beside those of the reply: one table.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { rawRequest } from '../support/raw-request.ts'
import { listening } from '../support/serve.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

/** A server whose first hook sets headers on raw. */
function withRaw(set: (raw: Loose) => void) {
  const app = untyped()
  return app.addHook('onRequest', async (_request, reply) => set(reply.raw))
}

/** The headers of a reply to GET, and its body. */
async function ask(set: (raw: Loose) => void, handler: AnyHandler) {
  const { headers, body } = await withRaw(set).get('/', handler).inject('/')
  return { headers, body }
}

const setters: Record<string, (raw: Loose) => void> = {
  setHeader: (raw) => raw.setHeader('X-Own', 'raw'),
  'setHeader with a list': (raw) => raw.setHeader('x-own', ['raw']),
  'setHeader with a number': (raw) => raw.setHeader('x-own', 7),
  appendHeader: (raw) => raw.appendHeader('X-OWN', 'raw'),
  setHeaders: (raw) => raw.setHeaders(new Map([['x-own', 'raw']])),
}
for (const [name, set] of Object.entries(setters)) {
  test(`every method of a reply sees what raw.${name} set`, async () => {
    const seen: unknown[] = []
    const { headers } = await ask(set, async (_request, reply) => {
      for (const spelling of ['x-own', 'X-Own']) {
        seen.push(reply.hasHeader(spelling), String(reply.getHeader(spelling)))
      }
      seen.push(String(reply.getHeaders()['x-own']))
      reply.removeHeader('X-own')
      seen.push(reply.hasHeader('x-own'), reply.getHeader('x-own'), 'x-own' in reply.getHeaders())
      seen.push(reply.raw.hasHeader('x-own'))
      return 'x'
    })
    const value = name.endsWith('number') ? '7' : 'raw'
    assert.deepEqual(seen, [true, value, true, value, value, false, undefined, false, false])
    assert.equal(headers['x-own'], undefined)
  })

  test(`header and headers replace what raw.${name} set`, async () => {
    const one = await ask(set, async (_request, reply) => reply.header('x-OWN', ['a', 'b']).send())
    assert.deepEqual(one.headers['x-own'], ['a', 'b'])
    const all = await ask(set, async (_request, reply) => reply.headers({ 'X-Own': 'b' }).send())
    assert.equal(all.headers['x-own'], 'b')
  })
}

test('what is set on raw last is what leaves', async () => {
  const { headers, body } = await ask(
    (raw) => raw.setHeader('x-a', 'first'),
    async (_request, reply) => {
      reply.header('x-a', 'second').header('x-b', 'first').header('x-b', 'second')
      reply.raw.setHeader('x-a', 'third')
      reply.raw.appendHeader('x-b', 'third')
      return { a: reply.getHeader('x-a'), b: reply.getHeaders()['x-b'] }
    },
  )
  assert.deepEqual(JSON.parse(body), { a: 'third', b: 'third' })
  assert.deepEqual([headers['x-a'], headers['x-b']], ['third', 'third'])
})

test('a header that an onSend hook sets or removes on raw leaves so', async () => {
  const app = untyped().addHook('onSend', async (_request, reply) => {
    reply.raw.setHeader('content-type', 'text/html')
    reply.raw.setHeader('x-a', 'hook')
    reply.removeHeader('x-b')
  })
  app.get('/', async (_request, reply) => {
    reply.raw.setHeader('x-b', 'handler')
    return reply.header('x-a', 'handler').send('x')
  })
  const { headers } = await app.inject('/')
  assert.equal(headers['content-type'], 'text/html')
  assert.deepEqual([headers['x-a'], headers['x-b']], ['hook', undefined])
})

const setCookie = (raw: Loose) => raw.setHeader('Set-Cookie', 'sid=7')
const cookied: Record<string, AnyHandler> = {
  'a handler': async (_request, reply) => reply.header('set-cookie', 'lang=fr').send('x'),
  'a handler, with a list': async (_request, reply) => {
    reply.headers({ 'set-cookie': ['lang=fr'] })
    return { a: 1 }
  },
  'a Response': () => new Response('x', { headers: { 'set-cookie': 'lang=fr' } }),
  'a handler that sends a stream': (_request, reply) =>
    reply.header('set-cookie', 'lang=fr').send(Readable.from(['x'])),
  'a handler that fails': (_request, reply) => {
    reply.header('set-cookie', 'lang=fr')
    throw Object.assign(new Error('no'), { statusCode: 403 })
  },
  'an error': () => {
    const headers = { 'set-cookie': 'lang=fr' }
    throw Object.assign(new Error('no'), { statusCode: 403, headers })
  },
  'a handler that leaves the answer to the 404': (_request, reply) => {
    reply.header('set-cookie', 'lang=fr').callNotFound()
  },
  'raw, again, by appending': async (_request, reply) => {
    reply.raw.appendHeader('set-cookie', 'lang=fr')
    return 'x'
  },
  'raw, by what copies all headers': async (_request, reply) => {
    reply.header('set-cookie', 'lang=fr')
    reply.raw.setHeader('set-cookie', reply.getHeaders()['set-cookie'])
    return 'x'
  },
}
for (const [what, handler] of Object.entries(cookied)) {
  test(`a cookie of raw and one of ${what} both leave`, async (context) => {
    const app = withRaw(setCookie).get('/', handler)
    const injected = await app.inject('/')
    assert.deepEqual([injected.headers['set-cookie']].flat().toSorted(), ['lang=fr', 'sid=7'])
    const origin = await listening(context, app)
    const { headers } = await fetch(origin)
    assert.deepEqual(headers.getSetCookie().toSorted(), ['lang=fr', 'sid=7'])
  })
}

test('a cookie that is set on raw in onSend joins those of the reply', async () => {
  const seen: unknown[] = []
  const app = untyped().addHook('onSend', async (_request, reply) => {
    setCookie(reply.raw)
    seen.push(reply.getHeader('set-cookie'), reply.getHeaders()['set-cookie'])
  })
  app.get('/', async (_request, reply) => reply.header('set-cookie', 'lang=fr').send('x'))
  app.get('/none', async (_request, reply) => {
    reply.header('set-cookie', 'lang=fr').removeHeader('Set-Cookie')
    return 'x'
  })
  const both = ['lang=fr', 'sid=7']
  assert.deepEqual((await app.inject('/')).headers['set-cookie'], both)
  assert.deepEqual(seen, [both, both])
  assert.deepEqual((await app.inject('/none')).headers['set-cookie'], 'sid=7')
})

test('removeHeader removes the cookies of both', async () => {
  const { headers } = await ask(setCookie, async (_request, reply) => {
    reply.header('set-cookie', 'lang=fr').removeHeader('set-cookie')
    return reply.header('set-cookie', 'last=1').send('x')
  })
  assert.equal(headers['set-cookie'], 'last=1')
})

test('a type that is set on raw is that of the payload', async () => {
  const set = (raw: Loose) => raw.setHeader('Content-Type', 'text/html')
  for (const payload of ['<p>', Buffer.from('<p>'), Readable.from(['<p>'])]) {
    const { headers, body } = await ask(set, (_request, reply) => reply.send(payload))
    assert.deepEqual([headers['content-type'], body], ['text/html', '<p>'])
  }
  const content = {
    'application/json': { schema: { type: 'object', properties: { a: { type: 'integer' } } } },
    'application/problem+json': {
      schema: { type: 'object', properties: { b: { type: 'integer' } } },
    },
  }
  const app = withRaw((raw) => raw.setHeader('content-type', 'application/problem+json'))
  app.get('/', { schema: { response: { 200: { content } } } }, () => ({ a: 1, b: 2 }))
  const { headers, body } = await app.inject('/')
  assert.deepEqual([headers['content-type'], body], ['application/problem+json', '{"b":2}'])
})

const about = ['content-encoding', 'content-length', 'content-type', 'etag', 'last-modified']
const failures: Record<string, AnyHandler> = {
  thrown: () => {
    throw Object.assign(new Error('no'), { statusCode: 403 })
  },
  sent: (_request, reply) => reply.code(403).send(new Error('no')),
}
for (const [how, handler] of Object.entries(failures)) {
  test(`what raw says of a payload does not hold for an error that is ${how}`, async () => {
    const set = (raw: Loose) => {
      for (const name of about) raw.setHeader(name, '3')
      raw.setHeader('X-Frame-Options', 'DENY')
    }
    const { headers, body } = await ask(set, handler)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['content-length'], String(body.length))
    assert.equal(headers['x-frame-options'], 'DENY')
    const others = ['content-encoding', 'etag', 'last-modified']
    assert.deepEqual(
      others.map((name) => headers[name]),
      [undefined, undefined, undefined],
    )
  })
}

const payloads: Record<string, () => unknown> = {
  text: () => 'abc',
  JSON: () => ({ a: 1 }),
  nothing: () => undefined,
  bytes: () => Buffer.from('abc'),
  'a stream': () => Readable.from(['abc']),
  'a web stream': () => new Blob(['abc']).stream(),
  'a Response': () => new Response('abc'),
  'an error': () => Object.assign(new Error('no'), { statusCode: 403 }),
}
const framings: Record<string, (raw: Loose) => unknown> = {
  chunked: (raw) => raw.setHeader('Transfer-Encoding', 'chunked'),
  'chunked, with a length': (raw) =>
    raw.setHeader('Transfer-Encoding', 'chunked').setHeader('Content-Length', '3'),
  'a trailer': (raw) => raw.setHeader('Trailer', 'x-t'),
}
for (const [what, make] of Object.entries(payloads)) {
  for (const [framing, set] of Object.entries(framings)) {
    test(`${what} is framed in one way where raw says ${framing}`, async (context) => {
      const app = withRaw(set).get('/', (_request, reply) => reply.send(make()))
      const origin = await listening(context, app)
      for (const method of ['GET', 'HEAD']) {
        for (const version of ['1.1', '1.0']) {
          const { head, body } = await rawRequest(origin, [`${method} / HTTP/${version}`])
          const length = /^content-length: (\d+)$/im.exec(head)?.[1]
          const isChunked = /^transfer-encoding: chunked$/im.test(head)
          assert.ok(!(isChunked && length !== undefined), head)
          assert.ok(!(isChunked && version === '1.0'), head)
          if (method === 'HEAD') assert.equal(body, '')
          else if (length !== undefined) assert.equal(body.length, Number(length))
          else assert.equal(body, isChunked ? '3\r\nabc\r\n0\r\n\r\n' : 'abc')
          if (version === '1.1' && method === 'GET') assert.ok(isChunked || length, head)
        }
      }
    })
  }
}

test('a status without content has no type and no length of raw', async (context) => {
  const app = withRaw((raw) => {
    raw.setHeader('Content-Type', 'text/html').setHeader('Content-Length', '3')
  })
  for (const status of [204, 304]) {
    app.get(`/${status}`, async (_request, reply) => reply.code(status).send('abc'))
  }
  const origin = await listening(context, app)
  for (const status of [204, 304]) {
    const { head, body } = await rawRequest(origin, [`GET /${status} HTTP/1.1`])
    assert.doesNotMatch(head, /content-(type|length)|transfer-encoding/i)
    assert.equal(body, '')
  }
})

for (const status of [200, 204, 304]) {
  test(`behind a refused head of status ${status}, and with trailers, an error has its body`, async (context) => {
    const app = untyped()
    app.get('/', (_request, reply) => reply.code(status).header('x-a', 'a\r\n').send('abc'))
    app.get('/thrown', (_request, reply) => {
      reply.code(status).trailer('x-t', async () => 't')
      throw Object.assign(new Error('no'), { statusCode: 500, headers: { 'x-a': 'a\r\n' } })
    })
    const origin = await listening(context, app)
    for (const path of ['/', '/thrown']) {
      const [{ head, body }] = await silenced(() => rawRequest(origin, [`GET ${path} HTTP/1.1`]))
      assert.match(head, /^HTTP\/1.1 500 /)
      assert.equal(body.length, Number(/^content-length: (\d+)$/im.exec(head)?.[1]))
      assert.equal(JSON.parse(body).statusCode, 500)
    }
  })
}

test('the names of raw headers leave as they were written, also where those of the reply are refused', async (context) => {
  const app = withRaw((raw) => raw.setHeader('X-Frame-Options', 'DENY'))
  app.get('/', async (_request, reply) => reply.header('x-a', 'a').send('x'))
  app.get('/refused', async (_request, reply) => reply.header('x-a', 'a\r\n').send('x'))
  const origin = await listening(context, app)
  for (const path of ['/', '/refused', '/none']) {
    const [{ head }] = await silenced(() => rawRequest(origin, [`GET ${path} HTTP/1.1`]))
    assert.match(head, /^X-Frame-Options: DENY\r?$/m)
  }
})

test('headers that are removed or set behind a reply that has left change nothing', async () => {
  const { headers, body } = await ask(
    (raw) => raw.setHeader('x-a', 'raw'),
    (_request, reply) => {
      reply.header('x-b', 'own').send('x')
      reply.removeHeader('x-a').header('x-b', 'late').removeHeader('x-b')
    },
  )
  assert.deepEqual([headers['x-a'], headers['x-b'], body], ['raw', 'own', 'x'])
})

test('headersSent of raw may say what middleware makes of it', async () => {
  for (const make of [() => 'x', () => ({ a: 1 }), () => Readable.from(['x'])]) {
    let isSent = false
    const app = untyped().addHook('onRequest', async (_request, reply) => {
      Object.defineProperty(reply.raw, 'headersSent', { get: () => isSent, configurable: true })
    })
    app.get('/', (_request, reply) => {
      isSent = true
      reply.header('x-a', 'b').send(make())
    })
    const { statusCode, headers, body } = await app.inject('/')
    assert.deepEqual([statusCode, headers['x-a']], [200, 'b'])
    assert.match(body, /^x$|^\{"a":1\}$/)
  }
})
