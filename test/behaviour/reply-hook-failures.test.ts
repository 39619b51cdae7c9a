// preSerialization and onSend hooks that fail, that send, and whose streams fail.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

const replyHooks = ['preSerialization', 'onSend'] as const

/** A hook with any number of parameters. */
const hook = (run: (this: Loose, ...args: Loose[]) => unknown): AnyHandler => run
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

const failing: Readonly<Record<string, (error: unknown) => AnyHandler>> = {
  throws: (error) => () => {
    throw error
  },
  rejects: (error) => async () => Promise.reject(error),
  'rejects later': (error) => async () => {
    await tick()
    throw error
  },
  'calls done with an error': (error) =>
    hook((_request, _reply, _payload, done) => {
      done(error)
    }),
  'calls done with an error later': (error) =>
    hook((_request, _reply, _payload, done) => {
      setImmediate(() => done(error))
    }),
  'calls done, and then throws': (error) =>
    hook((_request, _reply, _payload, done) => {
      done()
      throw error
    }),
}

/** A hook that does something the first time only. */
function first(run: AnyHandler): AnyHandler {
  let runs = 0
  const once = hook((request, reply, payload, done) => {
    if (++runs === 1) return Reflect.apply(run, undefined, [request, reply, payload, done])
    done?.()
    return undefined
  })
  return Object.defineProperty(once, 'length', { value: run.length })
}

for (const name of replyHooks) {
  for (const [way, fail] of Object.entries(failing)) {
    test(`the error of a ${name} hook that ${way} is one answer, through the error handler`, async () => {
      const trace: unknown[] = []
      const error = Object.assign(new Error('not you'), { statusCode: 403 })
      const app = untyped()
      app.get(
        '/',
        {
          [name]: [first(fail(error)), async () => void trace.push('behind')],
          errorHandler: async (thrown: Loose, _request: unknown, reply: Loose) => {
            trace.push(thrown)
            assert.equal(reply.sent, false)
            throw thrown
          },
        },
        () => ({ a: 1 }),
      )
      const { statusCode, body, headers } = await app.inject('/')
      // What is behind it runs for the error's answer only, which is not serialized.
      assert.deepEqual(trace, name === 'onSend' ? [error, 'behind'] : [error])
      assert.equal(body, '{"statusCode":403,"error":"Forbidden","message":"not you"}')
      assert.deepEqual([statusCode, headers['content-length']], [403, String(body.length)])
      await app.close()
    })
  }

  test(`what an unforeseen error of a ${name} hook says goes to stderr, not to the client`, async () => {
    const app = untyped().get('/', { [name]: failing['rejects']!(new Error('secret')) }, () => ({}))
    const [{ statusCode, body }, log] = await silenced(async () => app.inject('/'))
    assert.equal(statusCode, 500)
    assert.doesNotMatch(body, /secret/)
    assert.match(log, /^GET \/ in root: Error: secret/)
    await app.close()
  })

  for (const nothing of [undefined, null]) {
    test(`a ${name} hook that fails with ${nothing} fails with an error that says so`, async () => {
      for (const way of ['throws', 'rejects']) {
        const codes: unknown[] = []
        const errorHandler = async (error: Loose) => {
          codes.push(error.code)
          return 'answered'
        }
        const options = { [name]: first(failing[way]!(nothing)), errorHandler }
        const app = untyped().get('/', options, () => ({}))
        const { statusCode, body } = await app.inject('/')
        assert.deepEqual([statusCode, codes.length], [500, 1])
        assert.equal(codes[0], 'ESP_ERR_SEND_UNDEFINED_ERR')
        assert.equal(body, 'answered')
        await app.close()
      }
    })
  }

  const senders: Readonly<Record<string, AnyHandler>> = {
    'sends and is async': async (_request, reply) => void reply.code(202).send('other'),
    'sends, and returns its reply': (_request, reply) => reply.send('other'),
    'sends, calls back and is no promise': hook((_request, reply, _payload, done) => {
      reply.send('other')
      done()
    }),
    'sends an error': async (_request, reply) => void reply.send(new Error('other')),
    'sends a stream that fails': async (_request, reply) => {
      reply.send(new Readable({ read: (): never => assert.fail('the stream was read') }))
    },
  }
  for (const [what, sender] of Object.entries(senders)) {
    test(`a ${name} hook that ${what} is told that a reply is on its way`, async () => {
      const app = untyped().get('/', { [name]: sender }, () => ({ first: true }))
      const [{ body }, log] = await silenced(async () => app.inject('/'))
      assert.equal(body, '{"first":true}')
      assert.match(log, /A reply to GET \/ was sent already/)
      await app.close()
    })
  }
}

// A promise that waits for the reply which waits for the promise would never be answered.
for (const name of replyHooks) {
  test(`an async ${name} hook that returns what it sends does not wait for itself`, async () => {
    let hasAnswered = false
    const app = untyped().get(
      '/',
      { [name]: async (_request: unknown, reply: Loose) => reply.send('other') },
      () => ({ first: true }),
    )
    const [body, log] = await silenced(async () => {
      const answer = app.inject('/').then((response) => {
        hasAnswered = true
        return response.body
      })
      // All that happens without a socket happens within these turns.
      for (let turn = 0; turn < 20; turn++) await tick()
      return hasAnswered ? answer : 'none'
    })
    assert.equal(body, '{"first":true}')
    assert.match(log, /A reply to GET \/ was sent already/)
    await app.close()
  })
}

test('only the first call of done counts', async () => {
  const twice = hook((_request, _reply, _payload, done) => {
    done(null, 'first')
    done(new Error('second'), 'second')
  })
  const app = untyped().get('/', { onSend: twice }, () => 'text')
  assert.equal((await app.inject('/')).body, 'first')
  await app.close()
})

test('onSend hooks that fail for every answer are left out of the last, the default one', async () => {
  const trace: string[] = []
  let runs = 0
  const app = untyped()
  app.addHook('onSend', async () => {
    trace.push('onSend')
    throw new Error(`failure ${++runs}`)
  })
  app.setErrorHandler(async (error) => {
    trace.push(`root: ${error.message}`)
    return 'root'
  })
  app.register(async (child) => {
    child.setErrorHandler(async (error) => {
      trace.push(`child: ${error.message}`)
      return 'child'
    })
    child.get('/', () => 'text')
  })
  const [{ statusCode, body, headers }, log] = await silenced(async () => app.inject('/'))
  const message = 'Internal Server Error'
  assert.deepEqual(JSON.parse(body), { statusCode: 500, error: message, message })
  assert.deepEqual([statusCode, headers['content-length']], [500, String(body.length)])
  const handled = ['child: failure 1', 'onSend', 'root: failure 2']
  assert.deepEqual(trace, ['onSend', ...handled, 'onSend', 'onSend'])
  assert.match(log, /failure 3[^]*failure 4/)
  await app.close()
})

test('an error handler may answer with an object where the reply that failed was text', async () => {
  const app = untyped().setErrorHandler(async (error) => ({ why: error.message }))
  const once = async () => Promise.reject(new Error('no'))
  app.get('/text', { onSend: first(once) }, () => 'text')
  app.get('/bytes', { onSend: first(once) }, () => Buffer.from('bytes'))
  app.get('/html', { onSend: first(once) }, (_request, reply) =>
    reply.type('text/html').header('content-length', 4).send('text'),
  )
  for (const url of ['/text', '/bytes', '/html']) {
    const [{ body, headers }] = await silenced(async () => app.inject(url))
    assert.equal(body, '{"why":"no"}', url)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  }
  await app.close()
})

test('a header that is refused in onSend is a 500, and is not sent', async () => {
  const app = untyped().addHook('onSend', async (_request, reply) => {
    reply.header('x-a', 'a\r\nset-cookie: b')
  })
  app.get('/', () => 'text')
  const [{ statusCode, headers }, log] = await silenced(async () => app.inject('/'))
  assert.equal(statusCode, 500)
  assert.equal('set-cookie' in headers, false)
  assert.match(log, /Invalid character in header content/)
  await app.close()
})

test('a stream that fails while an onSend hook is waiting is answered as an error', async () => {
  const wait = hook(async (_request, _reply, stream) => {
    await new Promise<void>((resolve) => stream.once('close', resolve))
  })
  const failed = () => new Readable({ read() {} }).destroy(new Error('no such file'))
  const app = untyped()
  app.get('/given', { onSend: wait }, failed)
  app.get('/replaced', { onSend: [failed, wait] }, () => 'text')
  for (const url of ['/given', '/replaced']) {
    const [{ statusCode }, log] = await silenced(async () => app.inject(url))
    assert.equal(statusCode, 500)
    assert.match(log, /no such file/)
  }
  await app.close()
})

test('streams that are not sent, since a hook failed, are destroyed', async () => {
  const given = new Readable({ read() {} })
  const replaced = new Readable({ read() {} })
  const app = untyped()
  const fail = async () => Promise.reject(Object.assign(new Error('no'), { statusCode: 400 }))
  let runs = 0
  const replace = async () => (++runs === 1 ? replaced : undefined)
  app.get('/given', { onSend: fail }, () => given)
  app.get('/replaced', { onSend: [replace, fail] }, () => 'text')
  await silenced(async () => {
    assert.equal((await app.inject('/given')).statusCode, 400)
    assert.equal((await app.inject('/replaced')).statusCode, 400)
  })
  assert.deepEqual([given.destroyed, replaced.destroyed], [true, true])
  await app.close()
})
