// The reply of an error handler: its status, its headers, its schema, and that there is one only.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

const fail: AnyHandler = () => {
  throw new Error('broken')
}

async function ask(app: UntypedServer, url = '/') {
  const [response, log] = await silenced(async () => app.inject(url))
  return { status: response.statusCode, body: response.body, headers: response.headers, log }
}

const statuses: readonly (readonly [what: string, set: number, own: object, status: number])[] = [
  ['a 4xx that was set is kept', 404, {}, 404],
  ['a 5xx that was set is kept', 503, {}, 503],
  ['one that was set comes before that of the error', 404, { statusCode: 409 }, 404],
  ['one of success that was set gives way to 500', 201, {}, 500],
  ['one of success that was set gives way to that of the error', 201, { statusCode: 409 }, 409],
  ['a redirect that was set gives way to 500', 302, {}, 500],
]
for (const [what, set, own, status] of statuses) {
  test(`the status of an error given to send: ${what}`, async () => {
    const seen: number[] = []
    const app = untyped().setErrorHandler((_error, _request, reply) => {
      seen.push(reply.statusCode)
      return 'handled'
    })
    const error = Object.assign(new Error('broken'), own)
    app.get('/', (_request, reply) => reply.code(set).send(error))
    const answer = await ask(app)
    assert.deepEqual([seen, answer.status, answer.body], [[status], status, 'handled'])
    await app.close()
  })
}

test('a status that one error handler sets for the error that it sends is seen by the next', async () => {
  const app = untyped().setErrorHandler((error, _request, reply) => [
    reply.statusCode,
    error.message,
  ])
  app.register(async (child) => {
    child.setErrorHandler((error, _request, reply) => reply.code(422).send(error))
    child.get('/', fail)
  })
  const { status, body } = await ask(app)
  assert.deepEqual([status, body], [422, '[422,"broken"]'])
  await app.close()
})

test('an error handler may answer with success', async () => {
  const app = untyped().setErrorHandler((_error, _request, reply) => reply.code(200).send('fine'))
  const { status, body } = await ask(app.get('/', fail))
  assert.deepEqual([status, body], [200, 'fine'])
  await app.close()
})

test('the type and the length that were set before the error are not those of its answer', async () => {
  const app = untyped()
  app.addHook('onRequest', async (_request, reply) => {
    reply.type('text/csv').header('content-length', '3').header('x-kept', 'kept')
  })
  app.get('/object', { errorHandler: () => ({ a: 1 }) }, fail)
  app.get('/text', { errorHandler: () => 'handled' }, fail)
  app.get('/stream', { errorHandler: () => Readable.from(['handled']) }, fail)
  app.get(
    '/own',
    { errorHandler: (_e: any, _q: any, reply: any) => reply.type('a/b').send('x') },
    fail,
  )
  for (const [url, body, type] of [
    ['/object', '{"a":1}', 'application/json; charset=utf-8'],
    ['/text', 'handled', 'text/plain; charset=utf-8'],
    ['/stream', 'handled', 'application/octet-stream'],
    ['/own', 'x', 'a/b'],
  ] as const) {
    const { headers, ...answer } = await ask(app, url)
    assert.deepEqual(answer, { status: 500, body, log: '' }, url)
    assert.deepEqual([headers['content-type'], headers['x-kept']], [type, 'kept'])
  }
  await app.close()
})

test('headers of an error that has a status are sent, with the default answer and with any other', async () => {
  const headers = { 'www-authenticate': 'Basic', 'Set-Cookie': ['a=1', 'b=2'] }
  const error = Object.assign(new Error('who'), { statusCode: 401, headers })
  const throws: AnyHandler = () => {
    throw error
  }
  const app = untyped()
    .get('/', throws)
    .get('/own', { errorHandler: () => 'handled' }, throws)
  for (const url of ['/', '/own']) {
    const answer = await ask(app, url)
    assert.equal(answer.status, 401)
    assert.equal(answer.headers['www-authenticate'], 'Basic', url)
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2'])
  }
  await app.close()
})

test('the response schema of the status holds for what an error handler answers', async () => {
  const response = {
    200: { a: t.Integer() },
    422: { message: t.String() },
    default: { b: t.Null() },
  }
  const answer = { message: 'broken', secret: 's', a: 1, b: null }
  const app = untyped().setErrorHandler((_error, { query }, reply) =>
    reply.code(Number(query.status)).send(answer),
  )
  app.get('/', { schema: { response } }, fail)
  assert.equal((await ask(app, '/?status=422')).body, '{"message":"broken"}')
  assert.equal((await ask(app, '/?status=500')).body, '{"b":null}')
  assert.equal((await ask(app, '/?status=200')).body, '{"a":1}')
  await app.close()
})

test('an answer that its schema cannot serialize goes on to the next error handler', async () => {
  const app = untyped().setErrorHandler((error) => ({ why: error.message }))
  const response = { 422: { reason: t.String() }, 500: { why: t.String() } }
  const errorHandler = (_error: unknown, _request: unknown, reply: any) => reply.code(422).send({})
  app.get('/', { schema: { response }, errorHandler }, fail)
  const { status, body } = await ask(app)
  assert.deepEqual(
    [status, body],
    [500, '{"why":"\\"reason\\" is required! Place in the value: /reason"}'],
  )
  await app.close()
})

test('the hooks around a reply run for what an error handler answers', async () => {
  const trace: string[] = []
  const app = untyped().setErrorHandler(() => ({ a: 1 }))
  app.addHook('onError', async (_request, _reply, ...[error]: any[]) => {
    trace.push(`onError ${error.message}`)
  })
  app.addHook('preSerialization', async (_request, _reply, ...[payload]: any[]) => {
    trace.push('preSerialization')
    return { ...payload, b: 2 }
  })
  app.addHook('onSend', async (_request, _reply, ...[text]: any[]) => {
    trace.push(`onSend ${text}`)
  })
  assert.equal((await ask(app.get('/', fail))).body, '{"a":1,"b":2}')
  assert.deepEqual(trace, ['onError broken', 'preSerialization', 'onSend {"a":1,"b":2}'])
  await app.close()
})

const sending: Readonly<Record<string, AnyHandler>> = {
  'a handler': (_request, reply) => {
    reply.send(new Error('broken'))
  },
  'an async handler': async (_request, reply) => {
    reply.send(new Error('broken'))
  },
  'an async handler that returns something': async (_request, reply) => {
    reply.send(new Error('broken'))
    return 'mine'
  },
  'a handler that throws then': (_request, reply) => {
    reply.send(new Error('broken'))
    throw new Error('another')
  },
  'an async handler that throws then': async (_request, reply) => {
    reply.send(new Error('broken'))
    throw new Error('another')
  },
}
for (const [who, handler] of Object.entries(sending)) {
  test(`${who} has given its error to send: the error handler answers, when it is ready`, async () => {
    const seen: string[] = []
    const app = untyped().get('/', handler)
    app.setErrorHandler(async ({ message }) => {
      seen.push(message)
      await tick()
      await tick()
      return 'handled'
    })
    const { status, body } = await ask(app)
    assert.deepEqual([status, body, seen], [500, 'handled', ['broken']])
    await app.close()
  })
}

type Hook = (request: unknown, reply: any, ...rest: any[]) => unknown

for (const name of ['onRequest', 'preValidation', 'preHandler']) {
  const forms: Readonly<Record<string, Hook>> = {
    'an async hook': async (_request, reply) => {
      reply.send(new Error('broken'))
    },
    'a callback hook that calls done too': callback,
  }
  for (const [form, hook] of Object.entries(forms)) {
    test(`${form} in ${name} has given an error to send: nothing behind it runs`, async () => {
      const trace: string[] = []
      const app = untyped().setErrorHandler(async () => {
        await tick()
        await tick()
        return 'handled'
      })
      app.addHook(name, hook).addHook(name, async () => void trace.push('behind'))
      app.get('/', () => void trace.push('handler'))
      const { status, body } = await ask(app)
      assert.deepEqual([status, body, trace], [500, 'handled', []])
      await app.close()
    })
  }
}

function callback(_request: unknown, reply: any, done: () => void): void {
  reply.send(new Error('broken'))
  done()
}

test('an error behind the answer of an error handler is told to stderr, and changes nothing', async () => {
  for (const handler of [
    (_error: unknown, _request: unknown, reply: any) => {
      reply.code(409).send('handled')
      throw new Error('behind')
    },
    async (_error: unknown, _request: unknown, reply: any) => {
      reply.code(409).send('handled')
      throw new Error('behind')
    },
  ]) {
    const app = untyped().setErrorHandler(handler).get('/', fail)
    const { status, body, log } = await ask(app)
    assert.deepEqual([status, body], [409, 'handled'])
    assert.match(log, /GET \/ in root: Error: behind/)
    await app.close()
  }
})
