// Whatever is thrown, a client gets one answer, which does not tell what it must not know.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { deepFreeze, untyped, type UntypedServer } from '../support/untyped.ts'

/** A server that is closed when its test has ended, however it did. */
function serve(context: TestContext) {
  const app = untyped()
  context.after(() => app.close())
  return app
}

async function ask(app: UntypedServer, url = '/') {
  const [{ statusCode, body, headers }, log] = await silenced(() => app.inject(url))
  return { answer: [statusCode, body], headers, log }
}

const hidden =
  '{"statusCode":500,"error":"Internal Server Error","message":"Internal Server Error"}'
const told = (status: number, error: string, message = 'told') =>
  JSON.stringify({ statusCode: status, error, message })
const withStatus = (statusCode: unknown) => Object.assign(new Error('secret'), { statusCode })

const thrown: readonly (readonly [what: string, make: () => unknown, body?: string])[] = [
  ['a symbol', () => Symbol('secret')],
  ['a function', () => () => 'secret'],
  ['a BigInt', () => 7n],
  ['false', () => false],
  ['a list', () => ['secret']],
  ['a frozen error', () => deepFreeze(new Error('secret'))],
  [
    'a frozen error with a status',
    () => deepFreeze(Object.assign(new Error('told'), { statusCode: 409 })),
    told(409, 'Conflict'),
  ],
  [
    'a frozen object with a status',
    () => Object.freeze({ statusCode: 404, message: 'told' }),
    told(404, 'Not Found'),
  ],
  ['an error with status 42', () => withStatus(42)],
  ['an error with status 100', () => withStatus(100)],
  ['an error with status 204', () => withStatus(204)],
  ['an error with status 304', () => withStatus(304)],
  ['an error with status 1000', () => withStatus(1000)],
  ['an error with status -404', () => withStatus(-404)],
  ['an error with status NaN', () => withStatus(Number.NaN)],
  ['an error with status Infinity', () => withStatus(Number.POSITIVE_INFINITY)],
  ['an error with a list as status', () => withStatus([404])],
  ['an error with status 404n', () => withStatus(404n)],
  ['an error of another realm', () => runInNewContext('new TypeError("secret")')],
  [
    'an error of another realm with a status',
    () => runInNewContext('Object.assign(new Error("told"), { statusCode: 404 })'),
    told(404, 'Not Found'),
  ],
  ['an error without a prototype', () => Object.setPrototypeOf(new Error('secret'), null)],
  ['a class', () => Error],
  ['a DOMException', () => new DOMException('secret', 'AbortError')],
  ['a Response', () => new Response('secret', { status: 201 })],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable(new Error('secret'), {})
      revoke()
      return proxy
    },
  ],
]
for (const [what, make, body = hidden] of thrown) {
  test(`${what} that is thrown or rejected with is answered once, and the server lives`, async (context) => {
    const app = serve(context)
      .get('/throws', () => {
        throw make()
      })
      .get('/rejects', async () => {
        throw make()
      })
      .get('/late', async () => {
        await new Promise((resolve) => setImmediate(resolve))
        throw make()
      })
    for (const url of ['/throws', '/rejects', '/late']) {
      const { answer, headers, log } = await ask(app, url)
      assert.deepEqual(answer, [JSON.parse(body).statusCode, body])
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(log.includes(`GET ${url} in root: `), body === hidden)
    }
  })
}

test('an error of another realm that is sent or returned is answered as an error', async (context) => {
  const make = (): unknown => runInNewContext('new Error("secret")')
  const app = serve(context)
    .get('/sent', (_request, reply) => reply.send(make()))
    .get('/returned', async () => make())
    .get('/status', (_request, reply) => reply.code(418).send(make()))
  assert.deepEqual((await ask(app, '/sent')).answer, [500, hidden])
  assert.deepEqual((await ask(app, '/returned')).answer, [500, hidden])
  assert.deepEqual((await ask(app, '/status')).answer, [418, told(418, "I'm a Teapot", 'secret')])
})

for (const name of ['statusCode', 'status', 'code', 'message', 'stack', 'headers', 'toJSON']) {
  test(`an error whose ${name} cannot be read is answered once, and the server lives`, async (context) => {
    const get = () => {
      throw new Error('secret of the getter')
    }
    const error = Object.defineProperty(new Error('secret'), name, { get, enumerable: true })
    const app = serve(context)
      .get('/throws', () => {
        throw error
      })
      .get('/rejects', async () => Promise.reject(error))
      .get('/sends', (_request, reply) => reply.send(error))
    for (const url of ['/throws', '/rejects', '/sends']) {
      const { answer, log } = await ask(app, url)
      assert.deepEqual(answer, [500, hidden])
      assert.match(log, new RegExp(`^GET ${url} in root: .`))
    }
  })
}

test('what cannot be shown is told to stderr all the same', async (context) => {
  const hostile = () => {
    throw new Error('no')
  }
  const symbol = Object.assign(new Error('secret'), { stack: Symbol('secret') })
  const values = [
    symbol,
    { [inspect.custom]: hostile },
    {
      get message() {
        return hostile()
      },
    },
  ]
  for (const value of values) {
    const app = serve(context).get('/', () => {
      throw value
    })
    const { answer, log } = await ask(app)
    assert.deepEqual(answer, [500, hidden])
    assert.match(log, /^GET \/ in root: ./)
  }
})

test('a toJSON of an error says nothing to the client', async (context) => {
  const toJSON = () => ({ secret: 'of the error' })
  const app = serve(context)
    .get('/hidden', () => Object.assign(new Error('secret'), { toJSON }))
    .get('/told', () => Object.assign(new Error('told'), { statusCode: 404, toJSON }))
  assert.deepEqual((await ask(app, '/hidden')).answer, [500, hidden])
  assert.deepEqual((await ask(app, '/told')).answer, [404, told(404, 'Not Found')])
})

test('a message and a code that are no text are left out', async (context) => {
  const others = [7, null, undefined, { secret: 1 }, Symbol('secret'), ['secret'], () => 'secret']
  for (const value of others) {
    const app = serve(context)
      .get('/message', () => Object.assign(new Error(), { statusCode: 400, message: value }))
      .get('/code', () => Object.assign(new Error('told'), { statusCode: 400, code: value }))
    const { answer } = await ask(app, '/message')
    assert.deepEqual(answer, [400, told(400, 'Bad Request', 'Bad Request')])
    assert.deepEqual((await ask(app, '/code')).answer, [400, told(400, 'Bad Request')])
  }
})

const secret = new Error('{"type":"object","properties":{"password":{}}} at /srv/app.js:1')
const throws = () => {
  throw secret
}
const schema = { response: { 200: t.Object({ password: t.String() }) } }
const leaks: Record<string, (app: UntypedServer) => unknown> = {
  'a serializer': (app) => app.get('/', { schema }, () => ({})),
  'a serializer of one reply': (app) =>
    app.get('/', (_request, reply) => reply.serializer(throws).send({})),
  'a serializer of the scope': (app) => app.setReplySerializer(throws).get('/', () => ({})),
  'a serializer of a compiler': (app) =>
    app.setSerializerCompiler(() => throws).get('/', { schema }, () => ({})),
  'a serializer of the status of the error, too': (app) =>
    app.get('/', { schema: { response: { '5xx': schema.response[200] } } }, throws),
  'a serializer of errors that gives no text': (app) =>
    app
      .setSerializerCompiler(() => () => 7)
      .get('/', { schema: { response: { 500: {} } } }, throws),
  'a serializer of errors that gives a promise': (app) =>
    app
      .setSerializerCompiler(() => async () => 'secret')
      .get('/', { schema: { response: { 500: {} } } }, throws),
  'a toJSON of the payload': (app) => app.get('/', () => ({ toJSON: throws })),
  'a payload that has no end': (app) => {
    const payload: { self?: unknown } = {}
    return app.get('/', () => (payload.self = payload))
  },
  'a formatter': (app) => {
    app.setSchemaErrorFormatter(throws)
    return app.get('/', { schema: { querystring: t.Object({ password: t.String() }) } }, () => 1)
  },
  'an error handler': (app) => app.setErrorHandler(throws).get('/', throws),
  'an async error handler': (app) => app.setErrorHandler(async () => throws()).get('/', throws),
  'an error handler behind an error with a status': (app) =>
    app.setErrorHandler(throws).get('/', () => {
      throw Object.assign(new Error('told'), { statusCode: 404 })
    }),
  'every error handler': (app) =>
    app.setErrorHandler(throws).register(async (child) => {
      child.setErrorHandler(throws).get('/', throws)
    }),
}
for (const [where, set] of Object.entries(leaks)) {
  test(`the error of ${where} tells the client nothing`, async (context) => {
    const app = serve(context)
    set(app)
    const { answer, log } = await ask(app)
    assert.deepEqual(answer, [500, hidden])
    assert.match(log, /password|circular|cyclic/)
  })
}

test('an error handler that gives status 500 to an unexpected error does not make it public', async (context) => {
  const app = serve(context)
    .setErrorHandler((error, _request, reply) => reply.code(500).send(error))
    .get('/', throws)
  assert.deepEqual((await ask(app)).answer, [500, hidden])
})
