import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import espalier from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const ok = () => 'ok'

/** The statuses of GET requests to several URLs. */
async function statuses(app: ReturnType<typeof untyped>, ...urls: readonly string[]) {
  const responses = await Promise.all(urls.map((url) => app.inject(url)))
  return responses.map(({ statusCode }) => statusCode)
}

for (const place of ['beside the others', 'in routerOptions']) {
  const make = (options: object) =>
    untyped(place === 'in routerOptions' ? { routerOptions: options } : options)

  test(`paths are of any case with caseSensitive false ${place}, parameters as they came`, async () => {
    const app = make({ caseSensitive: false }).get('/Users/:id', ({ params }) => params.id)
    assert.equal((await app.inject('/uSERS/Ada')).body, 'Ada')
  })

  test(`slashes make no difference with ignoreTrailingSlash and ignoreDuplicateSlashes ${place}`, async () => {
    const app = make({ ignoreTrailingSlash: true, ignoreDuplicateSlashes: true }).get('/a//b', ok)
    assert.deepEqual(await statuses(app, '/a/b', '/a//b', '/a/b//', '/ab'), [200, 200, 200, 404])
    assert.throws(() => make({ ignoreTrailingSlash: true }).get('/a', ok).get('/a/', ok), {
      code: 'ESP_ERR_DUPLICATED_ROUTE',
    })
  })

  test(`a parameter over maxParamLength ${place} is answered with 414`, async () => {
    const app = make({ maxParamLength: 10 }).get('/:id', ok)
    assert.deepEqual(await statuses(app, '/0123456789', '/0123456789a'), [200, 414])
  })

  test(`semicolons begin the query with useSemicolonDelimiter ${place}`, async () => {
    const app = make({ useSemicolonDelimiter: true }).get('/a', ({ query }) => query)
    assert.equal((await app.inject('/a;x=1')).body, '{"x":"1"}')
  })

  test(`unsafe regular expressions are refused, unless allowUnsafeRegex ${place}`, () => {
    const path = '/:foo(^(([0-9]+){10})$)'
    assert.throws(() => make({}).get(path, ok), { code: 'ESP_ERR_ROUTE_PATH', message: /not safe/ })
    make({ allowUnsafeRegex: true }).get(path, ok)
  })

  test(`querystringParser ${place} parses all queries`, async () => {
    const app = make({ querystringParser: (query: string) => ({ query }) })
    app.get('/', ({ query }) => query).setNotFoundHandler(({ query }) => query)
    for (const [url, query] of [
      ['/', ''],
      ['/?a=1', 'a=1'],
      ['/none?b', 'b'],
    ] as const) {
      assert.deepEqual((await app.inject(url)).json(), { query })
    }
  })
}

test('by default a semicolon is part of the path, and 100 characters are the most of a parameter', async () => {
  const app = untyped().get('/:id', ({ params }) => params.id)
  assert.equal((await app.inject('/a;x=1')).body, 'a;x=1')
  const [short, long] = ['x'.repeat(100), 'x'.repeat(101)]
  assert.equal((await app.inject(`/${short}`)).body, short)
  const { statusCode, ...rest } = (await app.inject(`/${long}`)).json()
  assert.deepEqual([statusCode, rest.code], [414, 'ESP_ERR_MAX_PARAM_LENGTH'])
})

test('routerOptions come first, and what they have not is an error', () => {
  const app = untyped({ maxParamLength: 1, routerOptions: { maxParamLength: 5 } }).get('/:a', ok)
  assert.throws(() => untyped({ routerOptions: { maxParamLenght: 5 } }), {
    code: 'ESP_ERR_INIT_OPTS_INVALID',
    message: /'maxParamLenght' of routerOptions.*maxParamLength/,
  })
  assert.throws(() => untyped({ routerOptions: { caseSensitive: 1 } }), {
    message: /'routerOptions.caseSensitive' must be a boolean, but is 1/,
  })
  return statuses(app, '/12345', '/123456').then((found) => assert.deepEqual(found, [200, 414]))
})

test('routes that are compiled answer as others do', async () => {
  const app = untyped({ routerOptions: { compile: true } }).get('/:id', ({ params }) => params.id)
  assert.equal((await app.inject('/a%20b')).body, 'a b')
  assert.deepEqual(await statuses(app, '/a/b', '/%E0%A4%A'), [404, 400])
})

test('frameworkErrors answers a malformed URL and an over-long parameter', async () => {
  const app = espalier({
    frameworkErrors(error, request, reply) {
      assert.equal(this.prefix, '')
      return reply.code(418).send(`${error.code} ${request.method} ${request.is404}`)
    },
  }).get('/:id', ok)
  const bad = await app.inject('/%world')
  assert.deepEqual([bad.statusCode, bad.body], [418, 'ESP_ERR_BAD_URL GET true'])
  const long = await app.inject(`/${'x'.repeat(101)}`)
  assert.equal(long.body, 'ESP_ERR_MAX_PARAM_LENGTH GET true')
})

test('onBadUrl, onMaxParamLength and defaultRoute answer by themselves', async () => {
  const say = (text: string) => (path: any, _request: any, response: any) =>
    void response.end(`${text} ${path}`)
  const app = untyped({
    onBadUrl: say('bad'),
    routerOptions: {
      onMaxParamLength: say('long'),
      maxParamLength: 1,
      defaultRoute: (_request: unknown, response: any) => response.end('none'),
    },
  }).get('/:id', ok)
  const bodies = await Promise.all(['/%world', '/ab', '/a/b'].map((url) => app.inject(url)))
  assert.deepEqual(
    bodies.map(({ body }) => body),
    ['bad /%world', 'long /ab', 'none'],
  )
})

test('rewriteUrl gives the URL to route by, and originalUrl keeps the one that came', async () => {
  const app = espalier({
    rewriteUrl(request) {
      assert.equal(this.prefix, '')
      return request.url === '/old?a=1' ? '/new?a=2' : (request.url ?? '/')
    },
  }).get('/new', ({ url, originalUrl, query }) => ({ url, originalUrl, query }))
  assert.deepEqual((await app.inject('/old?a=1')).json(), {
    url: '/new?a=2',
    originalUrl: '/old?a=1',
    query: { a: '2' },
  })
  assert.equal((await app.inject('/new')).json<Record<string, unknown>>().originalUrl, '/new')
})

test('a rewriteUrl that gives no text, or throws, is a fault', async () => {
  const throws = () => {
    throw new Error('cannot')
  }
  for (const rewriteUrl of [() => undefined, throws]) {
    const app = untyped({ rewriteUrl }).get('/', ok)
    const [{ statusCode, body }, text] = await silenced(() => app.inject('/'))
    assert.equal(statusCode, 500)
    assert.ok(!body.includes('cannot'))
    assert.match(text, rewriteUrl === throws ? /cannot/ : /ESP_ERR_ROUTE_REWRITE_NOT_STR/)
  }
})

test('routing answers requests of a server of its own', async () => {
  const app = espalier().get('/', ok)
  await app.ready()
  const { routing } = app
  const server = createServer((request, response) => {
    routing(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'ok')
  server.closeAllConnections()
  server.close()
})
