// What a not-found handler sees of a request, and what runs around it.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

const common = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const rare = ['TRACE', 'PROPFIND', 'MKCOL', 'PURGE', 'SEARCH', 'M-SEARCH'] as const

test('every method is answered, those that no route can have included', async () => {
  const app = untyped().setNotFoundHandler(({ method, url }) => `no ${method} ${url}`)
  app.get('/here', () => 'here')
  for (const method of [...common, ...rare] as 'GET'[]) {
    assert.equal((await app.inject({ method, url: '/none' })).body, `no ${method} /none`)
  }
  for (const method of ['POST', 'PROPFIND'] as 'POST'[]) {
    assert.equal((await app.inject({ method, url: '/here' })).body, `no ${method} /here`)
  }
  const head = await app.inject({ method: 'HEAD', url: '/none' })
  assert.deepEqual([head.body, head.headers['content-length']], ['', '13'])
  await app.close()
})

test('a method that no route has is answered over a socket, with 404 by default', async () => {
  const app = untyped().get('/', () => 'here')
  const url = await app.listen({ port: 0 })
  for (const method of ['PROPFIND', 'OPTIONS']) {
    const { status, body } = await rawRequest(url, [`${method} / HTTP/1.1`])
    assert.equal(status, 404)
    assert.equal(JSON.parse(body).message, `Route ${method}:/ not found`)
  }
  await app.close()
})

test('the request says that it has no route, and has its query and its URL', async () => {
  const app = untyped().setNotFoundHandler(({ is404, url, query, routeOptions }, reply) => [
    ...[is404, url, query, routeOptions.url ?? 'none', reply.routeOptions.url ?? 'none'],
  ])
  const url = '/none?a=1&b=2&b=3'
  const expected = [true, url, { a: '1', b: ['2', '3'] }, 'none', 'none']
  assert.deepEqual((await app.inject(url)).json(), expected)
  await app.close()
})

test('the status is 200 unless the handler or a hook sets another', async () => {
  const app = untyped().setNotFoundHandler(() => 'home')
  app.register(
    async (child) => void child.setNotFoundHandler((_request, reply) => reply.code(410).send('x')),
    { prefix: '/gone' },
  )
  app.register(
    async (child) => {
      child.addHook('onRequest', async (_request, reply) => void reply.code(404))
      child.setNotFoundHandler(async () => ({ error: 'none' }))
    },
    { prefix: '/hooked' },
  )
  const answer = async (url: string) => {
    const { statusCode, body } = await app.inject(url)
    return [statusCode, body]
  }
  assert.deepEqual(await answer('/x'), [200, 'home'])
  assert.deepEqual(await answer('/gone/x'), [410, 'x'])
  assert.deepEqual(await answer('/hooked/x'), [404, '{"error":"none"}'])
  await app.close()
})

test('this is the server of the context that set it, whose decorators are there', async () => {
  const app = untyped().decorateRequest('above', 'above')
  let isChild: unknown
  app.register(
    async (child) => {
      child.decorate('a', 1).decorateRequest('b', 2).decorateReply('c', 3)
      child.setNotFoundHandler(function (this: any, request, reply) {
        isChild = [this === child, request.server === child, reply.server === child]
        return [this.a, request.b, reply.c, request.above, request.beside ?? 'none']
      })
    },
    { prefix: '/v1' },
  )
  app.register(async (beside) => void beside.decorateRequest('beside', 4))
  assert.deepEqual((await app.inject('/v1/x')).json(), [1, 2, 3, 'above', 'none'])
  assert.deepEqual(isChild, [true, true, true])
  await app.close()
})

const hooks = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
] as const

/** Adds each hook of a request to a server, which notes that it ran. */
function note(server: UntypedServer, who: string, trace: string[]): void {
  for (const name of [...hooks, 'onSend', 'onResponse']) {
    server.addHook(name, async () => void trace.push(`${name} ${who}`))
  }
}

test('all hooks of its context run, those of ancestors first, and no others', async () => {
  const trace: string[] = []
  const app = untyped()
  note(app, 'root', trace)
  app.register(
    async (child) => {
      note(child, 'child', trace)
      child.setNotFoundHandler(() => ({ a: trace.push('handler') }))
      child.register(async (nested) => note(nested, 'nested', trace), { prefix: '/nested' })
    },
    { prefix: '/v1' },
  )
  app.register(async (beside) => note(beside, 'beside', trace), { prefix: '/v1/beside' })
  const ended = new Promise<void>((resolve) => {
    app.addHook('onResponse', async () => resolve())
  })
  await app.inject('/v1/nested/x')
  await ended
  const both = (name: string) => [`${name} root`, `${name} child`]
  const [onRequest, preParsing, preValidation, preHandler, preSerialization] = hooks.map(both)
  const before = [onRequest, preParsing, preValidation, preHandler].flat()
  const after = [preSerialization, both('onSend'), both('onResponse')].flat()
  assert.deepEqual(trace, [...before, 'handler', ...after])
  await app.close()
})

test('hooks in the options run behind those of the context, for its unknown URLs only', async () => {
  const trace: string[] = []
  const hook = (name: string) => async () => void trace.push(name)
  const app = untyped().get('/known', () => 'known')
  app.addHook('preValidation', hook('context 1')).addHook('preHandler', hook('context 2'))
  const callback = (_request: unknown, _reply: unknown, done: () => void) => {
    trace.push('list 2')
    setImmediate(done)
  }
  const options = { preValidation: hook('single'), preHandler: [hook('list 1'), callback] }
  app.setNotFoundHandler(options, () => trace.join())
  const expected = 'context 1,single,context 2,list 1,list 2'
  assert.equal((await app.inject('/none')).body, expected)
  trace.length = 0
  await app.inject('/known')
  assert.deepEqual(trace, ['context 1', 'context 2'])
  await app.close()
})

for (const name of ['preValidation', 'preHandler']) {
  test(`a ${name} hook in the options may answer or fail, and has the server as this`, async () => {
    const app = untyped().register(
      async (child) => {
        const hook: AnyHandler = async function (this: any, request, reply) {
          if (request.query.fail !== undefined) throw new Error('broken')
          return reply.code(401).send(this === child ? 'answered' : 'not on the server')
        }
        child.setErrorHandler(({ message }) => `handled ${message}`)
        child.setNotFoundHandler({ [name]: hook }, () => 'the handler ran')
      },
      { prefix: '/v1' },
    )
    const { statusCode, body } = await app.inject('/v1/x')
    assert.deepEqual([statusCode, body], [401, 'answered'])
    assert.equal((await app.inject('/v1/x?fail')).body, 'handled broken')
    await app.close()
  })
}

const failures: Readonly<Record<string, AnyHandler>> = {
  throws: () => {
    throw new Error('broken')
  },
  rejects: async () => {
    await tick()
    throw new Error('broken')
  },
  'returns an error': () => new Error('broken'),
  'sends an error': (_request, reply) => reply.send(new Error('broken')),
  'sends an error and is async': async (_request, reply) => {
    reply.send(new Error('broken'))
  },
}
for (const [what, handler] of Object.entries(failures)) {
  test(`a handler that ${what} is answered by the error handler of its context, else by default`, async () => {
    const app = untyped().setNotFoundHandler(handler)
    app.register(
      async (child) => {
        child.setErrorHandler(async ({ message }, _request, reply) => {
          await tick()
          return reply.code(409).send(`child: ${message}`)
        })
        child.setNotFoundHandler(handler)
      },
      { prefix: '/v1' },
    )
    const child = await app.inject('/v1/x')
    assert.deepEqual([child.statusCode, child.body], [409, 'child: broken'])
    const [root, log] = await silenced(() => app.inject('/x'))
    assert.deepEqual([root.statusCode, root.json().message], [500, 'Internal Server Error'])
    assert.match(log, /root: Error: broken/)
    await app.close()
  })
}

const bodies: readonly (readonly [what: string, type: string | undefined, payload: string])[] = [
  ['a type that has no parser', 'application/x-unknown', 'x'],
  ['a type that is none', 'nonsense', 'x'],
  ['no type', undefined, 'x'],
  ['broken JSON', 'application/json', '{'],
  ['empty JSON', 'application/json', ''],
  ['more than the limit', 'application/json', `"${'x'.repeat(200)}"`],
]
for (const [what, type, payload] of bodies) {
  test(`a body with ${what} on an unknown URL is 404, as it is without a body`, async () => {
    const app = untyped({ bodyLimit: 100 }).register(
      async (child) =>
        void child.setNotFoundHandler((_request, reply) => reply.code(404).send('x')),
      { prefix: '/v1' },
    )
    const headers = type === undefined ? {} : { 'content-type': type }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const) {
      for (const url of ['/none', '/v1/none']) {
        const { statusCode } = await app.inject({ method, url, headers, payload })
        assert.equal(statusCode, 404, `${method} ${url}`)
      }
    }
    await app.close()
  })
}

test('a body on an unknown URL that nobody reads does not shift the next request', async () => {
  const app = untyped().get('/', () => 'here')
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' } as { port: number }))
  const socket = connect(Number(url.port), url.hostname)
  const body = 'GET /trap HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(5000)
  const head = `host: a\r\ncontent-type: x/y\r\ncontent-length: ${body.length}`
  socket.write(`POST /none HTTP/1.1\r\n${head}\r\n\r\n${body}`)
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  const answers = await text(socket)
  assert.deepEqual(answers.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 404', 'HTTP/1.1 200'])
  assert.match(answers, /here$/)
  await app.close()
})

test('hooks around the default answer see the query', async () => {
  const app = untyped()
  const seen: unknown[] = []
  app.addHook('onRequest', async ({ query }) => void seen.push(query))
  await app.inject('/none?a=1')
  assert.deepEqual({ ...(seen[0] as object) }, { a: '1' })
})

test('a URL that cannot be read below a prefix that has no route is for its not-found handler', async () => {
  const app = untyped().setNotFoundHandler(() => 'root')
  app.register(async (child) => void child.setNotFoundHandler(() => 'below'), { prefix: '/p' })
  assert.equal((await app.inject('/%c0')).body, 'root')
  assert.equal((await app.inject('/p/%c0?a=%20')).body, 'below')
})
