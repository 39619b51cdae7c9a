// Statuses without content, statuses that are not final, and how the body of a reply is framed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { fastify } from '../../src/index.ts'
import { rawRequest } from '../support/raw-request.ts'
import { listening } from '../support/serve.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

const payloads: Record<string, () => unknown> = {
  text: () => 'abc',
  JSON: () => ({ a: 1 }),
  nothing: () => undefined,
  bytes: () => Buffer.from('abc'),
  'a stream': () => Readable.from(['abc']),
  'a web stream': () => new Blob(['abc']).stream(),
}

for (const [what, make] of Object.entries(payloads)) {
  test(`a reply of status 205 has no content where ${what} is sent`, async (context) => {
    const app = untyped()
    app.get('/', async (_request, reply) => reply.code(205).send(make()))
    app.get('/hook', {
      onSend: async (_request: unknown, reply: any) => void reply.code(205),
      handler: async (_request: unknown, reply: any) => reply.send(make()),
    })
    const origin = await listening(context, app)
    for (const path of ['/', '/hook']) {
      const { status, head, body } = await rawRequest(origin, [`GET ${path} HTTP/1.1`])
      assert.deepEqual([status, body], [205, ''])
      assert.match(head, /^content-length: 0\r?$/im)
      assert.doesNotMatch(head, /content-type|transfer-encoding/i)
    }
  })

  test(`a status that is not final is a 500 where ${what} is sent`, async (context) => {
    const app = untyped()
    for (const status of [100, 101, 102, 103, 199]) {
      app.get(`/${status}`, async (_request, reply) => reply.code(status).send(make()))
    }
    app.get('/raw', async (_request, reply) => {
      reply.raw.statusCode = 102
      return reply.send(make())
    })
    app.get('/hook', {
      onSend: async (_request: unknown, reply: any) => void reply.code(103),
      handler: async (_request: unknown, reply: any) => reply.send(make()),
    })
    const origin = await listening(context, app)
    for (const path of ['/100', '/101', '/102', '/103', '/199', '/raw', '/hook']) {
      const [{ status, body }, log] = await silenced(() =>
        rawRequest(origin, [`GET ${path} HTTP/1.1`]),
      )
      assert.equal(status, 500, path)
      assert.equal(JSON.parse(body).statusCode, 500)
      assert.match(log, /ESP_ERR_REP_STATUS/)
      assert.match(log, new RegExp(`GET ${path} in root`))
    }
  })
}

const lengths = ['x', '-1', '1.5', '', '1, 2', 'Infinity', Number.NaN, -3, ['1', '2']]
for (const length of lengths) {
  test(`a stream with the content-length ${JSON.stringify(length)} is a 500`, async (context) => {
    const app = untyped()
    const streams: Readable[] = []
    const stream = () => {
      const made = Readable.from(['abc'])
      streams.push(made)
      return made
    }
    app.get('/', async (_request, reply) => reply.header('content-length', length).send(stream()))
    app.get('/hook', {
      onSend: async (_request: unknown, reply: any) => void reply.header('content-length', length),
      handler: async () => stream(),
    })
    const origin = await listening(context, app)
    for (const path of ['/', '/hook']) {
      const [{ status, head }, log] = await silenced(() =>
        rawRequest(origin, [`GET ${path} HTTP/1.1`]),
      )
      assert.equal(status, 500, head)
      assert.match(log, /not a number of bytes/)
    }
    assert.ok(streams.every((each) => each.destroyed))
  })
}

test('a stream with a length that is a number leaves with it, and in no chunks', async (context) => {
  const app = untyped().get('/', async (_request, reply) =>
    reply.header('content-length', 3).send(Readable.from(['abc'])),
  )
  const origin = await listening(context, app)
  const { head, body } = await rawRequest(origin, ['GET / HTTP/1.1'])
  assert.match(head, /^content-length: 3\r?$/im)
  assert.doesNotMatch(head, /transfer-encoding/i)
  assert.equal(body, 'abc')
})

const failures: Record<string, AnyHandler> = {
  'a status of success': async (_request, reply) => {
    reply.code(200)
    throw new Error('always')
  },
  'a status without content': async (_request, reply) => {
    reply.code(204)
    throw new Error('always')
  },
  'the status of a redirect': async (_request, reply) => {
    reply.code(302)
    throw new Error('always')
  },
  'a status of success, on raw': async (_request, reply) => {
    reply.raw.statusCode = 200
    throw new Error('always')
  },
}
for (const [what, hook] of Object.entries(failures)) {
  test(`the last answer is a 500 where an onSend hook that fails set ${what}`, async () => {
    const app = untyped().addHook('onSend', hook)
    app.get('/', async () => 'x')
    app.get('/thrown', async () => {
      throw new Error('first')
    })
    app.get('/handled', {
      errorHandler: async () => ({ handled: true }),
      handler: async () => {
        throw new Error('first')
      },
    })
    for (const path of ['/', '/thrown', '/handled']) {
      const [response] = await silenced(() => app.inject(path))
      assert.equal(response.statusCode, 500, path)
      assert.equal(response.json().statusCode, 500)
    }
  })
}

test('an error that an onError hook gives a status of success is answered as an error', async () => {
  const app = untyped().addHook('onError', async (_request, reply) => void reply.code(200))
  app.get('/', async () => {
    throw Object.assign(new Error('no'), { statusCode: 403 })
  })
  const response = await app.inject('/')
  assert.equal(response.statusCode, 403)
  assert.equal(response.json().statusCode, 403)
})

const described = {
  'content-encoding': 'gzip',
  'content-length': '9999',
  'content-type': 'text/html',
  'content-range': 'bytes 0-1/2',
  'content-disposition': 'attachment',
  'content-digest': 'sha-256=:x:',
  etag: '"1"',
  'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT',
  'transfer-encoding': 'chunked',
  connection: 'keep-alive',
  'keep-alive': 'timeout=99',
}
test('headers of an error that describe another payload or connection do not leave', async (context) => {
  const app = untyped().get('/', () => {
    const headers = { ...described, 'Content-Encoding': 'br', 'Retry-After': '3', upgrade: 'h2c' }
    throw Object.assign(new Error('no'), { statusCode: 503, headers })
  })
  const origin = await listening(context, app)
  const [{ head, body }] = await silenced(() => rawRequest(origin, ['GET / HTTP/1.1']))
  assert.match(head, /^retry-after: 3\r?$/im)
  assert.match(head, /^upgrade: h2c\r?$/im)
  assert.match(head, /^content-type: application\/json/im)
  assert.match(head, new RegExp(`^content-length: ${body.length}\r?$`, 'im'))
  assert.doesNotMatch(head, /gzip|br\b|etag|last-modified|content-(range|disp|digest)|chunked|=99/i)
})

test('headers that describe a refusal leave with it', async () => {
  const refused = {
    'content-range': 'bytes */2',
    'accept-ranges': 'bytes',
    'retry-after': '3',
    allow: 'GET',
    vary: 'range',
  }
  for (const app of [untyped(), fastify() as unknown as UntypedServer]) {
    const error = (headers: object): Error =>
      Object.assign(new Error('no'), { statusCode: 416, headers })
    app.get('/set', (_request, reply) => {
      reply
        .code(416)
        .headers({ ...refused, 'content-language': 'de', etag: '"1"' })
        .send(error({}))
    })
    app.get('/given', () => {
      throw error({ ...refused, 'content-language': 'de', etag: '"1"' })
    })
    for (const url of ['/set', '/given']) {
      const { statusCode, headers } = await app.inject(url)
      assert.equal(statusCode, 416)
      for (const [name, value] of Object.entries(refused)) assert.equal(headers[name], value, name)
      assert.equal(headers['content-language'] ?? headers['etag'], undefined)
    }
  }
})

/** A server of Node whose answers name headers of their connection. */
async function upstream(context: TestContext): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('connection', 'keep-alive, X-Hop')
    response.setHeader('keep-alive', 'timeout=5')
    response.setHeader('x-hop', '1')
    response.setHeader('x-end', '2')
    response.setHeader('trailer', 'x-sum')
    response.setHeader('te', 'trailers')
    response.setHeader('upgrade', 'h2c')
    response.write('a')
    response.end('b')
  }).listen(0)
  context.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return `http://localhost:${port}`
}

test('of a Response that was fetched, headers of its connection do not leave', async (context) => {
  const url = await upstream(context)
  const app = untyped().get('/', () => fetch(url))
  const origin = await listening(context, app)
  const { head, body } = await rawRequest(origin, ['GET / HTTP/1.1'])
  assert.match(head, /^x-end: 2\r?$/im)
  assert.doesNotMatch(head, /^(x-hop|keep-alive|trailer|te|upgrade):/im)
  assert.match(body, /^(1\r\na\r\n1\r\nb|2\r\nab)\r\n0\r\n\r\n$/)
})
