// What an application does that a runtime may do otherwise than Node, each part by itself. It runs where the package is
// installed, on the runtime that starts it, and prints a line for each part: `ok` or `not ok`, its name, and why not.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, request as requestHttp } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createGzip, gunzipSync } from 'node:zlib'
import espalier, { plugin, t } from 'espalier'
import { client } from 'espalier/client'
import { multipart } from 'espalier/multipart'
import { openapi } from 'espalier/openapi'
import { websocket } from 'espalier/websocket'

const partTimeout = 10_000
const { AbortController, Blob, Buffer, Bun, Deno, File } = globalThis
const { FormData, ReadableStream, Response } = globalThis
// Node 20 has none.
const { WebSocket = (await import('ws')).WebSocket } = globalThis
const posted = (value) => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
})

/** Runs a body with a server that listens. */
async function listening(app, body) {
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    await body(origin)
  } finally {
    await app.close()
  }
}

/** Has a runtime serve an application by its own server. */
async function served(app, body) {
  if (Bun) {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch })
    await body(`http://127.0.0.1:${server.port}`)
    await server.stop()
  } else if (Deno) {
    const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, app.fetch)
    await body(`http://127.0.0.1:${server.addr.port}`)
    await server.shutdown()
  } else {
    await body('http://127.0.0.1', app.fetch)
  }
  await app.close()
}

const sum = { schema: { body: { a: t.Integer() }, response: { 200: { b: t.Integer() } } } }
const summing = () => espalier().post('/', sum, ({ body }) => ({ b: body.a + 1 }))
const items = { 200: { content: { 'text/event-stream': { itemSchema: { n: t.Integer() } } } } }
const counting = () =>
  espalier().get('/', { schema: { response: items } }, async function* () {
    for (let n = 0; n < 3; n++) yield { n }
  })

const parts = {
  'JSON, over a socket': () =>
    listening(summing(), async (origin) => {
      const response = await fetch(origin, posted({ a: 1 }))
      equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      equal(await response.text(), '{"b":2}')
    }),

  'JSON, injected': async () => {
    const response = await summing().inject('POST /', { body: { a: 1 } })
    deepEqual([response.statusCode, response.json()], [200, { b: 2 }])
  },

  'what does not fit is a 400, with its place': () =>
    listening(summing(), async (origin) => {
      const response = await fetch(origin, posted({ a: 'x' }))
      equal(response.status, 400)
      match(await response.text(), /body\/a must be integer/)
    }),

  'an error is a 500 without its message, and an unknown URL a 404': () =>
    listening(
      espalier().get('/', () => {
        throw new Error('secret')
      }),
      async (origin) => {
        const response = await fetch(origin)
        deepEqual([response.status, /secret/.test(await response.text())], [500, false])
        equal((await fetch(`${origin}/none`)).status, 404)
      },
    ),

  'the request says who the client is, and by which protocol': () =>
    listening(
      espalier().get('/', ({ ip, protocol, hostname }) => [ip, protocol, hostname]),
      async (origin) => {
        const found = await (await fetch(origin)).json()
        deepEqual(found, ['127.0.0.1', 'http', '127.0.0.1'])
      },
    ),

  'hooks, decorators and plugins': async () => {
    const users = plugin().shared(async (app) => app.decorate('users', ['Ada']))
    const app = espalier()
      .register(users)
      .addHook('onSend', async (request, reply) => void reply.header('x-hook', 'ran'))
      .get('/', function () {
        return this.users
      })
    const response = await app.inject('/')
    deepEqual([response.body, response.headers['x-hook']], ['["Ada"]', 'ran'])
  },

  'a stream as a reply': () =>
    listening(
      espalier().get('/', () => Readable.from(['one ', 'two'])),
      async (origin) => equal(await (await fetch(origin)).text(), 'one two'),
    ),

  'a compressed stream of 5 MB, read slowly': () =>
    listening(
      espalier().get('/', (_request, reply) => {
        reply.header('content-encoding', 'gzip')
        return Readable.from(Array.from({ length: 5000 }, () => 'x'.repeat(1000))).pipe(
          createGzip(),
        )
      }),
      async (origin) => {
        const [response] = await once(get(origin), 'response')
        const chunks = []
        for await (const chunk of response) chunks.push(chunk)
        equal(gunzipSync(Buffer.concat(chunks)).length, 5_000_000)
      },
    ),

  'a stream that fails cuts the reply': () =>
    listening(
      espalier().get('/', async function* () {
        yield 'one'
        await new Promise((resolve) => setTimeout(resolve, 50))
        throw new Error('no more')
      }),
      async (origin) => {
        await rejects(fetch(origin).then((response) => response.text()))
      },
    ),

  'a Response as a reply': () =>
    listening(
      espalier().get('/', () => new Response('hi', { status: 201, headers: { 'x-own': 'a' } })),
      async (origin) => {
        const response = await fetch(origin)
        const told = [response.status, response.headers.get('x-own'), await response.text()]
        deepEqual(told, [201, 'a', 'hi'])
      },
    ),

  'an event stream': () =>
    listening(counting(), async (origin) => {
      const response = await fetch(origin)
      match(response.headers.get('content-type'), /^text\/event-stream/)
      equal(await response.text(), 'data: {"n":0}\n\ndata: {"n":1}\n\ndata: {"n":2}\n\n')
    }),

  'a client, with an event stream': () =>
    listening(counting(), async (origin) => {
      const response = await client(origin)('GET /')
      const seen = []
      for await (const { n } of response.events()) seen.push(n)
      deepEqual(seen, [0, 1, 2])
    }),

  'a client, with JSON': () =>
    listening(summing(), async (origin) => {
      const response = await client(origin)('POST /', { body: { a: 1 } })
      deepEqual([response.statusCode, await response.json()], [200, { b: 2 }])
    }),

  'an upload that is streamed, and one that is too large': () =>
    listening(
      espalier({ bodyLimit: 2_000_000 })
        .addContentTypeParser('application/octet-stream', async (_request, payload) => {
          let size = 0
          for await (const chunk of payload) size += chunk.length
          return size
        })
        .post('/', ({ body }) => ({ size: body }))
        .post('/text', () => 'ok'),
      async (origin) => {
        const body = new ReadableStream({
          start(controller) {
            for (let n = 0; n < 10; n++) controller.enqueue(new Uint8Array(100_000))
            controller.close()
          },
        })
        const headers = { 'content-type': 'application/octet-stream' }
        const response = await fetch(origin, { method: 'POST', headers, body, duplex: 'half' })
        deepEqual(await response.json(), { size: 1_000_000 })
        const large = posted('x'.repeat(3_000_000))
        equal((await fetch(`${origin}/text`, large)).status, 413)
      },
    ),

  'a form with a file': async () => {
    const form = { title: t.String(), photo: t.File() }
    const schema = { body: { content: { 'multipart/form-data': { schema: form } } } }
    const app = espalier()
      .register(multipart())
      .post('/', { schema }, async ({ body }) => [body.title, await body.photo.text()])
    await listening(app, async (origin) => {
      const body = new FormData()
      body.append('title', 'Sea')
      body.append('photo', new File(['a file'], 'sea.txt'))
      const response = await fetch(origin, { method: 'POST', body })
      deepEqual(await response.json(), ['Sea', 'a file'])
    })
  },

  'a WebSocket, both ways, and an upgrade that is refused': () =>
    listening(
      espalier()
        .register(websocket())
        .websocket('/', { receive: { n: t.Integer() } }, async (socket) => {
          for await (const { n } of socket) await socket.send(`n is ${n}`)
        }),
      async (origin) => {
        const socket = new WebSocket(origin.replace('http', 'ws'))
        await new Promise((resolve) => socket.addEventListener('open', resolve))
        const next = new Promise((resolve) => socket.addEventListener('message', resolve))
        socket.send('{"n":1}')
        equal((await next).data, 'n is 1')
        const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
        socket.close()
        await closed
        equal((await fetch(origin)).status, 426)
      },
    ),

  'a document of the routes, and its page': () =>
    listening(
      summing().register(openapi({ info: { title: 'Sums', version: '1' } })),
      async (origin) => {
        const document = await (await fetch(`${origin}/openapi.json`)).json()
        deepEqual(Object.keys(document.paths), ['/'])
        match(await (await fetch(`${origin}/docs`)).text(), /<html/)
      },
    ),

  'HTTP/2': async () => {
    const app = espalier({ http2: true }).post('/', sum, ({ body }) => ({ b: body.a + 1 }))
    await listening(app, async (origin) => {
      const session = connectHttp2(origin)
      const stream = session.request({
        ':method': 'POST',
        ':path': '/',
        'content-type': 'application/json',
      })
      stream.end('{"a":1}')
      equal(await text(stream), '{"b":2}')
      session.close()
    })
  },

  'a Unix socket': async () => {
    const path = join(tmpdir(), `espalier-probe-${process.pid}.sock`)
    const app = espalier().get('/', () => 'by a socket')
    await app.listen({ path })
    const [response] = await once(get({ socketPath: path, path: '/' }), 'response')
    equal(await text(response), 'by a socket')
    await app.close()
  },

  trailers: () =>
    listening(
      espalier().get('/', (_request, reply) =>
        reply.trailer('x-sum', async () => '7').send('body'),
      ),
      async (origin) => {
        const [response] = await once(get(origin), 'response')
        deepEqual([await text(response), response.trailers], ['body', { 'x-sum': '7' }])
      },
    ),

  'a client that leaves aborts the signal of its request': async () => {
    let told
    const aborted = new Promise((resolve) => (told = resolve))
    const app = espalier().get('/', async ({ signal }) => {
      signal.addEventListener('abort', told)
      await aborted
      return 'late'
    })
    await listening(app, async (origin) => {
      const begun = once(app.server, 'request')
      const left = new AbortController()
      const call = fetch(origin, { signal: left.signal })
      await begun
      left.abort()
      await rejects(call)
      await aborted
    })
  },

  'a handler that takes too long is a 503': () =>
    listening(
      espalier({ handlerTimeout: 50 }).get('/', () => new Promise(() => {})),
      async (origin) => equal((await fetch(origin)).status, 503),
    ),

  'requests one behind the other on a connection': () =>
    listening(
      espalier().get('/:n', ({ params }) => `n=${params.n}`),
      async (origin) => {
        const { port, hostname } = new URL(origin)
        const socket = connect(Number(port), hostname)
        const ask = (n, more = '') => `GET /${n} HTTP/1.1\r\nhost: a\r\n${more}\r\n`
        socket.write(ask(1) + ask(2, 'connection: close\r\n'))
        deepEqual((await text(socket)).match(/n=\d/g), ['n=1', 'n=2'])
      },
    ),

  'closing waits for the request that is under way': async () => {
    let go
    const gone = new Promise((resolve) => (go = resolve))
    const app = espalier().get('/', async () => {
      await gone
      return 'whole'
    })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const begun = once(app.server, 'request')
    const sent = requestHttp(origin).end()
    const answered = once(sent, 'response')
    await begun
    const closed = app.close()
    go()
    const [response] = await answered
    equal(await text(response), 'whole')
    await closed
    await rejects(fetch(origin))
  },

  'closing does not wait for idle connections': async () => {
    const app = espalier().get('/', () => 'ok')
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await once(socket, 'data')
    const ended = once(socket, 'close')
    socket.resume()
    await app.close()
    await ended
  },

  'a log': async () => {
    const lines = []
    const app = espalier({ logger: { stream: { write: (line) => lines.push(JSON.parse(line)) } } })
    await app.get('/', () => 'ok').inject('/')
    deepEqual(
      lines.map(({ msg }) => msg),
      ['incoming request', 'request completed'],
    )
  },

  'a port that is taken is an error that says what to do': async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address()
    await rejects(espalier().listen({ port, host: '127.0.0.1' }), { code: 'EADDRINUSE' })
    other.close()
  },

  'app.fetch behind the server of the runtime: JSON, a 400, and who the client is': () =>
    served(
      espalier()
        .post('/', sum, ({ body }) => ({ b: body.a + 1 }))
        .get('/', ({ ip, protocol }) => [ip, protocol]),
      async (origin, ask = fetch) => {
        const response = await ask(`${origin}/`, posted({ a: 1 }))
        deepEqual([response.status, await response.text()], [200, '{"b":2}'])
        equal((await ask(`${origin}/`, posted({ a: 'x' }))).status, 400)
        const told = await (await ask(`${origin}/`)).json()
        deepEqual(told, [ask === fetch ? '127.0.0.1' : '', 'http'])
      },
    ),

  'app.fetch behind the server of the runtime: streams both ways': () =>
    served(
      espalier()
        .addContentTypeParser('*', (_request, payload, done) => done(null, payload))
        .post('/', ({ body }) => body),
      async (origin, ask = fetch) => {
        const body = new Blob(['x'.repeat(3_000_000)]).stream()
        const response = await ask(`${origin}/`, { method: 'POST', body, duplex: 'half' })
        equal((await response.text()).length, 3_000_000)
      },
    ),

  'app.fetch behind the server of the runtime: a client that leaves an event stream ends it':
    async () => {
      let told
      const ended = new Promise((resolve) => (told = resolve))
      const app = espalier().get(
        '/',
        { schema: { response: items } },
        async function* ({ signal }) {
          try {
            for (let n = 0; ; n++) {
              yield { n }
              await new Promise((resolve) => {
                signal.addEventListener('abort', resolve)
                setTimeout(resolve, 20)
              })
            }
          } finally {
            told()
          }
        },
      )
      await served(app, async (origin, ask = fetch) => {
        const left = new AbortController()
        const response = await ask(`${origin}/`, { signal: left.signal })
        const reader = response.body.getReader()
        ok((await reader.read()).value.length > 0)
        left.abort()
        await ended
      })
    },
}

for (const [name, part] of Object.entries(parts)) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('it takes too long')), partTimeout)
  })
  try {
    await Promise.race([part(), late])
    console.log(`ok ${name}`)
  } catch (error) {
    console.log(`not ok ${name}: ${String(error?.stack ?? error).replaceAll('\n', ' | ')}`)
  }
  clearTimeout(timer)
}
process.exit()
