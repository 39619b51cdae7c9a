// Replies are the same over every transport: heads, bodies, trailers, hints, and what is refused.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { ask, talk, transports, wires } from '../support/transports.ts'
import type { AnyHandler, UntypedServer } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

/** The headers of one connection (RFC 9110, 7.6.1; RFC 9113, 8.2.2). */
const ofConnection = {
  'keep-alive': 'timeout=5',
  'proxy-connection': 'keep-alive',
  'http2-settings': 'AAMAAABkAAQAAP__',
  te: 'gzip',
}

function sample(app: UntypedServer): void {
  app.get('/text', () => 'text')
  app.get('/json', () => ({ a: 1 }))
  app.get('/bytes', () => Buffer.from('bytes'))
  app.get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(['a', 'b'])))
  app.get('/web', () => new Response('web', { status: 201, headers: { 'x-a': '1' } }))
  app.get('/empty', (_request, reply) => reply.send())
  app.get('/204', (_request, reply) => reply.code(204).send())
  app.get('/304', (_request, reply) => reply.code(304).header('etag', '"a"').send())
  app.get('/cookies', (_request, reply) => {
    reply.header('set-cookie', 'a=1').header('set-cookie', 'b=2').send('cookies')
  })
  app.get('/fails', () => {
    throw Object.assign(new Error('seen'), { statusCode: 418 })
  })
  app.post('/echo', ({ body }) => body)
}

const answers: Readonly<Record<string, readonly [status: number, text: string, length?: string]>> =
  {
    '/text': [200, 'text', '4'],
    '/json': [200, '{"a":1}', '7'],
    '/bytes': [200, 'bytes', '5'],
    '/stream': [200, 'ab'],
    '/web': [201, 'web'],
    '/empty': [200, '', '0'],
    '/204': [204, ''],
    '/304': [304, ''],
    '/fails': [418, '{"statusCode":418,"error":"I\'m a Teapot","message":"seen"}', '58'],
  }
for (const transport of transports) {
  const { name, isHttp2 } = transport
  test(`${name}: status, body and length of each kind of reply, and of HEAD`, async (context) => {
    const { app: _app, ...client } = await talk(context, transport, sample)
    for (const [path, [status, text, length]] of Object.entries(answers)) {
      const answer = await ask(client, path)
      const { headers } = answer
      assert.deepEqual(
        [path, answer.status, answer.text, headers['content-length'], answer.isWhole],
        [path, status, text, length, true],
      )
      const head = await ask(client, { path, method: 'HEAD' })
      assert.deepEqual(
        [path, head.status, head.text, head.headers['content-length'], head.isWhole],
        [path, status, '', length, true],
      )
    }
    const body = { path: '/echo', method: 'POST', body: '{"b":"é"}' }
    const posted = await ask(client, { ...body, headers: { 'content-type': 'application/json' } })
    assert.deepEqual([posted.status, posted.text], [200, '{"b":"é"}'])
    const { headers } = await ask(client, '/cookies')
    assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2'])
    assert.equal((await ask(client, '/nowhere')).status, 404)
  })

  /** Who may set a header. */
  const setters: Readonly<Record<string, (app: UntypedServer, headers: object) => unknown>> = {
    'the reply': (app, headers) =>
      app.get('/', (_request, reply) => reply.headers(headers).send('sent')),
    'an onSend hook': (app, headers) =>
      app
        .addHook('onSend', async (_request, reply) => void reply.headers(headers))
        .get('/', () => 'sent'),
    'Node’s response': (app, headers) =>
      app.get('/', (_request, reply) => {
        for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value)
        return 'sent'
      }),
    'writeHead of a reply that was taken over': (app, headers) =>
      app.get('/', (_request, reply) => {
        reply.hijack().raw.writeHead(200, headers).end('sent')
      }),
    'writeHead with a list': (app, headers) =>
      app.get('/', (_request, reply) => {
        reply.hijack().raw.writeHead(200, Object.entries(headers).flat()).end('sent')
      }),
    'a Response': (app, headers) =>
      app.get('/', () => new Response('sent', { headers: headers as Record<string, string> })),
    'an error': (app, headers) =>
      app.get('/', () => {
        throw Object.assign(new Error('sent'), { statusCode: 400, headers })
      }),
    'an error handler': (app, headers) =>
      app
        .setErrorHandler((_error, _request, reply) => reply.code(400).headers(headers).send('sent'))
        .get('/', () => Promise.reject(new Error('no'))),
    'a stream': (app, headers) =>
      app.get('/', (_request, reply) => reply.headers(headers).send(Readable.from(['sent']))),
    'a not-found handler': (app, headers) =>
      app.setNotFoundHandler((_request, reply) => reply.headers(headers).code(404).send('sent')),
  }
  if (isHttp2)
    for (const [who, set] of Object.entries(setters)) {
      test(`${name}: headers of one connection that ${who} sets are left out`, async (context) => {
        const all = { ...ofConnection, connection: 'keep-alive', upgrade: 'h2c', 'x-a': '1' }
        const client = await talk(context, transport, (app) => set(app, all))
        const { status, headers, text } = await ask(client, '/')
        assert.ok([200, 400, 404].includes(status ?? 0), String(status))
        assert.match(text, /sent/)
        assert.equal(headers['x-a'], '1')
        for (const forbidden of Object.keys(all)) {
          if (forbidden !== 'x-a') assert.equal(headers[forbidden], undefined)
        }
      })
    }

  test(`${name}: what fetch gives of another server is a reply`, async (context) => {
    const upstream = createServer((_request, response) => {
      response.writeHead(202, { ...ofConnection, 'x-up': 'yes' }).end('from upstream')
    }).listen(0)
    context.after(() => upstream.close())
    const { port } = upstream.address() as { port: number }
    const client = await talk(context, transport, (app) => {
      app.get('/', () => fetch(`http://localhost:${port}`))
    })
    const { status, text, headers } = await ask(client, '/')
    assert.deepEqual([status, text, headers['x-up']], [202, 'from upstream', 'yes'])
  })

  for (const [what, header] of Object.entries({
    'a name that is none': ['x(y', 'z'],
    'a line break in a value': ['x-a', 'b\r\nc: d'],
  }) as [string, [string, string]][]) {
    test(`${name}: ${what} is answered with 500, whoever sets it`, async (context) => {
      const client = await talk(context, transport, (app) => {
        app.get('/reply', (_request, reply) => reply.header(...header).send('never'))
        app.get('/raw', (_request, reply) => {
          reply.raw.setHeader(...header)
          return 'never'
        })
        app.get('/head', (_request, reply) => {
          reply.raw.writeHead(200, { [header[0]]: header[1] })
          return 'never'
        })
      })
      const asked = ['/reply', '/raw', '/head'].map((path) => ask(client, path))
      const [all] = await silenced(() => Promise.all(asked))
      assert.deepEqual(
        all.map(({ status }) => status),
        [500, 500, 500],
      )
    })
  }

  test(`${name}: trailers come behind text and streams`, async (context) => {
    const client = await talk(context, transport, (app) => {
      const trailed = (payload: () => unknown) => (_request: Loose, reply: Loose) => {
        reply.trailer('x-sum', async () => 'sum').trailer('keep-alive', async () => 'timeout=1')
        return reply.send(payload())
      }
      app.get(
        '/text',
        trailed(() => 'text'),
      )
      app.get(
        '/stream',
        trailed(() => Readable.from(['te', 'xt'])),
      )
    })
    for (const path of ['/text', '/stream']) {
      const { text, trailers, isWhole } = await ask(client, path)
      assert.deepEqual([text, trailers['x-sum'], isWhole], ['text', 'sum', true])
    }
  })

  test(`${name}: onResponse runs once, whoever answers`, async (context) => {
    const seen: string[] = []
    const client = await talk(context, transport, (app) => {
      app.addHook('onResponse', async ({ url }) => void seen.push(url))
      app.get('/', () => 'a')
      app.get('/hijacked', (_request, reply) => void reply.hijack().raw.end('b'))
      app.get('/raw', (_request, reply) => void reply.raw.end('c'))
    })
    for (const path of ['/', '/hijacked', '/raw']) await ask(client, path)
    await client.app.close()
    assert.deepEqual(seen, ['/', '/hijacked', '/raw'])
  })

  test(`${name}: a reply is awaited until it has left`, async (context) => {
    const seen: unknown[] = []
    const client = await talk(context, transport, (app) => {
      app.get('/', async (_request, reply) => {
        await reply.send('sent')
        seen.push(reply.raw.writableEnded)
        return reply
      })
    })
    assert.equal((await ask(client, '/')).text, 'sent')
    await client.app.close()
    assert.deepEqual(seen, [true])
  })
}

for (const transport of wires) {
  test(`${transport.name}: early hints come before the reply, and call back`, async (context) => {
    let isCalled = false
    const client = await talk(context, transport, (app) => {
      app.get('/', (_request, reply) => {
        const hints = { link: '</a.css>; rel=preload', 'x-hint': 'b', ...ofConnection }
        reply.writeEarlyHints(hints, () => (isCalled = true))
        return 'late'
      })
      app.get('/none', (_request, reply) => reply.writeEarlyHints({}).send('none'))
    })
    const { hints, text } = await ask(client, '/')
    assert.deepEqual(
      [hints?.['link'], hints?.['x-hint'], text, isCalled],
      ['</a.css>; rel=preload', 'b', 'late', true],
    )
    assert.equal((await ask(client, '/none')).text, 'none')
  })

  for (const [what, length] of [
    ['shorter', 9],
    ['longer', 3],
  ] as const) {
    test(`${transport.name}: a stream that is ${what} than its length is not taken for whole`, async (context) => {
      const client = await talk(context, transport, (app) => {
        app.get('/', (_request, reply) => {
          const stream = new Readable({ read: () => undefined })
          stream.push('ab')
          setImmediate(() => {
            stream.push('cd')
            stream.push(null)
          })
          return reply.header('content-length', length).send(stream)
        })
      })
      const [{ status, isWhole }] = await silenced(() => ask(client, '/'))
      assert.deepEqual([status, isWhole], [200, false])
    })
  }
}

test('a reason phrase over HTTP/2 is left out in silence', async (context) => {
  const warned: Error[] = []
  const note = (warning: Error) => void warned.push(warning)
  process.on('warning', note)
  context.after(() => process.off('warning', note))
  for (const transport of transports.filter(({ isHttp2 }) => isHttp2)) {
    const client = await talk(context, transport, (app) => {
      app.get('/', (_request, reply) => {
        reply.raw.statusMessage = 'Fine'
        return String(reply.raw.statusMessage)
      })
    })
    assert.equal((await ask(client, '/')).text, '')
  }
  assert.deepEqual(warned, [])
})

test('a server of HTTP/2 that a factory has made behaves as one of the framework’s', async (context) => {
  const { createServer: createHttp2 } = await import('node:http2')
  const transport = transports.find(({ name }) => name === 'h2c')
  assert.ok(transport)
  const serverFactory = (handler: Loose) => createHttp2(handler)
  const made = { ...transport, options: { serverFactory } }
  const client = await talk(context, made, (app) => {
    app.get('/', (_request, reply) => reply.headers(ofConnection).send('sent'))
  })
  assert.deepEqual((await ask(client, '/')).status, 200)
})
